"""A person as the assistant. Everything shown comes from the assistant's observation."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from siturec_gym.cli.console import screen
from siturec_gym.cli.console.catalog_words import find_place, find_product, find_products, places_of
from siturec_gym.cli.console.terminal import Terminal
from siturec_gym.cli.console.tool_words import parse_call
from siturec_gym.core.actions import Act, Approach, AssistantAction, Navigation, Recommendation, Tool, ToolCall
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines

HELP = """\
Write your turn, then send it. The shopper hears only what you say.
  say WORDS                  what the shopper hears
  recommend PRODUCT [WHY]    makes it a Recommend act (three at most)
  guide PLACE [via PLACE [outside|inside]] [WHY]
                             makes it a Navigate act; via names the next
                             waypoint where stores have doorways
  act NAME                   any other dialogue act
  expect DO                  what you expect the shopper to do, such as
                             expect go 3 front, expect turn left 90
  rank PRODUCT ...           your ranking, best first; kept until changed
  send                       ends your turn (so does an empty line)
To look things up:
  find WORDS    where PRODUCT    marks    help    quit
Products of the catalog by id, what is in view and places by their handles.
A handle you say aloud is hidden from the shopper."""


_DOORWAYS = {"outside": Approach.OUTSIDE_DOORWAY.value, "inside": Approach.INSIDE_DOORWAY.value}


@dataclass(frozen=True)
class Draft:
    """The turn as written so far."""

    said: str = ""
    act: str | None = None
    recommendation: Recommendation | None = None
    navigation: Navigation | None = None
    expected: ToolCall = field(default_factory=lambda: ToolCall(Tool.IDLE))
    ranking: tuple[str, ...] = ()


class ConsoleAssistant:
    """The assistant's policy made of a person. Its state is the ranking, which stays from turn to turn."""

    def __init__(self, terminal: Terminal, frame: Path | None) -> None:
        self._terminal = terminal
        self._frame = frame

    def initial_state(self, seed: int) -> tuple[str, ...]:  # noqa: ARG002  a person has a will of their own
        """The state at the start."""
        return ()

    def step(self, observation: Observation, state: tuple[str, ...]) -> tuple[AssistantAction, tuple[str, ...]]:
        """Ask until the person sends the turn."""
        show = self._terminal.show
        x, y, yaw_deg, _ = (float(number) for number in observation["pose"])
        show(f"\n--- Turn {observation['turn']} " + "-" * 30)
        if observation["turn"] == 0:
            show("You help a shopper in the store.\n" + HELP + "\n")
        show(screen.heard(observation, "user"))
        show(f"The shopper stands at x {x:.1f}, y {y:.1f}, heading {yaw_deg:.0f} deg.")
        show(screen.situation(observation))
        show(f"Recommendations left: {observation['recommendations_left']}")
        self._terminal.save_frame(observation, self._frame)
        draft = self._converse(observation, Draft(ranking=state))
        return _action(draft, int(observation["turn"])), draft.ranking

    def _converse(self, observation: Observation, draft: Draft) -> Draft:
        while True:
            line = self._terminal.ask("assistant> ")
            word, _, rest = line.partition(" ")
            if word in ("", "send"):
                if draft.said:
                    return draft
                self._terminal.show("say something first, or type help")
                continue
            try:
                draft = self._written(word, rest.strip(), observation, draft)
            except ValueError as error:
                self._terminal.show(screen.wrapped(str(error)))

    def _written(self, word: str, rest: str, observation: Observation, draft: Draft) -> Draft:
        """The draft after one line; a line that only looks something up leaves it as it is."""
        if word in _PAGES:
            self._terminal.show(_PAGES[word](rest, observation))
            return draft
        if word not in _EDITS:
            raise ValueError(f"{word!r} is nothing you can type here; type help")
        draft = _EDITS[word](rest, observation, draft)
        self._terminal.show(screen.wrapped(_told(draft), "  "))
        return draft


