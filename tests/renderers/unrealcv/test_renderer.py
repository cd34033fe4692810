"""The renderer over our own server: batches, memory, restoring, and every choice that a mapping leaves."""

import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.unrealcv.decoding import pixels_of
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.reading import SHIPPED, load_mapping

SIZE = 160, 120
BEFORE_MILK = Pose(3.8, 1.2, 90.0)
BEFORE_SOUP = Pose(6.2, 2.2, 0.0, -10.0)


def mapping_with(**changes):
    content = load_mapping("ours").model_dump()
    for part, values in changes.items():
        content[part] |= values
    return Mapping.model_validate(content)


@pytest.fixture
def pair(serve, tiny_scene, make):
    """A renderer over our server and the embedded one of the same store: ``pair(changes of the mapping)``."""
    made = []

    def build(size=SIZE, **changes):
        served = serve(tiny_scene, *size, light="plain")
        remote = make_renderer("unrealcv", tiny_scene, *size, mapping=mapping_with(**changes), socket=served.path)
        made.append(remote)
        return remote, make(*size), served

    yield build
    for remote in made:
        remote.close()


@pytest.fixture
def batches(monkeypatch):
    """Every batch sent over any link."""
    sent = []
    original = Link._exchange

    def recorded(self, commands, timeout_s):
        sent.append(list(commands))
        return original(self, commands, timeout_s)

    monkeypatch.setattr(Link, "_exchange", recorded)
    return sent


def assert_alike(remote, local, pose):
    seen, expected = remote.visibility(pose), local.visibility(pose)
    assert (seen.object_ids == expected.object_ids).all()
    assert (seen.pixels == expected.pixels).all()
    assert (seen.boxes == expected.boxes).all()
    frame, drawn = remote.render(pose), local.render(pose)
    assert (frame.ids == drawn.ids).all()
    assert (frame.rgb == drawn.rgb).all()
    assert frame.depth == pytest.approx(drawn.depth, abs=1e-3)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"colors": {"per": "instance"}},
        {"colors": {"probe": None}},
        {"colors": {"tolerance": 4}},
        {"cameras": {"follow_user": False}},
        {"images": {"rgb": {"name": "lit", "format": "png"}, "mask": {"name": "object_mask", "format": "png"}}},
        {"images": {"rgb": {"name": "lit", "format": "bmp"}, "mask": {"name": "object_mask", "format": "npy"}}},
    ],
    ids=["ours", "colours of items", "no probe", "tolerance", "cameras are sent", "png", "bmp and npy"],
)
def test_the_same_pictures_whatever_the_mapping_chooses(pair, changes):
    remote, local, _ = pair(**changes)
    for pose in (BEFORE_MILK, BEFORE_SOUP):
        assert_alike(remote, local, pose)
    for renderer in (remote, local):
        renderer.set_object(1, visible=False)
    assert_alike(remote, local, BEFORE_MILK)


def test_what_the_mapping_does_not_name_is_background(pair, tiny_scene):
    """Even where the engine gives it the colour of a product."""
    remote, local, served = pair(objects={"structure": None}, colors={"probe": None})
    unnamed = [part.object_id for part in tiny_scene.structures if part.place_id is None]
    remote.connect()
    of_a_product = served.worlds[0].palette[1]
    remote.close()
    for object_id in unnamed:
        served.worlds[0].palette[object_id] = of_a_product
    drawn = local.render(BEFORE_MILK).ids
    assert np.isin(drawn, unnamed).any()
    assert (remote.render(BEFORE_MILK).ids == np.where(np.isin(drawn, unnamed), 0, drawn)).all()


def test_no_picture_from_elsewhere(pair):
    """An engine may leave the user where it was, or push it aside: what is seen from there was not asked for."""
    remote, _, _ = pair(user={"place": ["vget /unrealcv/version"]}, connection={"attempts": 2})
    with pytest.raises(RendererError, match=r"the user was put at Pose.* and is at Pose"):
        remote.render(BEFORE_MILK)
    sent = {"follow_user": False, "place": ["vget /unrealcv/version"]}
    remote, _, _ = pair(cameras=sent, connection={"attempts": 2})
    remote.set_camera_pose(BEFORE_MILK)
    with pytest.raises(RendererError, match=r"camera \d was put at Pose.* and is at Pose"):
        remote.capture()


