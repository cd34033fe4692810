"""``/unrealcv``: what the server is and what it can do."""

from importlib.metadata import version

from siturec_gym.renderers.unrealcv.server.commands.command import Command, Context

PLUGIN_VERSION = "1.3.2"
"""The version of UnrealCV whose protocol this is; clients read it to know what they may ask."""


def _status(context: Context) -> str:
    return context.status()


def _version(_: Context) -> str:
    return f"v{PLUGIN_VERSION} siturec-gym {version('siturec-gym')}"


def _echo(_: Context, words: str) -> str:
    return words


def _commands(context: Context) -> str:
    return context.templates


def _scene(context: Context) -> str:
    return context.world.scene.name


COMMANDS = (
    Command("vget /unrealcv/status", _status, "whether it listens, who is connected, port, configuration"),
    Command("vget /unrealcv/version", _version, "version of the protocol and of this package"),
    Command("vget /unrealcv/echo [str]", _echo, "the same word again"),
    Command("vget /unrealcv/commands", _commands, "templates of all commands, one a line"),
    Command("vget /scene/name", _scene, "name of the store"),
    Command("vget /level/name", _scene, "name of the store"),
)