def _say(rest: str, _: Observation, draft: Draft) -> Draft:
    return replace(draft, said=rest)


def _recommend(rest: str, observation: Observation, draft: Draft) -> Draft:
    id_, _, why = rest.partition(" ")
    product = find_product(id_, observation)
    in_view = any(mark["name"] == product["name"] for mark in parse_lines(observation["marks"]))
    recommendation = Recommendation(product["product"], product["name"], in_view, why)
    return replace(draft, act=Act.RECOMMEND, recommendation=recommendation, navigation=None)


def _guide(rest: str, observation: Observation, draft: Draft) -> Draft:
    id_, _, why = rest.partition(" ")
    waypoint = approach = None
    if why.lower().startswith("via "):
        via, _, why = why[4:].partition(" ")
        waypoint = find_place(via, observation)["place"]
        side, _, after = why.partition(" ")
        approach = _DOORWAYS.get(side.lower())
        why = after if approach else why
    navigation = Navigation(find_place(id_, observation)["place"], waypoint, approach, reason=why)
    return replace(draft, act=Act.NAVIGATE, navigation=navigation, recommendation=None)


def _act(rest: str, _: Observation, draft: Draft) -> Draft:
    plain = {act.lower(): act for act in Act if act not in (Act.RECOMMEND, Act.NAVIGATE)}
    if rest.lower() not in plain:
        raise ValueError(f"{rest!r} is not one of {', '.join(plain.values())} (recommend and guide set their own)")
    return replace(draft, act=plain[rest.lower()], recommendation=None, navigation=None)


def _expect(rest: str, observation: Observation, draft: Draft) -> Draft:
    return replace(draft, expected=parse_call(rest, parse_lines(observation["marks"])))


def _rank(rest: str, observation: Observation, draft: Draft) -> Draft:
    ids = rest.replace(",", " ").split()[:10]
    return replace(draft, ranking=tuple(str(find_product(id_, observation)["product"]) for id_ in ids))


def _action(draft: Draft, turn: int) -> AssistantAction:
    """The draft as an action; without an act it greets first, asks when it asks, and answers otherwise."""
    guessed = Act.GREET if turn == 0 else Act.ASK_PREFERENCE if draft.said.endswith("?") else Act.ANSWER_QUESTION
    return AssistantAction(
        draft.said, draft.act or guessed, draft.expected, draft.recommendation, draft.navigation, draft.ranking
    )


def _told(draft: Draft) -> str:
    """The draft in one line, so that the person sees what will be sent."""
    call = draft.expected
    arguments = [call.direction, call.angle_deg, call.distance_m, call.target, call.approach]
    expected = " ".join([call.tool, *(str(argument) for argument in arguments if argument is not None)])
    ranked = f", ranked {' '.join(draft.ranking)}" if draft.ranking else ""
    return f'{draft.act or "act left open"}: "{draft.said}", expecting {expected}{ranked}'


def _found(rest: str, observation: Observation) -> str:
    products = find_products(rest, observation)
    lines = [screen.product_line(product) for product in products[:12]]
    more = [f"  and {len(products) - 12} more; add a word"] if len(products) > 12 else []
    return "\n".join([*lines, *more]) or f"nothing in the catalog matches {rest!r}"


def _where(rest: str, observation: Observation) -> str:
    return "\n".join(screen.wrapped(line, "  ") for line in places_of(rest, observation))


_EDITS: dict[str, Callable[[str, Observation, Draft], Draft]] = {
    "say": _say, "recommend": _recommend, "guide": _guide, "act": _act, "expect": _expect, "rank": _rank,
}  # fmt: skip
_PAGES: dict[str, Callable[[str, Any], str]] = {
    "help": lambda rest, observation: HELP,  # noqa: ARG005
    "marks": lambda rest, observation: screen.situation(observation, everything=True),  # noqa: ARG005
    "find": _found,
    "where": _where,
}
