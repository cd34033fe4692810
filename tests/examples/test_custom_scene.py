"""A third store is data plus one short module: the museum is proved, played and drawn; its files can be rebuilt."""

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from PIL import Image
from typer.testing import CliRunner

from siturec_gym.cli import scenes, tasks
from siturec_gym.scenes import load_scene_folder
from siturec_gym.scenes.validation import validate
from siturec_gym.situated_store import SituatedStore
from siturec_gym.tasks import training_tasks

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "custom_scene"
MUSEUM = EXAMPLE / "museum"


@pytest.fixture(scope="module")
def store() -> SituatedStore:
    return SituatedStore(MUSEUM, renderer_config={"light": "plain"})


def test_the_module_proves_plays_and_draws_the_museum(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLE / "museum.py"), "--frame", str(tmp_path / "frame.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("18 products, 18 instances, 9 navigation targets, 15 waypoints, 3 store, 6 area\n")
    assert "end: success_cart_added, booked: Celestial Globe on a Brass Ring" in done.stdout
    picture = np.asarray(Image.open(tmp_path / "frame.png"))
    assert picture.shape == (480, 640, 3)
    assert picture.std() > 20


def test_the_museum_is_sound() -> None:
    scene = load_scene_folder(MUSEUM)
    assert validate(scene) == []
    assert (scene.name, len(scene.products), len(scene.stores), len(scene.areas)) == ("museum", 18, 3, 6)


@pytest.mark.parametrize(
    ("app", "arguments", "name"),
    [
        (scenes.app, ["build"], "instances.json"),
        (tasks.app, ["build", "--profiles", "3", "--seed", "42"], "tasks.json"),
    ],
)
def test_what_is_built_is_what_lies_there(app: Any, arguments: list[str], name: str, tmp_path: Path) -> None:
    folder = shutil.copytree(MUSEUM, tmp_path / "museum")
    (folder / name).unlink()
    result = CliRunner().invoke(app, [*arguments, "--scene", str(folder)])
    assert result.exit_code == 0, result.output
    assert (folder / name).read_bytes() == (MUSEUM / name).read_bytes()


@pytest.mark.parametrize(
    ("app", "arguments", "line"),
    [
        (scenes.app, ["check", str(MUSEUM)], "0 overlapping items"),
        (scenes.app, ["check", "--scene", str(MUSEUM)], "0 overlapping items"),
        (tasks.app, ["check", "--scene", str(MUSEUM)], "3 profiles, 12 tasks in 5 categories"),
    ],
)
def test_the_commands_check_a_folder(app: Any, arguments: list[str], line: str) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert line in result.output


def test_what_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    folder = shutil.copytree(MUSEUM, tmp_path / "museum")
    (folder / "products.json").write_text((MUSEUM / "products.json").read_text().replace('"mahogany"', '"cheese"'))
    result = CliRunner().invoke(scenes.app, ["check", str(folder)])
    assert result.exit_code == 1
    assert all(words in result.output for words in ("P013", "'cheese'", "fabric, linen"))


def test_gymnasium_accepts_it(store: SituatedStore) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = store.gym_env(image_size=(160, 120))
        check_env(env, skip_render_check=True)
    _, info = env.reset(seed=1, options={"task": "museum/01.1"})
    assert info["action_mask"]
    env.close()


def test_training_tasks_are_built_for_it(store: SituatedStore) -> None:
    training = training_tasks(MUSEUM, seed=1, profiles=3)
    assert [task.id for task in training][:2] == ["museum-train/001.1", "museum-train/001.2"]
    env = store.raw_env(images=False, tasks=training)
    env.reset(seed=1)
    assert env.episode.task.id.startswith("museum-train/")


@pytest.mark.slow
def test_the_contract_of_the_shipped_environments_holds_for_it() -> None:
    tests = EXAMPLE.parents[1] / "tests"
    path = os.pathsep.join((str(tests / "support"), str(EXAMPLE)))
    command = [sys.executable, "-m", "pytest", "-p", "museum_plugin", "-p", "no:cacheprovider", "-m", "not slow"]
    done = subprocess.run(
        [*command, "-k", "Museum", str(tests / "contract")],
        capture_output=True, text=True, check=False, timeout=600, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "[100%]" in done.stdout
