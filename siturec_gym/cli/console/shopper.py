"""A person as the shopper."""

from collections.abc import Callable
from pathlib import Path

from siturec_gym.cli.console import screen
from siturec_gym.cli.console.terminal import Terminal
from siturec_gym.cli.console.tool_words import USAGE, parse_call
from siturec_gym.core.actions import ToolCall, UserAction
from siturec_gym.core.legality import legal_actions
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines

HELP = """\
Say something, then do one thing; that is a turn.
  say WORDS     what you tell the assistant; wait for its answer by doing something
  marks         list everything in view
  goal          read again who you are and what you came for
  help, quit
Things to do (targets by handle or by part of the name):
"""


class ConsoleShopper:
    """The user's policy made of a person. Its state is the turn's number and plays no part."""

    def __init__(self, terminal: Terminal, frame: Path | None) -> None:
        self._terminal = terminal
        self._frame = frame

    def initial_state(self, seed: int) -> int:  # noqa: ARG002  a person has a will of their own
        """The state at the start."""
        return 0

    def step(self, observation: Observation, state: int) -> tuple[UserAction, int]:
        """Ask until the person has done something that is possible now."""
        show = self._terminal.show
        show(f"\n--- Turn {observation['turn']} " + "-" * 30)
        if state == 0:
            show(screen.private_goal(observation) + "\nType help to see what you can type.\n")
        for line in (
            screen.refusal(observation),
            screen.heard(observation, "assistant"),
            screen.situation(observation),
        ):
            show(line)
        self._terminal.save_frame(observation, self._frame)
        show(screen.choices(observation))
        return self._converse(observation), state + 1

    def _converse(self, observation: Observation) -> UserAction:
        said = ""
        while True:
            line = self._terminal.ask("shopper> ")
            word, _, rest = line.partition(" ")
            if word == "say":
                said = rest.strip()
                self._terminal.show("(said with what you do next)")
            elif word in _PAGES:
                self._terminal.show(_PAGES[word](observation))
            elif line:
                call = self._attempt(line, observation)
                if call is not None:
                    return UserAction(said, call)

    def _attempt(self, line: str, observation: Observation) -> ToolCall | None:
        """The call the line stands for; None, with a line that says why, if it is not understood or not possible."""
        legal = legal_actions(observation)
        try:
            call = parse_call(line, parse_lines(observation["marks"]))
        except ValueError as error:
            self._terminal.show(screen.wrapped(str(error)))
            return None
        if legal.allows(call.tool, call.target, call.approach):
            return call
        self._terminal.show(screen.wrapped(_why_not(call, observation)))
        return None


def _why_not(call: ToolCall, observation: Observation) -> str:
    legal = legal_actions(observation)
    if call.tool in legal.tools and call.target is not None and call.target in legal.approaches:
        return f"{call.target} can be approached: {', '.join(legal.approaches[call.target])}"
    if call.tool in legal.tools:
        return f"{call.target} is out of reach; go closer first"
    return "that is not possible now. " + " ".join(screen.choices(observation).split())


def _help(observation: Observation) -> str:
    here = {line["tool"] for line in parse_lines(observation["tools"])}
    return HELP + "\n".join(f"  {usage}" for tool, usage in USAGE.items() if tool in here)


_PAGES: dict[str, Callable[[Observation], str]] = {
    "help": _help,
    "goal": screen.private_goal,
    "marks": lambda observation: screen.situation(observation, everything=True),
}
