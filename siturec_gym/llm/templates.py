"""Prompt templates: text files beside the code that uses them, filled by named placeholders such as ``$dialogue``."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from string import Template
from typing import Any

HASH_LENGTH = 16


class Templates:
    """The templates of one folder, read when first asked for.

    Args:
        folder: Holds one text file a template, ``NAME.txt``.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of every template, in alphabetical order."""
        return tuple(sorted(path.stem for path in self._folder.glob("*.txt")))

    def text(self, name: str) -> str:
        """The template as it is.

        Raises:
            ValueError: There is none of that name.
        """
        if name not in self._texts:
            if name not in self.names:
                raise ValueError(f"unknown prompt {name!r}; there are {', '.join(self.names)}")
            self._texts[name] = (self._folder / f"{name}.txt").read_text(encoding="utf-8")
        return self._texts[name]

    def filled(self, name: str, /, **values: str) -> str:
        """A template with every placeholder replaced. What is filled in is taken as it is.

        Raises:
            ValueError: There is none of that name, or a placeholder has no value.
        """
        try:
            return Template(self.text(name)).substitute(values)
        except KeyError as error:
            raise ValueError(f"prompt {name!r} needs a value for {error}; got {', '.join(values)}") from error

    def hash(self, names: Sequence[str], schema: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
        """Start of the sha256 over templates, reply schema and whatever else the answers depend on."""
        content = {"templates": [self.text(name) for name in names], "schema": schema, "settings": settings}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:HASH_LENGTH]
