"""The commands of UnrealCV's plugin for Unreal Engine 5, as far as a store needs them.

Numbers are read in single precision and told to three digits; pictures have the formats that the plugin has.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from packaged_body import EYES_CM, atof

from siturec_gym.core.actions import MOVE_OF_KIND, Tool, ToolCall
from siturec_gym.renderers.unrealcv.server.commands.command import Command
from siturec_gym.renderers.unrealcv.server.images import array
from siturec_gym.world.motion import NoRouteError

if TYPE_CHECKING:
    from packaged_store import PackagedStore

USER = "BP_Shopper_C_1"
LEVEL = ("SkyLight_0", "PlayerStart_1", "WorldSettings", "BP_Basket_C_3")
"""Actors of the level that no scene knows."""
SKY_CM = 65504.0
"""Depth where nothing is: the greatest number of half precision."""
INVALID = "error Argument Invalid"
Answer = Callable[..., Any]


def _actor(read: Callable[..., Any]) -> Answer:
    """Answers for actors that are there."""

    def answer(store: "PackagedStore", name: str, *words: str) -> Any:
        known = name in store.things or name in LEVEL or name == USER
        return read(store, name, *words) if known else f"error Can not find object {name}"

    return answer


def _triple(*numbers: float) -> str:
    return " ".join(f"{number:.3f}" for number in numbers)


@_actor
def _location(store: "PackagedStore", name: str) -> str:
    if name == USER:
        stance = store.character.now()
        return _triple(stance.x, stance.y, stance.z)
    x, y, z = store.things[name].position_m if name in store.things else (0.0, 0.0, 0.0)
    return _triple(100.0 * x, -100.0 * y, 100.0 * z)


@_actor
def _rotation(store: "PackagedStore", name: str) -> str:
    """An actor's own: a character's body stays upright wherever it looks."""
    if name == USER:
        return _triple(0.0, store.character.now().body_yaw, 0.0)
    return _triple(0.0, -store.things[name].yaw_deg if name in store.things else 0.0, 0.0)


@_actor
def _set_location(store: "PackagedStore", name: str, *words: str) -> str:
    if name == USER:
        store.character.put(**dict(zip("xyz", map(atof, words), strict=True)))
    return "ok"


@_actor
def _set_rotation(store: "PackagedStore", name: str, *words: str) -> str:
    if name == USER:
        store.character.put(body_yaw=atof(words[1]))
    return "ok"


@_actor
def _color(store: "PackagedStore", name: str) -> str:
    red, green, blue = store.world.palette[store.things[name].object_id] if name in store.things else (0, 0, 0)
    return f"(R={red},G={green},B={blue},A=255)"


@_actor
def _set_color(store: "PackagedStore", name: str, *words: str) -> str:
    if name in store.things:
        red, green, blue = map(int, words)
        store.world.palette[store.things[name].object_id] = red, green, blue
    return "ok"


@_actor
def _show(store: "PackagedStore", name: str) -> str:
    store.world.show(store.things[name], True)
    return "ok"


@_actor
def _hide(store: "PackagedStore", name: str) -> str:
    store.world.show(store.things[name], False)
    return "ok"


def _camera(answer: Answer) -> Answer:
    """There is one camera, the character's."""

    def checked(store: "PackagedStore", number: str, *words: str) -> Any:
        return answer(store, *words) if number == "0" else INVALID

    return checked


@_camera
def _camera_location(store: "PackagedStore") -> str:
    stance = store.character.now()
    return _triple(stance.x, stance.y, stance.z + EYES_CM)


@_camera
def _camera_rotation(store: "PackagedStore") -> str:
    stance = store.character.now()
    return _triple(stance.pitch, stance.yaw, 0.0)


@_camera
def _set_camera_location(store: "PackagedStore", *words: str) -> str:
    """Moves the pawn itself there, feet and all."""
    store.character.put(**dict(zip("xyz", map(atof, words), strict=True)))
    return "ok"


@_camera
def _set_camera_rotation(store: "PackagedStore", *words: str) -> str:
    """Turns the controller, and so the gaze; the body follows by its own."""
    store.character.put(pitch=atof(words[0]), yaw=atof(words[1]))
    return "ok"


@_camera
def _set_fov(store: "PackagedStore", word: str) -> str:
    store.camera.lens = replace(store.camera.lens, fov_deg=atof(word))
    return "ok"


@_camera
def _set_size(store: "PackagedStore", width: str, height: str) -> str:
    store.camera.resize(int(width), int(height))
    return "ok"


def _image(store: "PackagedStore", name: str) -> Any:
    stance = store.character.now()
    height_m = (stance.z + EYES_CM) / 100.0
    if store.camera.lens.height_m != height_m:
        store.camera.lens = replace(store.camera.lens, height_m=height_m)
    return store.camera.image(name, stance.seen_from())


def _picture(store: "PackagedStore", form: str, fill: Callable[[Any], object]) -> Any:
    if form not in ("png", "bmp"):
        return f"error Invalid filename type, filename {form}"
    return store.camera.pictures.picture(fill, form)


@_camera
def _lit(store: "PackagedStore", form: str) -> Any:
    rgb = _image(store, "rgb")

    def fill(pixels: Any) -> None:
        pixels[..., :3] = rgb[..., ::-1]
        pixels[..., 3] = 255

    return _picture(store, form, fill)


@_camera
def _object_mask(store: "PackagedStore", form: str) -> Any:
    return _picture(store, form, partial(store.world.palette.paint, _image(store, "ids")))


