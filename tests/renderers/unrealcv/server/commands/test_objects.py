"""Objects: names, places, colours, and what can be shown and hidden."""

import numpy as np
import pytest

from siturec_gym.scenes import load_scene


def test_every_object_of_an_id_image_has_a_name(ask, tiny_scene):
    names = ask("vget /objects").split()
    assert names == [
        "I0001",
        *[item.id for item in tiny_scene.instances[1:]],
        "F01",
        "F02",
        "X01",
        "X02",
        "X03",
        "X04",
        "User",
    ]


@pytest.mark.parametrize("scene", ["supermarket", "home_furnishings"])
def test_in_both_stores_names_and_colours_are_all_different(ask_in, scene):
    store = load_scene(scene)
    ask = ask_in(store, 32, 24)
    names = ask("vget /objects").split()
    assert len(names) == len(set(names))
    things = ask.world.things
    assert {thing.object_id for thing in things.values()} == {
        *(item.object_id for item in store.instances),
        *(place.object_id for place in store.navigation_targets),
        *(part.object_id for part in store.structures),
    }
    colors = [ask.color(name) for name in names if name != "User"]
    assert len(set(colors)) == len(colors)
    assert min(map(min, colors)) >= 16


def test_a_product_by_hand(ask, tiny_scene):
    item = tiny_scene.instances[0]
    x, y, z = item.position_m
    assert ask.numbers("vget /object/I0001/location") == pytest.approx([100 * x, -100 * y, 100 * z])
    assert ask.numbers("vget /object/I0001/rotation") == [0, -item.yaw_deg, 0]
    assert ask("vget /object/I0001/label") == tiny_scene.catalog.by_id[item.product_id].name
    assert ask("vget /object/I0001/uclass_name") == "product"
    low_x, low_y, low_z, high_x, high_y, high_z = ask.numbers("vget /object/I0001/bounds")
    assert (high_x - low_x, high_y - low_y, high_z - low_z) == pytest.approx((8, 8, 20))
    assert ((low_x + high_x) / 2, (low_y + high_y) / 2, low_z) == pytest.approx((100 * x, -100 * y, 100 * z))


def test_a_fixture_by_hand(ask):
    """The milk shelf: x 3 to 5 m, y 2.2 to 2.8 m, 1.8 m high, facing south, which is Unreal's +y, yaw 90."""
    assert ask.numbers("vget /object/F01/location") == [400, -250, 0]
    assert ask.numbers("vget /object/F01/rotation") == [0, 90, 0]
    assert ask.numbers("vget /object/F01/bounds") == pytest.approx([300, -280, 0, 500, -220, 180])
    assert ask("vget /object/F01/label") == "Milk Shelf"


def test_a_wall_by_hand(ask):
    """Box x -0.2 to 0, y -0.2 to 5.2, z 0 to 3 m."""
    assert ask.numbers("vget /object/X02/location") == pytest.approx([-10, -250, 150])
    assert ask.numbers("vget /object/X02/bounds") == pytest.approx([-20, -520, 0, 0, 20, 300])
    assert ask("vget /object/X02/uclass_name") == "wall"


@pytest.mark.parametrize(
    ("scene", "move"), [("supermarket", "move_to_fixture F03 front"), ("home_furnishings", "move_to_area A05")]
)
def test_the_bounds_of_a_store_hold_what_its_mask_shows(ask_in, scene, move):
    """Points seen of an object lie within its bounds: depth and pixel give the point."""
    ask = ask_in(load_scene(scene), 320, 240)
    ask(f"vbp User {move}")
    ask("vset /camera/0/rotation 0 " + ask("vget /camera/0/rotation").split()[1] + " 0")
    depth, mask = ask.image("vget /camera/0/depth npy"), ask.image("vget /camera/0/object_mask npy")[..., :3]
    x, y, z, _, yaw, _ = ask.numbers("vget /camera/0/pose")
    across, above = np.meshgrid((np.arange(320) + 0.5 - 160) / 160, -(np.arange(240) + 0.5 - 120) / 160)
    ahead = np.array((np.cos(np.radians(yaw)), np.sin(np.radians(yaw)), 0.0))
    right = np.array((-ahead[1], ahead[0], 0.0))
    points = np.array((x, y, z)) + depth[..., None] * (ahead + across[..., None] * right + above[..., None] * (0, 0, 1))
    seen = 0
    for name, thing in ask.world.things.items():
        shown = (mask == ask.color(name)).all(axis=-1)
        if thing.kind == "product" and shown.sum() > 20:
            seen += 1
            low, high = np.split(np.array(ask.numbers(f"vget /object/{name}/bounds")), 2)
            inside = ((points[shown] > low - 3.0) & (points[shown] < high + 3.0)).all(axis=-1)
            assert inside.mean() > 0.97, name
    assert seen >= 3


