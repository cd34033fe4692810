"""Stores and display areas on the layout map: floors, walls, patches, furniture and names."""

from typing import TYPE_CHECKING

from siturec_gym.scenes.footprints import STEP_OVER_M, extent, place_rectangle
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
FLAT_M = 0.02
_STANDING = {"wall": WALL, "bench": BENCH, "plinth": FURNITURE}
_LINE_LETTERS = 12


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
    for part in sorted((part for part in scene.structures if part.blocks), key=lambda part: part.kind == "wall"):
        if part.kind == "facade":
            draw.rectangle(_box(frame, part), fill=mixed(part.color or PLAIN, 0.0))
        elif part.kind in _STANDING:
            draw.rectangle(_box(frame, part), fill=_STANDING[part.kind])
    for item in scene.instances:
        width, depth, height = scene.catalog.by_id[item.product_id].appearance.size_m
        if item.position_m[2] < STEP_OVER_M < item.position_m[2] + height:
            footprint = extent(item.position_m, item.yaw_deg, width, depth)
            draw.rectangle(frame.box(*footprint), fill=FURNITURE, outline=FURNITURE_EDGE)


def write_showrooms(
    draw: "ImageDraw", frame: "MapFrame", scene: Scene, id_font: "Font", name_font: "Font | None"
) -> None:
    """Ids of stores (at their doorway) and areas (at their point); their names too where there is a font for them."""
    for place in (*scene.stores, *scene.areas):
        x, y = _label_spot(place)
        draw.text(frame.pixel(x, y), place.id, fill=NAME, font=id_font, anchor="mb" if name_font else "mm")
        if name_font is not None:
            text = "\n".join(_lines(place.name))
            draw.multiline_text(
                frame.pixel(x, y), text, fill=NAME, font=name_font, anchor="ma", align="center", spacing=1
            )


def mixed(color: str, white: float) -> Color:
    """A hex colour with a share of white, 0..1."""
    red, green, blue = (round(int(color[i : i + 2], 16) * (1 - white) + 255 * white) for i in (1, 3, 5))
    return red, green, blue


def _box(frame: "MapFrame", part: Structure) -> tuple[float, float, float, float]:
    return frame.box(*part.box_m[:2], *part.box_m[3:5])


def _label_spot(place: Place) -> tuple[float, float]:
    """Inside the doorway of a store; in the free part of an area, before its fixed point."""
    poses = {approach.value: pose for approach, pose in place.approaches.items()}
    if place.kind == "store":
        outside, inside = poses["outside_doorway"], poses["inside_doorway"]
        return inside.x * 1.9 - outside.x * 0.9, inside.y * 1.3 - outside.y * 0.3
    x0, y0, x1, y1 = place_rectangle(place)
    pose = poses["fixed"]
    return min(max(pose.x, x0 + 1.1), x1 - 1.1), min(max(pose.y, y0 + 0.6), y1 - 0.6)


def _lines(name: str) -> list[str]:
    """The words of a name in lines of about twelve letters."""
    lines: list[str] = []
    for word in name.split():
        if lines and len(lines[-1]) + len(word) < _LINE_LETTERS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
