"""A random value that a JSON schema allows: what a model under guided decoding could answer."""

import json
import random
import re
import re._parser as regex
from typing import Any

SENTENCES = (
    "Hello.",
    "I see.",
    "Let us go on.",
    "What about this one?",
    "Please turn a little to the left.",
    "No, thank you.",
)
MOST = 24
"""Longest text drawn from a pattern that would allow more."""


def reply_to(schema: dict[str, Any], chance: random.Random) -> str:
    """The value as JSON text."""
    return json.dumps(value_of(schema, chance))


def value_of(schema: dict[str, Any], chance: random.Random) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if "anyOf" in schema:
        return value_of(chance.choice(schema["anyOf"]), chance)
    return _OF_TYPE[schema["type"]](schema, chance)


def _object(schema: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    return {name: value_of(field, chance) for name, field in schema["properties"].items()}


def _array(schema: dict[str, Any], chance: random.Random) -> list[Any]:
    fewest = schema.get("minItems", 0)
    return [
        value_of(schema["items"], chance) for _ in range(chance.randint(fewest, schema.get("maxItems", fewest + 2)))
    ]


def _string(schema: dict[str, Any], chance: random.Random) -> str:
    pattern = schema.get("pattern", "^[a-z]{0,8}$")
    fitting = [sentence for sentence in SENTENCES if re.search(pattern, sentence)]
    return chance.choice(fitting) if fitting else _drawn(regex.parse(pattern), chance)


def _number(schema: dict[str, Any], chance: random.Random) -> float:
    return round(chance.uniform(schema.get("minimum", 0), schema.get("maximum", 100)), 1)


def _integer(schema: dict[str, Any], chance: random.Random) -> int:
    return chance.randint(schema.get("minimum", 0), schema.get("maximum", 100))


_OF_TYPE = {
    "object": _object, "array": _array, "string": _string, "number": _number, "integer": _integer,
    "boolean": lambda schema, chance: chance.random() < 0.5, "null": lambda schema, chance: None,
}  # fmt: skip


def _drawn(nodes: Any, chance: random.Random) -> str:
    """A text that a parsed pattern matches."""
    return "".join(_DRAW[str(kind)](value, chance) for kind, value in nodes)


def _repeated(value: Any, chance: random.Random) -> str:
    fewest, most, nodes = value
    return "".join(_drawn(nodes, chance) for _ in range(chance.randint(fewest, min(int(most), fewest + MOST))))


def _one_of(items: Any, chance: random.Random) -> str:
    kind, value = chance.choice(items)
    return chr(chance.randint(*value) if str(kind) == "RANGE" else value)


_DRAW = {
    "AT": lambda value, chance: "",
    "LITERAL": lambda value, chance: chr(value),
    "ANY": lambda value, chance: chance.choice("abc "),
    "IN": _one_of,
    "MAX_REPEAT": _repeated,
    "SUBPATTERN": lambda value, chance: _drawn(value[-1], chance),
    "BRANCH": lambda value, chance: _drawn(chance.choice(value[1]), chance),
}  # fmt: skip
