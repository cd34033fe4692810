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

_ECHOES = 200
_SHOWN = 5
_SLACK_DEG = 0.01


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
    for number, size in visit.eyes.sizes.items():
        try:
            yield _camera(visit, number, size)
        except (RendererError, ValueError) as error:
            fix = "change cameras.user, cameras.visibility or their commands"
            yield Finding(f"camera {number}", "broken", str(error), fix)


def _camera(visit: Visit, number: int, size: tuple[int, int]) -> Finding:
    pattern, pose = visit.mapping.cameras, visit.body.eyes_text(visit.scene.start_pose)
    words = {"camera": number, "width": size[0], "height": size[1], "pose": pose}
    for command in pattern.prepare:
        visit.ask(command.format(**words))
    (x, y, z), yaw, pitch = axes.pose_of(" ".join(visit.ask(query.format(**words)) for query in pattern.where))
    angle = HORIZONTAL_FOV_DEG if pattern.fov is None else axes.number_of(visit.ask(pattern.fov.format(**words)))
    if abs(angle - HORIZONTAL_FOV_DEG) > _SLACK_DEG:
        fix = "add vset /camera/{camera}/fov 90 to cameras.prepare, or set it in the project"
        detail = f"is {angle:g} degrees wide; it must be {HORIZONTAL_FOV_DEG:g}"
        return Finding(f"camera {number}", "broken", detail, fix)
    seen = f"at ({x:.2f}, {y:.2f}, {z:.2f}) m, yaw {yaw:.1f}, pitch {pitch:.1f}, {angle:g} degrees wide"
    return Finding(f"camera {number}", "ok", seen)


def user(visit: Visit, _: Report) -> Iterator[Finding]:
    """Prepares the user, puts it at the start and looks whether it is there."""
    for command in visit.mapping.user.prepare:
        visit.ask(command.format(object=visit.mapping.user.object))
    pose = visit.scene.start_pose
    where = len(visit.body.queries)
    found = visit.link.ask(
        lambda: [*visit.body.placing(pose), *visit.body.queries], lambda got: visit.body.found(got[-where:])
    )
    try:
        visit.body.check(visit.link.ask(lambda: visit.body.queries, list), pose)
    except ValueError as error:
        fix = "see user.place, user.where and user.origin_height_m; Unreal's y points the other way, its lengths are cm"
        yield Finding("user", "broken", str(error), fix)
        return
    yield Finding("user", "ok", f"stands where it was put, at ({found.x:.2f}, {found.y:.2f}) m")


def _version(visit: Visit) -> str:
    try:
        return " ".join(visit.ask("vget /unrealcv/version").split())[:60]
    except RendererError:  # older servers have no such command
        return "tells no version"
