"""Environments, simulated shoppers and the evaluation protocol for situated shopping assistants.

Importing this package registers its environments with Gymnasium and PettingZoo; their code loads when one is made.
"""

import gymnasium as _gymnasium

__version__ = "0.1.0"

_FACADES = {
    "SituRec-Supermarket-v0": "siturec_gym.supermarket_v0",
    "SituRec-HomeFurnishings-v0": "siturec_gym.home_furnishings_v0",
}


def _register() -> None:
    for env_id, facade in _FACADES.items():
        if env_id not in _gymnasium.registry:
            _gymnasium.register(env_id, entry_point=f"{facade}:gym_env")
    try:
        from pettingzoo import aec_registry, parallel_registry, register  # noqa: PLC0415
    except ImportError:  # a PettingZoo older than its registry
        return
    for env_id, facade in _FACADES.items():
        if env_id not in aec_registry:
            register("aec", env_id, f"{facade}:env")
        if env_id not in parallel_registry:
            register("parallel", env_id, f"{facade}:parallel_env")


_register()
