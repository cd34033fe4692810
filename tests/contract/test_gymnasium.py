"""Every registered environment passes Gymnasium's checker without a warning that is not named here."""

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

ALLOWED_WARNINGS: tuple[str, ...] = ()


def test_check_env(env_id: str, small: dict[str, Any], capsys: Any) -> None:
    env = gymnasium.make(env_id, **small)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env.unwrapped)
    surprising = [str(warning.message) for warning in caught]
    surprising = [text for text in surprising if not any(allowed in text for allowed in ALLOWED_WARNINGS)]
    assert not surprising
    env.close()


def test_an_episode_through_gymnasiums_wrappers(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(env_id, images=False)
        observation, info = env.reset(seed=7)
        env.action_space.seed(7)
        over, steps = False, 0
        while not over:
            observation, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over, steps = terminated or truncated, steps + 1
    assert steps <= 20
    assert info["end_reason"]
    assert env.observation_space.contains(observation)
    env.close()


@pytest.mark.parametrize(
    ("keywords", "named"),
    [
        ({"renderer": "crayon"}, "crayon"),
        ({"tasks": "no-such-tasks"}, "no-such-tasks"),
        ({"user": "nobody"}, "nobody"),
        ({"moderator": "nobody"}, "nobody"),
        ({"image_size": (0, 10)}, "width"),
        ({"preset": "crayon"}, "crayon"),
        ({"render_mode": "window"}, "window"),
    ],
)
def test_bad_keywords_are_one_clear_line(env_id: str, keywords: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        gymnasium.make(env_id, **{"images": False, **keywords})
    assert "\n" not in str(caught.value)


def test_an_unsupported_keyword_is_not_swallowed(env_id: str) -> None:
    with pytest.raises(TypeError, match="colour_scheme"):
        gymnasium.make(env_id, colour_scheme="blue")


def test_importing_the_package_loads_nothing_heavy() -> None:
    # What takes time is what loads; seconds are not compared, since a busy machine is slow.
    script = (
        "import siturec_gym, sys;print({'cv2', 'numba', 'torch', 'networkx', 'pydantic', 'PIL'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "set()"
