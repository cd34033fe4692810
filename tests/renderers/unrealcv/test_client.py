"""What a person is told to type where no server listens."""

import shlex
from dataclasses import replace

import pytest
import typer

from siturec_gym.cli.unreal import app
from siturec_gym.renderers.unrealcv.client import serve_command
from siturec_gym.scenes import load_scene


@pytest.mark.parametrize(
    ("endpoint", "options"),
    [
        (("127.0.0.1", 9071), {"port": 9071}),
        (("unreal.example", 9000), {"port": 9000, "host": "unreal.example"}),
        ("/tmp/a store.socket", {"socket": "/tmp/a store.socket", "tcp": False}),
    ],
)
def test_the_command_is_one_that_serves_there(endpoint, options):
    program, group, name, *arguments = shlex.split(serve_command(load_scene("supermarket"), endpoint))
    assert (program, group, name) == ("siturec", "unreal", "serve")
    serve = typer.main.get_command(app).commands["serve"]
    parsed = serve.make_context("serve", arguments).params
    given = {name: str(value) for name, value in parsed.items() if name in {"scene", *options}}
    assert given == {"scene": "supermarket"} | {name: str(value) for name, value in options.items()}


def test_a_scene_of_ones_own_is_a_folder():
    scene = replace(load_scene("supermarket"), name="museum")
    assert serve_command(scene, ("localhost", 9000)) == "siturec unreal serve --scene FOLDER --port 9000"
