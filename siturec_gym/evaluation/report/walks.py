"""Where shoppers walked: metres walked on each patch of floor, and the map it is drawn on (spec S26)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.report.drawing import INK, PAPER, SOFT_INK, Box, Disc, Drawing, Label, Point, mixed
from siturec_gym.evaluation.report.layout import WIDTH
from siturec_gym.scenes.footprints import place_rectangle
from siturec_gym.scenes.layout_map import KIND_COLORS, MapFrame
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.world.motion import Motion

CELL_M = 0.5
_SAMPLE_M = 0.1
_TOP = 36
_AREA, _STORE, _WALL = "#efe7d6", "#fbfaf7", "#8a8f9c"


@dataclass(frozen=True, slots=True)
class Heat:
    """Metres walked in each cell of ``CELL_M``, rows from south to north, over a number of episodes."""

    metres: NDArray[np.float64]
    episodes: int


class Walks:
    """The walked lines of episodes in one store.

    Poses are recorded at the start of each turn; between two of them the shortest free way along the walkable graph
    is taken, which is how the shopper moves to a place.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._motion = Motion(scene)
        self._known: dict[tuple[Point, Point], list[Point]] = {}

    def line(self, episode: EpisodeRecord) -> list[Point]:
        """The points walked through, in metres."""
        poses = [turn.visible.pose for turn in episode.turns] + [episode.final_view.pose]
        points = [_xy(poses[0])]
        for start, end in pairwise(poses):
            points += self.leg(_xy(start), _xy(end))[1:]
        return points

    def leg(self, start: Point, end: Point) -> list[Point]:
        """The way between two recorded positions, both included."""
        if start == end:
            return [start]
        key = (start, end)
        if key not in self._known:
            self._known[key] = self._motion.route(start, end) or [start, end]
        return [start, *self._known[key][1:-1], end]

    def heat(self, episodes: Sequence[EpisodeRecord]) -> Heat:
        """Metres walked on each patch of floor."""
        x0, y0, x1, y1 = self.scene.bounds_m
        metres = np.zeros((math.ceil((y1 - y0) / CELL_M), math.ceil((x1 - x0) / CELL_M)))
        for episode in episodes:
            for x, y, length in _samples(self.line(episode)):
                row, column = int((y - y0) / CELL_M), int((x - x0) / CELL_M)
                if 0 <= row < metres.shape[0] and 0 <= column < metres.shape[1]:
                    metres[row, column] += length
        return Heat(metres, len(episodes))


def heat_map(title: str, scene: Scene, heat: Heat, ends: Sequence[tuple[Pose, bool]]) -> Drawing:
    """The store with the patches shaded by how much was walked there.

    Args:
        title: Heading.
        scene: The store.
        heat: From ``Walks.heat``.
        ends: Last pose of each episode, and whether something was bought.
    """
    frame, height = map_frame(scene)
    drawing = Drawing(WIDTH, height + _TOP + 52, title)
    drawing.add(Label((16, 20), title, 14, INK, bold=True))
    draw_floor(drawing, scene, frame)
    _shade(drawing, scene, frame, heat)
    draw_places(drawing, scene, frame)
    for pose, bought in ends:
        x, y = _shifted(frame, pose.x, pose.y)
        drawing.add(Disc((x, y), 3.0, "#ffd84d" if bought else "#1f2430", PAPER))
    _heat_legend(drawing, height + _TOP + 16, float(heat.metres.max()), heat.episodes)
    return drawing


def map_frame(scene: Scene) -> tuple[MapFrame, int]:
    """From metres to pixels of a map as wide as the plots, and its height."""
    x0, y0, x1, y1 = scene.bounds_m
    height = round(WIDTH * (y1 - y0) / (x1 - x0))
    return MapFrame(scene.bounds_m, (WIDTH, height)), height


