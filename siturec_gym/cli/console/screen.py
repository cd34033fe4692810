"""An observation as text for a person, wrapped to the terminal. It shows what the observation holds and no more."""

import shutil
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from siturec_gym.cli.console.tool_words import USAGE
from siturec_gym.core.actions import MOVE_OF_KIND
from siturec_gym.core.legality import legal_actions
from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines

LISTED = 6
_LISTED_DETAILS = ("flavour", "size", "material", "colour", "size_category", "style")


def wrapped(text: str, indent: str = "") -> str:
    """``text`` broken into lines of the terminal's width, later lines indented."""
    width = max(40, min(100, shutil.get_terminal_size((80, 24)).columns))
    return textwrap.fill(text, width, subsequent_indent=indent + "  ", initial_indent=indent)


def situation(observation: Observation, *, everything: bool = False) -> str:
    """Last words and deeds, what is held and in the cart, and what is in view.

    Args:
        observation: Of either role.
        everything: List all of what is in view instead of the nearest few.
    """
    held = [_package(line) for line in parse_lines(observation["held"])]
    cart = [line["name"] for line in parse_lines(observation["cart"])]
    state = f"Held: {', '.join(held) or 'nothing'}. Cart: {', '.join(cart) or 'empty'}."
    return "\n".join([wrapped(state), *_in_view(observation, everything)])


def heard(observation: Observation, speaker: str) -> str:
    """What ``speaker`` said last and, for the user, did."""
    entries = [entry for entry in parse_lines(observation["history"]) if entry["role"] == speaker]
    if not entries:
        return ""
    last = entries[-1]
    text = wrapped(f'{speaker.capitalize()}: "{last["utterance"]}"')
    return text + (f"\n{wrapped(_deed(last))}" if "tool" in last else "")


def refusal(observation: Observation) -> str:
    """Why the user's last call was not carried out; empty if it was."""
    deeds = [entry for entry in parse_lines(observation["history"]) if entry["role"] == "user"]
    reason = deeds[-1]["refusal"] if deeds else None
    return f"That was not possible: {reason.replace('_', ' ')}." if reason else ""


def choices(observation: Observation) -> str:
    """What can be typed now for a tool call."""
    legal = legal_actions(observation).tools
    return wrapped("You can: " + " | ".join(usage for tool, usage in USAGE.items() if tool in legal))


def private_goal(observation: Observation) -> str:
    """The shopper's own profile and goal, for the person who plays the shopper."""
    (profile,), (goal,) = parse_lines(observation["profile"]), parse_lines(observation["goal"])
    needs = [goal["needs"].get(label, label) for label in goal["required_labels"]]
    unwanted = [goal["needs"].get(label, label) for label in goal["unwanted_labels"]]
    lines = [
        f"You are: {profile['persona']}",
        f'You came for: "{goal["request"]}"',
        f"It must be: {', '.join(needs)}",
        *([f"It must not be: {', '.join(unwanted)}"] if unwanted else []),
        f"You pay at most ${goal['budget']:.2f}.",
    ]
    return "\n".join(wrapped(line) for line in lines)


def product_line(product: Mapping[str, Any]) -> str:
    """One line of the catalog."""
    facts = [product["category"], *product["tags"], *(product.get(name) for name in _LISTED_DETAILS)]
    listed = ", ".join(str(fact) for fact in facts if fact)
    return wrapped(f"{product['product']}  ${product['price']:.2f}  {product['name']} ({listed})", "  ")


def _package(held: Mapping[str, Any]) -> str:
    """What the held item's package tells."""
    facts = [f"${held['price']:.2f}", *held["tags"]]
    facts += [str(held[name]) for name in ("flavour", "material", "colour", "style", "dimensions") if held.get(name)]
    if "allergens" in held:
        facts.append(f"contains {', '.join(held['allergens'])}" if held["allergens"] else "no allergens")
    facts += [f"{name.replace('_', ' ')} {value:g}" for name, value in (held.get("nutrition") or {}).items()]
    return f"{held['name']} ({', '.join(facts)})"


def _deed(entry: Mapping[str, Any]) -> str:
    arguments = [str(value) for value in entry["arguments"].values() if value is not None]
    words = " ".join([entry["tool"], *arguments, *([f"({entry['target_name']})"] if entry["target_name"] else [])])
    return f"User did: {words}" + (f", refused: {entry['refusal'].replace('_', ' ')}" if entry["refusal"] else "")


def _in_view(observation: Observation, everything: bool) -> Iterable[str]:
    marks = parse_lines(observation["marks"])
    yield "In view:" if marks else "Nothing to name is in view."
    for kind in (*MOVE_OF_KIND, "product"):
        near = sorted((mark for mark in marks if mark["kind"] == kind), key=lambda mark: mark["distance_m"])
        shown = near if everything else near[:LISTED]
        yield from map(_mark_line, shown)
        if len(near) > len(shown):
            yield f"  and {len(near) - len(shown)} more {kind}s: type marks"


def _mark_line(mark: Mapping[str, Any]) -> str:
    bearing = round(mark["bearing_deg"])
    side = "ahead" if bearing == 0 else f"{abs(bearing)} deg {'left' if bearing > 0 else 'right'}"
    extra = ", in reach" if mark.get("reachable") else ""
    approaches = [approach for approach in mark.get("approaches", ()) if approach != "nearest"]
    extra += f", {'/'.join(approaches)}" if approaches else ""
    return wrapped(f"{mark['handle']}  {mark['name']}: {mark['distance_m']:.1f} m, {side}{extra}", "  ")
