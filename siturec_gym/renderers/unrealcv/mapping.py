"""What a mapping file says: how a store is called and driven in one Unreal project.

Names of cameras, objects and Blueprint functions stand in the file, never in code. Commands are templates; the words
in braces that each may hold are listed beside its field.
"""

import os
from collections.abc import Mapping as Words
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from siturec_gym.core.actions import Tool
from siturec_gym.renderers.unrealcv.part import CameraId, Commands, Metres, Part, Port, Seconds, WordLists

ARGUMENTS = (
    "direction",
    "angle_deg",
    "signed_angle_deg",
    "distance_m",
    "distance_cm",
    "duration_s",
    "target",
    "approach",
)
"""What a Blueprint function can be given; ``signed_angle_deg`` is positive to the right and upwards, as in Unreal."""


def _argument(word: str) -> str:
    if word not in ARGUMENTS and not word.startswith("="):
        raise ValueError(f"{word!r} is no argument; there are {', '.join(ARGUMENTS)}, and =TEXT for a fixed word")
    return word


class Connection(Part):
    """Where the server listens and how long to wait for it.

    Attributes:
        host: Its machine; not used with ``socket``.
        port: Its TCP port; not used with ``socket``.
        socket: Path of a Unix socket, with {port}.
        connect_timeout_s: For opening a connection, greeting included.
        reply_timeout_s: For each reply to a query, a setting or a capture.
        action_timeout_s: For the reply to a Blueprint function.
        attempts: How often something is tried, each time over a new connection, before it is an error.
    """

    WORDS: ClassVar[WordLists] = {"socket": ("port",)}
    host: str = "127.0.0.1"
    port: Port = 9000
    socket: str | None = None
    connect_timeout_s: Seconds = 5.0
    reply_timeout_s: Seconds = 15.0
    action_timeout_s: Seconds = 60.0
    attempts: Annotated[int, Field(ge=1, le=100)] = 4

    @property
    def endpoint(self) -> tuple[str, int] | str:
        """Where a server that is there already listens: the path of its socket, else its host and port."""
        return self.socket_path(self.port) or (self.host, self.port)

    def socket_path(self, port: int) -> str | None:
        """Path of the Unix socket of the server at a port; None where there is none."""
        return None if self.socket is None else os.path.expanduser(self.socket.format(port=port))


class Launch(Part):
    """How an instance of a packaged build is started; without it the server is there already.

    Attributes:
        binary: Path of the executable.
        arguments: Its arguments, with {port}, {socket}, {width}, {height}.
        environment: Variables added to those of this process.
        first_port: Lowest port given to an instance; it goes up from there.
        last_port: Highest one.
        ini: Path of the plugin's ``unrealcv.ini``, written before each start where the build reads its port there.
        start_timeout_s: Until the server answers.
        stop_timeout_s: From the polite request to end until the process group is killed.
        allow_root: Unreal refuses to run as root; True says that this binary does not mind.
    """

    WORDS: ClassVar[WordLists] = {"arguments": ("port", "socket", "width", "height")}
    binary: str
    arguments: tuple[str, ...] = ()
    environment: Words[str, str] = Field(default_factory=dict)
    first_port: Port = 9000
    last_port: Port = 9999
    ini: str | None = None
    start_timeout_s: Seconds = 120.0
    stop_timeout_s: Seconds = 10.0
    allow_root: bool = False

    @model_validator(mode="after")
    def _has_ports(self) -> "Launch":
        if self.first_port > self.last_port:
            raise ValueError(f"first_port {self.first_port} lies above last_port {self.last_port}")
        return self


class Picture(Part):
    """One view mode of a camera: its name in ``vget /camera/ID/NAME FORMAT``, and the order of channels in npy."""

    name: str
    format: Literal["png", "bmp", "npy"] = "bmp"
    channels: Literal["rgba", "bgra"] = "rgba"


class Depth(Part):
    """The depth view.

    Attributes:
        name: View mode, always asked for as npy.
        kind: "planar" along the view axis, or "radial" from the camera's centre.
        unit: "cm" or "m".
        beyond_m: From this depth on nothing is hit; None where the server says infinity.
    """

    name: str = "depth"
    kind: Literal["planar", "radial"] = "planar"
    unit: Literal["cm", "m"] = "cm"
    beyond_m: Annotated[float, Field(gt=0.0)] | None = None


class Images(Part):
    """Names and formats of what cameras see."""

    rgb: Picture = Picture(name="lit")
    mask: Picture = Picture(name="object_mask")
    depth: Depth = Depth()


class Cameras(Part):
    """The cameras.

    Attributes:
        user: The user's eyes, at the image size.
        visibility: The same eyes at 320x240; None where the user's camera serves for both and is sampled down.
        follow_user: Whether the engine keeps them at the user's eyes; else they are sent after each move.
        place: Commands that send one somewhere, with {camera}, {location} (x y z), {rotation} (pitch yaw roll), {pose}
            (both).
        where: Queries that together answer one's x y z pitch yaw roll, with {camera}.
        prepare: Commands sent for each before anything else, with {camera}, {width}, {height} (its pixels) and {pose}
            (the start pose).
        fov: Asks for one's horizontal field of view, with {camera}; it must be 90 degrees. None does not ask.
    """

    WORDS: ClassVar[WordLists] = {
        "place": ("camera", "pose", "location", "rotation"),
        "where": ("camera",),
        "prepare": ("camera", "width", "height", "pose"),
        "fov": ("camera",),
    }
    user: CameraId = 0
    visibility: CameraId | None = None
    follow_user: bool = True
    place: Commands = (
        "vset /camera/{camera}/location {location}",
        "vset /camera/{camera}/rotation {rotation}",
    )
    where: Commands = (
        "vget /camera/{camera}/location",
        "vget /camera/{camera}/rotation",
    )
    prepare: tuple[str, ...] = ()
    fov: str | None = "vget /camera/{camera}/fov"


