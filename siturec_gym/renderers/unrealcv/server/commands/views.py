"""``/camera``: pictures. They are sent as bytes; this server writes no files."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from siturec_gym.renderers.unrealcv.server.camera import Camera
from siturec_gym.renderers.unrealcv.server.commands.cameras import camera_of
from siturec_gym.renderers.unrealcv.server.commands.command import Command, Context
from siturec_gym.renderers.unrealcv.server.connection import Reply
from siturec_gym.renderers.unrealcv.server.images import FORMATS, array

BLACK_AT_CM = 2000.0
"""Depth of what is black where depth is shown as a picture; what is near is light."""


def _lit(context: Context, camera: Camera, form: str) -> Reply:
    rgb = camera.image("rgb", context.world.state.pose)
    if form == "npy":
        return array(rgb)
    return camera.pictures.picture(lambda pixels: cv2.cvtColor(rgb, cv2.COLOR_RGB2BGRA, dst=pixels), form)


def _object_mask(context: Context, camera: Camera, form: str) -> Reply:
    ids, palette = camera.image("ids", context.world.state.pose), context.world.palette
    return array(palette.rgb(ids)) if form == "npy" else camera.pictures.picture(partial(palette.paint, ids), form)


def _depth(context: Context, camera: Camera, form: str) -> Reply:
    depth = camera.image("depth", context.world.state.pose)
    if form == "npy":
        return array(depth)
    light = np.rint(255.0 * (1.0 - np.minimum(depth / BLACK_AT_CM, 1.0))).astype(np.uint8)
    return camera.pictures.picture(lambda pixels: cv2.cvtColor(light, cv2.COLOR_GRAY2BGRA, dst=pixels), form)


def _normal(context: Context, camera: Camera, form: str) -> Reply:
    """Unreal's x, y and z from -1 to 1 as red, green and blue from 0 to 255; its y points the other way than ours."""
    normals = camera.image("normals", context.world.state.pose)
    rgb = np.rint((normals * np.array((1, -1, 1), np.float32) + 1.0) * 127.5).astype(np.uint8)
    if form == "npy":
        return array(rgb)
    return camera.pictures.picture(lambda pixels: cv2.cvtColor(rgb, cv2.COLOR_RGB2BGRA, dst=pixels), form)


def _view(draw: Callable[[Context, Camera, str], Reply], usual: str) -> Callable[..., Reply]:
    def answer(context: Context, number: str, form: str = usual) -> Reply:
        camera = camera_of(context, number)
        if form not in FORMATS:
            raise ValueError(f"pictures are sent, not written to files: ask for {', '.join(FORMATS)}, not {form[:80]}")
        return draw(context, camera, form)

    return answer


def _commands(name: str, draw: Callable[[Context, Camera, str], Reply], usual: str, what: str) -> tuple[Command, ...]:
    answer = _view(draw, usual)
    return (
        Command(f"vget /camera/[uint]/{name} [str]", answer, f"{what}, as png, bmp or npy"),
        Command(f"vget /camera/[uint]/{name}", answer, f"{what}, as {usual}"),
    )


COMMANDS = (
    *_commands("lit", _lit, "png", "a picture"),
    *_commands("object_mask", _object_mask, "png", "objects in their colours"),
    *_commands("depth", _depth, "npy", "distance along the view axis in cm"),
    *_commands("normal", _normal, "png", "directions that surfaces face"),
)
