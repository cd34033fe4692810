"""A store with one shopper in it, as the commands of a client see and change it."""

from dataclasses import replace
from functools import partial

import numpy as np

from siturec_gym.core.actions import APPROACHES_OF_MOVE, MOVE_OF_KIND, Approach, Tool, ToolCall
from siturec_gym.core.pose import Pose, bearing_deg, distance_m, wrap_angle_deg
from siturec_gym.renderers.embedded.lens import EYES
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer
from siturec_gym.renderers.interface import VISIBILITY_SIZE, Visibility
from siturec_gym.renderers.unrealcv.server.camera import Camera
from siturec_gym.renderers.unrealcv.server.palette import Palette
from siturec_gym.renderers.unrealcv.server.things import Thing, things_of
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.world.rules import MOVEMENTS, Outcome, apply
from siturec_gym.world.state import initial_state
from siturec_gym.world.view import Seen, View, build_view

FARTHEST_M = 1000.0
"""How far from the origin anything can be put."""
STEEPEST_DEG = 90.0
_FULL_BOX = (0.0, 0.0, 1.0, 1.0)


class World:
    """One store, one shopper, two cameras in the shopper's eyes: 0 at the image size, 1 at 320x240.

    Used by one thread at a time.

    Args:
        scene: The store.
        width: Image width of camera 0, pixels.
        height: Image height of camera 0, pixels.
        preset: "rl" or "vlm", as of the embedded renderer.
        light: "auto", "baked" or "plain", as of the embedded renderer.

    Raises:
        ValueError: A size, preset or light is outside its range.
        RendererError: ``light="baked"`` and no baked light fits.
    """

    def __init__(self, scene: Scene, width: int, height: int, preset: str = "rl", light: str = "auto") -> None:
        self.scene = scene
        self.things = things_of(scene)
        self.palette = Palette([thing.object_id for thing in self.things.values()])
        self.cameras = [
            Camera(partial(EmbeddedRenderer, scene, preset=preset, light=light), *size, fused=preset == "rl")
            for size in ((width, height), VISIBILITY_SIZE)
        ]
        self.state = initial_state(scene)
        self._put_away: frozenset[str] = frozenset()
        self._all_in_view = {place.id: _in_plain_view(place) for place in scene.navigation_targets}

    def warm_up(self) -> None:
        """Do once what is compiled at its first use, so that no client's first command waits for it."""
        for camera in self.cameras:
            for name in ("rgb", "depth", "ids", "normals"):
                camera.image(name, self.state.pose)
            height, width = camera.image("ids", self.state.pose).shape
            pixels = np.empty((height, width, 4), np.uint8)
            self.palette.paint(camera.image("ids", self.state.pose), pixels)
        self._view_for(ToolCall(Tool.IDLE))

    def reset(self) -> None:
        """Back to the start: the shopper at the door with empty hands, everything on its shelf, cameras in the eyes.

        Colours and image sizes stay: they are settings.
        """
        self.state = initial_state(self.scene)
        for camera in self.cameras:
            camera.lens = EYES
        self._put_away = frozenset()
        self._apply_absence()

    def place_user(self, pose: Pose) -> None:
        """Put the shopper somewhere, through whatever stands in between.

        Raises:
            ValueError: It is more than ``FARTHEST_M`` away, or the gaze is past the zenith.
        """
        _check_place(pose.x, pose.y)
        if abs(pose.pitch_deg) > STEEPEST_DEG:
            raise ValueError(f"a pitch lies within {STEEPEST_DEG:g} degrees, received {pose.pitch_deg:g}")
        self.state = replace(self.state, pose=pose)

    def walk_towards(self, x: float, y: float) -> None:
        """Move the shopper straight to a point, up to the first contact; heading and gaze stay.

        Raises:
            ValueError: It is more than ``FARTHEST_M`` away.
        """
        _check_place(x, y)
        pose = self.state.pose
        toward = replace(pose, yaw_deg=wrap_angle_deg(pose.yaw_deg + bearing_deg(pose, x, y)))
        self.place_user(toward)
        reached = self._execute(ToolCall(Tool.MOVE_FORWARD, distance_m=distance_m(pose, x, y)))
        self.place_user(replace(pose, x=reached.x, y=reached.y))

    def show(self, thing: Thing, visible: bool) -> None:
        """Show or hide a product; one that is in the hand or the cart stays out of sight.

        Raises:
            ValueError: It is no product.
        """
        if thing.kind != "product":
            raise ValueError(f"only products can be shown and hidden; {thing.name} is a {thing.kind}")
        self._put_away = self._put_away - {thing.name} if visible else self._put_away | {thing.name}
        self._apply_absence()

    def call(self, call: ToolCall) -> Outcome:
        """Carry out a tool of the user; a call that breaks a rule changes nothing.

        A movement needs no target in view: it goes where this backend's motion leads. What is picked up or checked
        must be in view and within reach; its target is a product, of which the nearest item is meant, or an item.
        """
        if call.tool in MOVEMENTS:
            view = View(self.state.pose, self._all_in_view, {})
        else:
            view, call = self._view_for(call)
        outcome = apply(self.scene, self.state, view, call, self._execute)
        self.state = outcome.state
        self._apply_absence()
        return outcome

    def _execute(self, call: ToolCall) -> Pose:
        renderer = self.cameras[0].renderer
        renderer.set_user_pose(self.state.pose)
        return renderer.execute(call)

    def _view_for(self, call: ToolCall) -> tuple[View, ToolCall]:
        """What is in view, and the call with a product for its target; an item is then all that is in view."""
        seen = self.cameras[0].renderer.visibility(self.state.pose)
        item = self.scene.instance_by_id.get(call.target or "")
        if item is not None:
            only = seen.object_ids == item.object_id
            seen = Visibility(seen.object_ids[only], seen.pixels[only], seen.boxes[only])
            call = replace(call, target=item.product_id)
        return build_view(self.scene, self.state.pose, seen), call

    def _apply_absence(self) -> None:
        """Take from every camera what is put away, in the hand or in the cart, and give back the rest."""
        for camera in self.cameras:
            camera.hide(self.things[name].object_id for name in self._put_away | self.state.removed)


def _check_place(x: float, y: float) -> None:
    if max(abs(x), abs(y)) > FARTHEST_M:
        raise ValueError(f"a place lies within {FARTHEST_M:g} m of the origin, received x {x:g} m, y {y:g} m")


def _in_plain_view(place: Place) -> Seen:
    """A place of which every approach that it has is supported."""
    ways = APPROACHES_OF_MOVE.get(MOVE_OF_KIND[place.kind], ())
    approaches = tuple(way for way in ways if way == Approach.NEAREST or way in place.approaches)
    return Seen(place.id, place.kind, place.name, None, 0.0, 0.0, _FULL_BOX, 0, False, approaches)
