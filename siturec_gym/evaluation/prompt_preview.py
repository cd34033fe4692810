"""What a role that is a model would be asked in a turn: scripted roles play up to it, and no model is needed.

The request is the one that a run with the same seed, settings and history sends, byte for byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.core.policy import ModeratorQuery, Observation
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.environments import make_env, task_bank
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.judging import make_transcripts
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.player import views_for
from siturec_gym.evaluation.roles import describe_roles, make_assistant_for, make_user_for, model_settings
from siturec_gym.evaluation.slots import Slot, slot_seed
from siturec_gym.evaluation.task_selection import select_tasks
from siturec_gym.judges.moderator import rule_moderator
from siturec_gym.llm.messages import ChatRequest
from siturec_gym.llm.scripted import ScriptedClient
from siturec_gym.llm.structured import Asker
from siturec_gym.tasks.records import Task

ROLES = ("assistant", "user", "moderator", "judge")
_SCRIPTED = {"assistant": "heuristic", "user": "agenda", "moderator": "rules"}
_MODEL = "llm:none"


@dataclass(frozen=True, slots=True)
class Preview:
    """Which request is wanted.

    Attributes:
        role: One of ``ROLES``.
        env: Environment id.
        task: Id of the task, the scene's name may be left out; None for the first of the bank.
        turn: Number of the turn, from 0; a judge is asked once, after the episode.
        seed: Seed of the run.
        trial: Attempt at the task.
        ablation: What the assistant goes without.
        settings: How models play, by "ROLE.NAME".
    """

    role: str
    env: str
    task: str | None = None
    turn: int = 0
    seed: int = 0
    trial: int = 0
    ablation: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def previewed(preview: Preview) -> tuple[Slot, ChatRequest]:
    """The episode that was played and the request of the turn.

    Args:
        preview: Which request.

    Raises:
        ValueError: There is no such role, environment, task or setting, or the role is not asked in that turn.
        ContextOverflowError: The text is longer than the context that the settings tell.
    """
    if preview.role not in ROLES:
        raise ValueError(f"unknown role {preview.role!r}; choose from {', '.join(ROLES)}")
    bank = task_bank(preview.env)
    tasks = bank.tasks[:1] if preview.task is None else select_tasks(preview.task, bank)
    if len(tasks) != 1:
        raise ValueError(f"--task takes the id of one task, such as {bank.tasks[0].id}; got {preview.task!r}")
    slot = Slot(tasks[0].id, preview.trial, slot_seed(preview.seed, tasks[0].id, preview.trial))
    return slot, _request(preview, slot, tasks[0])


def _request(preview: Preview, slot: Slot, task: Task) -> ChatRequest:
    names = {role: _MODEL if role == preview.role else name for role, name in _SCRIPTED.items()}
    acting = names["assistant"], names["user"], names["moderator"]
    config = RunConfig(preview.env, *acting, ablation=preview.ablation, settings=dict(preview.settings))
    watch = _Watch(preview, slot)
    views = views_for(config) or {"images": False}
    env = make_env(preview.env, moderator=watch.moderator, ablation=preview.ablation, **views)
    assistant = watch.beside("assistant", make_assistant_for(_SCRIPTED["assistant"], task), task)
    user = watch.beside("user", make_user_for(_SCRIPTED["user"]), task)
    record = play(env, assistant, user, slot.task, slot.seed, slot.trial)
    if preview.role == "judge":
        return _judged(preview, record)
    if watch.overflow is not None:
        raise watch.overflow
    if watch.request is None:
        raise ValueError(
            f"the {preview.role} is not asked in turn {preview.turn}: the scripted episode of {slot.task} with this "
            f"seed has the turns 0 to {len(record.turns) - 1} and ends by {record.end_reason}"
        )
    return watch.request


class _Watch:
    """Keeps the request of the wanted turn."""

    def __init__(self, preview: Preview, slot: Slot) -> None:
        self._preview = preview
        self._slot = slot
        self._settings = model_settings(preview.role, preview.settings)
        self._asker = Asker(ScriptedClient(()))
        self.request: ChatRequest | None = None
        self.overflow: ContextOverflowError | None = None

    def beside(self, role: str, scripted: Any, task: Task) -> Any:
        """The scripted policy; beside it, if the role is the wanted one, a model that is asked nothing."""
        if role != self._preview.role:
            return scripted
        made = (self._asker, self._settings, self._slot.trial)
        model = make_assistant_for(_MODEL, task, *made) if role == "assistant" else make_user_for(_MODEL, *made)
        return _Beside(scripted, model, self)

    def look(self, model: Any, observation: Observation, state: Any) -> None:
        """Take the request if this is the turn."""
        if int(observation["turn"]) != self._preview.turn:
            return
        try:
            self.request = model.request(observation, state)
        except ContextOverflowError as error:
            self.overflow = error

    def moderator(self, query: ModeratorQuery) -> bool:
        """The verdict by rules; before it, if the moderator is wanted, its request."""
        if self._preview.role == "moderator" and query.history[-1]["turn"] == self._preview.turn:
            from siturec_gym.judges.llm_moderator import LLMModerator  # noqa: PLC0415

            asked = LLMModerator(self._asker, self._slot.seed, self._slot.trial, self._settings.decoding)
            self.request = asked.request(query)
        return rule_moderator(query)


class _Beside:
    """A scripted policy, and a model that sees what it sees."""

    def __init__(self, scripted: Any, model: Any, watch: _Watch) -> None:
        self._scripted, self._model, self._watch = scripted, model, watch

    def initial_state(self, seed: int) -> Any:
        """The states of both."""
        return self._scripted.initial_state(seed), self._model.initial_state(seed)

    def step(self, observation: Observation, state: Any) -> Any:
        """The scripted action; the model only looks."""
        own, seen = state
        self._watch.look(self._model, observation, seen)
        action, own = self._scripted.step(observation, own)
        return action, (own, self._model.seen(observation, seen))


def prompt_hash(preview: Preview) -> str:
    """The hash of the role's prompts and settings, as manifests and judgments carry it."""
    if preview.role == "judge":
        from siturec_gym.judges.llm_conversation import describe  # noqa: PLC0415

        return str(describe(model_settings("judge", preview.settings).decoding)["prompt_hash"])
    return str(describe_roles({preview.role: _MODEL}, preview.settings)[preview.role]["prompt_hash"])


def _judged(preview: Preview, record: EpisodeRecord) -> ChatRequest:
    from siturec_gym.judges.llm_conversation import LLMConversationJudge  # noqa: PLC0415

    (transcript,) = make_transcripts(preview.env, ":", [record])
    decoding = model_settings("judge", preview.settings).decoding
    return LLMConversationJudge(ScriptedClient(()), decoding).request(transcript)