def test_a_colour_that_is_set_is_what_the_mask_shows(ask):
    ask("vset /camera/0/pose 400 -100 160 -10 -90 0")
    was = ask.color("F01")
    shelf = (ask.image("vget /camera/0/object_mask npy")[..., :3] == was).all(axis=-1)
    assert ask("vset /object/F01/color 200 100 50") == "ok"
    assert ask.color("F01") == (200, 100, 50)
    mask = ask.image("vget /camera/0/object_mask npy")[..., :3]
    assert shelf.any()
    assert (mask[shelf] == (200, 100, 50)).all()
    assert not (mask[~shelf] == (200, 100, 50)).all(axis=-1).any()
    assert (ask.image("vget /camera/0/object_mask bmp")[..., :3][shelf] == (50, 100, 200)).all()


def test_items_may_share_a_colour(ask):
    ask("vset /camera/0/pose 400 -100 160 -10 -90 0")
    for name in ("I0001", "I0002"):
        ask(f"vset /object/{name}/color 250 20 20")
    assert (ask.image("vget /camera/0/object_mask npy")[..., :3] == (250, 20, 20)).all(axis=-1).any()


def test_an_item_is_hidden_and_shown_again_on_both_cameras(ask):
    ask("vset /camera/0/pose 400 -100 160 -10 -90 0")
    color = ask.color("I0001")

    def seen(camera):
        return (ask.image(f"vget /camera/{camera}/object_mask npy")[..., :3] == color).all(axis=-1).sum()

    before = [seen(0), seen(1)]
    assert min(before) > 10
    assert ask("vset /object/I0001/hide") == ask("vset /object/I0001/hide") == "ok"
    assert [seen(0), seen(1)] == [0, 0]
    assert ask("vset /object/I0001/show") == "ok"
    assert [seen(0), seen(1)] == before


def test_the_shopper_is_an_object_that_stands_on_the_floor(ask):
    assert ask("vset /object/User/location 250 -120 0") == "ok"
    assert ask("vset /object/User/rotation 5 -45 0") == "ok"
    assert ask.numbers("vget /camera/0/pose") == [250, -120, 160, 5, -45, 0]
    assert ask.numbers("vget /object/User/rotation") == [5, -45, 0]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("vget /object/Nobody/location", "Can not find object Nobody"),
        ("vset /object/Nobody/hide", "Can not find object Nobody"),
        ("vset /object/I0001/location 1 2 3", "I0001 cannot be moved"),
        ("vset /object/F01/rotation 0 0 0", "F01 cannot be moved"),
        ("vset /object/Nobody/location 1 2 3", "Can not find object Nobody"),
        ("vset /object/F01/hide", "only products can be shown and hidden; F01 is a fixture"),
        ("vset /object/X02/show", "only products"),
        ("vset /object/I0001/color 256 0 0", "0 to 255"),
        ("vset /object/I0001/color 1 2", "No handler found"),
        ("vset /object/I0001/color -1 2 3", "No handler found"),
        ("vset /object/User/location 0 0 20", "stands on the floor"),
        ("vset /object/User/hide", "is not drawn"),
        ("vget /object/User/color", "is not drawn"),
        ("vset /objects/spawn Cube", "No handler found"),
    ],
)
def test_what_cannot_be_is_an_error(ask, command, words):
    answer = ask(command)
    assert answer.startswith("error ")
    assert words in answer
