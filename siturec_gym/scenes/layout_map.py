"""The layout map: the store from above, north up, with the user's position and heading (SituRecBench, A.3).

Everything but the user is drawn once per scene and size; a call copies that picture and draws one arrow.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose
from siturec_gym.scenes.footprints import fixture_rectangle
from siturec_gym.scenes.scene import Fixture, Scene

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

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
INK: Color = (40, 40, 48)
PATH: Color = (222, 220, 214)
STRUCTURE_COLORS: dict[str, Color] = {
    "wall": (90, 90, 98),
    "pillar": (120, 120, 126),
    "checkout": (190, 186, 200),
    "door": (232, 130, 90),
}
USER: NDArray[np.uint8] = np.array((220, 30, 40), np.uint8)
HALO: NDArray[np.uint8] = np.array((255, 255, 255), np.uint8)
_NOISE_WORDS = {"Shelf", "Wall", "Freezer", "Chest", "Cooler", "Stand", "Frozen", "&"}


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


def _draw_fixture(draw: "ImageDraw", frame: MapFrame, fixture: Fixture) -> None:
    color = KIND_COLORS.get(fixture.kind, PATH)
    dark = (color[0] * 5 // 9, color[1] * 5 // 9, color[2] * 5 // 9)
    draw.rectangle(frame.box(*fixture_rectangle(fixture)), fill=color, outline=dark, width=2)


def _write_labels(draw: "ImageDraw", frame: MapFrame, scene: Scene) -> None:
    """Ids on the fixtures; on large maps their short names beside them, on the side shoppers stand."""
    id_font = _font(max(7.0, frame.scale * 0.95))
    name_font = _font(frame.scale * 0.62) if frame.scale >= 14 else None
    for fixture in scene.fixtures:
        x, y = frame.pixel(*fixture.center_m)
        draw.text((x, y), _short_id(fixture.id), fill=INK, font=id_font, anchor="mm")
        if name_font is not None:
            _write_name(draw, frame, fixture, name_font)


def _write_name(draw: "ImageDraw", frame: MapFrame, fixture: Fixture, font: "FreeTypeFont | ImageFont") -> None:
    x0, y0, x1, y1 = fixture_rectangle(fixture)
    text = "\n".join(short_name(fixture.name))
    if fixture.yaw_deg % 180 == 90 or fixture.approaches.keys() > {"front"}:
        spot, anchor = (frame.pixel((x0 + x1) / 2, y0), "ma")
    elif fixture.yaw_deg == 0:
        spot, anchor = (frame.pixel(x1, (y0 + y1) / 2), "lm")
    else:
        spot, anchor = (frame.pixel(x0, (y0 + y1) / 2), "rm")
    nudge = {"m": 0, "l": 3, "r": -3}[anchor[0]]
    spot = (spot[0] + nudge, spot[1] + (2 if anchor[1] == "a" else 0))
    draw.multiline_text(spot, text, fill=INK, font=font, anchor=anchor, align="center", spacing=1)


def short_name(name: str) -> list[str]:
    """The words of a fixture's name that tell what it sells, in lines of at most about 14 letters."""
    words = [word for word in name.replace(",", "").split() if word not in _NOISE_WORDS] or [name]
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < 14:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _short_id(fixture_id: str) -> str:
    return fixture_id


def _font(size: float) -> "FreeTypeFont | ImageFont":
    from PIL import ImageFont  # noqa: PLC0415  (most programs never draw a map)

    return ImageFont.load_default(size)


def _draw_arrow(picture: NDArray[np.uint8], tip_base: tuple[float, float], yaw_deg: float, radius: int) -> None:
    """A filled arrowhead with a white rim, centred on the user, clipped at the edges of the picture."""
    column, row = tip_base
    reach = radius + 2
    top, left = max(0, round(row) - reach), max(0, round(column) - reach)
    patch = picture[top : round(row) + reach + 1, left : round(column) + reach + 1]
    if 0 in patch.shape:
        return
    rows = np.arange(top, top + patch.shape[0], dtype=np.float64)[:, None] - row
    columns = np.arange(left, left + patch.shape[1], dtype=np.float64)[None, :] - column
    cos, sin = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    ahead, aside = columns * cos - rows * sin, np.abs(columns * sin + rows * cos)
    notch = np.maximum(ahead * 0.53 + aside - 0.53 * radius, -ahead - 0.8 * radius + 0.5 * (0.8 * radius - aside))
    patch[notch <= 1.3] = HALO
    patch[notch <= 0.0] = USER
