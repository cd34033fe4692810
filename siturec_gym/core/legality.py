"""Which tool calls the current observation allows (SituRecBench, B.2: targets must be actionable in it).

What is legal follows from the scene's tools, the marks and the item held or under check alone, so it works on either
role's observation and on whichever handles that observation uses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, SHARED_TOOLS, Tool
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines

_ENDINGS = frozenset((Tool.ADD_TO_CART.value, Tool.DROP_ITEM.value, Tool.DO_NOT_ADD_TO_CART.value))
ALWAYS_LEGAL = frozenset(tool.value for tool in SHARED_TOOLS if tool != Tool.ADD_TO_CART)


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What may be called now.

    Attributes:
        tools: Names of the tools that some arguments make executable.
        targets: For each legal tool that takes a target, the handles it may name, in the order of the marks.
        approaches: For each place handle, the approaches that the view supports.
    """

    tools: frozenset[str]
    targets: Mapping[str, tuple[str, ...]]
    approaches: Mapping[str, tuple[str, ...]]

    def allows(self, tool: str, target: str | None = None, approach: str | None = None) -> bool:
        """Whether the tool may be called with this target and approach, whatever its other arguments."""
        if tool not in self.tools:
            return False
        if tool not in self.targets:
            return True
        in_view = target is not None and target in self.targets[tool]
        return in_view and (tool not in APPROACHES_OF_MOVE or approach in self.approaches[str(target)])


def legal_actions(observation: Observation) -> LegalActions:
    """The legal tools, targets and approaches of the user who has this observation, for either role.

    A movement into an obstacle is legal: it stops at contact. A visible place is legal to move to even where no way
    leads; walking then ends in the refusal ``no_route``.
    """
    return _legal(observation["marks"], bool(observation["held"]), observation["tools"])


@lru_cache(maxsize=512)
def _legal(marks_text: str, inspecting: bool, tools_text: str) -> LegalActions:
    """What is legal with these marks; many turns pass before the same view."""
    marks = parse_lines(marks_text)
    here = tools_here(tools_text)
    tools = set(ALWAYS_LEGAL)
    targets: dict[str, tuple[str, ...]] = {}
    for kind, move in MOVE_OF_KIND.items():
        named = tuple(mark["handle"] for mark in marks if mark["kind"] == kind)
        if named:
            targets[move.value] = named
    approaches = {mark["handle"]: tuple(mark["approaches"]) for mark in marks if mark.get("approaches")}
    if inspecting:
        tools |= _ENDINGS & here
    inspection = Tool.PICK_UP_ITEM if Tool.PICK_UP_ITEM in here else Tool.CHECK_ITEM
    within_reach = tuple(mark["handle"] for mark in marks if mark["kind"] == "product" and mark["reachable"])
    if within_reach and not (inspecting and inspection == Tool.PICK_UP_ITEM):
        targets[inspection.value] = within_reach
    return LegalActions(frozenset(tools | set(targets)), targets, approaches)


@lru_cache(maxsize=8)
def tools_here(lines: str) -> frozenset[str]:
    """Names of the scene's tools, from the ``tools`` observation."""
    return frozenset(line["tool"] for line in parse_lines(lines))
