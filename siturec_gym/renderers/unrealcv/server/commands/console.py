"""``vrun``: console commands of the engine."""

from siturec_gym.renderers.unrealcv.server.commands.command import Command, Context


def _run(_: Context, word: str, *__: str) -> str:
    raise ValueError(f"the embedded renderer has no console command {word[:80]}")


COMMANDS = tuple(
    Command("vrun" + count * " [str]", _run, "an error: there is no engine console") for count in range(1, 4)
)
