"""``siturec unreal check``: whether a mapping file and an Unreal store fit each other."""

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siturec_gym.cli.options import SceneName, store_of
from siturec_gym.core.errors import RunError
from siturec_gym.core.storage.files import write_whole

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from siturec_gym.renderers.unrealcv.inspection.findings import Report

_SHOWN_COLORS = 8
_FAR_M = 15.0
"""Depth that is drawn black."""


def check(
    config: Annotated[str, typer.Option(help="Mapping file of the store; ours for siturec unreal serve.")] = "ours",
    scene: SceneName = "supermarket",
    out: Annotated[Path, typer.Option(help="Folder for the pictures and the table of colours.")] = Path("unreal-check"),
    width: Annotated[int, typer.Option(min=16, max=4096, help="Image width, pixels.")] = 640,
    height: Annotated[int, typer.Option(min=16, max=4096, help="Image height, pixels.")] = 480,
    host: Annotated[str | None, typer.Option(help="Another address than the file's.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Another port than the file's.")] = None,
    socket: Annotated[str | None, typer.Option(help="Another Unix socket than the file's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:
    """Connect to an Unreal store, try everything that its mapping file names, and say what to change.

    The store is painted, walked in and looked at, as for a run. Exits with 1 when something is broken.

    Example: siturec unreal check --config my_store.yaml --scene supermarket
    """
    from rich.console import Console  # noqa: PLC0415  --help must not wait for it

    from siturec_gym.renderers.unrealcv.inspection.inspect import inspect  # noqa: PLC0415
    from siturec_gym.renderers.unrealcv.reading import load_mapping, moved  # noqa: PLC0415

    store = store_of(scene)
    mapping = moved(load_mapping(config), host, port, socket)
    with Console(stderr=True).status("") as status:
        report = inspect(mapping, store, (width, height), lambda step: status.update(f"looking at {step}"))
    failure: RunError | None = None
    try:
        files = _write(report, out)
    except RunError as error:
        files, failure = [], error  # told last, since what was found took long
    if as_json:
        typer.echo(json.dumps(_facts(report, files), indent=2))
    else:
        _print(Console(highlight=False), report, files)
    if failure is not None:
        raise failure
    if not report.is_sound:
        raise typer.Exit(1)


def _facts(report: "Report", files: list[Path]) -> dict[str, Any]:
    return {
        "sound": report.is_sound,
        "findings": [asdict(finding) for finding in report.findings],
        "round_trip_ms": report.round_trip_ms,
        "frames_per_s": report.frames_per_s,
        "colors": [asdict(row) for row in report.colors],
        "files": [str(path) for path in files],
    }


def _print(console: "Console", report: "Report", files: list[Path]) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    styles = {"ok": "green", "note": "yellow", "broken": "bold red", "skipped": "yellow"}
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for finding in report.findings:
        detail = Text(finding.detail)
        if finding.fix and finding.state != "ok":
            detail.append(f"\n-> {finding.fix}", style="cyan")
        table.add_row(Text(finding.state, styles[finding.state]), finding.subject, detail)
    console.print(table)
    if report.colors:
        console.print(_color_table(report))
    broken = sum(finding.state == "broken" for finding in report.findings)
    for path in files:
        console.print(str(path), soft_wrap=True, markup=False)
    console.print(f"{broken} to mend" if broken else "everything fits")


def _color_table(report: "Report") -> "Table":
    """Those that cannot be told apart, else the first ones; the file holds all."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    bad = [row for row in report.colors if row.problem]
    rows = (bad or report.colors)[:_SHOWN_COLORS]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    for title in ("thing", "set", "seen", "like" if bad else ""):
        table.add_column(title)
    for row in rows:
        seen = Text("   ", style=f"on rgb({row.seen[0]},{row.seen[1]},{row.seen[2]})") + Text(f" {_words(row.seen)}")
        table.add_row(row.called, _words(row.color), seen, Text(row.problem, "bold red"))
    left = len(bad or report.colors) - len(rows)
    if left:
        table.add_row(f"{left} more", "", "", "")
    return table


def _write(report: "Report", out: Path) -> list[Path]:
    """The pictures, and the colours as a table. Raises RunError when the folder cannot be written."""
    files = {f"{name}.png": _png(picture) for name, picture in report.pictures.items()}
    if report.colors:
        lines = io.StringIO()
        writer = csv.writer(lines)
        writer.writerow(("thing", "set", "seen", "cannot be told from"))
        writer.writerows((row.called, _words(row.color), _words(row.seen), row.problem) for row in report.colors)
        files["colors.csv"] = lines.getvalue().encode()
    for name, content in files.items():
        write_whole(out / name, content)
    return [out / name for name in files]


def _png(picture: Any) -> bytes:
    """A picture; depth as grey, near things bright, nothing black."""
    import numpy as np  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    if picture.ndim == 2:
        picture = (255.0 * np.clip(1.0 - picture / _FAR_M, 0.0, 1.0)).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG")
    return buffer.getvalue()


def _words(color: tuple[int, int, int]) -> str:
    return " ".join(map(str, color))
