"""The embodied user: where it is put, where it is found, and how it moves by the engine's own motion."""

import math
import time
from collections.abc import Callable, Sequence
from itertools import count

from siturec_gym.core.actions import Refusal, ToolCall
from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.calls import RefusedError, command_of, function_of, outcome_of
from siturec_gym.renderers.unrealcv.client import BrokenLinkError
from siturec_gym.renderers.unrealcv.link import Link, Reply
from siturec_gym.renderers.unrealcv.mapping import Function, Mapping
from siturec_gym.renderers.unrealcv.names import Names
from siturec_gym.world.motion import NoRouteError


class _ElsewhereError(Exception):
    """A movement began somewhere else than it should have; what came of it does not count."""


class Body:
    """The user in the engine. What it was last known to be is kept; a new connection makes it unknown.

    Args:
        mapping: How it is placed, found and moved.
        names: Names of targets.
        link: The connection.
    """

    def __init__(self, mapping: Mapping, names: Names, link: Link) -> None:
        self._mapping = mapping
        self._names = names
        self._link = link
        self._at: Pose | None = None
        self._cameras_at: Pose | None = None
        words = {"object": mapping.user.object, "camera": mapping.cameras.user}
        self.queries = [query.format(**words) for query in mapping.user.where]

    def forget(self) -> None:
        """Where it is became unknown."""
        self._at = self._cameras_at = None

    def placing(self, pose: Pose) -> list[str]:
        """Commands that bring user and cameras to ``pose``; none where they are there."""
        user, cameras = self._mapping.user, self._mapping.cameras
        commands = []
        if self._at != pose:
            words = {
                "object": user.object,
                "camera": cameras.user,
                "location": axes.location_text((pose.x, pose.y, user.origin_height_m)),
                "eyes": axes.location_text((pose.x, pose.y, user.eye_height_m)),
                "rotation": axes.rotation_text(pose.yaw_deg, pose.pitch_deg),
                "yaw": axes.number_text(-axes.wrapped_deg(pose.yaw_deg)),
                "pitch": axes.number_text(pose.pitch_deg),
            }
            commands = [command.format(**words) for command in user.place]
        if not cameras.follow_user and self._cameras_at != pose:
            for camera in {cameras.user, cameras.visibility} - {None}:
                commands += self.camera_commands(camera, pose)
        return commands

    def camera_commands(self, camera: int | None, pose: Pose) -> list[str]:
        """Commands that send one camera to the eyes of a user at ``pose``."""
        words = self.eyes_text(pose)
        *location, pitch, yaw, roll = words.split()
        parts = {"location": " ".join(location), "rotation": f"{pitch} {yaw} {roll}", "pose": words}
        return [command.format(camera=camera, **parts) for command in self._mapping.cameras.place]

    def eyes_text(self, pose: Pose) -> str:
        """Where the eyes of a user at ``pose`` are, as Unreal's x y z pitch yaw roll."""
        return axes.pose_text((pose.x, pose.y, self._mapping.user.eye_height_m), pose.yaw_deg, pose.pitch_deg)

    def arrived(self, pose: Pose) -> None:
        """It was placed at ``pose`` and found there, and the cameras with it."""
        self._at = self._cameras_at = pose

    def found(self, replies: Sequence[Reply]) -> Pose:
        """The pose that the answers to ``queries`` tell. Raises ValueError for what is none."""
        (x, y, _), yaw, pitch = axes.pose_of(" ".join(map(str, replies)))
        return Pose(x, y, yaw, pitch)

    def check(self, replies: Sequence[Reply], pose: Pose, who: str = "the user") -> None:
        """Raises ValueError where the answers to ``queries``, or to a camera's, tell of another pose."""
        found = self.found(replies)
        if not self._near(found, pose):
            raise ValueError(f"{who} was put at {pose} and is at {found}")

    def execute(self, start: Pose, call: ToolCall, lost: Callable[[], bool]) -> Pose:
        """Carry out a movement from ``start``; the pose reached.

        The command is sent once. Where its effect is unknown, the pose says whether it has moved the user; only if it
        has not, it is sent again.

        Args:
            start: Where the user is, or is put first.
            call: The movement.
            lost: Whether the store behind the connection has forgotten what it was told, and so where the user was.

        Raises:
            NoRouteError: The engine finds no way.
            RendererError: It refuses otherwise, or no attempt brought an answer.
            ValueError: The call lacks an argument.
        """
        function = function_of(call, self._mapping)
        command = command_of(call, self._mapping.user.object, function, self._names)
        for attempt in count(1):
            self._stand_at(start)
            try:
                outcome = self._sent(command, function, start)
            except BrokenLinkError as error:
                self._link.pause(attempt, error)
                if not self._has_moved(start, lost):
                    continue
                outcome = None
            except _ElsewhereError as error:
                self._link.pause(attempt, BrokenLinkError(str(error)))
                continue
            return self._concluded(outcome, command)
        raise AssertionError("the last pause raises")

    def _sent(self, command: str, function: Function, start: Pose) -> Pose | RefusedError | None:
        """Send a command once, and with it the question whether the user stood at ``start``."""

        def read(replies: list[Reply]) -> Pose | RefusedError | None:
            found = self.found(replies[:-1])
            if not self._near(found, start):
                raise _ElsewhereError(f"the user moved from {found} instead of {start}")
            return outcome_of(replies[-1], function)

        return self._link.once(lambda: [*self.queries, command], read, self._mapping.connection.action_timeout_s)

    def _has_moved(self, start: Pose, lost: Callable[[], bool]) -> bool:
        """Whether a command that brought no answer moved the user all the same."""
        found = self._link.ask(lambda: self.queries, self.found)
        return not lost() and not self._near(found, start)

    def _concluded(self, outcome: Pose | RefusedError | None, command: str) -> Pose:
        if isinstance(outcome, RefusedError):
            if str(outcome) == Refusal.NO_ROUTE:
                raise NoRouteError(f"the engine finds no way for '{command}'") from outcome
            raise RendererError(f"{self._link.address} refuses '{command}': {outcome}") from outcome
        return self._settled() if outcome is None else self._reached(outcome)

    def _stand_at(self, pose: Pose) -> None:
        """Make sure that the user is at ``pose``."""
        if self._at != pose:
            self._link.ask(lambda: [*self.placing(pose), *self.queries], lambda got: self._check_last(got, pose))
            self.arrived(pose)

    def _check_last(self, replies: list[Reply], pose: Pose) -> None:
        self.check(replies[-len(self.queries) :], pose)

    def _settled(self) -> Pose:
        """Where the user stands once it does not move any more."""
        end = time.monotonic() + self._mapping.connection.action_timeout_s
        before = self._link.ask(lambda: self.queries, self.found)
        while time.monotonic() < end:
            time.sleep(self._mapping.user.settle_s)
            now = self._link.ask(lambda: self.queries, self.found)
            if self._near(before, now):
                return self._reached(now)
            before = now
        raise RendererError(f"{self._link.address}: the user is still moving, at {before}")

    def _reached(self, pose: Pose) -> Pose:
        self._at = pose
        self._cameras_at = pose if self._mapping.cameras.follow_user else None
        return pose

    def _near(self, one: Pose, other: Pose) -> bool:
        user = self._mapping.user
        turned = abs(axes.wrapped_deg(one.yaw_deg - other.yaw_deg)), abs(one.pitch_deg - other.pitch_deg)
        return math.dist((one.x, one.y), (other.x, other.y)) <= user.tolerance_m and max(turned) <= user.tolerance_deg
