"""The results as a person reads them, in a terminal of 60 columns."""

import io

import pytest
from rich.console import Console

from siturec_gym.evaluation.table import results_table

MANIFEST = {
    "arguments": {"env": "SituRec-Supermarket-v0"},
    "roles": {name: {"name": name[:4], "kind": "scripted"} for name in ("assistant", "user", "moderator")},
}


def figure(value, sd=None, n=20, convention="cohort"):
    return {"value": value, "sd": sd, "n": n, "convention": convention}


def rendered(metrics, status=None, ends=None) -> str:
    counts = {"episodes": 20, "status": status or {"complete": 20}, "end_reason": ends or {"turn_limit": 20}}
    console = Console(file=io.StringIO(), width=60)
    console.print(results_table({"metrics": metrics, "counts": counts}, MANIFEST))
    return console.file.getvalue()


def test_a_value_its_unit_and_its_n_stand_in_one_line():
    text = rendered({"SR": figure(70.04), "Turn": figure(9.5)})
    assert [line.split() for line in text.splitlines() if line.startswith(("SR", "Turn"))] == [
        ["SR", "70.0", "%", "20"],
        ["Turn", "9.5", "turns", "20"],
    ]


def test_undefined_is_a_dash_with_its_reason():
    text = rendered({"RPR|Cart": figure(None, n=0)})
    assert "\u2014" in text
    assert "no eligible episode" in " ".join(text.split())


def test_the_sd_column_and_its_meaning_come_with_full_runs_only():
    assert "SD:" not in rendered({"SR": figure(70.0)})
    text = rendered({"SR": figure(70.0, 5.66, 100, "four-subset"), "RPR": figure(60.0)})
    assert "5.7" in text
    assert "four 25-task subsets" in " ".join(text.split())


def test_failures_are_shown():
    text = rendered({"SR": figure(0.0)}, {"complete": 19, "failed": 1}, {"turn_limit": 19, "generation_failure": 1})
    assert "generation failure" in text
    assert "1 episode failed; counted in every n" in " ".join(text.split())


@pytest.mark.parametrize("sd", [None, 12.34])
def test_no_line_is_cut_or_longer_than_60_columns(sd):
    text = rendered({"R-MRR@10": figure(100.0, sd)})
    assert all(len(line) <= 60 for line in text.splitlines())
    assert "\u2026" not in text


def test_what_a_model_took_costs_readable_dollars():
    usage = {"assistant": {"requests": 3, "prompt_tokens": 4000, "completion_tokens": 20, "cost_usd": 1.84e-05}}
    counts = {"episodes": 1, "status": {"complete": 1}, "end_reason": {"turn_limit": 1}}
    console = Console(file=io.StringIO(), width=80)
    console.print(results_table({"metrics": {"SR": figure(0.0)}, "counts": counts, "usage": usage}, MANIFEST))
    assert "assistant: 3 requests, 4,000 tokens read, 20 written, $0.000018" in console.file.getvalue()


@pytest.mark.parametrize(("heard", "told"), [(["tiny"], False), (["other"], True), (["other", "tiny"], True)])
def test_a_model_that_answered_under_another_name_is_told(heard, told):
    counts = {"episodes": 1, "status": {"complete": 1}, "end_reason": {"turn_limit": 1}}
    roles = MANIFEST["roles"] | {"user": {"name": "llm:tiny", "kind": "model", "model": "tiny"}}
    summary = {"metrics": {"SR": figure(0.0)}, "counts": counts, "models": {"user": heard}}
    console = Console(file=io.StringIO(), width=80)
    console.print(results_table(summary, MANIFEST | {"roles": roles}))
    assert (f"user: asked for tiny, answered as {', '.join(heard)}" in console.file.getvalue()) == told
