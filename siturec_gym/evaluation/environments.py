"""The environments a run can name, and how each is put together.

``gymnasium`` ids are used for runs too, so that a result and the environment it came from carry one name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from siturec_gym.core.policy import Moderator
from siturec_gym.tasks.records import TaskBank


@dataclass(frozen=True, slots=True)
class RunEnvironment:
    """Where an environment's parts are found.

    Attributes:
        id: Registered id.
        scene: Name of its scene and of its task bank.
        facade: Module that offers ``env``.
    """

    id: str
    scene: str
    facade: str


ENVIRONMENTS = {
    environment.id: environment
    for environment in (
        RunEnvironment("SituRec-Supermarket-v0", "supermarket", "siturec_gym.supermarket_v0"),
        RunEnvironment("SituRec-HomeFurnishings-v0", "home_furnishings", "siturec_gym.home_furnishings_v0"),
    )
}


def environment(env_id: str) -> RunEnvironment:
    """The environment named ``env_id``.

    Raises:
        ValueError: No such environment.
    """
    try:
        return ENVIRONMENTS[env_id]
    except KeyError:
        raise ValueError(f"unknown environment {env_id!r}; available: {', '.join(ENVIRONMENTS)}") from None


def task_bank(env_id: str) -> TaskBank:
    """The shipped tasks of an environment."""
    from siturec_gym.tasks import load_task_bank  # noqa: PLC0415  reading data takes time that --help must not pay

    return load_task_bank(environment(env_id).scene)


def make_env(
    env_id: str, *, moderator: Moderator | None = None, images: bool = False, som: bool = False, **options: Any
) -> Any:
    """The composed two-agent environment: each role has handles of its own, whatever plays it.

    Args:
        env_id: One of ``ENVIRONMENTS``.
        moderator: Asked after each exchange whether the episode should end; None asks nobody.
        images: Whether observations carry images. Results are the same without.
        som: Whether they carry marked images too.
        **options: Further keywords of the facade's ``env``, such as ``image_size`` or ``ablation``.
    """
    env: Callable[..., Any] = import_module(environment(env_id).facade).env
    return env(moderator=moderator, images=images, som=som, **options)
