"""What is in view and what the user can do, in words."""

from siturec_gym.core.actions import Tool
from siturec_gym.llm.roles.bearings import bearing_words
from siturec_gym.policies.llm.outlook import Line, Outlook


def marks_text(outlook: Outlook) -> str:
    """Places, then products, nearest first, one a line; says so where nothing is in view."""
    marks = sorted(outlook.marks, key=lambda mark: (mark["kind"] == "product", mark["distance_m"]))
    return "\n".join(_mark_line(mark, outlook) for mark in marks) or "nothing that carries a mark"


def _mark_line(mark: Line, outlook: Outlook) -> str:
    where = f"{mark['distance_m']:.1f} m, {bearing_words(float(mark['bearing_deg']))}"
    if mark["kind"] != "product":
        walks = f"; approach {', '.join(mark['approaches'])}" if mark.get("approaches") else ""
        return f"{mark['handle']} {mark['name']}: {where}{walks}"
    item = outlook.seen.get(mark["handle"])
    known = f" ({item.id})" if item is not None else ""
    return f"{mark['handle']} {mark['name']}{known}: {where}{', within reach' if mark['reachable'] else ''}"


def possible_text(outlook: Outlook) -> str:
    """The legal tools, with their targets where the view decides them."""
    tools = [tool for tool in Tool if tool in outlook.legal.tools]
    return "; ".join(_tool(tool, outlook) for tool in tools)


def _tool(tool: Tool, outlook: Outlook) -> str:
    targets = outlook.legal.targets.get(tool, ())
    return f"{tool.value} {', '.join(targets)}" if targets and not outlook.blind else tool.value
