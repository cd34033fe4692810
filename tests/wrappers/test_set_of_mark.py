"""Marks on the picture: which pixels are whose, what shares a contour, where labels go (S13)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from siturec_gym import supermarket_v0
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.interface import Frame
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.view import Seen, View
from siturec_gym.wrappers.marking.drawing import BLACK, PALETTE, WHITE, colors_of, draw_labels, draw_marks, luminance
from siturec_gym.wrappers.marking.labels import Spot, place_labels
from siturec_gym.wrappers.marking.regions import Mark, find_marks, owners_of, reach_px
from siturec_gym.wrappers.set_of_mark import SetOfMark

HERE = Path(__file__).parent
HEIGHTS = (120, 240, 480, 720)
POSES = ("F06", "F17", "F28", "F14", "F12", "F08")


def frame_of(ids: NDArray[np.uint16], depth: float | NDArray[np.float32] = 2.0) -> Frame:
    """A grey picture of some ids."""
    rgb = np.full((*ids.shape, 3), 150, np.uint8)
    return Frame(rgb, np.broadcast_to(np.float32(depth), ids.shape).copy(), ids)


def seen(entity: str, kind: str, box: tuple[float, float, float, float], distance: float = 2.0) -> Seen:
    return Seen(entity, kind, entity, None, distance, 0.0, box, 99, False, ())


def view_of(*entities: Seen) -> View:
    places = {one.entity_id: one for one in entities if one.kind != "product"}
    return View(Pose(1.0, 1.0, 0.0), places, {one.entity_id: one for one in entities if one.kind == "product"})


EVERYWHERE = (0.0, 0.0, 1.0, 1.0)


def two_squares(height: int, gap: int, between: int = 0) -> NDArray[np.uint16]:
    """Instances 1 and 2, both of P001, side by side with ``gap`` columns of ``between`` from one to the other."""
    ids = np.zeros((height, height * 4 // 3), np.uint16)
    side = height // 5
    ids[side : 2 * side, 5 : 5 + side] = 1
    ids[side : 2 * side, 5 + side : 5 + side + gap] = between
    ids[side : 2 * side, 5 + side + gap : 5 + 2 * side + gap] = 2
    return ids


def products_marked(scene: Scene, ids: NDArray[np.uint16], **limits: float) -> list[Mark]:
    within = {"products_within_m": 6.0, "places_within_m": 20.0, **limits}
    return find_marks(scene, view_of(seen("P001", "product", EVERYWHERE)), frame_of(ids), **within)


class TestAdjacency:
    @pytest.mark.parametrize("height", HEIGHTS)
    def test_close_instances_share_a_contour_and_others_have_their_own(self, tiny_scene: Scene, height: int) -> None:
        widest = 2 * reach_px(height)
        (joined,) = products_marked(tiny_scene, two_squares(height, widest))
        (apart,) = products_marked(tiny_scene, two_squares(height, widest + 1))
        assert (len(joined.contours), len(apart.contours)) == (1, 2)
        assert joined.entity_id == apart.entity_id == "P001"

    @pytest.mark.parametrize(("height", "reach"), [(120, 2), (240, 3), (480, 6), (720, 9)])
    def test_reach_goes_with_the_height(self, height: int, reach: int) -> None:
        assert reach_px(height) == reach

    def test_another_product_between_keeps_them_apart(self, tiny_scene: Scene) -> None:
        (mark,) = products_marked(tiny_scene, two_squares(240, 4, between=3))
        assert len(mark.contours) == 2

    def test_a_shelf_post_between_does_not(self, tiny_scene: Scene) -> None:
        (mark,) = products_marked(tiny_scene, two_squares(240, 4, between=20_001))
        assert len(mark.contours) == 1

    def test_specks_have_no_contour_of_their_own(self, tiny_scene: Scene) -> None:
        ids = two_squares(240, 40)
        ids[200:202, 100:102] = 1
        (mark,) = products_marked(tiny_scene, ids)
        assert len(mark.contours) == 2


class TestLimits:
    def test_products_beyond_the_limit_are_not_marked(self, tiny_scene: Scene) -> None:
        ids = two_squares(240, 4)
        view = view_of(seen("P001", "product", EVERYWHERE))
        for depth, marks in ((5.9, 1), (6.1, 0)):
            assert len(find_marks(tiny_scene, view, frame_of(ids, depth), 6.0, 20.0)) == marks

    def test_a_contour_ends_at_the_limit(self, tiny_scene: Scene) -> None:
        ids = two_squares(240, 60)
        depth = np.where(np.arange(320) < 60, 5.0, 7.0).astype(np.float32)
        view = view_of(seen("P001", "product", EVERYWHERE))
        (mark,) = find_marks(tiny_scene, view, frame_of(ids, depth), 6.0, 20.0)
        assert len(mark.contours) == 1
        assert mark.box == (5, 48, 52, 95)

    def test_places_count_by_their_nearest_pixel(self, tiny_scene: Scene) -> None:
        ids = np.full((240, 320), 20_001, np.uint16)
        depth = np.linspace(19.0, 30.0, 320).astype(np.float32)
        view = view_of(seen("F01", "fixture", EVERYWHERE, 25.0))
        assert len(find_marks(tiny_scene, view, frame_of(ids, depth), 6.0, 20.0)) == 1
        assert not find_marks(tiny_scene, view, frame_of(ids, depth), 6.0, 18.0)

    def test_what_is_absent_at_this_size_is_marked_at_its_centre(self, tiny_scene: Scene) -> None:
        empty = np.zeros((240, 320), np.uint16)
        there = seen("P001", "product", (0.5, 0.5, 0.525, 0.525))
        (mark,) = find_marks(tiny_scene, view_of(there), frame_of(empty), 6.0, 20.0)
        assert (mark.contours, mark.box) == ((), (163, 122, 163, 122))
        far = there._replace(distance_m=6.5)
        assert not find_marks(tiny_scene, view_of(far), frame_of(empty), 6.0, 20.0)

    def test_what_is_not_visible_is_not_marked(self, tiny_scene: Scene) -> None:
        assert not find_marks(tiny_scene, view_of(), frame_of(two_squares(240, 4)), 6.0, 20.0)


@pytest.fixture(scope="module", params=[(640, 480), (320, 240), (160, 120)], ids=str)
def store(request: pytest.FixtureRequest) -> Iterator[SetOfMark]:
    env = SetOfMark(supermarket_v0.raw_env(image_size=request.param))
    env.reset(seed=1, options={"task": "supermarket/01.1"})
    yield env
    env.close()


def look(env: Any, place: str, turn_deg: float = 0.0) -> None:
    """Put the user at a place's front."""
    raw = env.unwrapped
    front = raw.scene.place_by_id[place].approaches["front"]
    pose = Pose(front.x, front.y, front.yaw_deg + turn_deg)
    raw._episode = replace(raw.episode, world=replace(raw.episode.world, pose=pose))


