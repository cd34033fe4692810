"""``siturec play``: a person takes one of the two roles."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from siturec_gym.cli.model_options import EVERY, ModelOptions, takes_models

IMAGE_SIZE = (960, 720)


@takes_models(without=EVERY - {"base_url", "settings"})
def command(
    role: Annotated[str, typer.Option(help="user or assistant: who you are.")] = "user",
    env: Annotated[str, typer.Option(help="Environment id.")] = "SituRec-Supermarket-v0",
    task: Annotated[str | None, typer.Option(help="Task id; by seed when left out.")] = None,
    assistant: Annotated[str, typer.Option(help="The other side when you are the user.")] = "heuristic",
    user: Annotated[str, typer.Option(help="The other side when you are the assistant.")] = "agenda",
    moderator: Annotated[str, typer.Option(help="rules, none, llm:MODEL or hf:PATH.")] = "rules",
    *,
    models: ModelOptions,
    seed: Annotated[int, typer.Option(help="Seed of the episode.")] = 0,
    frame: Annotated[Path, typer.Option(help="Image file of your view, written anew each turn.")] = Path("view.png"),
    no_frame: Annotated[bool, typer.Option("--no-frame", help="Play by text alone.")] = False,
) -> None:
    """Play one episode yourself, as shopper or as assistant.

    Each turn tells what is in view and writes it as an image. Type help at any time; quit, Ctrl-D or Ctrl-C leaves.

    Example: siturec play --role user --env SituRec-HomeFurnishings-v0 --task 03.2

    Example: siturec play --role user --assistant llm:qwen --base-url http://127.0.0.1:8000/v1
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
        others = {"assistant": assistant, "user": user, "moderator": moderator}
        del others[role]
        ending = _play(env, task, others, models, seed, picture)
    except PersonLeft:
        ending = "\nYou left; nothing was kept."
    typer.echo(ending)


def _play(
    env_id: str,
    task_id: str | None,
    others: Mapping[str, str],
    models: ModelOptions,
    seed: int,
    frame: Path | None,
) -> str:
    """Play to the end, in the role that ``others`` lack; the words that tell how it ended."""
    from siturec_gym.cli.console.seller import ConsoleAssistant  # noqa: PLC0415  loads the world; --help must not wait
    from siturec_gym.cli.console.shopper import ConsoleShopper  # noqa: PLC0415
    from siturec_gym.cli.console.terminal import Terminal  # noqa: PLC0415
    from siturec_gym.evaluation.environments import make_env, task_bank  # noqa: PLC0415
    from siturec_gym.evaluation.episode import play  # noqa: PLC0415
    from siturec_gym.evaluation.models import facts_of  # noqa: PLC0415
    from siturec_gym.evaluation.role_settings import check_roles_of  # noqa: PLC0415
    from siturec_gym.evaluation.roles import (  # noqa: PLC0415
        askers_of,
        make_assistant_for,
        make_moderator_for,
        make_user_for,
        model_settings,
        models_of,
    )
    from siturec_gym.evaluation.task_selection import select_tasks  # noqa: PLC0415

    reached = models.reached()
    for role, name in models_of(others).items():
        facts_of(reached, role, name)  # one that does not answer is found before the person begins
    bank, given, askers = task_bank(env_id), models.of_roles(), askers_of(others, reached)
    task = bank[seed % len(bank)] if task_id is None else select_tasks(task_id, bank)[0]
    check_roles_of(given, others, askers)
    backing = {role: (asker, model_settings(role, given)) for role, asker in askers.items()}
    console, none = Terminal(), (None, None)
    seller: Any = ConsoleAssistant(console, frame)
    if "assistant" in others:
        seller = make_assistant_for(others["assistant"], task, *backing.get("assistant", none))
    shopper: Any = ConsoleShopper(console, frame)
    if "user" in others:
        shopper = make_user_for(others["user"], *backing.get("user", none))
    asker, asked = backing.get("moderator", none)
    moderator = make_moderator_for(others["moderator"], asker, asked, seed)
    images = frame is not None or not backing.keys().isdisjoint({"assistant", "user"})
    pictures: dict[str, Any] = {"images": images, "som": True, "image_size": IMAGE_SIZE, "preset": "vlm"}
    env = make_env(env_id, moderator=moderator, **pictures)
    record = play(env, seller, shopper, task.id, seed)
    as_user = "user" not in others
    return _ending(record, lambda product: env.scene.catalog.by_id[product].name, as_user=as_user)


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
