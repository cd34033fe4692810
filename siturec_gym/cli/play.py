"""``siturec play``: a person takes one of the two roles."""

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

IMAGE_SIZE = (960, 720)


def command(
    role: Annotated[str, typer.Option(help="user or assistant: who you are.")] = "user",
    env: Annotated[str, typer.Option(help="Environment id.")] = "SituRec-Supermarket-v0",
    task: Annotated[str | None, typer.Option(help="Task id; by seed when left out.")] = None,
    assistant: Annotated[str, typer.Option(help="The other side when you are the user.")] = "heuristic",
    user: Annotated[str, typer.Option(help="The other side when you are the assistant.")] = "agenda",
    moderator: Annotated[str, typer.Option(help="rules, or none.")] = "rules",
    seed: Annotated[int, typer.Option(help="Seed of the episode.")] = 0,
    frame: Annotated[Path, typer.Option(help="Image file of your view, written anew each turn.")] = Path("view.png"),
    no_frame: Annotated[bool, typer.Option("--no-frame", help="Play by text alone.")] = False,
) -> None:
    """Play one episode yourself, as shopper or as assistant.

    Each turn tells what is in view and writes it as an image. Type help at any time; quit, Ctrl-D or Ctrl-C leaves.

    Example: siturec play --role user --env SituRec-HomeFurnishings-v0 --task 03.2
    """
    if role not in ("user", "assistant"):
        raise ValueError(f"--role is user or assistant, got {role!r}")
    if seed < 0:
        raise ValueError(f"seed must be 0 or more, got {seed}")
    picture = None if no_frame else _writable(frame)

    from siturec_gym.cli.console.terminal import PersonLeft  # noqa: PLC0415

    with suppress(ImportError):
        import_module("readline")  # line editing and history in ``input``
    try:
        ending = _play(role, env, task, assistant, user, moderator, seed, picture)
    except PersonLeft:
        ending = "\nYou left; nothing was kept."
    typer.echo(ending)


def _play(
    role: str,
    env_id: str,
    task_id: str | None,
    assistant: str,
    user: str,
    moderator: str,
    seed: int,
    frame: Path | None,
) -> str:
    """Play to the end; the words that tell how it ended."""
    from siturec_gym.cli.console.seller import ConsoleAssistant  # noqa: PLC0415  loads the world; --help must not wait
    from siturec_gym.cli.console.shopper import ConsoleShopper  # noqa: PLC0415
    from siturec_gym.cli.console.terminal import Terminal  # noqa: PLC0415
    from siturec_gym.evaluation.environments import make_env, task_bank  # noqa: PLC0415
    from siturec_gym.evaluation.episode import play  # noqa: PLC0415
    from siturec_gym.evaluation.roles import make_assistant_for, make_moderator_for, make_user_for  # noqa: PLC0415
    from siturec_gym.evaluation.task_selection import select_tasks  # noqa: PLC0415

    bank = task_bank(env_id)
    task = bank[seed % len(bank)] if task_id is None else select_tasks(task_id, bank)[0]
    console = Terminal()
    seller: Any = ConsoleAssistant(console, frame) if role == "assistant" else make_assistant_for(assistant, task)
    shopper: Any = ConsoleShopper(console, frame) if role == "user" else make_user_for(user)
    pictures: dict[str, Any] = {"images": frame is not None, "som": True, "image_size": IMAGE_SIZE, "preset": "vlm"}
    env = make_env(env_id, moderator=make_moderator_for(moderator), **pictures)
    record = play(env, seller, shopper, task.id, seed)
    return _ending(record, lambda product: env.scene.catalog.by_id[product].name, as_user=role == "user")


def _ending(record: Any, name_of: Callable[[str], str], *, as_user: bool) -> str:
    lines = [f"\nIt is over after {len(record.turns)} turns: {record.end_reason.replace('_', ' ')}."]
    if record.error:
        lines.append(record.error)
    if record.cart:
        lines.append(f"Bought: {', '.join(map(name_of, record.cart))}.")
    if record.cart and as_user:
        fits = not set(record.cart).isdisjoint(record.reference_set)
        lines.append("It meets your needs." if fits else "It does not meet all of your needs.")
    return "\n".join(lines)


def _writable(path: Path) -> Path:
    if not path.parent.is_dir() or path.is_dir() or not os.access(path.parent, os.W_OK):
        raise ValueError(f"--frame '{path}' cannot be written; name a file in a folder that can, or use --no-frame")
    return path
