"""Runs over another renderer: the same episodes, and a manifest that needs no mapping file."""

import json

import pytest
from unrealcv_serving import serve, short_folder  # noqa: F401  fixtures

from siturec_gym.core.errors import DataError, RendererError
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.renderer_choice import renderer_settings
from siturec_gym.evaluation.runner import plan, plan_rest, run
from siturec_gym.scenes import load_scene

EMBEDDED = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:2")


@pytest.fixture
def over_unreal(serve):  # noqa: F811
    """The same run over our server."""
    served = serve(load_scene("supermarket"), 320, 240)
    config = renderer_settings("unrealcv", "ours")
    config["mapping"]["connection"]["socket"] = served.path
    return RunConfig(
        "SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:2", renderer="unrealcv", renderer_config=config
    )


def test_episodes_of_a_run_are_those_of_the_embedded_renderer(over_unreal, tmp_path):
    for name, config in (("embedded", EMBEDDED), ("unreal", over_unreal)):
        run(plan(config), tmp_path / name)
    episodes = [(tmp_path / name / "episodes.jsonl").read_text().splitlines() for name in ("embedded", "unreal")]
    assert len(episodes[0]) == 2
    assert sorted(episodes[0]) == sorted(episodes[1])


def test_a_manifest_holds_the_whole_mapping(over_unreal, tmp_path):
    run(plan(over_unreal), tmp_path / "unreal")
    kept = json.loads((tmp_path / "unreal" / "manifest.json").read_text())["arguments"]
    assert kept["renderer"] == "unrealcv"
    assert kept["renderer_config"]["mapping"]["tools"]["turn"]["function"] == "turn"
    assert plan_rest(tmp_path / "unreal").config == over_unreal


def test_a_plan_finds_a_store_that_lacks_something_and_leaves_no_connection(over_unreal):
    over_unreal.renderer_config["mapping"]["objects"]["names"] = {"F01": "Counter"}
    with pytest.raises(RendererError, match="no object is called Counter"):
        plan(over_unreal)
    del over_unreal.renderer_config["mapping"]["objects"]["names"]["F01"]
    assert plan(over_unreal).config == plan(over_unreal).config  # the server has room for one client


@pytest.mark.parametrize(
    ("name", "source", "error", "message"),
    [
        ("unity", None, ValueError, "unknown renderer 'unity'; valid names: embedded, unrealcv"),
        ("embedded", "x.yaml", ValueError, "--renderer-config: the embedded renderer takes no file, received 'x.yaml'"),
        ("unrealcv", "x.yaml", DataError, r"mapping file 'x\.yaml': No such file or directory"),
    ],
)
def test_odd_choices(name, source, error, message):
    with pytest.raises(error, match=message):
        renderer_settings(name, source)