def test_one_camera_for_both_is_sampled_down(pair):
    """From 640x480, every second pixel of every second row; those at odd places, as they lie nearest the middles."""
    remote, _, _ = pair((640, 480), cameras={"visibility": None})
    seen, frame = remote.visibility(BEFORE_MILK), remote.render(BEFORE_MILK)
    ids, counts = np.unique(frame.ids[1::2, 1::2], return_counts=True)
    assert seen.object_ids.tolist() == [id_ for id_ in ids.tolist() if id_]
    assert seen.pixels.tolist() == [count for id_, count in zip(ids.tolist(), counts.tolist(), strict=True) if id_]


def test_one_batch_a_turn_serves_both_roles(pair, batches):
    remote, _, _ = pair()
    remote.render(BEFORE_MILK)  # from here on it is known which images are wanted
    batches.clear()
    remote.visibility(BEFORE_SOUP)
    remote.set_user_pose(BEFORE_SOUP)
    remote.capture(("rgb",))
    remote.capture(("depth", "ids"))
    remote.render(BEFORE_SOUP)
    remote.visibility(BEFORE_SOUP)
    assert len(batches) == 1
    pictures = [command for command in batches[0] if " /camera/" in command]
    assert pictures == [
        "vget /camera/0/lit npy",
        "vget /camera/0/depth npy",
        "vget /camera/0/object_mask bmp",
        "vget /camera/1/object_mask bmp",
        "vget /camera/1/depth npy",
    ]


def test_cameras_that_do_not_follow_are_sent_after_each_move(pair, batches):
    remote, _, _ = pair(cameras={"follow_user": False})
    remote.render(BEFORE_MILK)
    remote.execute(ToolCall("turn", direction="left", angle_deg=30.0))
    batches.clear()
    remote.render(remote.user_pose)
    sent = [command.rpartition("/")[0] for command in batches[0] if command.startswith("vset /camera")]
    assert sorted(sent) == ["vset /camera/0", "vset /camera/0", "vset /camera/1", "vset /camera/1"]


def test_no_picture_is_fetched_that_nobody_wants(pair, batches):
    remote, _, _ = pair()
    remote.visibility(BEFORE_MILK)
    batches.clear()
    remote.visibility(BEFORE_SOUP)
    assert not any("lit" in command or "/camera/0/" in command for batch in batches for command in batch)


def test_a_camera_of_the_same_size_is_asked_once(pair, batches):
    remote, local, _ = pair((320, 240))
    remote.render(BEFORE_MILK)
    batches.clear()
    assert_alike(remote, local, BEFORE_SOUP)
    assert sum("object_mask" in command for batch in batches for command in batch) == 1


def test_what_is_hidden_is_part_of_what_is_remembered(pair, batches):
    remote, _, _ = pair()
    before = remote.visibility(BEFORE_MILK)
    remote.set_object(1, visible=False)
    after = remote.visibility(BEFORE_MILK)
    assert 1 in before.object_ids
    assert 1 not in after.object_ids
    assert "vset /object/I0001/hide" in batches[-1]


def test_arrays_are_the_callers_own(pair):
    remote, _, _ = pair()
    first = remote.render(BEFORE_MILK)
    first.rgb[:], first.depth[:], first.ids[:] = 0, 0, 0
    again = remote.render(BEFORE_MILK)
    assert again.rgb.any()
    assert again.ids.any()


def test_the_store_is_put_back_after_the_server_was_started_anew(serve, tiny_scene, make, monkeypatch, batches):
    """Colours, the item in the hand and the pose are what a new server does not know."""
    first, second = (serve(tiny_scene, *SIZE, light="plain") for _ in range(2))
    remote, local = make_renderer("unrealcv", tiny_scene, *SIZE, socket=first.path), make(*SIZE)
    for renderer in (remote, local):
        renderer.set_object(2, visible=False)
    assert_alike(remote, local, BEFORE_MILK)
    first.server.stop()
    remote._session.link._endpoint = second.path
    batches.clear()
    assert_alike(remote, local, BEFORE_SOUP)
    assert_alike(remote, local, BEFORE_MILK)
    said = [command for batch in batches for command in batch]
    assert "vset /object/I0002/hide" in said
    assert sum(" /object/" in command and "/color " in command for command in said) == 6 + 2 + 4
    remote.close()


