"""The real ``unrealcv`` client and its helpers, over TCP and over a Unix socket."""

import io
import json
import warnings

import numpy as np
import pytest

from siturec_gym.core.pose import Pose, wrap_angle_deg
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer
from siturec_gym.scenes import load_scene

unrealcv = pytest.importorskip("unrealcv")


@pytest.fixture
def connect():
    """Connects real clients to a served store: ``connect(served, "unix")`` or ``"inet"``."""
    clients = []

    def connected(served, kind):
        client = unrealcv.Client(served.path if kind == "unix" else ("127.0.0.1", served.port), kind)
        clients.append(client)
        assert client.connect()
        return client

    yield connected
    for client in clients:
        client.disconnect()


@pytest.mark.parametrize("kind", ["inet", "unix"])
@pytest.mark.parametrize("scene", ["supermarket", "home_furnishings"])
def test_visits_both_stores(serve, connect, scene, kind):
    store = load_scene(scene)
    client = connect(serve(store, 160, 120), kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the client warns of commands that are not listed
        names = client.request("vget /objects").split()
        assert len(names) == len(store.instances) + len(store.navigation_targets) + 1 + sum(
            part.place_id is None for part in store.structures
        )
        answer = json.loads(client.request("vbp User move_forward 120"))
        start = store.start_pose
        assert answer["pose"][:2] == pytest.approx([100 * start.x, -100 * (start.y + 1.2)])
        place = store.navigation_targets[-1]
        goal = client.request(f"vbp User move_to_{place.kind} {place.id}" + " front" * (place.kind == "fixture"))
        assert json.loads(goal)["ok"]
        frame = EmbeddedRenderer(store, 160, 120).render(next(iter(place.approaches.values())))
        lit = unrealcv.util.read_png(client.request("vget /camera/0/lit png"))
        np.testing.assert_array_equal(lit[..., :3], frame.rgb)
        depth = unrealcv.util.read_npy(client.request("vget /camera/0/depth npy"))
        np.testing.assert_array_equal(depth, frame.depth * np.float32(100))


def test_a_batch_is_answered_in_order(serve, connect, tiny_scene):
    client = connect(serve(tiny_scene, 64, 48, light="plain"), "unix")
    turns = [f"vset /camera/0/rotation 0 {10 * number} 0" for number in range(30)]
    asked = [command for turn in turns for command in (turn, "vget /camera/0/rotation", "vget /camera/0/lit npy")]
    replies = client.request(asked)
    assert replies[0::3] == ["ok"] * 30
    assert [float(words.split()[1]) % 360 for words in replies[1::3]] == [10 * number for number in range(30)]
    renderer = EmbeddedRenderer(tiny_scene, 64, 48, light="plain")
    for number, reply in enumerate(replies[2::3]):
        expected = renderer.render(Pose(1.0, 1.0, wrap_angle_deg(-10.0 * number))).rgb
        np.testing.assert_array_equal(np.load(io.BytesIO(reply))[..., :3], expected)


def test_a_batch_larger_than_any_buffer(serve, connect, tiny_scene):
    """The client sends all of it before it reads a reply: 10 MB of requests and of replies."""
    client = connect(serve(tiny_scene, 64, 48, light="plain"), "unix")
    word = "x" * 1300
    assert client.request([f"vget /unrealcv/echo {word}"] * 8_000) == [word] * 8_000


def test_requests_without_replies_keep_their_order(serve, connect, tiny_scene):
    client = connect(serve(tiny_scene, 64, 48, light="plain"), "inet")
    client.request("vset /object/F01/color 20 40 60", -1)
    client.request(["vset /object/F02/color 60 40 20", "vset /object/F02/hide"], -1)
    assert client.request("vget /object/F01/color") == "(R=20,G=40,B=60,A=255)"
    assert client.request("vget /object/F02/color") == "(R=60,G=40,B=20,A=255)"
    assert client.request("vset /object/F02/hide").startswith("error only products")


def test_two_clients_of_a_server_for_many(serve, connect, tiny_scene):
    served = serve(tiny_scene, 64, 48, light="plain", multi=True)
    first, second = connect(served, "unix"), connect(served, "inet")
    assert json.loads(first.request("vbp User turn left 30"))["pose"][4] == -30
    assert json.loads(second.request("vbp User get_state"))["pose"][4] == 0


def test_a_second_client_is_turned_away_and_may_come_later(serve, connect, tiny_scene):
    served = serve(tiny_scene, 64, 48, light="plain")
    first = connect(served, "unix")
    late = unrealcv.Client(served.path, "unix")
    assert not late.connect()
    assert first.request("vget /unrealcv/echo here") == "here"
    first.disconnect()
    assert connect(served, "unix").request("vget /unrealcv/echo there") == "there"


class TestHelpers:
    """``unrealcv.UnrealCv_API``, as far as it speaks of what a store has."""

    @pytest.fixture
    def api(self, serve, tiny_scene):
        served = serve(tiny_scene, 160, 120, light="plain")
        api = unrealcv.UnrealCv_API(served.port, "127.0.0.1", (160, 120))
        api.set_cam_location(0, [400, -100, 160])
        api.set_cam_rotation(0, [-10, -90, 0])
        yield api
        api.client.disconnect()

    @pytest.fixture
    def frame(self, tiny_scene):
        return EmbeddedRenderer(tiny_scene, 160, 120, light="plain").render(Pose(4.0, 1.0, 90.0, -10.0))

    def test_knows_cameras_objects_and_versions(self, api):
        assert api.get_camera_num() == 2
        assert api.get_server_version_tuple() == (1, 1, 0)
        assert not api.is_unrealcv_plus()
        assert api.supports_command("vget /camera/0/lit bmp")
        assert not api.supports_command("vget /camera/0/lit_shared")
        assert api.get_cam_location(0) == [400, -100, 160]
        assert api.get_cam_rotation(0) == [-10, -90, 0]
        assert api.get_cam_pose(1) == [400, -100, 160, -10, -90, 0]
        assert api.get_obj_bounds("F01") == pytest.approx([300, -280, 0, 500, -220, 180])
        assert api.get_obj_pose("F01") == [400, -250, 0, 0, 90, 0]

    @pytest.mark.parametrize("mode", ["bmp", "png"])
    def test_pictures(self, api, frame, mode):
        np.testing.assert_array_equal(api.get_image(0, "lit", mode)[..., ::-1], frame.rgb)

    def test_depth_and_colour_together(self, api, frame):
        both = api.get_image_multimodal(0)
        np.testing.assert_array_equal(both[..., 2::-1].astype(np.uint8), frame.rgb)
        np.testing.assert_array_equal(api.get_depth(0)[..., 0], frame.depth * np.float32(100))

    def test_boxes_from_the_mask(self, api, frame):
        mask = api.get_image(0, "object_mask", "bmp")
        found, box = api.get_bbox(mask, "F01", normalize=False)
        rows, columns = np.nonzero(frame.ids == 20_001)
        np.testing.assert_array_equal(found > 0, frame.ids == 20_001)
        assert list(box[:2]) == [columns.min(), rows.min()]

    def test_colours_that_are_set(self, api, frame):
        api.set_obj_color("F01", [10, 200, 30])
        assert api.get_obj_color("F01")[:2] == [10, 200]
        assert (api.get_image(0, "object_mask", "bmp")[frame.ids == 20_001] == (30, 200, 10)).all()

    def test_items_that_are_hidden(self, api):
        shown = api.get_bbox(api.get_image(0, "object_mask"), "I0001")[0].sum()
        api.set_hide_obj("I0001")
        hidden = api.get_bbox(api.get_image(0, "object_mask"), "I0001")[0].sum()
        api.set_show_objects(["I0001"])
        assert (hidden, api.get_bbox(api.get_image(0, "object_mask"), "I0001")[0].sum()) == (0, shown)
        assert shown > 0

    def test_fields_of_view_and_walking(self, api):
        api.set_cam_fov(0, 60)
        assert float(api.client.request("vget /camera/0/fov")) == 60
        api.move_cam(0, [400, -120, 160])
        assert api.get_cam_location(0) == pytest.approx([400, -120, 160])
