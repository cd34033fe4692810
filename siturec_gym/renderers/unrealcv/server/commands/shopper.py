"""``/object/User``: the shopper as an object that can be put somewhere."""

from dataclasses import replace

from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.server.commands.command import OK, Command, Context
from siturec_gym.renderers.unrealcv.server.things import USER


def _location(context: Context) -> str:
    pose = context.world.state.pose
    return axes.location_text((pose.x, pose.y, 0.0))


def _set_location(context: Context, *words: str) -> str:
    x, y, z = axes.location_of(words)
    if z != 0.0:
        raise ValueError(f"the shopper stands on the floor, at the height 0, not {words[2]}")
    context.world.place_user(replace(context.world.state.pose, x=x, y=y))
    return OK


def _rotation(context: Context) -> str:
    pose = context.world.state.pose
    return axes.rotation_text(pose.yaw_deg, pose.pitch_deg)


def _set_rotation(context: Context, *words: str) -> str:
    yaw_deg, pitch_deg = axes.rotation_of(words)
    context.world.place_user(replace(context.world.state.pose, yaw_deg=yaw_deg, pitch_deg=pitch_deg))
    return OK


_FLOATS = " [float] [float] [float]"
COMMANDS = (
    Command(f"vget /object/{USER}/location", _location, "where the shopper's feet are, x y z, cm"),
    Command(f"vset /object/{USER}/location{_FLOATS}", _set_location, "put the shopper there; z is 0"),
    Command(f"vget /object/{USER}/rotation", _rotation, "pitch yaw roll, degrees"),
    Command(f"vset /object/{USER}/rotation{_FLOATS}", _set_rotation, "turn the shopper; roll means nothing"),
)
