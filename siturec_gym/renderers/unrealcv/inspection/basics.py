"""Whether the server answers, how fast, and whether it has what the mapping names."""

import secrets
import time
from collections.abc import Iterator

import numpy as np

from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import HORIZONTAL_FOV_DEG
from siturec_gym.renderers.unrealcv import axes
from siturec_gym.renderers.unrealcv.inspection.findings import Finding, Report
from siturec_gym.renderers.unrealcv.inspection.visit import Visit
from siturec_gym.renderers.unrealcv.setup import width_problem

_ECHOES = 200
_SHOWN = 5


def connection(visit: Visit, report: Report) -> Iterator[Finding]:
    """Connects, and measures how long a short question takes."""
    visit.link.open()
    yield Finding("connection", "ok", f"{visit.link.address}: {_version(visit)}")
    times = []
    for _ in range(_ECHOES):
        start = time.perf_counter()
        visit.ask(f"vget /unrealcv/echo {secrets.token_hex(4)}")
        times.append(1000.0 * (time.perf_counter() - start))
    median, slow = np.percentile(times, (50, 95)).tolist()
    report.round_trip_ms = median, slow
    yield Finding("round trip", "ok", f"{median:.2f} ms, 95 of 100 within {slow:.2f} ms")


def objects(visit: Visit, _: Report) -> Iterator[Finding]:
    """Looks for every item, place and structure under the name that the mapping gives it."""
    listed = visit.listed()
    absent, patterns = set(visit.names.absent(listed)), visit.mapping.objects
    items = [name for _, name in visit.names.instances]
    others = [name for _, name in visit.names.all if name not in set(items)]
    for kind, names, pattern in (
        ("items", items, f"objects.instance ({patterns.instance})"),
        ("places and walls", others, f"objects.place ({patterns.place}) and objects.structure"),
    ):
        missing = [name for name in names if name in absent]
        if not missing:
            yield Finding(kind, "ok", f"all {len(names)} are there")
            continue
        some = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        fix = f"change {pattern}, or name them in objects.names; the server has names such as {', '.join(listed[:3])}"
        yield Finding(kind, "broken", f"{len(missing)} of {len(names)} are not there: {some}", fix)
    user = visit.mapping.user.object
    if user not in listed and any(
        "{object}" in text for text in (*visit.mapping.user.place, *visit.mapping.user.where)
    ):
        yield Finding("user", "broken", f"no object is called {user}", "change user.object to a name in vget /objects")


def cameras(visit: Visit, _: Report) -> Iterator[Finding]:
    """Prepares each camera, and asks where it is and how wide it sees."""
    for number in visit.eyes.sizes:
        try:
            yield _camera(visit, number)
        except (RendererError, ValueError) as error:
            fix = "change cameras.user, cameras.visibility or their commands"
            yield Finding(f"camera {number}", "broken", str(error), fix)


def _camera(visit: Visit, number: int) -> Finding:
    pattern = visit.mapping.cameras
    for command in visit.set_up.camera_commands(number):
        visit.ask(command)
    where = " ".join(visit.ask(query.format(camera=number)) for query in pattern.where)
    (x, y, z), yaw, pitch = axes.pose_of(where)
    fov = None if pattern.fov is None else visit.ask(pattern.fov.format(camera=number))
    angle = HORIZONTAL_FOV_DEG if fov is None else axes.number_of(fov)
    if problem := width_problem(angle):
        fix = "add vset /camera/{camera}/fov 90 to cameras.prepare, or set it in the project"
        return Finding(f"camera {number}", "broken", problem, fix)
    seen = f"at ({x:.2f}, {y:.2f}, {z:.2f}) m, yaw {yaw:.1f}, pitch {pitch:.1f}, {angle:g} degrees wide"
    return Finding(f"camera {number}", "ok", seen)


def user(visit: Visit, _: Report) -> Iterator[Finding]:
    """Prepares the user, puts it at the start and looks whether it is there."""
    for command in visit.set_up.user_commands():
        visit.ask(command)
    pose = visit.scene.start_pose
    where = len(visit.body.queries)
    found = visit.link.ask(
        lambda: [*visit.body.placing(pose), *visit.body.queries], lambda got: visit.body.found(got[-where:])
    )
    visit.body.check(visit.link.ask(lambda: visit.body.queries, list), pose)
    yield Finding("user", "ok", f"stands where it was put, at ({found.x:.2f}, {found.y:.2f}) m")


def _version(visit: Visit) -> str:
    try:
        return " ".join(visit.ask("vget /unrealcv/version").split())[:60]
    except RendererError:  # older servers have no such command
        return "tells no version"
