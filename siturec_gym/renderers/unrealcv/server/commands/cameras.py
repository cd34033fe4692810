"""``/camera``: where the cameras are and how they look; in the shopper's eyes until they are told otherwise."""

from dataclasses import replace

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.server.camera import Camera
from siturec_gym.renderers.unrealcv.server.commands.command import OK, Command, Context
from siturec_gym.renderers.unrealcv.server.world import FARTHEST_M

_NAMES = ("UserCamera", "SmallCamera")
_NARROWEST_DEG, _WIDEST_DEG = 1.0, 170.0


def camera_of(context: Context, number: str) -> Camera:
    """The camera of that number. Raises ValueError if there is none."""
    cameras = context.world.cameras
    if int(number) >= len(cameras):
        raise ValueError(f"there is no camera {number}; cameras are 0 to {len(cameras) - 1}")
    return cameras[int(number)]


def _cameras(_: Context) -> str:
    return " ".join(_NAMES)


def _location(context: Context, number: str) -> str:
    pose = context.world.state.pose
    return axes.location_text((pose.x, pose.y, camera_of(context, number).lens.height_m))


def _rotation(context: Context, number: str) -> str:
    pose = context.world.state.pose
    pitch, yaw, _ = axes.rotation_text(pose.yaw_deg, pose.pitch_deg).split()
    return f"{pitch} {yaw} {axes.number_text(camera_of(context, number).lens.roll_deg)}"


def _pose(context: Context, number: str) -> str:
    return f"{_location(context, number)} {_rotation(context, number)}"


def _set_location(context: Context, number: str, *words: str) -> str:
    return _set_pose(context, number, *words, *_rotation(context, number).split())


def _set_rotation(context: Context, number: str, *words: str) -> str:
    return _set_pose(context, number, *_location(context, number).split(), *words)


def _set_pose(context: Context, number: str, *words: str) -> str:
    camera = camera_of(context, number)
    (x, y, z), yaw, pitch = axes.pose_of(words)
    if abs(z) > FARTHEST_M:
        raise ValueError(f"a camera's height lies within {axes.cm_text(FARTHEST_M)} cm, received {words[2]}")
    context.world.place_user(Pose(x, y, yaw, pitch))
    camera.lens = replace(camera.lens, height_m=z, roll_deg=axes.wrapped_deg(axes.number_of(words[5])))
    return OK


def _move_to(context: Context, number: str, *words: str) -> str:
    camera_of(context, number)
    x, y, _ = axes.location_of(words)
    context.world.walk_towards(x, y)
    return OK


def _fov(context: Context, number: str) -> str:
    return axes.number_text(camera_of(context, number).lens.fov_deg)


def _set_fov(context: Context, number: str, word: str) -> str:
    camera, degrees = camera_of(context, number), axes.number_of(word)
    if not _NARROWEST_DEG <= degrees <= _WIDEST_DEG:
        raise ValueError(f"a field of view lies from {_NARROWEST_DEG:g} to {_WIDEST_DEG:g} degrees, received {word}")
    camera.lens = replace(camera.lens, fov_deg=degrees)
    return OK


def _size(context: Context, number: str) -> str:
    width, height = camera_of(context, number).size
    return f"{width} {height}"


def _set_size(context: Context, number: str, width: str, height: str) -> str:
    camera_of(context, number).resize(int(width), int(height))
    return OK


_AT = "/camera/[uint]"
_FLOATS = " [float] [float] [float]"
COMMANDS = (
    Command("vget /cameras", _cameras, "names of the cameras, in the order of their numbers"),
    Command(f"vget {_AT}/location", _location, "x y z, cm"),
    Command(f"vset {_AT}/location{_FLOATS}", _set_location, "move the shopper to x y, the camera to the height z, cm"),
    Command(f"vget {_AT}/rotation", _rotation, "pitch yaw roll, degrees"),
    Command(f"vset {_AT}/rotation{_FLOATS}", _set_rotation, "turn the shopper to pitch yaw, tilt the camera by roll"),
    Command(f"vget {_AT}/pose", _pose, "x y z pitch yaw roll"),
    Command(f"vset {_AT}/pose{2 * _FLOATS}", _set_pose, "x y z pitch yaw roll, both of the above"),
    Command(f"vset {_AT}/moveto{_FLOATS}", _move_to, "walk straight to x y, cm, up to the first contact"),
    Command(f"vget {_AT}/fov", _fov, "horizontal field of view, degrees"),
    Command(f"vset {_AT}/fov [float]", _set_fov, "the same, 1 to 170"),
    Command(f"vget {_AT}/size", _size, "width and height of its pictures, pixels"),
    Command(f"vset {_AT}/size [uint] [uint]", _set_size, "the same, 16 to 4096 each"),
)
