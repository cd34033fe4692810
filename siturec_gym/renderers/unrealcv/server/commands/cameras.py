"""``/camera``: pictures from the cameras, and where those are. Both are in the shopper's eyes."""

import cv2

from siturec_gym.core.pose import CAMERA_HEIGHT_M, HORIZONTAL_FOV_DEG, Pose
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.server.camera import Camera
from siturec_gym.renderers.unrealcv.server.commands.command import OK, Command, Context
from siturec_gym.renderers.unrealcv.server.connection import Reply
from siturec_gym.renderers.unrealcv.server.images import COLOR_FORMATS, Pixels

NAMES = ("UserCamera", "SmallCamera")


def _cameras(_: Context) -> str:
    return " ".join(NAMES)


def _camera(context: Context, number: str) -> Camera:
    if int(number) >= len(context.world.cameras):
        raise ValueError(f"there is no camera {number}; cameras are 0 to {len(context.world.cameras) - 1}")
    return context.world.cameras[int(number)]


def _check_format(form: str, formats: tuple[str, ...]) -> None:
    if form not in formats:
        raise ValueError(f"pictures are sent, not written to files: ask for {', '.join(formats)}, not {form[:80]!r}")


def _lit(context: Context, number: str, form: str = "png") -> Reply:
    camera = _camera(context, number)
    _check_format(form, COLOR_FORMATS)
    rgb = context.world.image(int(number), "rgb")

    def fill(pixels: Pixels, blue_first: bool) -> None:
        cv2.cvtColor(rgb, cv2.COLOR_RGB2BGRA if blue_first else cv2.COLOR_RGB2RGBA, dst=pixels)

    return camera.pictures.color(fill, form)


def _object_mask(context: Context, number: str, form: str = "png") -> Reply:
    camera = _camera(context, number)
    _check_format(form, COLOR_FORMATS)
    ids = context.world.image(int(number), "ids")

    def fill(pixels: Pixels, blue_first: bool) -> None:
        context.world.palette.paint(ids, pixels, blue_first=blue_first)

    return camera.pictures.color(fill, form)


def _depth(context: Context, number: str, form: str = "npy") -> Reply:
    camera = _camera(context, number)
    _check_format(form, ("npy",))
    return camera.pictures.depth(context.world.image(int(number), "depth"))


def _location(context: Context, number: str) -> str:
    _camera(context, number)
    pose = context.world.state.pose
    return axes.location_text((pose.x, pose.y, CAMERA_HEIGHT_M))


def _rotation(context: Context, number: str) -> str:
    _camera(context, number)
    pose = context.world.state.pose
    return axes.rotation_text(pose.yaw_deg, pose.pitch_deg)


def _pose(context: Context, number: str) -> str:
    return f"{_location(context, number)} {_rotation(context, number)}"


def _set_location(context: Context, number: str, *words: str) -> str:
    return _set_pose(context, number, *words, *_rotation(context, number).split())


def _set_rotation(context: Context, number: str, *words: str) -> str:
    return _set_pose(context, number, *_location(context, number).split(), *words)


def _set_pose(context: Context, number: str, *words: str) -> str:
    _camera(context, number)
    (x, y, z), yaw, pitch = axes.pose_of(words)
    if z != CAMERA_HEIGHT_M:
        raise ValueError(f"the cameras are eyes {axes.cm_text(CAMERA_HEIGHT_M)} cm above the floor, not {words[2]}")
    context.world.place_user(Pose(x, y, yaw, pitch))
    return OK


def _fov(context: Context, number: str) -> str:
    _camera(context, number)
    return axes.number_text(HORIZONTAL_FOV_DEG)


_FLOATS = " [float] [float] [float]"
COMMANDS = (
    Command("vget /cameras", _cameras, "names of the cameras, in the order of their numbers"),
    Command("vget /camera/[uint]/lit [str]", _lit, "a picture as png, bmp or npy"),
    Command("vget /camera/[uint]/lit", _lit, "a picture as png"),
    Command("vget /camera/[uint]/object_mask [str]", _object_mask, "objects in their colours as png, bmp or npy"),
    Command("vget /camera/[uint]/object_mask", _object_mask, "objects in their colours as png"),
    Command("vget /camera/[uint]/depth [str]", _depth, "distance along the view axis, cm, as npy"),
    Command("vget /camera/[uint]/depth", _depth, "distance along the view axis, cm, as npy"),
    Command("vget /camera/[uint]/location", _location, "x y z, cm"),
    Command("vset /camera/[uint]/location" + _FLOATS, _set_location, "move the shopper; x y z, cm"),
    Command("vget /camera/[uint]/rotation", _rotation, "pitch yaw roll, degrees"),
    Command("vset /camera/[uint]/rotation" + _FLOATS, _set_rotation, "turn the shopper; pitch yaw roll, degrees"),
    Command("vget /camera/[uint]/pose", _pose, "x y z pitch yaw roll"),
    Command("vset /camera/[uint]/pose" + 2 * _FLOATS, _set_pose, "place the shopper; x y z pitch yaw roll"),
    Command("vget /camera/[uint]/fov", _fov, "horizontal field of view, degrees"),
)
