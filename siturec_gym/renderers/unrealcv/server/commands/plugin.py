"""``/unrealcv``: what the server is and what it can do."""

from importlib.metadata import version

from siturec_gym.renderers.unrealcv.server.commands.command import Command, Context

PROTOCOL_VERSION = "1.1.0"
"""What UnrealCV's client reads: from 1.1.0 on a server lists its commands, from 2.0.0 on it has many that we have not.

The plugin calls itself 1.0.1, and its client has versions of its own.
"""


def _status(context: Context) -> str:
    return context.status()


def _version(_: Context) -> str:
    return f"v{PROTOCOL_VERSION} siturec-gym {version('siturec-gym')}"


def _echo(_: Context, words: str) -> str:
    return words


def _commands(context: Context) -> str:
    return "\n".join(command.template for command in context.listed)


def _help(context: Context) -> str:
    return "\n".join(f"{command.template}\n{command.meaning}" for command in context.listed)


def _scene(context: Context) -> str:
    return context.world.scene.name


COMMANDS = (
    Command("vget /unrealcv/status", _status, "whether it listens, who is connected, port, configuration"),
    Command("vget /unrealcv/version", _version, "version of the protocol and of this package"),
    Command("vget /unrealcv/echo [str]", _echo, "the same word again"),
    Command("vget /unrealcv/commands", _commands, "templates of all commands, one a line"),
    Command("vget /unrealcv/help", _help, "the same, each followed by a line that says what it does"),
    Command("vget /scene/name", _scene, "name of the store"),
    Command("vget /level/name", _scene, "name of the store"),
)