def test_what_another_client_left_in_its_hand_is_back(pair):
    remote, local, served = pair()
    link = Link(served.path, load_mapping("ours").connection, lambda exchange: None)
    told = link.ask(lambda: ["vset /camera/0/pose 360 -160 160 -20 -90 0", "vbp User pick_up_item I0001"], list)
    link.close()
    assert '"held": "I0001"' in told[1]
    assert_alike(remote, local, BEFORE_MILK)


def test_a_connection_that_breaks_costs_no_colours(pair, batches):
    remote, local, _ = pair()
    remote.set_object(2, visible=False)
    local.set_object(2, visible=False)
    assert_alike(remote, local, BEFORE_MILK)
    remote._session.link.close()
    batches.clear()
    assert_alike(remote, local, BEFORE_SOUP)
    assert not any("vset" in command and "color" in command for batch in batches for command in batch)
    assert any("I0002/hide" in command for batch in batches for command in batch)


def test_movements_lead_where_the_embedded_ones_do(pair):
    remote, local, _ = pair()
    calls = [
        ToolCall("move_forward", distance_m=0.7),
        ToolCall("turn_and_move", direction="left", angle_deg=33.3, distance_m=2.0),
        ToolCall("look_up_down", direction="down", angle_deg=25.0),
        ToolCall("move_to_fixture", target="F02", approach="front"),
        ToolCall("move_backward", duration_s=1.0),
        ToolCall("move_to_fixture", target="F01", approach="nearest"),
    ]
    for renderer in (remote, local):
        renderer.set_user_pose(Pose(4.0, 1.0, 90.0))
    for call in calls:
        assert remote.execute(call) == local.execute(call)
        assert remote.user_pose == local.user_pose == remote.camera_pose
    assert remote.execute(ToolCall("idle")) == local.user_pose


def test_the_camera_may_go_alone(pair):
    remote, local, _ = pair()
    for renderer in (remote, local):
        renderer.set_user_pose(BEFORE_MILK)
        renderer.capture()
        renderer.set_camera_pose(BEFORE_SOUP)
    frame, drawn = remote.capture(), local.capture()
    assert (frame.ids == drawn.ids).all()
    assert (frame.rgb == drawn.rgb).all()
    assert remote.user_pose == BEFORE_MILK
    assert remote.camera_pose == BEFORE_SOUP
    assert remote.execute(ToolCall("move_forward", distance_m=0.1)) == local.execute(
        ToolCall("move_forward", distance_m=0.1)
    )


def test_the_state_of_objects(pair):
    remote, local, _ = pair()
    for renderer in (remote, local):
        renderer.set_object(3, visible=False)
    assert remote.objects() == local.objects()


@pytest.fixture
def engine(monkeypatch):
    """Masks come as another engine would draw them: ``engine(what becomes of each component, 0 to 255)``."""

    def drawing(curve):
        def spoiled(body, picture, size):
            pixels, red = pixels_of(body, picture, size)
            if picture.name == "object_mask":
                pixels = pixels.copy()
                pixels[..., :3] = curve[pixels[..., :3]]
            return pixels, red

        monkeypatch.setattr("siturec_gym.renderers.unrealcv.eyes.pixels_of", spoiled)
        monkeypatch.setattr("siturec_gym.renderers.unrealcv.setup.pixels_of", spoiled)

    return drawing


@pytest.mark.parametrize("per", ["product", "instance"])
def test_an_engine_with_gamma_is_calibrated(pair, engine, per):
    engine(np.round(255 * (np.arange(256) / 255) ** (1 / 1.4)).astype(np.uint8))
    remote, local, _ = pair(colors={"per": per})
    assert_alike(remote, local, BEFORE_MILK)


def test_an_engine_with_few_colours_is_refused(pair, engine):
    engine(np.arange(256, dtype=np.uint8) & 0x80)
    remote, _, _ = pair()
    with pytest.raises(RendererError, match=r"segmentation colours: .* cannot be told from "):
        remote.connect()


