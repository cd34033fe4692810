"""A run as a dataset for offline learning."""

import warnings
from pathlib import Path
from typing import Any

from siturec_gym.core.storage.episodes import read_episodes, read_manifest
from siturec_gym.evaluation.environments import task_bank
from siturec_gym.evaluation.task_selection import bank_for
from siturec_gym.wrappers.to_minari import to_minari


def export_minari(folder: Path, dataset_id: str, *, images: bool = False, **metadata: Any) -> Any:
    """Write the episodes of a run as a Minari dataset of the composed environment's Gymnasium form.

    Args:
        folder: Run folder.
        dataset_id: Such as "siturec/supermarket/heuristic-v0".
        images: Whether observations carry images.
        **metadata: Further keywords of ``minari.create_dataset_from_buffers``.

    Returns:
        The ``minari.MinariDataset``.

    Raises:
        ImportError: Minari is not installed.
        DataError: The folder is no run, or an episode does not come out as it was recorded.
        ValueError: The run names an unknown environment, or Minari refuses the id.
    """
    arguments = read_manifest(folder).get("arguments", {})
    assistant, user = (str(arguments.get(role, "recorded")) for role in ("assistant", "user"))
    told = {"algorithm_name": assistant, "description": f"{arguments.get('env')}: assistant {assistant}, user {user}"}
    env = _env(str(arguments.get("env")), str(arguments.get("tasks", ":")), images)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=UserWarning, module="minari")  # advice on what may be told
            return to_minari(read_episodes(folder), env, dataset_id, **{**told, **metadata})
    finally:
        env.close()


def _env(env_id: str, tasks: str, images: bool) -> Any:
    import gymnasium as gym  # noqa: PLC0415  takes time that --help must not pay

    options: dict[str, Any] = {"images": images, "static_observations": False, "moderator": None}
    bank = bank_for(tasks, env_id)
    if bank is not task_bank(env_id):
        options["tasks"] = bank
    return gym.make(env_id, **options)
