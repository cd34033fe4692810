"""Prompt templates: text files beside the code, filled by named placeholders such as ``$dialogue``."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

_FOLDER = Path(__file__).resolve().parent / "prompts"
HASH_LENGTH = 16


@cache
def template(name: str) -> str:
    """The text of a template, such as "conversation"."""
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def filled(name: str, **values: str) -> str:
    """A template with every placeholder replaced. What is filled in is taken as it is.

    Raises:
        ValueError: A placeholder has no value.
    """
    try:
        return Template(template(name)).substitute(values)
    except KeyError as error:
        raise ValueError(f"prompt {name!r} needs a value for {error}; got {', '.join(values)}") from error


def prompt_hash(names: tuple[str, ...], schema: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Start of the sha256 over templates, reply schema and whatever else the answers depend on."""
    content = {"templates": [template(name) for name in names], "schema": schema, "settings": settings}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:HASH_LENGTH]
