"""Runs over another renderer: the same episodes, and a manifest that needs no mapping file."""

import json
import shutil
import socket
from dataclasses import replace

import pytest
import yaml
from unrealcv_serving import serve, short_folder  # noqa: F401  fixtures

from siturec_gym.core.errors import DataError, RendererError, RunError
from siturec_gym.evaluation.manifest import RunConfig, make_manifest
from siturec_gym.evaluation.renderer_choice import drawing_part, place_part, renderer_settings, whole_settings
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


def test_a_file_of_settings_says_where_the_store_is(over_unreal, tmp_path):
    path = over_unreal.renderer_config["mapping"]["connection"]["socket"]
    (tmp_path / "there.yaml").write_text(f"{{mapping: ours, socket: {path}}}")
    settings = renderer_settings("unrealcv", str(tmp_path / "there.yaml"))
    assert settings == over_unreal.renderer_config
    assert plan(replace(EMBEDDED, renderer="unrealcv", renderer_config=settings)).config == over_unreal


def test_a_plan_without_a_store_says_how_one_is_served():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    config = replace(EMBEDDED, env="SituRec-HomeFurnishings-v0", renderer="unrealcv", renderer_config={"port": port})
    message = rf"^127\.0\.0\.1:{port}: .*by: siturec unreal serve --scene home_furnishings --port {port}$"
    with pytest.raises(RendererError, match=message):
        plan(config)


def written(config, path, **parts):
    """A mapping file of the content that a run has, with other parts."""
    path.write_text(yaml.safe_dump(config.renderer_config["mapping"] | parts))
    return str(path)


def test_a_run_goes_on_with_a_store_that_moved(over_unreal, tmp_path, short_folder):  # noqa: F811
    run(plan(over_unreal), tmp_path / "unreal")
    before = over_unreal.renderer_config["mapping"]["connection"]
    elsewhere = str(short_folder / "elsewhere")
    shutil.move(before["socket"], elsewhere)
    with pytest.raises(RendererError, match="No such file"):
        plan_rest(tmp_path / "unreal")
    moved = written(over_unreal, tmp_path / "moved.yaml", connection=before | {"socket": elsewhere, "attempts": 2})
    planned = plan_rest(tmp_path / "unreal", renderer_config=moved)
    assert planned.config.renderer_config["mapping"]["connection"]["socket"] == elsewhere
    shutil.move(elsewhere, before["socket"])


def test_a_mapping_that_episodes_would_show_is_refused_before_anyone_is_asked(over_unreal, tmp_path):
    run(plan(over_unreal), tmp_path / "unreal")
    nowhere = over_unreal.renderer_config["mapping"]["connection"] | {"socket": "/nowhere"}
    user = over_unreal.renderer_config["mapping"]["user"] | {"eye_height_m": 1.5}
    other = written(over_unreal, tmp_path / "other.yaml", connection=nowhere, user=user)
    message = r"would not be alike: arguments\.renderer_config\.mapping\.user\.eye_height_m was 1\.6 and is 1\.5"
    with pytest.raises(RunError, match=message):
        plan_rest(tmp_path / "unreal", renderer_config=other)


def test_a_run_without_mapping_takes_no_file_on_resuming(tmp_path):
    run(plan(EMBEDDED), tmp_path / "embedded")
    with pytest.raises(ValueError, match="the embedded renderer takes no file"):
        plan_rest(tmp_path / "embedded", renderer_config="ours")


def test_addresses_given_by_themselves_are_not_pinned_either():
    settings = {"mapping": "ours", "host": "127.0.0.1", "port": 9100}
    assert drawing_part(settings) == {"mapping": "ours"}
    assert whole_settings(drawing_part(settings), place_part(settings)) == settings
    assert drawing_part({}) == place_part({}) == whole_settings({}, {}) == {}


def test_a_manifest_names_variables_of_a_store_and_keeps_no_value(monkeypatch):
    launch = {"binary": "store", "environment": {"LICENCE": "secret", "DISPLAY": ":1"}}
    settings = {"mapping": {"form": 1, "connection": {}, "launch": launch}}
    config = replace(EMBEDDED, renderer="unrealcv", renderer_config=settings)
    manifest = make_manifest(config, ["supermarket/01.1"])
    assert "secret" not in json.dumps(manifest)
    assert manifest["renderer"]["mapping"]["launch"] == launch | {"environment": ["DISPLAY", "LICENCE"]}
    parts = manifest["arguments"]["renderer_config"], manifest["renderer"]
    monkeypatch.setenv("DISPLAY", ":2")
    monkeypatch.delenv("LICENCE", raising=False)
    with pytest.raises(RunError, match="variable LICENCE, whose value it does not keep: set it, or give --renderer-c"):
        whole_settings(*parts)
    monkeypatch.setenv("LICENCE", "another")
    there = whole_settings(*parts)["mapping"]
    assert there == settings["mapping"] | {"launch": launch | {"environment": {"DISPLAY": ":2", "LICENCE": "another"}}}
    assert launch["environment"]["LICENCE"] == "secret"


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
