"""Everything a report consists of, as files: page, tables, plots."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from siturec_gym.core.errors import RunError
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.page import report_page
from siturec_gym.evaluation.report.plots import plots
from siturec_gym.evaluation.report.png import to_png
from siturec_gym.evaluation.report.results import reference_tables, result_tables
from siturec_gym.evaluation.report.runs import ReportRun
from siturec_gym.evaluation.report.spreadsheets import comparisons_csv, curves_csv, episodes_csv
from siturec_gym.evaluation.report.svg import to_svg
from siturec_gym.evaluation.report.tables import to_csv, to_latex

PAGE = "index.html"


def report_files(runs: Sequence[ReportRun]) -> dict[str, bytes]:
    """Name in the report's folder -> content: a function of the runs alone, the same bytes each time."""
    figures = [RunFigures(run) for run in runs]
    tables, drawings = result_tables(figures), plots(figures)
    files = {PAGE: report_page(figures, tables, drawings).encode()}
    files["tables/figures.csv"] = to_csv([*tables, *reference_tables(figures)]).encode()
    files["tables/curves.csv"] = curves_csv(figures).encode()
    files["tables/episodes.csv"] = episodes_csv(figures).encode()
    if len(runs) > 1:
        files["tables/comparisons.csv"] = comparisons_csv(figures).encode()
    files |= {f"tables/{table.key}.tex": to_latex(table).encode() for table in tables}
    for name, drawing in drawings.items():
        files[f"plots/{name}.svg"] = to_svg(drawing).encode()
        files[f"plots/{name}.png"] = to_png(drawing)
    return files


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Put files into a folder, each whole or not at all; what else lies there stays.

    Raises:
        RunError: The folder cannot be written.
    """
    for name, content in files.items():
        path = folder / name
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(content)
            os.replace(draft, path)
        except OSError as error:
            with suppress(OSError):  # what kept it from being written may keep it from being removed
                draft.unlink()
            raise RunError(f"cannot write '{path}': {error.strerror}") from error
