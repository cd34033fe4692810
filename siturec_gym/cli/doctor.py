"""``siturec doctor``: what works on this machine, and what to do about the rest."""

import json
import platform
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module, metadata, util
from typing import Annotated

import typer

from siturec_gym.core.errors import SituRecError

_LIBRARIES = {
    "numpy": "numpy",
    "numba": "numba",
    "cv2": "opencv-python",
    "PIL": "pillow",
    "gymnasium": "gymnasium",
    "pettingzoo": "pettingzoo",
    "pydantic": "pydantic",
    "networkx": "networkx",
    "rapidfuzz": "rapidfuzz",
}
_OPENCV_HINT = "on a slim image install libgl1 libglib2.0-0 libxcb1"
_OPTIONAL = {
    "openai": ("roles that are models at a server", "pip install 'siturec-gym[llm]'"),
    "transformers": ("roles that are models in this process", "pip install 'siturec-gym[hf]'"),
    "stable_baselines3": ("training", "pip install 'siturec-gym[rl]'"),
    "minari": ("datasets for offline learning", "pip install 'siturec-gym[minari]'"),
    "ray": ("runs over several machines", "pip install 'siturec-gym[ray]'"),
    "pytest": ("tests", "pip install 'siturec-gym[dev]'"),
    "unrealcv": ("stores in Unreal Engine (siturec unreal check)", "pip install 'siturec-gym[unreal]'"),
    "vizdoom": ("comparison in benchmarks/render.py", "pip install 'siturec-gym[bench]'"),
    "embreex": ("baking light anew", "pip install 'siturec-gym[bake]'"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Attributes:
        name: What was looked at.
        state: "ok", "broken", or "absent" for something optional.
        detail: What was found, or what to do.
    """

    name: str
    state: str
    detail: str


def command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False) -> None:
    """Tell what works on this machine, and what to install for the rest.

    Exits with 1 when something that every run needs is broken.

    Example: siturec doctor
    """
    findings = examine()
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _print_findings(findings)
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)


def examine() -> list[Finding]:
    """Look at everything; needed parts first."""
    system = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    needed = [Finding("python", "ok", system)]
    needed += [_checked(package, partial(_library, module, package)) for module, package in _LIBRARIES.items()]
    needed += [_checked("data files", _data), _checked("renderer", _renderer), _checked("temporary files", _disk)]
    return needed + [_optional(module, use, hint) for module, (use, hint) in _OPTIONAL.items()]


def _checked(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, "ok", look())
    except (SituRecError, ImportError, OSError, ValueError) as error:
        return Finding(name, "broken", " ".join(str(error).split()))


def _library(module: str, package: str) -> str:
    try:
        import_module(module)
    except ImportError as error:
        hint = _OPENCV_HINT if module == "cv2" else "pip install siturec-gym"
        raise ImportError(f"{error}; {hint}") from error
    return metadata.version(package)


def _data() -> str:
    from siturec_gym import assets  # noqa: PLC0415

    problems = assets.verify()
    if problems:
        raise ValueError("; ".join(problems))
    return f"{len(assets.manifest())} files, unchanged"


def _renderer() -> str:
    """Draw one small picture of the store from its entrance."""
    from siturec_gym.renderers import make_renderer  # noqa: PLC0415
    from siturec_gym.scenes import load_scene  # noqa: PLC0415

    scene = load_scene("supermarket")
    renderer = make_renderer("embedded", scene, 160, 120, "rl")
    renderer.connect()
    frame = renderer.render(scene.start_pose)
    renderer.close()
    if frame.ids is None or not frame.ids.any():
        raise ValueError("the embedded renderer drew an empty picture")
    return f"embedded: drew {len(set(frame.ids.ravel().tolist()) - {0})} objects at the entrance"


def _disk() -> str:
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"siturec")
        file.flush()
    return "can be written"


def _optional(module: str, use: str, hint: str) -> Finding:
    if util.find_spec(module) is None:
        return Finding(module, "absent", f"for {use}: {hint}")
    return Finding(module, "ok", f"for {use}")


def _print_findings(findings: list[Finding]) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    styles = {"ok": "green", "broken": "bold red", "absent": "yellow"}
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for finding in findings:
        detail = Text(finding.detail)  # not markup: hints such as 'siturec-gym[ray]' hold brackets
        table.add_row(Text(finding.state, styles[finding.state]), finding.name, detail)
    Console(highlight=False).print(table)
