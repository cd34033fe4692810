"""``siturec play``: a person takes one of the two roles."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siturec_gym.cli.model_options import EVERY, ModelOptions, takes_models

if TYPE_CHECKING:
    from siturec_gym.llm.roles.settings import RoleSettings
    from siturec_gym.llm.structured import Asker
    from siturec_gym.tasks.records import Task

    Backing = tuple[Asker, RoleSettings]

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
    env_id: str, task_id: str | None, others: Mapping[str, str], models: ModelOptions, seed: int, frame: Path | None
) -> str:
    """Play to the end, in the role that ``others`` lack; the words that tell how it ended."""
    from siturec_gym.evaluation.environments import (  # noqa: PLC0415  loads the world; --help must not wait
        make_env,
        task_bank,
    )
    from siturec_gym.evaluation.episode import play  # noqa: PLC0415
    from siturec_gym.evaluation.roles import make_moderator_for  # noqa: PLC0415
    from siturec_gym.evaluation.task_selection import select_tasks  # noqa: PLC0415

    backing = _backing(others, models)
    bank = task_bank(env_id)
    task = bank[seed % len(bank)] if task_id is None else select_tasks(task_id, bank)[0]
    seller, shopper = _acting(others, task, backing, frame)
    asker, asked = backing.get("moderator", (None, None))
    moderator = make_moderator_for(others["moderator"], asker, asked, seed)
    looked_at = any(settings.images for role, (_, settings) in backing.items() if role != "moderator")
    pictures: dict[str, Any] = {"images": frame is not None or looked_at, "som": True, "image_size": IMAGE_SIZE}
    env = make_env(env_id, moderator=moderator, preset="vlm", **pictures)
    record = play(env, seller, shopper, task.id, seed)
    as_user = "user" not in others
    return _ending(record, lambda product: env.scene.catalog.by_id[product].name, as_user=as_user)


def _backing(others: Mapping[str, str], models: ModelOptions) -> "dict[str, Backing]":
    """The models behind the other roles, each with how it plays; one that does not answer is found here."""
    from siturec_gym.evaluation.model_facts import settings_told  # noqa: PLC0415
    from siturec_gym.evaluation.role_settings import check_roles_of  # noqa: PLC0415
    from siturec_gym.evaluation.roles import askers_of, model_settings, models_of  # noqa: PLC0415

    given, reached = models.of_roles(), models.reached()
    check_roles_of(given, others, models_of(others))
    told = settings_told(others, given, reached)
    settings = {role: model_settings(role, told) for role in models_of(others)}
    return {role: (asker, settings[role]) for role, asker in askers_of(others, reached).items()}


def _acting(
    others: Mapping[str, str], task: "Task", backing: "Mapping[str, Backing]", frame: Path | None
) -> tuple[Any, Any]:
    """The assistant and the shopper; the one that ``others`` lack is the person."""
    from siturec_gym.cli.console.seller import ConsoleAssistant  # noqa: PLC0415
    from siturec_gym.cli.console.shopper import ConsoleShopper  # noqa: PLC0415
    from siturec_gym.cli.console.terminal import Terminal  # noqa: PLC0415
    from siturec_gym.evaluation.roles import make_assistant_for, make_user_for  # noqa: PLC0415

    console, none = Terminal(), (None, None)
    if "user" in others:
        shopper = make_user_for(others["user"], *backing.get("user", none))
        return ConsoleAssistant(console, frame), shopper
    seller = make_assistant_for(others["assistant"], task, *backing.get("assistant", none))
    return seller, ConsoleShopper(console, frame)


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
