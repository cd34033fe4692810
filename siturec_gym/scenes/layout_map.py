"""The layout map: the store from above, north up, with the user's position and heading (SituRecBench, A.3).

Everything but the user is drawn once per scene and size; a call copies that picture and draws one arrow.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose
from siturec_gym.scenes.footprints import place_rectangle
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.scenes.showroom_map import draw_showrooms, write_showrooms

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    Font = FreeTypeFont | ImageFont

Color = tuple[int, int, int]
KIND_COLORS: dict[str, Color] = {
    "shelf": (214, 170, 110),
    "chest_freezer": (120, 170, 220),
    "upright_freezer": (150, 200, 235),
    "open_cooler": (150, 215, 195),
    "produce_stand": (150, 200, 110),
}
PAPER: Color = (247, 246, 242)
OUTSIDE: Color = (214, 212, 206)
INK: Color = (20, 20, 26)
SOFT_INK: Color = (70, 70, 80)
PATH: Color = (222, 220, 214)
STRUCTURE_COLORS: dict[str, Color] = {
    "wall": (90, 90, 98),
    "pillar": (120, 120, 126),
    "checkout": (190, 186, 200),
    "door": (232, 130, 90),
}
USER: Color = (220, 30, 40)
HALO: Color = (255, 255, 255)
_NOISE_WORDS = {"Shelf", "Wall", "Freezer", "Chest", "Cooler", "Stand", "Frozen"}
SCALE_FOR_NAMES = 14.0
LEAST_ID_PX, LEAST_NAME_PX = 11.0, 9.0
_SUBPIXEL_BITS = 4
_ID_LENGTH_M = 1.45
_ARROW = np.array([(1.0, 0.0), (-0.8, 0.75), (-0.4, 0.0), (-0.8, -0.75)])  # ahead, to the left


def draw_map(scene: Scene, pose: Pose, size: tuple[int, int] = (320, 240)) -> NDArray[np.uint8]:
    """The map with the user on it.

    Args:
        scene: The store.
        pose: The user's; the arrow points along its yaw.
        size: Width and height, pixels.

    Returns:
        (height, width, 3) uint8 RGB, the caller's own.
    """
    picture = _store_picture(_ByIdentity(scene), size).copy()
    frame = MapFrame(scene.bounds_m, size)
    _draw_arrow(picture, frame.pixel(pose.x, pose.y), pose.yaw_deg, max(5, round(min(size) / 30)))
    return picture


class MapFrame:
    """From metres to pixels: the whole floor with a margin, one scale for both axes, north up."""

    def __init__(self, bounds_m: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        x0, y0, x1, y1 = bounds_m
        margin = 0.02 * min(size) + 2
        self.scale = min((size[0] - 2 * margin) / (x1 - x0), (size[1] - 2 * margin) / (y1 - y0))
        self._left = (size[0] - self.scale * (x1 - x0)) / 2 - self.scale * x0
        self._bottom = (size[1] + self.scale * (y1 - y0)) / 2 + self.scale * y0

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Column and row of a point."""
        return self._left + self.scale * x, self._bottom - self.scale * y

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of a rectangle."""
        left, bottom = self.pixel(x0, y0)
        right, top = self.pixel(x1, y1)
        return left, top, right, bottom


class _ByIdentity:
    """A scene as a cache key: equal only to itself, so that no call hashes a whole store."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __hash__(self) -> int:
        return id(self.scene)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.scene is self.scene