def draw_places(drawing: Drawing, scene: Scene, frame: MapFrame, top: float = _TOP) -> None:
    """Fixtures and what blocks the way, and the id of every place."""
    for part in scene.structures:
        if part.kind in ("wall", "pillar", "checkout"):
            drawing.add(_box(frame, (*part.box_m[:2], *part.box_m[3:5]), _WALL, None, part.text, top))
    for place in scene.fixtures:
        color = _hex(KIND_COLORS.get(place.form))
        drawing.add(_box(frame, place_rectangle(place), color, SOFT_INK, f"{place.id} {place.name}", top))
    for place in scene.navigation_targets:
        x, y = frame.pixel(*_label_spot(place))
        drawing.text((x, y + top), place.id, 9.5, INK, "middle")


def _label_spot(place: Place) -> Point:
    x0, y0, x1, y1 = place_rectangle(place)
    return ((x0 + x1) / 2, y1 - 0.5) if place.kind == "store" else ((x0 + x1) / 2, (y0 + y1) / 2)


def draw_floor(drawing: Drawing, scene: Scene, frame: MapFrame, top: float = _TOP) -> None:
    """The floor, and the stores and areas on it."""
    drawing.add(_box(frame, scene.bounds_m, _STORE, _WALL, "", top))
    for color, places in ((PAPER, scene.stores), (_AREA, scene.areas)):
        for place in places:
            drawing.add(_box(frame, place_rectangle(place), color, _WALL, f"{place.id} {place.name}", top))


def _shade(drawing: Drawing, scene: Scene, frame: MapFrame, heat: Heat) -> None:
    """Walked patches; the scale is logarithmic, since everybody passes the entrance."""
    most = float(heat.metres.max())
    if most <= 0.0:
        return
    x0, y0, _, _ = scene.bounds_m
    for row, column in np.argwhere(heat.metres > 0.0).tolist():
        metres = float(heat.metres[row, column])
        left, south = x0 + column * CELL_M, y0 + row * CELL_M
        color = _heat_color(math.log1p(metres) / math.log1p(most))
        hint = f"{metres / heat.episodes:.2f} m per episode"
        drawing.add(_box(frame, (left, south, left + CELL_M, south + CELL_M), color, None, hint, _TOP))


def _heat_legend(drawing: Drawing, y: float, most: float, episodes: int) -> None:
    for step in range(20):
        drawing.add(Box((16 + 7 * step, y - 5), (7, 10), _heat_color((step + 1) / 20)))
    reach = most / max(1, episodes)
    drawing.text((166, y), f"metres walked, log scale, up to {reach:.2f} m per episode on one patch", 11, SOFT_INK)
    for x, color, name in ((20.0, "#ffd84d", "bought here"), (130.0, "#1f2430", "ended without a purchase")):
        drawing.add(Disc((x, y + 20), 4, color, SOFT_INK))
        drawing.text((x + 10, y + 20), name, 11, SOFT_INK)


def _heat_color(share: float) -> str:
    return mixed("#fff3d6", "#e8743b", share * 2) if share <= 0.5 else mixed("#e8743b", "#7a0f3c", share * 2 - 1)


def _box(frame: MapFrame, rectangle: Sequence[float], fill: str, stroke: str | None, hint: str, top: float) -> Box:
    left, upper, right, lower = frame.box(rectangle[0], rectangle[1], rectangle[2], rectangle[3])
    return Box((left, upper + top), (right - left, lower - upper), fill, stroke, hint)


def _shifted(frame: MapFrame, x: float, y: float) -> Point:
    column, row = frame.pixel(x, y)
    return column, row + _TOP


def _samples(points: Sequence[Point]) -> Iterable[tuple[float, float, float]]:
    """Middle points of short pieces of a line, with the length of each piece."""
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        pieces = max(1, round(length / _SAMPLE_M))
        for index in range(pieces):
            share = (index + 0.5) / pieces
            yield ax + (bx - ax) * share, ay + (by - ay) * share, length / pieces


def _xy(pose: Pose) -> Point:
    return pose.x, pose.y


def _hex(color: tuple[int, int, int] | None) -> str:
    return _AREA if color is None else "#" + "".join(f"{part:02x}" for part in color)