class TestTheSupermarket:
    @pytest.mark.parametrize("place", POSES)
    def test_every_pixel_is_decoded_to_its_mark(self, store: SetOfMark, place: str) -> None:
        look(store, place)
        frame = store.unwrapped.picture()
        owners = owners_of(store.scene, frame)
        rows = {product.id: row + 1 for row, product in enumerate(store.scene.catalog)}
        near = np.where(frame.depth <= 6.0, owners, 0)
        foreign = total = 0
        for mark in store.marks():
            if mark.kind != "product" or not mark.contours:
                continue
            filled = np.zeros(owners.shape, np.uint8)
            cv2.drawContours(filled, mark.contours, -1, 1, -1)
            own = near == rows[mark.entity_id]
            assert own[filled > 0].sum() >= 0.95 * own.sum()  # the rest are specks
            foreign += int(((owners > 0) & (owners != rows[mark.entity_id]) & (filled > 0)).sum())
            total += int(filled.sum())
        assert foreign <= 0.01 * total

    @pytest.mark.parametrize("place", POSES)
    def test_marks_are_those_of_the_view_within_the_limits(self, store: SetOfMark, place: str) -> None:
        look(store, place)
        view, marked = store.unwrapped.view, {mark.entity_id for mark in store.marks()}
        assert marked <= {*view.places, *view.products}
        assert marked >= {id_ for id_, one in view.products.items() if one.distance_m <= 4.0}
        assert marked >= {id_ for id_, one in view.places.items() if one.distance_m <= 15.0}
        far = {id_ for id_, one in view.products.items() if one.distance_m > 6.0 * 2**0.5 + 0.5}
        assert not marked & far

    @pytest.mark.parametrize("place", POSES)
    def test_labels_stand_in_the_picture_and_never_overlap(
        self, store: SetOfMark, place: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept: list[list[Spot]] = []

        def spy(*arguments: Any) -> list[Spot]:
            kept.append(place_labels(*arguments))
            return kept[-1]

        monkeypatch.setattr("siturec_gym.wrappers.marking.drawing.place_labels", spy)
        look(store, place, turn_deg=3.0)
        height, width, _ = store.observe("user")["som_image"].shape
        store.observe("assistant")
        assert len(kept) == 2
        for spots in kept:
            assert len(spots) == len(store.marks())
            for first, second in combinations([spot.box for spot in spots], 2):
                assert first[2] < second[0] or second[2] < first[0] or first[3] < second[1] or second[3] < first[1]
            for x0, y0, x1, y1 in (spot.box for spot in spots):
                assert 0 <= x0 < x1 < width
                assert 0 <= y0 < y1 < height

    def test_roles_see_their_own_labels_on_the_same_view(self, store: SetOfMark) -> None:
        look(store, "F17")
        assistant, user = (store.observe(role) for role in ("assistant", "user"))
        assert (assistant["som_image"] != user["som_image"]).any()
        assert (assistant["rgb"] == user["rgb"]).all()
        assert (user["som_image"] != user["rgb"]).any(axis=2).mean() > 0.01
        assert store.observation_space("user").contains(user)
        again = store.observe("user")["som_image"]
        assert (again == user["som_image"]).all()
        again[:] = 0
        assert store.observe("user")["som_image"].any()


def scenery(scene: Scene, width: int, height: int) -> tuple[View, Frame]:
    """A shelf with four products, drawn by hand: a row of three, a pair far apart, one behind the limit, one tiny."""
    ids = np.zeros((height, width), np.uint16)
    depth = np.full((height, width), 9.0, np.float32)

    def block(object_id: int, x0: float, y0: float, x1: float, y1: float, metres: float) -> None:
        area = slice(int(y0 * height), int(y1 * height)), slice(int(x0 * width), int(x1 * width))
        ids[area], depth[area] = object_id, metres

    block(20_001, 0.1, 0.2, 0.9, 0.95, 3.0)
    block(20_002, 0.92, 0.3, 1.0, 0.6, 12.0)
    for x in (0.15, 0.21, 0.27):
        block(1, x, 0.3, x + 0.05, 0.5, 2.5)
    for x in (0.45, 0.7):
        block(3, x, 0.35, x + 0.08, 0.5, 2.5)
    block(4, 0.2, 0.65, 0.3, 0.85, 7.0)
    block(5, 0.6, 0.7, 0.62, 0.73, 2.5)
    boxes = {"P001": (0.15, 0.3, 0.32, 0.5), "P002": (0.45, 0.35, 0.78, 0.5), "P003": (0.2, 0.65, 0.3, 0.85)}
    boxes["P004"] = (0.6, 0.7, 0.62, 0.73)
    entities = [seen(product, "product", box) for product, box in boxes.items()]
    entities += [seen("F01", "fixture", (0.1, 0.2, 0.9, 0.95)), seen("F02", "fixture", (0.92, 0.3, 1.0, 0.6), 12.0)]
    shade = np.where(ids == 0, 205, np.where(ids < 20_000, 120, 170)).astype(np.uint8)
    return view_of(*entities), Frame(np.repeat(shade[:, :, None], 3, axis=2), depth, ids)


@pytest.mark.parametrize(("role", "labels"), [("assistant", "1 2 A B D"), ("user", "AA AB 1 2 4")])
def test_the_golden_picture(tiny_scene: Scene, role: str, labels: str) -> None:
    view, frame = scenery(tiny_scene, 320, 240)
    marks = find_marks(tiny_scene, view, frame, 6.0, 20.0)
    assert [mark.entity_id for mark in marks] == ["F01", "F02", "P001", "P002", "P004"]
    assert [len(mark.contours) for mark in marks] == [0, 0, 1, 2, 1]
    drawn = draw_labels(draw_marks(frame, marks), owners_of(tiny_scene, frame) > 0, marks, labels.split())
    golden = cv2.imread(str(HERE / "golden" / f"marks_{role}.png"))[:, :, ::-1]
    different = (
        np.abs(drawn.astype(int) - golden).max(axis=2) > 48
    )  # letters may differ a little between font libraries
    assert different.mean() < 0.002


# Machado, Oliveira and Fernandes (2009), full severity, on linear RGB.
VISION = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


class TestColours:
    @pytest.mark.parametrize("vision", VISION)
    def test_the_palette_is_told_apart_with_any_colour_vision(self, vision: str) -> None:
        srgb = np.array(PALETTE) / 255
        linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
        perceived = np.clip(linear @ np.array(VISION[vision]).T, 0, 1) ** (1 / 2.2) * 255
        lab = cv2.cvtColor(perceived.astype(np.uint8)[None], cv2.COLOR_RGB2LAB)[0].astype(float)
        closest = min(float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2))
        assert closest > 8

    def test_text_reads_on_every_colour(self) -> None:
        for color in PALETTE:
            contrasts = [
                (max(luminance(color), luminance(ink)) + 0.05) / (min(luminance(color), luminance(ink)) + 0.05)
                for ink in (BLACK, WHITE)
            ]
            assert max(contrasts) >= 4.5


