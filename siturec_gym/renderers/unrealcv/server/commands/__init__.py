"""The commands that a client can send, a module for each family of them."""

from siturec_gym.renderers.unrealcv.server.commands import cameras, console, objects, plugin, shopper, user, views
from siturec_gym.renderers.unrealcv.server.commands.command import Command, Commands
from siturec_gym.scenes.scene import Scene


def commands_of(scene: Scene) -> Commands:
    """Every command that a server of ``scene`` answers."""
    families: tuple[tuple[Command, ...], ...] = (
        plugin.COMMANDS,
        cameras.COMMANDS,
        views.COMMANDS,
        shopper.COMMANDS,
        objects.COMMANDS,
        user.commands_of(scene),
        console.COMMANDS,
    )
    return Commands(command for family in families for command in family)
