"""Registers the museum of examples/custom_scene: pytest -p museum_plugin runs the contract tests over it too."""

import sys
from pathlib import Path

import gymnasium
from pettingzoo import register

import siturec_gym  # noqa: F401  registers the shipped environments first

ENV_ID = "SituRec-Museum-v0"
FACADE = "museum"

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "custom_scene"))
gymnasium.register(ENV_ID, entry_point=f"{FACADE}:gym_env")
register("aec", ENV_ID, f"{FACADE}:env")
register("parallel", ENV_ID, f"{FACADE}:parallel_env")
