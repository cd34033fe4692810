"""Tables in the paper's form, ours beside the published rows; as HTML, CSV and LaTeX (spec S26)."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

DASH = "—"
_TEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": "\\textbackslash{}", "|": "$\\mid$", "±": "$\\pm$", "—": "--", "^": "\\^{}", "~": "\\~{}"}
)
_CSV_COLUMNS = ("table", "source", "scene", "user", "row", "metric", "value", "sd", "low", "high", "n", "convention")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure; every part but the value may be missing.

    Attributes:
        value: None when undefined.
        sd: Sample SD over the four subsets.
        low: Lower end of the interval.
        high: Upper end of the interval.
        n: Episodes or events it rests on.
        convention: How value and SD were made.
        digits: Decimals shown.
    """

    value: float | None
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    convention: str = ""
    digits: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table.

    Attributes:
        name: Assistant or condition.
        cells: One for each column; None where the source gives nothing.
        source: "run", or the published table it is from.
        scene: Title of the store.
        user: Who played the user.
    """

    name: str
    cells: tuple[Cell | None, ...]
    source: str
    scene: str
    user: str


@dataclass(frozen=True)
class Table:
    """Rows under columns; rows of one scene and source stand together.

    Attributes:
        key: Name of its files.
        caption: What it shows.
        columns: Metric names.
        units: Unit of each column.
        best: For each column 1 if more is better, 0 if neither more nor less is.
        first: What the rows are.
    """

    key: str
    caption: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    best: tuple[int, ...]
    rows: list[Row] = field(default_factory=list)
    first: str = "Assistant"


def to_html(table: Table) -> str:
    """A table element with group headings."""
    heads = "".join(
        f'<th scope="col">{escape(name)}{_unit(unit)}</th>'
        for name, unit in zip(table.columns, table.units, strict=True)
    )
    lines = [f'<table class="figures" id="table-{table.key}"><caption>{escape(table.caption)}</caption>']
    lines.append(f'<thead><tr><th scope="col">{escape(table.first)}</th>{heads}</tr></thead>')
    for (scene, source, user), rows in _groups(table.rows).items():
        kind = "ours" if source == "run" else "published"
        title = f"{scene}: this report" if kind == "ours" else f"{scene}: published, {source}"
        lines.append(
            f'<tbody class="{kind}"><tr class="group"><th colspan="{len(table.columns) + 1}" scope="rowgroup">'
        )
        lines.append(f"{escape(title)} · user {escape(user)}</th></tr>")
        winners = _winners(table, rows) if kind == "ours" else set()
        lines += [_html_row(row, index, winners) for index, row in enumerate(rows)]
        lines.append("</tbody>")
    return "\n".join([*lines, "</table>"])


def to_csv(tables: Iterable[Table]) -> str:
    """One line for each figure, undefined ones with an empty value."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for table in tables:
        for row in table.rows:
            for metric, cell in zip(table.columns, row.cells, strict=True):
                if cell is not None:
                    parts = (cell.value, cell.sd, cell.low, cell.high, cell.n)
                    values = ["" if part is None else part for part in parts]
                    told = (table.key, row.source, row.scene, row.user, row.name, metric)
                    writer.writerow([*told, *values, cell.convention])
    return buffer.getvalue()


def to_latex(table: Table) -> str:
    """A table for a paper that loads booktabs: SDs as subscripts, intervals in small print below."""
    columns = " & ".join(_tex(f"{n} ({u})" if u else n) for n, u in zip(table.columns, table.units, strict=True))
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering\\small",
        f"\\caption{{{_tex(table.caption)}}}",
        f"\\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        "\\toprule",
        f"{_tex(table.first)} & {columns} \\\\",
    ]
    for (scene, source, user), rows in _groups(table.rows).items():
        title = f"{scene}, user {user}" + ("" if source == "run" else f" (published, {source})")
        lines += ["\\midrule", f"\\multicolumn{{{len(table.columns) + 1}}}{{l}}{{\\textit{{{_tex(title)}}}}} \\\\"]
        winners = _winners(table, rows) if source == "run" else set()
        for index, row in enumerate(rows):
            lines += _tex_row(row, index, winners)
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])


def _groups(rows: Sequence[Row]) -> dict[tuple[str, str, str], list[Row]]:
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.scene, row.source, row.user), []).append(row)
    return groups


def _winners(table: Table, rows: Sequence[Row]) -> set[tuple[int, int]]:
    """Row and column of the best figures, where there is something to be better than."""
    winners = set()
    for column, sense in enumerate(table.best):
        cells = [(i, row.cells[column]) for i, row in enumerate(rows)]
        values = {i: sense * cell.value for i, cell in cells if cell is not None and cell.value is not None}
        if sense and len(set(values.values())) > 1:
            winners |= {(i, column) for i, value in values.items() if value == max(values.values())}
    return winners


def _unit(unit: str) -> str:
    return f'<span class="unit">{escape(unit)}</span>' if unit else ""


def _html_row(row: Row, index: int, winners: set[tuple[int, int]]) -> str:
    cells = [_html_cell(cell, (index, column) in winners) for column, cell in enumerate(row.cells)]
    return f'<tr><th scope="row">{escape(row.name)}</th>{"".join(cells)}</tr>'


def _html_cell(cell: Cell | None, winner: bool) -> str:
    if cell is None:
        return '<td class="none"></td>'
    value = _number(cell.value, cell.digits)
    text = f"<b>{value}</b>" if winner else value
    if cell.sd is not None:
        text += f'<span class="sd">±{cell.sd:.{cell.digits}f}</span>'
    if cell.low is not None and cell.high is not None:
        text += f'<span class="interval">{cell.low:.{cell.digits}f} to {cell.high:.{cell.digits}f}</span>'
    hint = f' title="n = {cell.n}; {escape(cell.convention)}"' if cell.n is not None else ""
    return f"<td{hint}>{text}</td>"


def _tex_row(row: Row, index: int, winners: set[tuple[int, int]]) -> list[str]:
    cells = [_tex_cell(cell, (index, column) in winners) for column, cell in enumerate(row.cells)]
    lines = [f"{_tex(row.name)} & {' & '.join(cells)} \\\\"]
    if any(cell is not None and cell.low is not None for cell in row.cells):
        lines.append(f" & {' & '.join(map(_tex_interval, row.cells))} \\\\")
    return lines


def _tex_cell(cell: Cell | None, winner: bool) -> str:
    if cell is None:
        return ""
    value = "--" if cell.value is None else _number(cell.value, cell.digits)
    text = f"\\textbf{{{value}}}" if winner else value
    return text if cell.sd is None else f"{text}$_{{\\pm {cell.sd:.{cell.digits}f}}}$"


def _tex_interval(cell: Cell | None) -> str:
    if cell is None or cell.low is None or cell.high is None:
        return ""
    return f"{{\\scriptsize [{cell.low:.{cell.digits}f}, {cell.high:.{cell.digits}f}]}}"


def _tex(text: str) -> str:
    return text.translate(_TEX)


def _number(value: float | None, digits: int) -> str:
    return DASH if value is None else f"{value:.{digits}f}"
