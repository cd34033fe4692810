"""The example visits a store that is served, and what it saves are pictures of it."""

import subprocess
import sys
from pathlib import Path

import cv2

from siturec_gym.renderers.unrealcv.server.server import Server
from siturec_gym.renderers.unrealcv.server.world import World
from siturec_gym.scenes import load_scene

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "unrealcv_client.py"


def visit(port: int, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLE), str(port)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=folder)


def test_it_walks_and_saves_three_pictures(tmp_path):
    with Server(lambda: World(load_scene("supermarket"), 320, 240), port=0) as server:
        done = visit(server.port, tmp_path)
        port = server.port
    assert done.returncode == 0, done.stderr
    assert "move_to_fixture F03 front -> [2320, -1010, 160, -10, 180, 0]" in done.stdout
    assert "items in view; the largest is " in done.stdout
    pictures = {path.name: cv2.imread(str(path)) for path in tmp_path.iterdir()}
    assert sorted(pictures) == ["unrealcv_depth.png", "unrealcv_lit.png", "unrealcv_mask.png"]
    for picture in pictures.values():
        assert picture.shape == (240, 320, 3)
        assert picture.std() > 20
    assert visit(port, tmp_path).stderr.splitlines()[-1].startswith(f"no server answers at port {port}; ")
