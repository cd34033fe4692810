"""The prompt's templates, and how they are filled: a line whose placeholder has nothing to hold is left out."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template

from siturec_gym.llm.templates import Templates

TEMPLATES = Templates(Path(__file__).parent / "prompts")


def filled_lines(name: str, values: Mapping[str, str]) -> str:
    """A template with its placeholders replaced, without the lines that hold an empty one.

    Raises:
        KeyError: A placeholder has no value.
    """
    lines = [Template(line) for line in TEMPLATES.text(name).splitlines()]
    kept = [line for line in lines if all(values[placeholder] for placeholder in line.get_identifiers())]
    return "\n".join(line.substitute(values) for line in kept)


@cache
def conduct_sentences() -> Mapping[str, str]:
    """What each value of a setting or trait means in conduct: "patience low" -> a sentence (``conduct.txt``)."""
    pairs = (line.partition(": ") for line in TEMPLATES.text("conduct").splitlines())
    return {key: sentence for key, _, sentence in pairs}
