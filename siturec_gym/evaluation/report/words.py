"""Ids and records in words, the same on every page."""

from collections.abc import Callable

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.scenes.scene import Scene

NameOf = Callable[[str], str]


def names_of(scene: Scene) -> NameOf:
    """Display name of a product or place id; what is no id stays as it is."""
    names = {product.id: product.name for product in scene.products}
    names |= {place.id: place.name for place in scene.navigation_targets}
    return lambda entity: names.get(entity, entity)


def call_words(call: ToolCall | None, name_of: NameOf) -> str:
    """A tool call in one line, such as "look up 40°" or "move to fixture Dairy Cooler (front)"."""
    if call is None:
        return "none"
    words = ["look" if call.tool == Tool.LOOK_UP_DOWN and call.direction else tool_words(call.tool)]
    if call.direction:
        words.append(call.direction)
    if call.angle_deg is not None:
        words.append(f"{call.angle_deg:g}°")
    if call.distance_m is not None:
        words.append(f"{call.distance_m:g} m")
    if call.duration_s is not None:
        words.append(f"{call.duration_s:g} s")
    if call.target:
        words.append(name_of(call.target))
    if call.approach:
        words.append(f"({call.approach.replace('_', ' ')})")
    return " ".join(words)


def tool_words(tool: str) -> str:
    """A tool's name as words."""
    return "look up or down" if tool == Tool.LOOK_UP_DOWN else spaced(tool)


def counted(number: float, noun: str) -> str:
    """A number with its noun, in the plural where it is not one."""
    return f"{number:g} {noun}" + ("" if number == 1 else "s")


def spaced(name: str) -> str:
    """An identifier as words."""
    return name.replace("_", " ")
