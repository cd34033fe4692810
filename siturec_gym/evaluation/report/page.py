"""The report as one page that needs nothing from outside."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from siturec_gym.evaluation.report.comparison import COMPARED, Pair, comparisons
from siturec_gym.evaluation.report.drawing import Drawing
from siturec_gym.evaluation.report.failure_section import failures_section
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.judge_agreement import JudgePair, judge_pairs
from siturec_gym.evaluation.report.models import models_section
from siturec_gym.evaluation.report.notes import notes, run_facts
from siturec_gym.evaluation.report.results import reference_tables
from siturec_gym.evaluation.report.svg import to_svg
from siturec_gym.evaluation.report.tables import DASH, Table, to_html
from siturec_gym.evaluation.report.words import counted
from siturec_gym.metrics.statistics import Interval

HERE = Path(__file__).resolve().parent
SECTIONS = (
    ("runs", "Runs"),
    ("models", "Models"),
    ("results", "Results"),
    ("comparison", "Comparison"),
    ("reruns", "Reruns"),
    ("conversation", "Conversation"),
    ("navigation", "Navigation"),
    ("endings", "Endings"),
    ("failures", "Failures"),
    ("published", "Ablation and people"),
    ("method", "Method"),
)


def report_page(runs: Sequence[RunFigures], tables: Sequence[Table], drawings: Mapping[str, Drawing]) -> str:
    """The whole page.

    Args:
        runs: Figures of every run.
        tables: From ``result_tables``.
        drawings: From ``plots``.
    """
    parts = {
        "runs": _runs(runs),
        "models": models_section(runs),
        "results": _tables(tables, ("results", "purchase_quality", "dialogue")),
        "comparison": _comparison(comparisons(runs)),
        "reruns": _reruns(runs, tables),
        "conversation": _plots(drawings, "success", "dialogue")
        + _unscored(runs)
        + _judges(judge_pairs(runs))
        + _tables(tables, ("user_discipline",)),
        "navigation": _plots(drawings, "goal", "suggested", "walks") + _tables(tables, ("goal_visibility",)),
        "endings": _plots(drawings, "terminations"),
        "failures": failures_section(runs),
        "published": _tables(reference_tables(runs), None),
        "method": _method(),
    }
    shown = [(key, title) for key, title in SECTIONS if parts[key]]
    links = "".join(f'<a href="#{key}">{title}</a>' for key, title in shown)
    body = "\n".join(f'<section id="{key}"><h2>{title}</h2>\n{parts[key]}\n</section>' for key, title in shown)
    heading = "Situated shopping: " + (f"{len(runs)} runs" if len(runs) > 1 else runs[0].run.label)
    return document(
        heading, f"<header><h1>{escape(heading)}</h1><nav>{links}</nav></header>\n<main>{body}</main>", "report"
    )


def document(title: str, body: str, look: str) -> str:
    """A page with its style sheet and script inside.

    Args:
        title: Of the window.
        body: Markup.
        look: Name of the style sheet and the script beside this module.
    """
    style, script = ((HERE / f"{look}.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style></head>\n"
        f"<body>\n{body}\n<script>\n{script}</script>\n</body></html>\n"
    )


def _runs(runs: Sequence[RunFigures]) -> str:
    cards = "".join(_card(run) for run in runs)
    told = "".join(f'<li class="{kind}">{escape(text)}</li>' for kind, text in notes(runs))
    facts = [run_facts(run.run) for run in runs]
    names = "".join(f'<th scope="col">{escape(run.run.label)}</th>' for run in runs)
    rows = "".join(
        f'<tr><th scope="row">{escape(key)}</th>' + "".join(f"<td>{escape(f[key])}</td>" for f in facts) + "</tr>"
        for key in facts[0]
    )
    table = f'<table class="facts"><thead><tr><th></th>{names}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="cards">{cards}</div><ul class="notes">{told}</ul><div class="wide">{table}</div>'


def _card(run: RunFigures) -> str:
    figures = (run.values["SR"], run.values["RPR"], run.values["Turn"])
    parts = zip(("purchases", "suitable purchases", "turns"), ("%", "%", ""), figures, strict=True)
    shown = "".join(
        f"<div><dt>{name}</dt><dd>{_value(f.measured.value)}<small>{unit}</small>{_span(f.interval)}</dd></div>"
        for name, unit, f in parts
    )
    label, store = escape(run.run.label), escape(run.scene.title)
    return f'<article class="card"><h3>{label}</h3><p>{store}</p><dl>{shown}</dl></article>'


def _tables(tables: Sequence[Table], keys: tuple[str, ...] | None) -> str:
    chosen = [table for table in tables if keys is None or table.key in keys]
    return "".join(f'<div class="wide">{to_html(table)}</div>' for table in chosen)


def _plots(drawings: Mapping[str, Drawing], *kinds: str) -> str:
    chosen = [(name, drawing) for name, drawing in drawings.items() if name.startswith(kinds)]
    return "".join(f'<figure class="wide" id="plot-{name}">{to_svg(drawing)}</figure>' for name, drawing in chosen)


def _comparison(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return ""
    rows: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        rows.setdefault((pair.scene, pair.first, pair.second), []).append(pair)
    heads = "".join(f'<th scope="col">{name.replace("_", " ")}</th>' for name in COMPARED)
    body = "".join(_pair_row(*names, found) for names, found in rows.items())
    table = (
        f'<table class="figures"><thead><tr><th scope="col">Pair</th>{heads}</tr></thead><tbody>{body}</tbody></table>'
    )
    words = (
        "Second minus first on the tasks and trials that both played, in percentage points or turns, with its 95 % "
        "interval and p (Holm over all pairs). Bold: p below 0.05. SR and RPR: exact McNemar; others: paired bootstrap."
    )
    return f'<p>{words}</p><div class="wide">{table}</div>'


def _pair_row(scene: str, first: str, second: str, found: Sequence[Pair]) -> str:
    by_metric = {pair.metric: pair for pair in found}
    cells = "".join(_pair_cell(by_metric[metric]) if metric in by_metric else "<td></td>" for metric in COMPARED)
    names = f"{escape(second)} <i>minus</i> {escape(first)}"
    aside = f'<span class="interval">{escape(scene)}, {counted(found[0].result.n, "episode")} each</span>'
    return f'<tr><th scope="row">{names}{aside}</th>{cells}</tr>'


def _pair_cell(pair: Pair) -> str:
    result, differs = pair.result, pair.adjusted is not None and pair.adjusted < 0.05
    value = _value(result.difference, signed=True)
    p = "" if pair.adjusted is None else f'<span class="interval">p {_p(pair.adjusted)}</span>'
    hint = f"{result.test}, unadjusted p {_p(result.p_value)}, n = {result.n}"
    return f'<td title="{hint}">{f"<b>{value}</b>" if differs else value}{_span(result.interval)}{p}</td>'


def _reruns(runs: Sequence[RunFigures], tables: Sequence[Table]) -> str:
    repeated = [run for run in runs if run.trials > 1]
    lines = "".join(
        f"<li>{escape(run.run.title)}: "
        + ", ".join(f"pass^{k} {_value(value)} %" for k, value in enumerate(run.pass_by_k, 1))
        + "</li>"
        for run in repeated
    )
    words = "pass^k is the chance that k trials of a task all end in a purchase."
    return f"{_tables(tables, ('reruns',))}<p>{words}</p><ul>{lines}</ul>" if repeated else ""


def _unscored(runs: Sequence[RunFigures]) -> str:
    lines = [
        f"<li>{escape(run.run.title)}, judge {escape(judge)}: {count} unscored, {escape(reason)}</li>"
        for run in runs
        for judge in run.judges
        for reason, count in run.unscored(judge).items()
    ]
    return f'<ul class="notes">{"".join(lines)}</ul>' if lines else ""


def _judges(pairs: Sequence[JudgePair]) -> str:
    if not pairs:
        return ""
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("Dimension", "n", "QWK", "exact", "MAE"))
    groups: dict[str, list[JudgePair]] = {}
    for pair in pairs:
        groups.setdefault(f"{pair.run}: {pair.second} against {pair.first}", []).append(pair)
    parts = []
    for title, group in groups.items():
        rows = "".join(
            f'<tr><th scope="row">{escape(p.dimension)}</th><td>{p.kappa.n}</td>'
            f"<td>{_fraction(p.kappa.value)}{_span(p.kappa.interval, 2)}</td>"
            f"<td>{_fraction(p.exact)}</td><td>{_fraction(p.distance)}</td></tr>"
            for p in group
        )
        caption = f"<caption>Judges of {escape(title)}</caption>"
        parts.append(
            f'<div class="wide"><table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        )
    return "".join(parts)


def _method() -> str:
    return (HERE / "method.html").read_text(encoding="utf-8")


def _fraction(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}"


def _value(value: float | None, *, signed: bool = False) -> str:
    return DASH if value is None else f"{value:+.1f}" if signed else f"{value:.1f}"


def _span(interval: Interval | None, digits: int = 1) -> str:
    if interval is None:
        return ""
    return f'<span class="interval">{interval.low:.{digits}f} to {interval.high:.{digits}f}</span>'


def _p(value: float | None) -> str:
    return DASH if value is None else "&lt; 0.001" if value < 0.001 else f"{value:.3f}"
