"""Stores and display areas on the layout map: floors, walls, patches, furniture and names."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from siturec_gym.scenes.footprints import STEP_OVER_M, extent, place_rectangle
from siturec_gym.scenes.map_labels import Box, FreeSpots
from siturec_gym.scenes.scene import Place, Scene, Structure

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

    from siturec_gym.scenes.layout_map import MapFrame

    Font = FreeTypeFont | ImageFont

Color = tuple[int, int, int]
PLAIN = "#dedad2"
WALL: Color = (90, 90, 98)
BENCH: Color = (196, 176, 150)
FURNITURE: Color = (120, 112, 104)
FURNITURE_EDGE: Color = (92, 86, 80)
NAME: Color = (24, 24, 30)
HALO: Color = (255, 255, 255)
FLAT_M = 0.02
_STANDING = {"wall": WALL, "bench": BENCH, "plinth": FURNITURE}
_LINE_LETTERS = 12
_THIN_WALL_PX = 1.0
_ON_FURNITURE, _ON_AREA, _ON_WALL = 1.0, 0.6, 5.0


def draw_showrooms(draw: "ImageDraw", frame: "MapFrame", scene: Scene) -> None:
    """Floors of the stores, patches of the areas, walls, fronts and what stands on the floor."""
    if not scene.stores:
        return
    for part in scene.structures:
        if part.kind == "floor" and part.color and 0.0 < part.box_m[5] <= FLAT_M:
            draw.rectangle(_box(frame, part), fill=mixed(part.color, 0.55))
    for part in scene.structures:
        if part.kind == "patch":
            draw.rectangle(_box(frame, part), fill=mixed(part.color or PLAIN, 0.3))
    standing = [part for part in scene.structures if part.blocks and part.kind in _STANDING]
    for part in standing:
        draw.rectangle(_box(frame, part), fill=_STANDING[part.kind])
    for box in _furniture(frame, scene):
        draw.rectangle(box, fill=FURNITURE, outline=FURNITURE_EDGE)
    for part in scene.structures:
        if part.blocks and part.kind == "facade":
            draw.rectangle(_box(frame, part), fill=mixed(part.color or PLAIN, 0.0))
    for part in standing:
        if part.kind == "wall":
            left, top, right, bottom = _box(frame, part)
            draw.rectangle((left, top, max(right, left + _THIN_WALL_PX), max(bottom, top + _THIN_WALL_PX)), fill=WALL)


def _furniture(frame: "MapFrame", scene: Scene) -> Iterator[Box]:
    """Footprints of the items that stand in the way."""
    for item in scene.instances:
        width, depth, height = scene.catalog.by_id[item.product_id].appearance.size_m
        if item.position_m[2] < STEP_OVER_M < item.position_m[2] + height:
            yield frame.box(*extent(item.position_m, item.yaw_deg, width, depth))


def write_showrooms(
    draw: "ImageDraw", frame: "MapFrame", scene: Scene, id_font: "Font", name_font: "Font | None"
) -> None:
    """Ids of areas (in them) and stores (inside their doorway); their names too where there is a font for them."""
    if not scene.stores:
        return
    spots = _spots(frame, scene)
    for place in (*scene.areas, *scene.stores):
        if place.kind == "store":
            spots.add(
                (frame.box(*place_rectangle(area)) for area in scene.areas if area.store_id == place.id), _ON_AREA
            )
        name = "\n".join(_lines(place.name)) if name_font is not None else ""
        across, down = _extent(draw, place.id, id_font)
        wide, high = _extent(draw, name, name_font) if name_font is not None else (0.0, 0.0)
        size = max(across, wide) + 2.0, down + high + 2.0
        x, y = spots.take(frame.box(*place_rectangle(place)), size, frame.pixel(*_wished_spot(place)))
        top = y - size[1] / 2 + 1.0
        draw.text((x, top), place.id, NAME, id_font, "ma", stroke_width=1, stroke_fill=HALO)
        if name_font is not None:
            draw.multiline_text((x, top + down), name, NAME, name_font, "ma", 1, "center")


def _spots(frame: "MapFrame", scene: Scene) -> FreeSpots:
    """The floor with what stands on it."""
    spots = FreeSpots()
    spots.add(_furniture(frame, scene), _ON_FURNITURE)
    for part in scene.structures:
        if part.blocks and part.kind in _STANDING:
            spots.add([_box(frame, part)], _ON_WALL if part.kind == "wall" else _ON_FURNITURE)
    return spots


def _extent(draw: "ImageDraw", text: str, font: "Font") -> tuple[float, float]:
    """Width and height of one or more lines, with the halo."""
    left, _, right, bottom = draw.multiline_textbbox((0, 0), text, font=font, spacing=1, stroke_width=1)
    return float(right - left), float(bottom) + 1.0


def mixed(color: str, white: float) -> Color:
    """A hex colour with a share of white, 0..1."""
    red, green, blue = (round(int(color[i : i + 2], 16) * (1 - white) + 255 * white) for i in (1, 3, 5))
    return red, green, blue


def _box(frame: "MapFrame", part: Structure) -> tuple[float, float, float, float]:
    return frame.box(*part.box_m[:2], *part.box_m[3:5])


def _wished_spot(place: Place) -> tuple[float, float]:
    """Inside the doorway of a store; the middle of an area."""
    if place.kind != "store":
        return place.center_m
    poses = {approach.value: pose for approach, pose in place.approaches.items()}
    outside, inside = poses["outside_doorway"], poses["inside_doorway"]
    return inside.x * 1.9 - outside.x * 0.9, inside.y * 1.9 - outside.y * 0.9


def _lines(name: str) -> list[str]:
    """The words of a name in lines of about twelve letters."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + len(word) < _LINE_LETTERS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
