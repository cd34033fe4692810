"""``/object``: what stands in the store, its colour in the mask, and whether it is shown."""

from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.server.commands.command import OK, Command, Context
from siturec_gym.renderers.unrealcv.server.things import USER, Thing


def _thing(context: Context, name: str) -> Thing:
    thing = context.world.things.get(name)
    if name == USER:
        raise ValueError(f"{USER} is the shopper, who is not drawn; it has a location and a rotation only")
    if thing is None:
        raise ValueError(f"Can not find object {name[:80]}")
    return thing


def _objects(context: Context) -> str:
    return " ".join((*context.world.things, USER))


def _location(context: Context, name: str) -> str:
    return axes.location_text(_thing(context, name).position_m)


def _rotation(context: Context, name: str) -> str:
    return axes.rotation_text(_thing(context, name).yaw_deg)


def _stays(context: Context, name: str, *_: str) -> str:
    raise ValueError(f"{_thing(context, name).name} cannot be moved: things of the embedded store stay in their places")


def _bounds(context: Context, name: str) -> str:
    thing = _thing(context, name)
    corners = [axes.location_of(axes.location_text(corner)) for corner in (thing.low_m, thing.high_m)]
    (x0, y0, z0), (x1, y1, z1) = corners
    return f"{axes.location_text((x0, y1, z0))} {axes.location_text((x1, y0, z1))}"


def _color(context: Context, name: str) -> str:
    red, green, blue = context.world.palette[_thing(context, name).object_id]
    return f"(R={red},G={green},B={blue},A=255)"


def _set_color(context: Context, name: str, *words: str) -> str:
    thing = _thing(context, name)
    red, green, blue = map(int, words)
    if max(red, green, blue) > 255:
        raise ValueError(f"a colour is three numbers from 0 to 255, got {' '.join(words)}")
    context.world.palette[thing.object_id] = (red, green, blue)
    return OK


def _show(context: Context, name: str) -> str:
    context.world.show(_thing(context, name), True)
    return OK


def _hide(context: Context, name: str) -> str:
    context.world.show(_thing(context, name), False)
    return OK


def _label(context: Context, name: str) -> str:
    return _thing(context, name).label


def _kind(context: Context, name: str) -> str:
    return _thing(context, name).kind


_FLOATS = " [float] [float] [float]"
COMMANDS = (
    Command("vget /objects", _objects, "names of all objects"),
    Command("vget /object/[str]/location", _location, "x y z, cm"),
    Command("vset /object/[str]/location" + _FLOATS, _stays, "an error: things stay in their places"),
    Command("vget /object/[str]/rotation", _rotation, "pitch yaw roll, degrees"),
    Command("vset /object/[str]/rotation" + _FLOATS, _stays, "an error: things stay in their places"),
    Command("vget /object/[str]/bounds", _bounds, "least and greatest corner of the box around it, cm"),
    Command("vget /object/[str]/color", _color, "its colour in the object mask"),
    Command("vset /object/[str]/color [uint] [uint] [uint]", _set_color, "its colour from now on"),
    Command("vset /object/[str]/show", _show, "put a product back on its shelf"),
    Command("vset /object/[str]/hide", _hide, "take a product off its shelf"),
    Command("vget /object/[str]/label", _label, "what a person calls it"),
    Command("vget /object/[str]/uclass_name", _kind, "product, fixture, store, area, wall, floor and so on"),
)