def test_another_store_behind_the_port_is_noticed(serve, tiny_scene, supermarket):
    served = serve(tiny_scene, *SIZE, light="plain")
    remote = make_renderer("unrealcv", supermarket, *SIZE, socket=served.path)
    with pytest.raises(RendererError, match=r"no object is called I0007 and \d+ more; see objects in the mapping"):
        remote.connect()


def test_another_field_of_view_is_noticed(pair):
    remote, _, _ = pair(cameras={"prepare": ["vset /camera/{camera}/fov 75"]})
    with pytest.raises(RendererError, match=r"camera \d is 75 degrees wide; it must be 90"):
        remote.connect()


def test_another_image_size_is_noticed(pair):
    remote, _, served = pair(cameras={"prepare": []}, connection={"attempts": 2})
    served.worlds[0].cameras[0].resize(64, 48)
    with pytest.raises(RendererError, match="depth: the camera gives 64x48 pixels where 160x120 are expected"):
        remote.render(BEFORE_MILK)


def test_nobody_there(tiny_scene, tmp_path):
    remote = make_renderer("unrealcv", tiny_scene, *SIZE, socket=str(tmp_path / "nobody"))
    with pytest.raises(RendererError, match="nobody: no connection: No such file or directory"):
        remote.connect()
    remote.close()
    remote.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 8}, "width must be an integer from 16 to 4096, received 8"),
        ({"preset": "ultra"}, "preset must be one of rl, vlm, received 'ultra'"),
        ({"light": "plain"}, "renderer 'unrealcv' does not take the options.*light"),
        ({"port": 70_000}, "port: Input should be less than or equal to 65535, got 70000"),
    ],
)
def test_bad_arguments(tiny_scene, arguments, message):
    with pytest.raises(ValueError, match=message):
        make_renderer("unrealcv", tiny_scene, **{"width": 160, "height": 120, **arguments})


def test_unknown_objects_and_modalities(pair):
    remote, _, _ = pair()
    with pytest.raises(ValueError, match="object 7 is no instance; instances are 1 to 6"):
        remote.set_object(7, visible=False)
    with pytest.raises(ValueError, match="modality must be one of rgb, depth, ids, received 'normal'"):
        remote.capture(("normal",))


def test_closing_puts_everything_back(pair, batches):
    remote, _, _ = pair()
    remote.set_object(1, visible=False)
    remote.visibility(BEFORE_MILK)
    remote.close()
    assert batches[-1] == ["vset /object/I0001/show"]
    remote.close()


def test_without_the_client_the_error_says_what_to_install(tiny_scene, monkeypatch):
    monkeypatch.setitem(sys.modules, "unrealcv", None)
    with pytest.raises(RendererError, match=r"needs the unrealcv client: pip install 'siturec-gym\[unreal\]'"):
        make_renderer("unrealcv", tiny_scene, *SIZE)


def test_gym_make_takes_a_mapping_file(serve, supermarket, tmp_path):
    import gymnasium as gym

    import siturec_gym  # noqa: F401

    served = serve(supermarket, *SIZE)
    content = yaml.safe_load((SHIPPED / "ours.yaml").read_text())
    content["connection"] = {"socket": served.path}
    path = tmp_path / "my_store.yaml"
    path.write_text(yaml.safe_dump(content))
    observations = []
    for choice in ({"renderer": "unrealcv", "renderer_config": str(path)}, {"renderer": "embedded"}):
        env = gym.make("SituRec-Supermarket-v0", image_size=SIZE, **choice)
        first, _ = env.reset(seed=7)
        env.action_space.seed(7)
        steps = [env.step(env.action_space.sample())[0] for _ in range(4)]
        observations.append([first, *steps])
        env.close()
    for remote, local in zip(*observations, strict=True):
        assert remote.keys() == local.keys()
        assert all(np.array_equal(remote[key], local[key]) for key in remote)


def test_mappings_are_part_of_the_package():
    assert {path.name for path in Path(SHIPPED).iterdir()} == {"ours.yaml", "template.yaml"}
