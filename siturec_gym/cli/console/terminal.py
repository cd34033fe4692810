"""Where a person's lines come from and where text and frames go."""

import os
from collections.abc import Callable
from pathlib import Path

from siturec_gym.core.policy import Observation

LEAVING = ("quit", "exit")


class PersonLeft(BaseException):
    """The person closed the input or typed quit. No failure, so nothing that handles failures may catch it."""


class Terminal:
    """Asks for lines and shows text.

    Args:
        read: Gives the next line after showing a prompt; raises EOFError at the end, as ``input`` does.
        write: Shows a text.
    """

    def __init__(self, read: Callable[[str], str] = input, write: Callable[[str], None] = print) -> None:
        self._read = read
        self._write = write

    def ask(self, prompt: str) -> str:
        """The next line without blanks around it.

        Raises:
            PersonLeft: The input ended, was interrupted, or says quit.
        """
        try:
            line = self._read(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            raise PersonLeft from None
        if line.lower() in LEAVING:
            raise PersonLeft
        return line

    def show(self, text: str) -> None:
        """Show a text; nothing for an empty one."""
        if text:
            self._write(text)

    def save_frame(self, observation: Observation, path: Path | None) -> None:
        """Write the view, marked if it is, to ``path`` in one step, so that an image viewer never reads half of it."""
        if path is None:
            return
        from PIL import Image  # noqa: PLC0415  --help must not wait for it

        draft = path.with_name(f".{path.name}.draft")
        try:
            Image.fromarray(observation.get("som_image", observation["rgb"])).save(draft, "PNG")
            os.replace(draft, path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            self.show(f"(the view could not be written to {path}: {error.strerror or error})")
        else:
            self.show(f"What you see: {path}")