@_camera
def _depth(store: "PackagedStore", form: str) -> Any:
    if form != "npy":
        return f"error Invalid filename type, filename {form}"
    depth = np.array(_image(store, "depth"))
    height, width = depth.shape
    if store.radial:
        across = (np.arange(width) + 0.5) * 2 / width - 1
        up = (np.arange(height) + 0.5 - height / 2) * 2 / width
        depth *= np.hypot(np.hypot(across[None, :], up[:, None]), 1.0)
    return array(np.minimum(depth, SKY_CM).astype(np.float16).astype(np.float32))


def _side(degrees: float) -> dict[str, Any]:
    return {"direction": "right" if degrees >= 0 else "left", "angle_deg": abs(degrees)}


FUNCTIONS: dict[str, tuple[int, Callable[..., ToolCall]]] = {
    "MoveForward": (1, lambda cm: ToolCall(Tool.MOVE_FORWARD, distance_m=float(cm) / 100.0)),
    "MoveBackward": (1, lambda cm: ToolCall(Tool.MOVE_BACKWARD, distance_m=float(cm) / 100.0)),
    "SideStep": (2, lambda side, cm: ToolCall(Tool.SIDE_STEP, direction=side, distance_m=float(cm) / 100.0)),
    "Turn": (1, lambda deg: ToolCall(Tool.TURN, **_side(float(deg)))),
    "TurnAndMove": (2, lambda deg, s: ToolCall(Tool.TURN_AND_MOVE, **_side(float(deg)), duration_s=float(s))),
    "MoveAndTurn": (2, lambda s, deg: ToolCall(Tool.MOVE_AND_TURN, **_side(float(deg)), duration_s=float(s))),
    "LookUpDown": (
        1,
        lambda deg: ToolCall(
            Tool.LOOK_UP_DOWN, direction="up" if float(deg) >= 0 else "down", angle_deg=abs(float(deg))
        ),
    ),
}
"""Functions of the character that take their time and have no outputs, with the number of their inputs."""


def _call(store: "PackagedStore", name: str, function: str, *words: str) -> str:
    """Without all its inputs a function is not called, and the answer is that of one that was, with empty outputs."""
    if name not in store.things and name not in LEVEL and name != USER:
        return f"error Can not find actor with id '{name}'"
    if name == USER and function == "MoveTo":
        return _outputs(Ok="", Pose="", Refusal="") if len(words) < 2 else _move_to(store, *words[:2])
    if name != USER or function not in FUNCTIONS:
        return INVALID
    count, call = FUNCTIONS[function]
    if len(words) >= count:
        store.character.move(call(*words[:count]))
    return _outputs()


def _move_to(store: "PackagedStore", target: str, approach: str) -> str:
    """Finds the way itself, and is there when it answers: only then it has outputs to give."""
    thing = store.things.get(target)
    kind = store.kinds.get(thing.name) if thing is not None else None
    if thing is None or kind is None:
        return _outputs(Ok="false", Pose="", Refusal="no_such_place")
    way = None if approach == "fixed" else approach
    done = True
    try:
        store.character.move(ToolCall(MOVE_OF_KIND[kind], target=thing.name, approach=way), at_once=True)
    except NoRouteError:
        done = False
    stance = store.character.now()
    pose = _triple(stance.x, stance.y, stance.z, stance.pitch, stance.yaw, 0.0)
    return _outputs(Ok=str(done).lower(), Pose=pose, Refusal="" if done else "no_route")


def _outputs(**texts: str) -> str:
    return json.dumps(texts, indent="\t").replace("\n", "\r\n")


_FLOATS = " [float] [float] [float]"
_AT = "/camera/[uint]"
COMMANDS = (
    Command("vget /unrealcv/status", lambda store: "Is Listening\nClient Connected\n", ""),
    Command("vget /unrealcv/help", lambda store: store.commands(), ""),
    Command("vget /unrealcv/version", lambda store: "1.0.1", ""),
    Command("vget /unrealcv/echo [str]", lambda store, word: word, ""),
    Command("vget /cameras", lambda store: "FusionCamera ", ""),
    Command(f"vget {_AT}/location", _camera_location, ""),
    Command(f"vset {_AT}/location{_FLOATS}", _set_camera_location, ""),
    Command(f"vget {_AT}/rotation", _camera_rotation, ""),
    Command(f"vset {_AT}/rotation{_FLOATS}", _set_camera_rotation, ""),
    Command(f"vget {_AT}/fov", _camera(lambda store: f"{store.camera.lens.fov_deg:f}"), ""),
    Command(f"vset {_AT}/fov [float]", _set_fov, ""),
    Command(f"vget {_AT}/size", _camera(lambda store: "{} {}".format(*store.camera.size)), ""),
    Command(f"vset {_AT}/size [uint] [uint]", _set_size, ""),
    Command(f"vget {_AT}/lit [str]", _lit, ""),
    Command(f"vget {_AT}/object_mask [str]", _object_mask, ""),
    Command(f"vget {_AT}/depth [str]", _depth, ""),
    Command("vget /objects", lambda store: store.listed(), ""),
    Command("vget /object/[str]/location", _location, ""),
    Command("vset /object/[str]/location" + _FLOATS, _set_location, ""),
    Command("vget /object/[str]/rotation", _rotation, ""),
    Command("vset /object/[str]/rotation" + _FLOATS, _set_rotation, ""),
    Command("vget /object/[str]/color", _color, ""),
    Command("vset /object/[str]/color [uint] [uint] [uint]", _set_color, ""),
    Command("vset /object/[str]/show", _show, ""),
    Command("vset /object/[str]/hide", _hide, ""),
    *(Command("vbp [str] [str]" + count * " [str]", _call, "") for count in range(10)),
)
