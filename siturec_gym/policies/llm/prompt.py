"""What a model-backed assistant reads: what never changes first, then the conversation, then the turn.

Everything is taken from the assistant's observation; profile and goal are not in it.
"""

from functools import lru_cache
from pathlib import Path

from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines
from siturec_gym.llm.messages import ImagePart, Message, Part, TextPart
from siturec_gym.llm.roles.history import told_history
from siturec_gym.llm.roles.memory import SeenView
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.templates import Templates
from siturec_gym.policies.llm.outlook import Outlook
from siturec_gym.policies.llm.store_text import catalogue_text, places_text
from siturec_gym.policies.llm.view_text import marks_text, possible_text

PROMPTS = Templates(Path(__file__).resolve().parent / "prompts")
PROMPT_FORM = 2
"""Goes up whenever the same observation is told in other words."""
_NOTHING_SAID = "(Nothing yet: the shopper has just come in. You speak first.)"


def build_messages(
    observation: Observation,
    outlook: Outlook,
    views: tuple[SeenView, ...],
    layout: ImagePart | None,
    settings: RoleSettings,
) -> tuple[Message, ...]:
    """The first seam: the messages of a turn.

    Args:
        observation: The assistant's.
        outlook: What it says of the turn.
        views: The views to show, oldest first, the current one last.
        layout: The picture of the map.
        settings: Lengths that the reply must keep.
    """
    text = _static_text(
        observation["catalog"],
        observation["location_index"],
        outlook.place_index,
        outlook.by_hand,
        (bool(views), layout is not None),
        (settings.utterance_chars, settings.reason_chars),
    )
    history = PROMPTS.filled("history", history=told_history(observation, "You", "Shopper") or _NOTHING_SAID)
    pictures = _pictures(views, layout, int(observation["turn"]))
    return Message.of("system", text), Message.of("user", history, *pictures, _now(observation, outlook))


@lru_cache(maxsize=16)
def _static_text(
    catalog: str,
    location_index: str,
    place_index: str,
    by_hand: bool,
    pictures: tuple[bool, bool],
    lengths: tuple[int, int],
) -> str:
    """Everything that stays the same for a whole episode, and over episodes of one store."""
    kind = "fixtures" if by_hand else "areas"
    blind = "_blind" if place_index else ""
    columns, products = catalogue_text(catalog, location_index)
    utterance_chars, reason_chars = map(str, lengths)
    parts = (
        PROMPTS.text("role"),
        PROMPTS.text(f"store_{kind}"),
        PROMPTS.filled("tools", own_tools=_line(f"tools_{kind}")) + PROMPTS.text(f"knowledge_{kind}"),
        _marks(kind, pictures, blind=bool(blind)),
        PROMPTS.text(f"grounding{blind}"),
        PROMPTS.text(f"navigation_{kind}{blind}"),
        PROMPTS.text("recommendation"),
        PROMPTS.text("ending"),
        PROMPTS.filled(
            "output",
            navigate=_line(f"navigate_{kind}"),
            utterance_chars=utterance_chars,
            reason_chars=reason_chars,
        ),
        PROMPTS.filled("places", places=places_text(catalog, location_index, place_index)),
        PROMPTS.filled("catalogue", columns=columns, products=products),
    )
    return "\n".join(parts)


def _marks(kind: str, pictures: tuple[bool, bool], *, blind: bool) -> str:
    """What marks there are, what they are for, and what is drawn with them."""
    own = _line(f"handles_{kind}") if blind else f"{_line(f'handles_{kind}')} {_line('handles_products')}"
    shown = [PROMPTS.text(name) for name, sent in zip(("picture_view", "picture_map"), pictures, strict=True) if sent]
    return PROMPTS.filled("handles", own_handles=own) + "".join(shown)


def _line(name: str) -> str:
    """A prompt that becomes part of another one's lines."""
    return PROMPTS.text(name).rstrip("\n")


def _pictures(views: tuple[SeenView, ...], layout: ImagePart | None, turn: int) -> list[Part]:
    """Captions and pictures: earlier views first, so that they are the first to go where there is no room."""
    told: list[Part] = []
    for view in views:
        if view.turn < turn:
            told += [TextPart(f"\nThe view at the start of turn {view.turn}:\n"), view.image]
    if layout is not None:
        told += [TextPart("\nThe map now:\n"), layout]
    for view in views:
        if view.turn == turn:
            told += [TextPart("\nThe view now:\n"), view.image]
    return told


def _now(observation: Observation, outlook: Outlook) -> str:
    x, y, yaw_deg, pitch_deg = (float(value) for value in observation["pose"])
    cart = ", ".join(f"{line['product']} {line['name']}" for line in parse_lines(observation["cart"]))
    view = "" if outlook.blind else PROMPTS.filled("view", marks=marks_text(outlook))
    return "\n" + PROMPTS.filled(
        "now",
        turn=str(int(observation["turn"])),
        recommendations_left=str(outlook.recommendations_left),
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        heading=f"{yaw_deg:.0f}",
        gaze=_gaze(round(pitch_deg)),
        inspected="In hand" if outlook.by_hand else "Under check",
        held=f"{outlook.held['product']} {outlook.held['name']}" if outlook.held else "nothing",
        cart=cart or "empty",
        view=view,
        possible=possible_text(outlook),
    )


def _gaze(pitch_deg: int) -> str:
    return "level" if not pitch_deg else f"{abs(pitch_deg)} degrees {'up' if pitch_deg > 0 else 'down'}"
