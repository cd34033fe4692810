"""What a report tells of the models of its runs."""

import re
from dataclasses import replace

import pytest

from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.models import Took, models_section, usage_of
from siturec_gym.evaluation.report.runs import read_runs

MODEL = {
    "name": "llm:tiny", "kind": "model", "model": "tiny", "decoding": {"temperature": 0.7, "max_tokens": 2048},
    "images": 1, "context_tokens": 32768, "prompt_hash": "0123456789abcdef",
}  # fmt: skip
MODERATOR = {"name": "llm:<b>", "kind": "model", "model": "<b>", "decoding": {"temperature": None}, "prompt_hash": "f"}


def with_models(make):
    return {"roles": make.manifest()["roles"] | {"assistant": MODEL, "moderator": MODERATOR}}


def rows(section: str) -> list[list[str]]:
    lines = re.findall(r"<tr>(.*?)</tr>", section)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in lines]


def usage(**counts):
    return {f"assistant_{name}": count for name, count in counts.items()}


def test_each_role_of_a_model_is_told_with_how_it_was_asked(figures_of, make):
    section = models_section(figures_of([make.episode("01.1")], **with_models(make)))
    assert rows(section)[1:] == [
        ["assistant", "tiny", "0.7", "2,048", "32,768", "1", "—", "0123456789abcdef"],
        ["moderator", "&lt;b&gt;", "—", "—", "—", "—", "—", "f"],
    ]


def test_what_was_set_is_told_under_the_folder_of_its_run(tmp_path, make):
    arguments = make.manifest()["arguments"]
    given = [{"assistant.top_p": 0.9, "assistant.images": 1, "user.top_p": 0.1}, {"assistant.image_side": 256}]
    folders = [
        make.run(tmp_path / name, [make.episode()], arguments=arguments | {"settings": settings}, **with_models(make))
        for name, settings in zip(("a", "b"), given, strict=True)
    ]
    section = models_section([RunFigures(run) for run in read_runs(folders)])
    assert re.findall(r'rowgroup">(.*?)</th>', section)[:2] == ["tiny (a)", "tiny (b)"]
    assert [row[-2] for row in rows(section)[1:]] == ["top_p=0.9", "—", "image_side=256", "—"]


def test_a_model_that_answered_under_another_name_is_told(figures_of, make):
    heard = [{"assistant": ("tiny",)}, {"assistant": ("tiny-2", "tiny"), "moderator": ("<b>",)}]
    episodes = [make.episode(f"0{i}.1", models=models) for i, models in enumerate(heard, start=1)]
    told = {row[0]: row[1] for row in rows(models_section(figures_of(episodes, **with_models(make))))[1:]}
    assert told == {"assistant": "tiny, answered as tiny, tiny-2", "moderator": "&lt;b&gt;"}


def test_usage_is_added_up_and_its_cost_told_by_episode(figures_of, make):
    took = usage(requests=3, prompt_tokens=4000, completion_tokens=20, cost_usd=1.84e-05)
    episodes = [make.episode(f"0{i}.1", usage=took) for i in (1, 2)]
    assert rows(models_section(figures_of(episodes)))[1:] == [
        ["assistant", "6", "0", "8,000", "40", "$0.000018", "$0.000037"]
    ]


@pytest.mark.parametrize(
    ("counts", "cost"),
    [({"unpriced": 4}, "—"), ({}, "$0.00"), ({"unpriced": 1, "cost_usd": 0.5}, "at least $0.50")],
)
def test_a_cost_not_known_is_a_dash_and_one_known_in_part_the_least(figures_of, make, counts, cost):
    took = usage(requests=4, **counts)
    assert rows(models_section(figures_of([make.episode("01.1", usage=took)])))[1][-2:] == [cost, cost]


def test_judges_take_too(tmp_path, make):
    episode = make.episode("01.1")
    took = {"requests": 2, "cost_usd": 0.5}
    said = replace(make.judged(episode, 4, "llm:large"), usage=took)
    (run,) = read_runs([make.run(tmp_path / "run", [episode], (said,))])
    assert usage_of(run) == [Took("judge large", took, 1)]


def test_a_run_of_rules_has_no_such_section(figures_of, make):
    assert models_section(figures_of([make.episode("01.1")])) == ""
