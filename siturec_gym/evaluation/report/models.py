"""The models of each run: which ones played, how they were asked, what they took."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.runs import ReportRun
from siturec_gym.evaluation.report.tables import DASH
from siturec_gym.evaluation.summary import models_heard
from siturec_gym.llm.meter import by_role, dollars
from siturec_gym.llm.names import model_name

_ASKED = (
    "Role",
    "Model",
    "Temperature",
    "Most tokens of a reply",
    "Tokens of its context",
    "Images",
    "Also set",
    "Prompt",
)
_TOLD = ("temperature", "max_tokens", "context_tokens", "images")
_TOOK = ("Role", "Requests", "From the cache", "Tokens read", "Tokens written", "Cost of an episode", "Cost in all")


@dataclass(frozen=True, slots=True)
class Took:
    """What the model of a role took in a run.

    Attributes:
        role: Name of the role; a judge with its own.
        counts: As records keep them.
        episodes: How many it took that for.
    """

    role: str
    counts: Mapping[str, float]
    episodes: int


def models_section(runs: Sequence[RunFigures]) -> str:
    """Two tables, each with a group for every run; empty where no model took part."""
    asked = {run.run.title: _all_asked(run.run) for run in runs}
    took = {run.run.title: [_took(used) for used in usage_of(run.run)] for run in runs}
    return _table("Who played, and how they were asked", "models list", _ASKED, asked) + _table(
        "What they took", "models figures", _TOOK, took
    )


def played_by_models(run: ReportRun) -> dict[str, Mapping[str, Any]]:
    """What the manifest says of each role that a model played."""
    return {role: spec for role, spec in run.manifest["roles"].items() if spec.get("kind") == "model"}


def usage_of(run: ReportRun) -> list[Took]:
    """What each role's model took, and then each judge's."""
    roles = by_role(_sum([e.usage] if e.usage else [turn.usage for turn in e.turns] for e in run.episodes))
    took = [Took(role, counts, len(run.episodes)) for role, counts in roles.items()]
    for judge in dict.fromkeys(said.judge for said in run.judgments if said.usage):
        model = model_name(judge)
        own = [said for said in run.judgments if said.judge == judge]
        took.append(Took(f"judge {model.label if model else judge}", _sum([said.usage] for said in own), len(own)))
    return took


def _sum(counted: Iterable[Iterable[Mapping[str, float]]]) -> dict[str, float]:
    total = Counter[str]()
    for several in counted:
        for counts in several:
            total.update(counts)
    return dict(total)


def _all_asked(run: ReportRun) -> list[tuple[str, ...]]:
    heard = models_heard(run.episodes)
    given = run.manifest["arguments"].get("settings") or {}
    return [_asked(role, spec, heard.get(role, []), given) for role, spec in played_by_models(run).items()]


def _asked(role: str, spec: Mapping[str, Any], heard: Sequence[str], given: Mapping[str, Any]) -> tuple[str, ...]:
    decoding = spec.get("decoding", {})
    values = (decoding.get("temperature"), decoding.get("max_tokens"), spec.get("context_tokens"), spec.get("images"))
    told = (DASH if value is None else f"{value:,}" for value in values)
    model = str(spec.get("model", spec["name"]))
    named = f"{model}, answered as {', '.join(heard)}" if heard and heard != [model] else model
    return role, named, *told, _also_set(role, given), str(spec.get("prompt_hash", DASH))


def _also_set(role: str, given: Mapping[str, Any]) -> str:
    """What ``--set`` gave a role beyond what has a column of its own."""
    own = {name.removeprefix(f"{role}."): value for name, value in given.items() if name.startswith(f"{role}.")}
    return ", ".join(f"{name}={value}" for name, value in own.items() if name not in _TOLD) or DASH


def _took(used: Took) -> tuple[str, ...]:
    names = ("requests", "cache_hits", "prompt_tokens", "completion_tokens")
    return used.role, *(f"{used.counts.get(name, 0):,.0f}" for name in names), *_costs(used)


def _costs(used: Took) -> tuple[str, str]:
    """The cost of an episode and of all; a dash where no request has a price, a least cost where some have none."""
    cost, unpriced = used.counts.get("cost_usd", 0.0), used.counts.get("unpriced", 0)
    if unpriced and not cost:
        return DASH, DASH
    least = "at least " if unpriced else ""
    return f"{least}{dollars(cost / used.episodes)}", f"{least}{dollars(cost)}"


def _table(caption: str, kind: str, heads: Sequence[str], groups: Mapping[str, Sequence[Sequence[str]]]) -> str:
    if not any(groups.values()):
        return ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(_group(title, rows, len(heads)) for title, rows in groups.items() if rows)
    table = f'<table class="{kind}"><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>{body}</table>'
    return f'<div class="wide">{table}</div>'


def _group(title: str, rows: Sequence[Sequence[str]], width: int) -> str:
    lines = "".join(
        f'<tr><th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(value)}</td>" for value in values) + "</tr>"
        for first, *values in rows
    )
    heading = f'<tr class="group"><th colspan="{width}" scope="rowgroup">{escape(title)}</th></tr>'
    return f"<tbody>{heading}{lines}</tbody>"
