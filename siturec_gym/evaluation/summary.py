"""The figures of a run, from its episodes, its judgments and the shipped scene alone."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.environments import environment
from siturec_gym.judges.judgment import DIMENSIONS, SCORED, Judgment
from siturec_gym.llm.meter import by_role
from siturec_gym.metrics import Metric, Score, aggregate, counts, summarise
from siturec_gym.metrics.flags import noticed
from siturec_gym.metrics.partition import partition_of_run

POINTS = "points"


def make_summary(env_id: str, episodes: Sequence[EpisodeRecord], judgments: Sequence[Judgment] = ()) -> dict[str, Any]:
    """Content of ``summary.json``: metrics, counts, flags, failures, usage and models by role, and judges."""
    from siturec_gym.scenes import load_scene  # noqa: PLC0415  loading a scene's modules is not free

    scene = load_scene(environment(env_id).scene)
    tools, catalog = [str(tool) for tool in scene.tools], [product.id for product in scene.products]
    figures = summarise(episodes, tools, catalog, scene.products_showing_place)
    failures = Counter(episode.failure for episode in episodes if episode.failure)
    return {
        "metrics": {name: asdict(figure) for name, figure in figures.items()},
        "counts": counts(episodes),
        "flags": noticed(episodes),
        "failures": dict(sorted(failures.items())),
        "usage": usage_by_role(episodes),
        "models": models_heard(episodes),
        "judges": {judge: judge_summary(judge, judgments, episodes) for judge in _judges(judgments)},
    }


def usage_by_role(episodes: Sequence[EpisodeRecord]) -> dict[str, dict[str, float]]:
    """What the models of each role took, summed over episodes. Roles without a model are left out."""
    total: Counter[str] = Counter()
    for episode in episodes:
        total.update(episode.usage)
    return by_role(dict(sorted(total.items())))


def models_heard(episodes: Sequence[EpisodeRecord]) -> dict[str, list[str]]:
    """The names of the models that answered for each role, as their endpoints told them, in order."""
    roles = sorted({role for episode in episodes for role in episode.models})
    return {role: sorted({name for e in episodes for name in e.models.get(role, ())}) for role in roles}


def judge_summary(judge: str, judgments: Sequence[Judgment], episodes: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Mean scores of one judge, what it left unscored and why, and what it took."""
    own = {(judgment.task, judgment.trial): judgment for judgment in judgments if judgment.judge == judge}
    unscored = Counter(str(judgment.reason) for judgment in own.values() if judgment.status != SCORED)
    usage: Counter[str] = Counter()
    for judgment in own.values():
        usage.update(judgment.usage)
    subsets = partition_of_run([episode.scene for episode in episodes], [episode.task for episode in episodes])
    scores = {
        name: asdict(aggregate(Metric(name, _score_of(name, own), POINTS), episodes, subsets)) for name in DIMENSIONS
    }
    return {
        "prompt_hash": sorted({judgment.prompt_hash for judgment in own.values()}),
        "scored": sum(judgment.status == SCORED for judgment in own.values()),
        "unscored": dict(sorted(unscored.items())),
        "scores": scores,
        "usage": dict(sorted(usage.items())),
    }


def _score_of(name: str, own: Mapping[tuple[str, int], Judgment]) -> Callable[[EpisodeRecord], Score | None]:
    def score(episode: EpisodeRecord) -> Score | None:
        judgment = own.get((episode.task, episode.trial))
        return Score(float(judgment.scores[name])) if judgment and judgment.status == SCORED else None

    return score


def _judges(judgments: Sequence[Judgment]) -> list[str]:
    return list(dict.fromkeys(judgment.judge for judgment in judgments))
