"""Unreal Engine as a renderer: the six interfaces of Table 6 over UnrealCV."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.interface import ALL_MODALITIES, Frame, Modality, ObjectState, Visibility
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.boxes import boxes_of
from siturec_gym.renderers.unrealcv.colors import ColorTable, paints_of
from siturec_gym.renderers.unrealcv.eyes import Eyes, Seen
from siturec_gym.renderers.unrealcv.link import Reply
from siturec_gym.renderers.unrealcv.mapping import Mapping as StoreMapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.renderers.unrealcv.pool import InstancePool
from siturec_gym.renderers.unrealcv.reading import load_mapping, moved
from siturec_gym.renderers.unrealcv.session import Session
from siturec_gym.renderers.unrealcv.shelves import Shelves
from siturec_gym.renderers.views import check_modalities, check_view
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.rules import MOVEMENTS

_STATES_AT_ONCE = 100


class UnrealCVRenderer:
    """A store in Unreal Engine, or our own server, as a mapping file describes it.

    Args:
        scene: The store; its items, places and sizes are those of the Unreal project.
        width: Image width, pixels, 16 to 4096.
        height: Image height, pixels, 16 to 4096.
        preset: "rl" or "vlm"; the engine draws as it is set up, so it makes no difference here.
        mapping: A mapping file, the name of a shipped one, or the content of one.
        host: Takes the place of the mapping's.
        port: Takes the place of the mapping's.
        socket: Takes the place of the mapping's.
        pool: Where the instance comes from; None starts one of its own where the mapping says how.

    Raises:
        ValueError: A size or preset is outside its range.
        DataError: The mapping file is wrong, or does not fit the scene.
    """

    def __init__(
        self,
        scene: Scene,
        width: int,
        height: int,
        preset: str = "rl",
        mapping: str | Path | StoreMapping | dict[str, Any] = "ours",
        host: str | None = None,
        port: int | None = None,
        socket: str | None = None,
        pool: InstancePool | None = None,
    ) -> None:
        check_view(width, height, preset)
        self._scene = scene
        self._mapping = moved(load_mapping(mapping), host, port, socket)
        self._names = Names(scene, self._mapping.objects)
        colors = self._mapping.colors
        self._paints = paints_of(scene, self._names, colors.per)
        self._boxes = boxes_of(scene) if colors.per == "product" else None
        self._eyes = Eyes(self._mapping, (width, height), self._boxes)
        self._shelves = Shelves(self._mapping.objects, self._names, self._paints)
        self._session = Session(self._mapping, scene, self._names, self._shelves, self._eyes, pool)
        self._table: ColorTable | None = None
        self._user = self._camera = scene.start_pose
        self._seen = Seen(None)
        self._expected: set[Modality] = set()

    def connect(self) -> None:
        """Start or find the server, paint the store and see how its colours come out; harmless when connected.

        Raises:
            RendererError: There is no server, it lacks something that the mapping names, or colours are ambiguous.
        """
        if self._session.is_open:
            return
        self._session.open()
        try:
            self._table = self._table or self._session.set_up.color_table(self._paints)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Put every item back, end the connection and the instance that was started; harmless when closed."""
        for object_id in self._shelves.hidden:
            self.set_object(object_id, visible=True)
        self._session.close()
        self._seen = Seen(None)

    @property
    def user_pose(self) -> Pose:
        """Where the embodied user is."""
        return self._user

    def set_user_pose(self, pose: Pose) -> None:
        """Place the user and the camera; sent with the next capture or movement."""
        self._user = self._camera = pose

    def execute(self, primitive: ToolCall) -> Pose:
        """Carry out one tool by the engine's own motion; the pose reached.

        A tool that moves nobody and has no function in the mapping does nothing.

        Raises:
            NoRouteError: The engine finds no way to the place.
            RendererError: The mapping has no function for a movement, or the server fails.
        """
        self.connect()
        if primitive.tool in MOVEMENTS or self._mapping.function(primitive.tool) is not None:
            self.set_user_pose(self._session.execute(self._user, primitive))
        return self._user

    def objects(self) -> Mapping[int, ObjectState]:
        """State of every instance, by object id, as the engine tells it."""
        self.connect()
        items = self._names.instances
        states: dict[int, ObjectState] = {}
        for start in range(0, len(items), _STATES_AT_ONCE):
            states.update(self._states(items[start : start + _STATES_AT_ONCE]))
        return states

    def set_object(self, object_id: int, *, visible: bool) -> None:
        """Show or hide one instance; sent with the next capture. Raises ValueError for what is no instance."""
        if not 1 <= object_id <= len(self._scene.instances):
            raise ValueError(f"object {object_id} is no instance; instances are 1 to {len(self._scene.instances)}")
        self._shelves.show(object_id, visible)
        if self._boxes is not None:
            self._boxes.show(object_id, visible)

    @property
    def camera_pose(self) -> Pose:
        """Where the camera is."""
        return self._camera

    def set_camera_pose(self, pose: Pose) -> None:
        """Move the camera alone."""
        self._camera = pose

    def capture(self, modalities: Sequence[Modality] = ALL_MODALITIES) -> Frame:
        """One image set from the camera pose. Raises ValueError for an unknown modality.

        What is asked for once is fetched ahead from then on, in the batch that tells what is visible.
        """
        check_modalities(modalities)
        self._expected.update(modalities)
        return self._looked(self._camera, modalities, visibility=False).frame(modalities)

    def render(self, pose: Pose) -> Frame:
        """RGB, depth and ids from ``pose``."""
        self.set_user_pose(pose)
        return self.capture()

    def visibility(self, pose: Pose) -> Visibility:
        """Objects in view from ``pose`` in a 320x240 id pass."""
        seen = self._looked(pose, (), visibility=True).visibility
        if seen is None:
            raise RendererError("the cameras gave no visibility")
        return seen

    def _looked(self, pose: Pose, wanted: Sequence[Modality], visibility: bool) -> Seen:
        """What is seen from ``pose``: from memory, or in one batch with what will be asked for next."""
        key = pose, self._shelves.hidden
        seen = self._seen if self._seen.key == key else Seen(key)
        needs_visibility = visibility and seen.visibility is None
        if needs_visibility or not set(wanted) <= set(seen.images):
            ahead = [name for name in ALL_MODALITIES if name in (*wanted, *self._expected) and name not in seen.images]
            self._capture(seen, pose, ahead, needs_visibility or seen.visibility is None)
        self._seen = seen
        return seen

    def _capture(self, seen: Seen, pose: Pose, modalities: Sequence[Modality], visibility: bool) -> None:
        """One batch: things and user as they should be, the views, and where the cameras were."""
        self.connect()
        table, session, views = self._table, self._session, self._eyes.views(modalities, visibility)
        if table is None:
            raise RendererError("the colours of things are not known")
        alone = pose == self._camera != self._user
        cameras = sorted({camera for camera, _ in views}) if alone else []
        asked = self._mapping.cameras.where
        where = {f"camera {camera}": [query.format(camera=camera) for query in asked] for camera in cameras}
        where = where or {"the user": session.body.queries}

        def commands() -> list[str]:
            moves = [command for camera in cameras for command in session.body.camera_commands(camera, pose)]
            told = [*self._shelves.commands(), *session.body.placing(self._user if alone else pose), *moves]
            return [*told, *self._eyes.commands(views), *(query for queries in where.values() for query in queries)]

        def read(replies: list[Reply]) -> None:
            rest = list(replies)
            for who, queries in reversed(where.items()):
                session.body.check(rest[-len(queries) :], pose, who)
                del rest[-len(queries) :]
            self._eyes.read(seen, views, rest[-len(views) :], table, pose, modalities, visibility)

        session.ask(commands, read)
        self._shelves.confirm()
        if alone:
            session.body.forget()
        else:
            session.body.arrived(pose)

    def _states(self, items: Sequence[tuple[int, str]]) -> dict[int, ObjectState]:
        queries = self._mapping.objects.where
        commands = [query.format(object=name) for _, name in items for query in queries]

        def read(replies: list[Reply]) -> dict[int, ObjectState]:
            states = {}
            for number, (id_, _) in enumerate(items):
                words = " ".join(map(str, replies[number * len(queries) : (number + 1) * len(queries)]))
                position, yaw, _ = axes.pose_of(words)
                states[id_] = ObjectState(id_, position, yaw, id_ not in self._shelves.hidden)
            return states

        return self._session.ask(lambda: commands, read)
