"""S6: a store of your own is read from its folder, and what is wrong with it is told in one line."""

import json
import shutil
from pathlib import Path

import pytest

from siturec_gym import assets
from siturec_gym.core.errors import DataError
from siturec_gym.scenes import load_scene, load_scene_folder
from siturec_gym.situated_store import SituatedStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the Supermarket under another name."""
    return Path(shutil.copytree(assets.DATA_FOLDER / "supermarket", tmp_path / "corner-shop"))


def test_the_folder_gives_the_name_and_the_files_the_rest(folder: Path) -> None:
    shop, supermarket = load_scene_folder(folder), load_scene("supermarket")
    assert shop.name == "corner-shop"
    assert shop.fingerprint == supermarket.fingerprint
    assert shop.instances == supermarket.instances


def test_a_changed_file_is_read_anew(folder: Path) -> None:
    before = load_scene_folder(str(folder))
    layout = json.loads((folder / "scene.json").read_bytes())
    (folder / "scene.json").write_text(json.dumps({**layout, "title": "Corner Shop"}))
    assert load_scene_folder(folder).title == "Corner Shop" != before.title


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "instances.json").unlink()
    with pytest.raises(DataError, match=r"instances\.json' cannot be read: No such file"):
        load_scene_folder(folder)


def test_a_malformed_file_is_named(folder: Path) -> None:
    (folder / "products.json").write_text("[{}]")
    with pytest.raises(DataError, match=r"corner-shop/products\.json: an entry lacks the key"):
        load_scene_folder(folder)


def test_tasks_of_another_scene_are_refused(folder: Path) -> None:
    shutil.copy(Path(__file__).resolve().parents[2] / "examples/custom_scene/museum/tasks.json", folder / "tasks.json")
    with pytest.raises(ValueError, match="tasks of the scene 'museum' cannot be played in 'corner-shop'"):
        SituatedStore(folder, renderer_config={"light": "plain"}).raw_env(images=False)
