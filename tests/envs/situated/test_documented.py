"""docs/environment.md names every observation key, end reason, flag and refusal there is."""

from pathlib import Path
from typing import Any

from siturec_gym.core.actions import Refusal
from siturec_gym.envs.situated.termination import EndReason
from siturec_gym.envs.situated.transition import Flag

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "environment.md").read_text()


def test_every_name_is_documented(make_env: Any) -> None:
    env = make_env(images=True)
    names = {name for agent in env.possible_agents for name in env.observation_space(agent)}
    names |= {name for agent in env.possible_agents for name in env.action_space(agent)}
    names |= {str(name) for kind in (EndReason, Flag, Refusal) for name in kind}
    assert not {name for name in names if f"`{name}`" not in PAGE}