@lru_cache(maxsize=16)
def _store_picture(key: _ByIdentity, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Floor, fixtures and labels, drawn at twice the size and halved so that edges are smooth."""
    from PIL import Image, ImageDraw  # noqa: PLC0415  (most programs never draw a map)

    scene, zoom = key.scene, 2
    large = (size[0] * zoom, size[1] * zoom)
    image = Image.new("RGB", large, OUTSIDE)
    draw, frame = ImageDraw.Draw(image), MapFrame(scene.bounds_m, large)
    draw.rectangle(frame.box(*scene.bounds_m), fill=PAPER, outline=STRUCTURE_COLORS["wall"], width=zoom)
    draw_showrooms(draw, frame, scene)
    _draw_paths(draw, frame, scene)
    for part in scene.structures:
        if part.kind in {"pillar", "checkout", "door"}:
            draw.rectangle(frame.box(*part.box_m[:2], *part.box_m[3:5]), fill=STRUCTURE_COLORS[part.kind])
    for fixture in scene.fixtures:
        _draw_fixture(draw, frame, fixture)
    image = image.resize(size, Image.Resampling.BOX)
    _write_labels(ImageDraw.Draw(image), MapFrame(scene.bounds_m, size), scene)
    picture = np.asarray(image)
    picture.setflags(write=False)
    return picture


def _draw_paths(draw: "ImageDraw", frame: MapFrame, scene: Scene) -> None:
    at = {waypoint.id: frame.pixel(waypoint.x, waypoint.y) for waypoint in scene.waypoints}
    for waypoint in scene.waypoints:
        for other in waypoint.links:
            draw.line((*at[waypoint.id], *at[other]), fill=PATH, width=2)


def _draw_fixture(draw: "ImageDraw", frame: MapFrame, fixture: Place) -> None:
    color = KIND_COLORS.get(fixture.form, PATH)
    dark = (color[0] * 5 // 9, color[1] * 5 // 9, color[2] * 5 // 9)
    draw.rectangle(frame.box(*place_rectangle(fixture)), fill=color, outline=dark, width=2)


def _write_labels(draw: "ImageDraw", frame: MapFrame, scene: Scene) -> None:
    """Ids of the places; on large maps also what fixtures sell, names of stores and areas, checkouts and entrance."""
    id_font = _font(max(LEAST_ID_PX, frame.scale * 0.72))
    name_font = _font(max(LEAST_NAME_PX, frame.scale * 0.52)) if frame.scale >= SCALE_FOR_NAMES else None
    for fixture in scene.fixtures:
        _write_id(draw, frame, scene, fixture, id_font)
        if name_font is not None:
            _write_name(draw, frame, scene, fixture, name_font)
    write_showrooms(draw, frame, scene, id_font, name_font)
    if name_font is not None:
        _write_zones(draw, frame, scene, name_font)


def _write_id(draw: "ImageDraw", frame: MapFrame, scene: Scene, fixture: Place, font: "Font") -> None:
    """On the fixture; at a side wall from the wall on, or beside the fixture where the map is small."""
    x0, y0, x1, y1 = place_rectangle(fixture)
    middle = (y0 + y1) / 2
    inset = x0 - x1 - 0.1 if frame.scale >= SCALE_FOR_NAMES else 0.15
    if not _at_side_wall(scene, fixture):
        spot, anchor = frame.pixel((x0 + x1) / 2, middle), "mm"
    elif fixture.yaw_deg == 0:
        spot, anchor = frame.pixel(x1 + inset, middle), "lm"
    else:
        spot, anchor = frame.pixel(x0 - inset, middle), "rm"
    draw.text(spot, fixture.id, fill=INK, font=font, anchor=anchor, stroke_width=1, stroke_fill=HALO)


def _write_name(draw: "ImageDraw", frame: MapFrame, scene: Scene, fixture: Place, font: "Font") -> None:
    """Under the fixture, or further in from its id where that stands beside it."""
    x0, y0, x1, y1 = place_rectangle(fixture)
    if not _at_side_wall(scene, fixture):
        narrow = y1 > scene.bounds_m[3] - 0.5
        lines, spot, anchor = short_name(fixture.name, 9 if narrow else 13), ((x0 + x1) / 2, y0 - 0.12), "ma"
    elif fixture.yaw_deg == 0:
        lines, spot, anchor = [" ".join(short_name(fixture.name, 40))], (x0 + _ID_LENGTH_M, (y0 + y1) / 2), "lm"
    else:
        lines, spot, anchor = short_name(fixture.name, 8), (x1 - _ID_LENGTH_M, (y0 + y1) / 2), "rm"
    text = "\n".join(lines)
    draw.multiline_text(frame.pixel(*spot), text, fill=SOFT_INK, font=font, anchor=anchor, align="center", spacing=1)


def _write_zones(draw: "ImageDraw", frame: MapFrame, scene: Scene, font: "Font") -> None:
    """Words for the checkouts and the door."""
    for kind, word, rise in (("checkout", "Checkouts", -0.2), ("door", "Entrance", 1.0)):
        boxes = [part.box_m for part in scene.structures if part.kind == kind]
        if boxes:
            x = (min(box[0] for box in boxes) + max(box[3] for box in boxes)) / 2
            y = min(box[1] for box in boxes) + rise
            draw.text(frame.pixel(x, y), word, fill=SOFT_INK, font=font, anchor="ma")


def _at_side_wall(scene: Scene, fixture: Place) -> bool:
    """Whether the fixture backs onto the west or east wall, too thin there for a word."""
    x0, _, x1, _ = place_rectangle(fixture)
    return x1 - x0 < 0.95 and (x0 < scene.bounds_m[0] + 0.5 or x1 > scene.bounds_m[2] - 0.5)


def short_name(name: str, width: int = 13) -> list[str]:
    """The words of a fixture's name that tell what it sells, in lines of about ``width`` letters."""
    words = [word for word in name.split() if word not in _NOISE_WORDS] or [name]
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _font(size: float) -> "Font":
    from PIL import ImageFont  # noqa: PLC0415  (most programs never draw a map)

    return ImageFont.load_default(size)


def _draw_arrow(picture: NDArray[np.uint8], center: tuple[float, float], yaw_deg: float, radius: float) -> None:
    """A filled arrowhead with a white rim, its middle on the user."""
    import cv2  # noqa: PLC0415  (most programs never draw a map)

    cos, sin = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    for color, size in ((HALO, radius + 2.0), (USER, radius)):
        ahead, aside = _ARROW[:, 0] * size, _ARROW[:, 1] * size
        corners = np.stack([center[0] + ahead * cos - aside * sin, center[1] - ahead * sin - aside * cos], axis=1)
        fixed = np.round(corners * 2**_SUBPIXEL_BITS).astype(np.int32)
        cv2.fillPoly(picture, [fixed], color, cv2.LINE_AA, _SUBPIXEL_BITS)
