"""How colours come out, what the cameras show, and how fast."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv.calibration import measured, unchanged
from siturec_gym.renderers.unrealcv.colors import Color, Paint
from siturec_gym.renderers.unrealcv.decoding import depth_of, pixels_of, rgb_of
from siturec_gym.renderers.unrealcv.inspection.findings import ColorRow, Finding, Report
from siturec_gym.renderers.unrealcv.inspection.visit import Visit
from siturec_gym.renderers.unrealcv.link import Reply

_FRAMES, _LONGEST_S = 30, 3.0
_TURN_DEG = 7.0
_UNKNOWN = 0.01
"""Share of a mask that may have colours of nothing, as edges do."""
_SAME_SHARE = 0.9
VIEWS = {"lit": "rgb", "mask": "mask", "depth": "depth"}


def colors(visit: Visit, report: Report) -> Iterator[Finding]:
    """Paints everything as for a run, and sees what the colours come out as."""
    visit.shelves.begin(visit.set_up.strangers(visit.listed()))
    visit.set_up.finish()
    settings, transfer = visit.mapping.colors, unchanged
    if settings.probe is not None:
        probe = settings.probe.format(floor=visit.names.floor)
        transfer = measured(visit.paints, lambda probed: visit.set_up.look(probe, probed), probe)
    report.colors = rows_of(visit.paints, [transfer(paint.color) for paint in visit.paints], settings.tolerance)
    bad = [row for row in report.colors if row.problem]
    if bad:
        fix = "see the table; engines must draw the mask without gamma, anti-aliasing and fog; try colors.tolerance: 0"
        yield Finding("colours", "broken", f"{len(bad)} of {len(report.colors)} cannot be told apart", fix)
    else:
        changed = sum(row.color != row.seen for row in report.colors)
        how = "as they are set" if not changed else f"{changed} otherwise than set, all different"
        yield Finding("colours", "ok", f"{len(report.colors)} colours, {how}")


def rows_of(paints: Sequence[Paint], seen: Sequence[Color], tolerance: int) -> list[ColorRow]:
    """Each colour with what it cannot be told from: the background, or another that comes out too much alike."""
    values = np.array(seen, np.int64).reshape(-1, 3)
    rows = []
    for index, (paint, color) in enumerate(zip(paints, seen, strict=True)):
        close = np.flatnonzero(np.abs(values - values[index]).max(axis=1) <= 2 * tolerance)
        others = [paints[number].called for number in close.tolist() if number != index]
        if max(color) <= 2 * tolerance:
            others.insert(0, "the background")
        rows.append(ColorRow(paint.called, paint.color, color, ", ".join(others[:3])))
    return rows


def pictures(visit: Visit, report: Report) -> Iterator[Finding]:
    """Takes one picture of each kind from the start, and looks whether it can be one."""
    for name, what in VIEWS.items():
        report.pictures[name] = _picture(visit, what, visit.scene.start_pose)
    lit, mask, depth = (report.pictures[name] for name in VIEWS)
    height, width = depth.shape
    flat = int(lit.max()) - int(lit.min()) < 8
    yield _judged(
        "lit", f"{width}x{height}", "is one flat colour" if flat else "", "see images.rgb and the light of the level"
    )
    yield mask_finding(mask, {row.seen for row in report.colors}, visit.mapping.colors.tolerance)
    hit = np.isfinite(depth)
    told = f"{depth[hit].min():.2f} to {depth[hit].max():.2f} m" if hit.any() else "nothing is hit"
    yield _judged("depth", told, "" if hit.any() else "hits nothing", "see images.depth: name, unit, beyond_m")


def likeness(visit: Visit, report: Report) -> Iterator[Finding]:
    """Holds the depth from the start against that of the scene as we draw it: its unit, its kind, the store itself."""
    from siturec_gym.renderers.choice import make_renderer  # noqa: PLC0415  draws only for this

    depth = report.pictures["depth"]
    renderer = make_renderer("embedded", visit.scene, depth.shape[1], depth.shape[0], light="plain")
    ours = renderer.render(visit.scene.start_pose).depth
    renderer.close()
    if ours is None:
        return
    both = np.isfinite(ours) & np.isfinite(depth) & (depth > 0)
    ratios = depth[both] / ours[both]
    middle = float(np.median(ratios)) if ratios.size else 0.0
    same = float(np.mean(np.abs(ratios - 1.0) < 0.05)) if ratios.size else 0.0
    detail = f"depth is that of the scene in {same:.0%} of the pixels"
    yield _judged("scene", detail, "" if same >= _SAME_SHARE else detail, _likely_cause(middle, ratios, both))


def rates(visit: Visit, report: Report) -> Iterator[Finding]:
    """Counts pictures in a second while the user turns, of each kind and of all in one batch."""
    views = [(visit.eyes.user, what) for what in VIEWS.values()]
    for name, wanted in [*zip(VIEWS, ([view] for view in views), strict=True), ("all three", views)]:
        start, count = time.perf_counter(), 0
        while count < _FRAMES and time.perf_counter() - start < _LONGEST_S:
            pose = visit.scene.start_pose
            pose = Pose(pose.x, pose.y, pose.yaw_deg + count * _TURN_DEG)
            commands = [*visit.body.placing(pose), *visit.eyes.commands(wanted)]
            visit.link.ask(lambda commands=commands: commands, lambda _: None)  # type: ignore[misc]
            count += 1
        report.frames_per_s[name] = count / (time.perf_counter() - start)
    visit.link.ask(lambda: visit.body.placing(visit.scene.start_pose), lambda _: None)
    told = ", ".join(f"{name} {rate:.0f}" for name, rate in report.frames_per_s.items())
    yield Finding("pictures per second", "ok", told)


def _picture(visit: Visit, what: str, pose: Pose) -> NDArray[Any]:
    images, size = visit.mapping.images, visit.eyes.sizes[visit.eyes.user]
    commands = [*visit.body.placing(pose), *visit.eyes.commands([(visit.eyes.user, what)])]

    def read(replies: list[Reply]) -> NDArray[Any]:
        if what == "depth":
            return depth_of(replies[-1], images.depth, size)
        return rgb_of(*pixels_of(replies[-1], images.rgb if what == "rgb" else images.mask, size))

    return visit.link.ask(lambda: commands, read)


def mask_finding(mask: NDArray[np.uint8], known: set[Color], tolerance: int) -> Finding:
    """Whether a mask shows colours of things and of the background, and more than one.

    Args:
        mask: (height, width, 3), red, green, blue.
        known: Colours of things as they come out.
        tolerance: How far a component may be off.
    """
    found, counts = np.unique(
        mask.reshape(-1, 3).astype(np.uint32) @ np.array((65536, 256, 1), np.uint32), return_counts=True
    )
    colors = [(int(code) >> 16, int(code) >> 8 & 255, int(code) & 255) for code in found]
    table = np.array([*known, (0, 0, 0)], np.int64)
    strange = np.array([np.abs(table - np.array(color)).max(axis=1).min() > tolerance for color in colors])
    share = float(counts[strange].sum() / counts.sum())
    things = sum(not odd and max(color) > tolerance for color, odd in zip(colors, strange, strict=True))
    seen = f"{things} thing{'s' if things != 1 else ''} in view"
    if share <= _UNKNOWN and len(colors) - strange.sum() > 1:
        return Finding("mask", "ok", seen)
    fix = "see images.mask; every object needs its colour, and edges must be sharp"
    if share <= _UNKNOWN:
        return Finding("mask", "broken", "is one flat colour", fix)
    red, green, blue = colors[int(strange.argmax())]
    detail = f"{share:.0%} of it has colours of nothing, such as {red} {green} {blue}; {seen}"
    return Finding("mask", "broken", detail, fix)


def _judged(subject: str, detail: str, wrong: str, fix: str) -> Finding:
    return Finding(subject, "broken", wrong, fix) if wrong else Finding(subject, "ok", detail)


def _likely_cause(middle: float, ratios: NDArray[Any], both: NDArray[np.bool_]) -> str:
    if not 0.5 < middle < 2.0 and 50.0 < max(middle, 1.0 / max(middle, 1e-9)) < 200.0:
        return f"set images.depth.unit to {'cm' if middle > 1 else 'm'}: what comes is {middle:.2g} times too long"
    rows, columns = np.nonzero(both)
    height, width = both.shape
    across, up = (columns + 0.5) / width * 2 - 1, ((rows + 0.5) - height / 2) / (width / 2)
    radial = np.sqrt(1.0 + across**2 + up**2)
    if ratios.size and float(np.mean(np.abs(ratios / radial - 1.0) < 0.05)) > _SAME_SHARE:
        return "change images.depth.kind to radial: it is measured from the camera's centre"
    return "the project shows another store than the scene, or the user's eyes are elsewhere: see user.eye_height_m"
