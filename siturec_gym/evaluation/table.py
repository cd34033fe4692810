"""The figures of a run as text for a terminal of 60 columns or more."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from siturec_gym.llm.meter import dollars
from siturec_gym.metrics.aggregate import EVENT_POOLED, FOUR_SUBSET

UNDEFINED = "\u2014"
_CONVENTIONS = {
    FOUR_SUBSET: "Value and SD: mean and sample SD of the paper's four 25-task subsets; without SD: all episodes.",
    "cohort": "Values: means over all eligible episodes (n); no SD, since the run is not the full task bank.",
}


def results_table(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> RenderableType:
    """The metrics of a run, how its episodes ended, and what the figures mean.

    Args:
        summary: Content of ``summary.json``.
        manifest: Content of ``manifest.json``.
    """
    heading, metrics = _heading(summary, manifest), _metrics(summary["metrics"])
    used = (_usage(role, usage) for role, usage in summary.get("usage", {}).items())
    return Group(heading, metrics, _ends(summary), _note(summary), *used, *_others(summary, manifest))


def judge_table(name: str, figures: Mapping[str, Any]) -> RenderableType:
    """The mean scores of one judge, and what it left unscored.

    Args:
        name: The judge.
        figures: Its entry in ``summary.json``.
    """
    heading = Text(f"judge {name}, prompt {', '.join(figures['prompt_hash'])}", style="bold")
    scored = Text(
        f"{_plural(figures['scored'], 'episode')} scored, 1 to 5; {sum(figures['unscored'].values())} unscored"
    )
    reasons = "".join(f"\n  {count:>4}  {reason}" for reason, count in figures["unscored"].items())
    parts: list[RenderableType] = [heading, _metrics(figures["scores"], unit="points"), scored.append(reasons, "red")]
    return Group(*parts, *((_usage("judge", figures["usage"]),) if figures["usage"] else ()))


def _heading(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> Text:
    roles = "  ".join(f"{role} {spec['name']}" for role, spec in manifest["roles"].items())
    episodes = summary["counts"]["episodes"]
    return Text(f"{manifest['arguments']['env']}: {_plural(episodes, 'episode')}\n{roles}", style="bold")


def _metrics(metrics: Mapping[str, Mapping[str, Any]], unit: str | None = None) -> Table:
    with_sd = any(figure["sd"] is not None for figure in metrics.values())
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("metric", min_width=10)
    for title in ("value", "", *(("SD",) if with_sd else ()), "n"):
        table.add_column(title, justify="left" if not title else "right")
    for name, figure in metrics.items():
        spread = (_number(figure["sd"], ""),) if with_sd else ()
        table.add_row(name, _number(figure["value"]), unit or _unit(name), *spread, str(figure["n"]))
    return table


def _ends(summary: Mapping[str, Any]) -> Text:
    counts = summary["counts"]
    ends = sorted(counts["end_reason"].items(), key=lambda item: -item[1])
    lines = [f"  {count:>4}  {reason.replace('_', ' ')}" for reason, count in ends]
    text = Text("\n".join(["ended by", *lines]))
    failed = counts["status"].get("failed", 0)
    if failed:
        kinds = ", ".join(f"{count} {failure}" for failure, count in summary.get("failures", {}).items())
        note = f"{_plural(failed, 'episode')} failed{f' ({kinds})' if kinds else ''}; counted in every n"
        text.append(f"\n{note}, see `error` in episodes.jsonl", "red")
    return text


def _usage(role: str, usage: Mapping[str, float]) -> Text:
    """What a role's model took."""
    tokens = f"{usage.get('prompt_tokens', 0):,.0f} tokens read, {usage.get('completion_tokens', 0):,.0f} written"
    words = [f"{role}: {_plural(int(usage.get('requests', 0)), 'request')}, {tokens}"]
    words += [f"{usage['cache_hits']:.0f} from the cache"] if "cache_hits" in usage else []
    words += [f"{usage['unparsed']:.0f} unusable"] if "unparsed" in usage else []
    words += [f"{usage['unanswered']:.0f} given up"] if "unanswered" in usage else []
    words += [f"{usage['retries']:.0f} sent again"] if "retries" in usage else []
    words += [dollars(usage["cost_usd"])] if "cost_usd" in usage else []
    return Text(", ".join(words), style="dim")


def _others(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> Iterator[Text]:
    """A line for each role whose model called itself otherwise than it was asked for."""
    for role, heard in summary.get("models", {}).items():
        asked = manifest["roles"].get(role, {}).get("model")
        if heard != [asked]:
            yield Text(f"{role}: asked for {asked}, answered as {', '.join(heard)}", style="yellow")


def _note(summary: Mapping[str, Any]) -> Text:
    conventions = {figure["convention"] for figure in summary["metrics"].values()}
    note = _CONVENTIONS[FOUR_SUBSET if FOUR_SUBSET in conventions else "cohort"]
    if EVENT_POOLED in conventions:
        note += " CGV: all navigation goals of the run (n) pooled."
    undefined = any(figure["value"] is None for figure in summary["metrics"].values())
    return Text(note + (f" {UNDEFINED} is undefined: no eligible episode." if undefined else ""), style="dim")


def _number(value: float | None, missing: str = UNDEFINED) -> str:
    return missing if value is None else f"{value:.1f}"


def _unit(name: str) -> str:
    return "turns" if name == "Turn" else "%"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