class User(Part):
    """The embodied user.

    Attributes:
        object: Its name in Unreal.
        origin_height_m: How high above the floor its location is: 0 at the feet, half the capsule for a character.
        eye_height_m: How high its eyes are.
        prepare: Commands sent before anything else, with {object}.
        place: Commands that put it somewhere, with {object}, {camera} (the user's), {location} (x y z),
            {rotation} (pitch yaw roll), {pitch}, {yaw}, {eyes} (x y z of the eyes).
        where: Queries that together answer x y z pitch yaw roll, with {object} and {camera}, the user's camera.
        tolerance_m: How far from where it was put it may be found.
        tolerance_deg: How far its heading and gaze may be off.
        settle_s: Pause between two queries while it moves by itself.
    """

    WORDS: ClassVar[WordLists] = {
        "prepare": ("object",),
        "place": ("object", "camera", "location", "rotation", "pitch", "yaw", "eyes"),
        "where": ("object", "camera"),
    }
    object: str = "User"
    origin_height_m: Metres = 0.0
    eye_height_m: Metres = 1.6
    prepare: tuple[str, ...] = ()
    place: Commands = (
        "vset /object/{object}/location {location}",
        "vset /object/{object}/rotation {rotation}",
    )
    where: Commands = (
        "vget /object/{object}/location",
        "vget /object/{object}/rotation",
    )
    tolerance_m: Metres = 0.01
    tolerance_deg: Annotated[float, Field(ge=0.0, le=180.0)] = 0.1
    settle_s: Seconds = 0.1


class Function(Part):
    """The Blueprint function of one tool, called as ``vbp OBJECT FUNCTION ARGUMENTS``.

    Attributes:
        function: Its name.
        arguments: What it takes, in order: names of ``ARGUMENTS``, or ``=TEXT`` for a fixed word.
        result: "json" (an object with ``pose``, ``ok`` and ``refusal``, each a value or its text) or "pose" (asked for
            until the user stands still).
    """

    function: str
    arguments: tuple[Annotated[str, AfterValidator(_argument)], ...] = ()
    result: Literal["json", "pose"] = "json"


class Objects(Part):
    """What things are called, and the commands that change them.

    Attributes:
        instance: Name of an item, with {id} (I0001), {product} (P001), {place} (F01) and {number} (1 and on).
        place: Name of a fixture, store or area, with {id}.
        structure: Name of a wall, the floor and the like, with {id}; None where they need no names of their own.
        names: Names of single things that the patterns do not give, by id.
        show: Shows one, with {object}.
        hide: Hides one, with {object}.
        color: Sets one's segmentation colour, with {object}, {r}, {g}, {b}.
        color_of: Asks for it, with {object}; the answer's first three numbers count.
        where: Queries that together answer one's x y z pitch yaw roll, with {object}.
    """

    WORDS: ClassVar[WordLists] = {
        "instance": ("id", "product", "place", "number"),
        "place": ("id",),
        "structure": ("id",),
        "show": ("object",),
        "hide": ("object",),
        "color": ("object", "r", "g", "b"),
        "color_of": ("object",),
        "where": ("object",),
    }
    instance: str = "{id}"
    place: str = "{id}"
    structure: str | None = None
    names: Words[str, str] = Field(default_factory=dict)
    show: str = "vset /object/{object}/show"
    hide: str = "vset /object/{object}/hide"
    color: str = "vset /object/{object}/color {r} {g} {b}"
    color_of: str = "vget /object/{object}/color"
    where: Commands = (
        "vget /object/{object}/location",
        "vget /object/{object}/rotation",
    )


class Colors(Part):
    """Segmentation colours.

    Attributes:
        per: "product": items of a product share its colour, and depth tells them apart; "instance": each has its own.
        probe: Name of an object in view from the start pose, coloured to see how colours come out, where {floor} is
            the scene's floor; None takes the colours as they were set.
        tolerance: How far an observed component may be from the one expected; above 0 where edges are smoothed.
    """

    WORDS: ClassVar[WordLists] = {"probe": ("floor",)}
    per: Literal["product", "instance"] = "product"
    probe: str | None = None
    tolerance: Annotated[int, Field(ge=0, le=8)] = 0


class Mapping(Part):
    """A whole mapping file."""

    form: Literal[1]
    connection: Connection = Connection()
    launch: Launch | None = None
    cameras: Cameras = Cameras()
    images: Images = Images()
    user: User = User()
    tools: Annotated[Words[Tool, Function], Field(min_length=1)]
    objects: Objects = Objects()
    colors: Colors = Colors()

    def function(self, tool: str) -> Function | None:
        """The Blueprint function of a tool, by its name."""
        return next((function for name, function in self.tools.items() if name == tool), None)