def test_products_of_a_view_take_the_palette_in_turn() -> None:
    at = ((0, 0, 1, 1), (), ((0, 0, 1, 1),))
    marks = [Mark("F01", "fixture", *at), *(Mark(f"P{number:03}", "product", *at) for number in range(9))]
    assert colors_of(marks) == [WHITE, *PALETTE, *PALETTE[:2]]


class TestRefusals:
    @pytest.mark.parametrize("size", [(159, 120), (160, 119), (64, 48)])
    def test_images_too_small_for_labels(self, make_env: Callable[..., Any], size: tuple[int, int]) -> None:
        with pytest.raises(ValueError, match=rf"at least 160x120 pixels, got {size[0]}x{size[1]}"):
            SetOfMark(make_env(images=True, image_size=size))

    def test_no_images(self, make_env: Callable[..., Any]) -> None:
        with pytest.raises(ValueError, match="images=True"):
            SetOfMark(make_env())

    @pytest.mark.parametrize("limit", [0.0, -1.0, float("nan")])
    def test_a_limit_that_is_no_distance(self, make_env: Callable[..., Any], limit: float) -> None:
        env = make_env(images=True, image_size=(160, 120))
        with pytest.raises(ValueError, match="places_within_m"):
            SetOfMark(env, places_within_m=limit)
        with pytest.raises(ValueError, match="products_within_m"):
            SetOfMark(env, products_within_m=limit)

    def test_a_frame_without_ids_or_depth(self, tiny_scene: Scene) -> None:
        whole = frame_of(two_squares(120, 2))
        with pytest.raises(ValueError, match="depth"):
            find_marks(tiny_scene, view_of(), replace(whole, depth=None), 6.0, 20.0)
        with pytest.raises(ValueError, match="ids"):
            find_marks(tiny_scene, view_of(), replace(whole, ids=None), 6.0, 20.0)
        with pytest.raises(ValueError, match="rgb"):
            draw_marks(replace(whole, rgb=None), [])


def test_ids_as_labels_where_handles_are_not_used(tiny_scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(
        "siturec_gym.wrappers.set_of_mark.draw_labels",
        lambda marked, goods, marks, labels: asked.append(labels) or marked,  # type: ignore[func-returns-value]
    )
    for handles in (True, False):
        env = SetOfMark(supermarket_v0.raw_env(image_size=(160, 120)), handles=handles)
        env.reset(seed=1, options={"task": "supermarket/01.1"})
        look(env, "F12")
        env.observe("user")
    assert asked[0][:2] == ["AL", "1"]
    assert asked[1][0] == "F12"
    assert all(label[0] in "FP" for label in asked[1])


def test_more_labels_than_room_fall_back_on_leaders() -> None:
    marks = [Mark(f"P{at:03}", "product", (80, 60, 82, 62), (), ((80, 60, 82, 62),)) for at in range(30)]
    spots = place_labels(marks, [(14, 12)] * 30, np.zeros((120, 160), bool), 2)
    assert any(spot.leader for spot in spots)
    for first, second in combinations([spot.box for spot in spots], 2):
        assert first[2] < second[0] or second[2] < first[0] or first[3] < second[1] or second[3] < first[1]
