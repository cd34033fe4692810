"""``vrun``: console commands. There is no engine; the one that sets the image size has a meaning all the same."""

import re

from siturec_gym.renderers.unrealcv.server.commands.command import OK, Command, Context

_RESOLUTION = re.compile(r"(\d{1,9})x(\d{1,9})[wf]*", re.IGNORECASE)


def _set_resolution(context: Context, words: str) -> str:
    match = _RESOLUTION.fullmatch(words)
    if match is None:
        raise ValueError(f"expected a size like 640x480, got {words[:80]}")
    context.world.cameras[0].resize(int(match[1]), int(match[2]))
    return OK


def _run(_: Context, word: str, *__: str) -> str:
    raise ValueError(f"there is no engine console here that knows {word[:80]}; it knows setres")


COMMANDS = (
    Command("vrun setres [str]", _set_resolution, "image size of camera 0, such as 640x480"),
    *(Command("vrun" + count * " [str]", _run, "an error: there is no engine console") for count in range(1, 4)),
)
