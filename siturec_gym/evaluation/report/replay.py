"""A recorded episode played again, so that any turn of it can be seen, with or without saved frames.

Records name everything by entity ids, so it is the raw environment that plays them, whichever form they came from.
Marked images are drawn anew with each role's own handles.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from siturec_gym.core.actions import AssistantAction, UserAction
from siturec_gym.core.records import EpisodeRecord, TurnRecord, ViewRecord
from siturec_gym.evaluation.environments import environment
from siturec_gym.tasks.records import TaskBank
from siturec_gym.world.view import Seen
from siturec_gym.wrappers.set_of_mark import SetOfMark

IMAGE_SIZE = (640, 480)
VIEW = "view"
LOOKS = (VIEW, "assistant", "user")
_QUALITY = 82


@dataclass(frozen=True, slots=True)
class Moment:
    """What there was at the start of a turn, or after the last one.

    Attributes:
        images: JPEG by look: the view as it is, and as the assistant and the user had it marked; empty when none were
            asked for.
        seen: Places, then products in view.
        held: Product id of the item in hand or being checked.
        cart: Product ids.
        as_recorded: Whether pose and visible ids are those of the record.
    """

    images: Mapping[str, bytes]
    seen: tuple[Seen, ...]
    held: str | None
    cart: tuple[str, ...]
    as_recorded: bool


def replay(
    env_id: str, episode: EpisodeRecord, tasks: TaskBank | None = None, *, images: bool = True
) -> tuple[Moment, ...]:
    """One moment for each turn and one for the end.

    Args:
        env_id: Environment that the episode was played in.
        episode: What was recorded.
        tasks: Where its task is found; None for the shipped bank.
        images: Whether to draw the views.

    Raises:
        ValueError: The environment or its task is unknown here.
    """
    facade = import_module(environment(env_id).facade)
    bank: Any = "bank" if tasks is None else tasks
    env = facade.raw_env(images=images, image_size=IMAGE_SIZE, preset="vlm", moderator=None, tasks=bank)
    env = SetOfMark(env) if images else env
    try:
        return tuple(_moments(env, episode, images=images))
    finally:
        env.close()


def _moments(env: Any, episode: EpisodeRecord, *, images: bool) -> Iterator[Moment]:
    env.reset(seed=episode.seed, options={"task": episode.task})
    for turn in episode.turns:
        yield _moment(env, turn.visible, images=images)
        for agent, action in _actions(turn):
            if env.agents and env.episode.end is None:
                env.step(env.encode_action(agent, action))
    yield _moment(env, episode.final_view, images=images)


def _actions(turn: TurnRecord) -> list[tuple[str, AssistantAction | UserAction]]:
    said, did = turn.assistant, turn.user
    spoken = AssistantAction(
        said.utterance, said.act, said.expected_user_action, said.recommendation, said.navigation, said.ranking
    )
    return [("assistant", spoken), ("user", UserAction(did.utterance, did.tool_requested))]


def _moment(env: Any, recorded: ViewRecord, *, images: bool) -> Moment:
    view, world = env.view, env.episode.world
    found = (tuple(sorted(view.places)), tuple(sorted(view.products)))
    held = None if world.inspected is None else env.scene.instance_by_id[world.inspected].product_id
    return Moment(
        _looks(env) if images else {},
        (*view.places.values(), *view.products.values()),
        held,
        tuple(world.cart),
        found == (recorded.places, recorded.products) and world.pose == recorded.pose,
    )


def _looks(env: Any) -> dict[str, bytes]:
    of_assistant, of_user = (env.observe(agent) for agent in ("assistant", "user"))
    shown = (of_assistant["rgb"], of_assistant["som_image"], of_user["som_image"])
    return {look: _jpeg(rgb) for look, rgb in zip(LOOKS, shown, strict=True)}


def _jpeg(rgb: Any) -> bytes:
    from PIL import Image  # noqa: PLC0415  only pages with images need it

    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()
