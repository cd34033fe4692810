"""An inspection from beginning to end."""

from collections.abc import Callable, Iterator

from siturec_gym.core.errors import RendererError, words_of
from siturec_gym.renderers.unrealcv.inspection import basics, looks
from siturec_gym.renderers.unrealcv.inspection.findings import Finding, Report
from siturec_gym.renderers.unrealcv.inspection.movements import movements
from siturec_gym.renderers.unrealcv.inspection.visit import Visit, visited
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.scenes.scene import Scene

Look = Callable[[Visit, Report], Iterator[Finding]]
_USER_FIX = (
    "see user.object, user.prepare, user.place and user.where; Unreal's y points the other way, its lengths are cm"
)
# What is looked at; what it cannot do without; what to change where the server refuses.
STEPS: tuple[tuple[str, Look, tuple[str, ...], str], ...] = (
    ("connection", basics.connection, (), "see connection in the mapping, and whether the server is running"),
    ("objects", basics.objects, ("connection",), "see objects in the mapping"),
    ("cameras", basics.cameras, ("connection",), "see cameras in the mapping"),
    ("user", basics.user, ("connection",), _USER_FIX),
    ("movements", movements, ("user",), "see tools in the mapping"),
    ("colours", looks.colors, ("objects", "user"), "see objects.color and colors.probe"),
    ("pictures", looks.pictures, ("cameras", "colours"), "see images in the mapping"),
    ("scene", looks.likeness, ("pictures",), "see images.depth"),
    ("rates", looks.rates, ("pictures",), "see images in the mapping"),
)


def inspect(mapping: Mapping, scene: Scene, size: tuple[int, int], told: Callable[[str], None]) -> Report:
    """Look at everything that a mapping names.

    Args:
        mapping: The mapping.
        scene: The store that the project should show.
        size: Width and height of pictures.
        told: Called with what is looked at next.

    Raises:
        DataError: The mapping does not fit the scene.
        RendererError: The instance that it names does not start.
    """
    report, failed = Report(), set[str]()
    with visited(mapping, scene, size) as visit:
        for name, look, needs, fix in STEPS:
            told(name)
            missing = [need for need in needs if need in failed]
            before = len(report.findings)
            if missing:
                report.findings.append(Finding(name, "skipped", f"{missing[0]} first"))
            else:
                _look(look, visit, report, name, fix)
            if any(finding.state in ("broken", "skipped") for finding in report.findings[before:]):
                failed.add(name)
    return report


def _look(look: Look, visit: Visit, report: Report, name: str, fix: str) -> None:
    try:
        for finding in look(visit, report):  # what was found before it breaks off counts
            report.findings.append(finding)
    except (RendererError, ValueError) as error:
        report.findings.append(Finding(name, "broken", words_of(error), fix))
