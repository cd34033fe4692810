"""What UnrealCV's protocol costs: our store embedded, and served to UnrealCV's own client over a Unix socket.

Every form of observation is measured in short slots that take turns within one run; medians over the slots. The server
is a process of its own. What serving costs is its processor time beside the embedded renderer's drawing in it, so that
it does not hang on what else the machine does. Poses differ from one observation to the next, so each is drawn.

Run: python benchmarks/unreal.py [--slots 21] [--scene supermarket] [--preset rl]
"""

import argparse
import contextlib
import multiprocessing
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import unrealcv

from siturec_gym.core.pose import CAMERA_HEIGHT_M, Pose
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.embedded.renderer import EmbeddedRenderer
from siturec_gym.renderers.interface import Modality
from siturec_gym.renderers.unrealcv.axes import pose_text
from siturec_gym.renderers.unrealcv.server.server import Server
from siturec_gym.renderers.unrealcv.server.world import World
from siturec_gym.scenes import load_scene
from siturec_gym.scenes.scene import Scene

SIZE = (640, 480)
FRAMES_IN_SLOT = 20
VIEWS: dict[str, Modality] = {"lit": "rgb", "mask": "ids", "depth": "depth"}
RAW = {"lit": "lit npy", "mask": "object_mask bmp", "depth": "depth npy"}
PNG = {"lit": "lit png", "mask": "object_mask png", "depth": "depth npy"}
BAR = 0.15
Clock = Callable[[], Any]
Act = Callable[[Pose], Any]


def poses_of(scene: Scene) -> list[Pose]:
    """Where a shopper stands: every fixed viewpoint and every waypoint, in a mixed order."""
    poses = [pose for place in scene.navigation_targets for pose in place.approaches.values()]
    poses += [Pose(waypoint.x, waypoint.y, 40.0, -5.0) for waypoint in scene.waypoints]
    return [poses[index] for index in np.random.default_rng(0).permutation(len(poses))]


def placed(pose: Pose) -> str:
    return f"vset /camera/0/pose {pose_text((pose.x, pose.y, CAMERA_HEIGHT_M), pose.yaw_deg, pose.pitch_deg)}"


def serve(scene: str, preset: str, path: Path, pipe: Any) -> None:
    """In a process of its own: serve, and tell the processor time taken so far, and how much of it went to drawing."""
    drawn, capture = 0.0, EmbeddedRenderer.capture

    def timed(self: EmbeddedRenderer, modalities: Any) -> Any:
        nonlocal drawn
        start = time.thread_time()
        frame = capture(self, modalities)
        drawn += time.thread_time() - start
        return frame

    EmbeddedRenderer.capture = timed
    store = load_scene(scene)
    with Server(lambda: World(store, *SIZE, preset), port=None, socket_path=path):
        pipe.send(None)
        while pipe.recv():
            pipe.send(np.array((time.process_time(), drawn)))


@contextlib.contextmanager
def serving(scene: str, preset: str) -> Iterator[tuple[str, Clock]]:
    """Path of a server's socket, and a clock of its processor time: in all, and for drawing."""
    processes = multiprocessing.get_context("spawn")
    ours, theirs = processes.Pipe()
    with tempfile.TemporaryDirectory(prefix="ucv") as folder:
        path = Path(folder) / "socket"
        process = processes.Process(target=serve, args=(scene, preset, path, theirs))
        process.start()
        ours.recv()

        def clock() -> Any:
            ours.send(True)
            return ours.recv()

        yield str(path), clock
        ours.send(False)
        process.join()


class Slots:
    """Takes turns between forms of observation; keeps seconds for each.

    Args:
        poses: Where to look from, in this order for every form.
        server: The server's processor time, in all and for drawing.
    """

    def __init__(self, poses: list[Pose], server: Clock) -> None:
        self._poses, self._server = poses, server
        self._forms: dict[str, Act] = {}
        self._at: dict[str, int] = {}
        self.wall: dict[str, list[float]] = {}
        self.own: dict[str, list[float]] = {}
        self.served: dict[str, list[Any]] = {}

    def add(self, name: str, act: Act) -> None:
        self._forms[name], self._at[name] = act, 0
        self.wall[name], self.own[name], self.served[name] = [], [], []

    def measure(self, slots: int) -> None:
        for name in self._forms:
            self._slot(name)
            self.wall[name].clear()
            self.own[name].clear()
            self.served[name].clear()
        for _ in range(slots):
            for name in self._forms:
                self._slot(name)

    def _slot(self, name: str) -> None:
        act = self._forms[name]
        wall, own, served = time.perf_counter(), time.process_time(), self._server()
        for _ in range(FRAMES_IN_SLOT):
            act(self._poses[self._at[name] % len(self._poses)])
            self._at[name] += 1
        self.wall[name].append((time.perf_counter() - wall) / FRAMES_IN_SLOT)
        self.own[name].append((time.process_time() - own) / FRAMES_IN_SLOT)
        self.served[name].append((self._server() - served) / FRAMES_IN_SLOT)


def ms(seconds: list[float]) -> float:
    return 1000.0 * statistics.median(seconds)


def add_embedded(slots: Slots, scene: Scene, preset: str) -> None:
    renderer = make_renderer("embedded", scene, *SIZE, preset)

    def capture(modalities: tuple[Modality, ...]) -> Act:
        def act(pose: Pose) -> None:
            renderer.set_user_pose(pose)
            renderer.capture(modalities)

        return act

    for name, modality in VIEWS.items():
        slots.add(f"embedded {name}", capture((modality,)))
    slots.add("embedded all", capture(tuple(VIEWS.values())))


def add_client(slots: Slots, client: Any, form: str, views: dict[str, str]) -> None:
    """Single captures and one batch, through the client as it comes."""
    commands = {name: f"vget /camera/0/{view}" for name, view in views.items()}
    for name, command in commands.items():
        slots.add(f"{form} {name}", lambda pose, command=command: client.request([placed(pose), command]))
    slots.add(f"{form} all", lambda pose: client.request([placed(pose), *commands.values()]))


def copying_ms(count: int) -> float:
    """Median processor time of sending a raw batch's bytes through a pair of sockets, and nothing else."""
    ours, theirs = socket.socketpair()
    batch, taken = bytes((3 + 4 + 4) * SIZE[0] * SIZE[1]), bytearray(1 << 22)

    def take() -> None:
        while theirs.recv_into(taken):
            pass

    taker = threading.Thread(target=take)
    taker.start()
    times = []
    for _ in range(count):
        start = time.thread_time()
        ours.sendall(batch)
        times.append(time.thread_time() - start)
    ours.close()
    taker.join()
    theirs.close()
    return ms(times)


def best_ms(seconds: list[float]) -> float:
    """Of the fastest slot, which whatever else the machine does has delayed least."""
    return 1000.0 * min(seconds)


def report(slots: Slots) -> None:
    """Print everything; what all of it means stands below the table."""
    print(f"{'':14} {'wall ms':>8} {'best ms':>8} {'own ms':>8} {'drawing':>8} {'serving':>8} {'share':>6}")
    for name, seconds in slots.wall.items():
        line = f"{name:14} {ms(seconds):8.2f} {best_ms(seconds):8.2f} {ms(slots.own[name]):8.2f}"
        total, drawn = 1000.0 * np.median(np.array(slots.served[name]), axis=0)
        if drawn:
            line += f" {drawn:8.2f} {total - drawn:8.2f} {total / drawn - 1:6.0%}"
        print(line)
    print("wall, best: time of an observation, median and best slot; own: processor time of this side;")
    print(f"drawing, serving: of the server; serving at most {BAR:.0%} of drawing is wanted for raw pictures")
    for form in ("raw", "png"):
        singles = sum(best_ms(slots.wall[f"{form} {view}"]) for view in VIEWS)
        batch = best_ms(slots.wall[f"{form} all"])
        rates = f"{1000 / batch:.0f} observations a second in a batch, {1000 / singles:.0f} by three single captures"
        print(f"{form}: {rates}, {singles / batch:.2f} times as fast")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int, default=21)
    parser.add_argument("--scene", default="supermarket")
    parser.add_argument("--preset", default="rl")
    arguments = parser.parse_args()
    scene = load_scene(arguments.scene)
    with serving(arguments.scene, arguments.preset) as (path, server):
        slots = Slots(poses_of(scene), server)
        add_embedded(slots, scene, arguments.preset)
        client = unrealcv.Client(path, "unix")
        if not client.connect():
            sys.exit("no connection")
        for form, views in (("raw", RAW), ("png", PNG)):
            add_client(slots, client, form, views)
        slots.measure(arguments.slots)
        client.disconnect()
        report(slots)
    copying = copying_ms(arguments.slots * FRAMES_IN_SLOT)
    print(f"of serving a raw batch, {copying:.2f} ms are the system's copying into the socket")


if __name__ == "__main__":
    main()
