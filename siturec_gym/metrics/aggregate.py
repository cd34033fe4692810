"""From episodes to the figures of a run (SituRecBench, Appendix C.1; spec S22).

Three conventions, named in every figure so that nobody confuses them:

- "four-subset": the mean of the means of the paper's four 25-task subsets, with the sample SD of those means. It says
  how much tasks differ, not how much reruns would.
- "cohort": the mean over all eligible episodes of the run, without an SD.
- "event-pooled": all events of the run count alike, whichever episode they belong to; without an SD.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.metrics import navigation, outcome, recommendation, visibility
from siturec_gym.metrics.partition import Subsets, partition_of_run
from siturec_gym.metrics.score import Score, mean

COHORT = "cohort"
FOUR_SUBSET = "four-subset"
EVENT_POOLED = "event-pooled"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as the tables print it.

    Attributes:
        name: Short name, as in the paper's tables.
        score: An episode's contribution, or None if it is not eligible.
        unit: "%" (contributions are multiplied by 100) or "turns".
        subsets: Whether a full run is averaged over the four subsets; RPR and RPR|Cart use the whole cohort.
        pooled: Whether events are pooled over the whole run; an episode's weight is then its number of events.
    """

    name: str
    score: Callable[[EpisodeRecord], Score | None]
    unit: str = "%"
    subsets: bool = True
    pooled: bool = False

    def of(self, episodes: Sequence[EpisodeRecord]) -> float | None:
        """The value over ``episodes`` in the metric's unit; None (undefined) without an eligible episode."""
        value = mean(self.score(episode) for episode in episodes)
        return value if value is None or self.unit != "%" else 100.0 * value


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A figure of a run.

    Attributes:
        value: In the metric's unit; None when undefined.
        sd: Sample SD of the four subset means; None under the cohort convention.
        n: Number of eligible episodes; of events for an event-pooled figure.
        convention: "four-subset", "cohort" or "event-pooled".
    """

    value: float | None
    sd: float | None
    n: int
    convention: str


def situated_metrics(
    legal_tools: Collection[str],
    catalog: Collection[str],
    products_of_place: Mapping[str, Collection[str]] | None = None,
) -> tuple[Metric, ...]:
    """The metrics of a situated run, in the order tables print them.

    Args:
        legal_tools: Tool names of the scene.
        catalog: Product ids of the scene's catalog.
        products_of_place: For stores and display areas, the products that make them visible (``visibility.shows``).
    """
    return (
        Metric("SR", outcome.success),
        Metric("Turn", outcome.turns, unit="turns"),
        Metric("AFR", partial(navigation.action_following, legal_tools=legal_tools)),
        Metric("LNSR", partial(navigation.local_alignment, legal_tools=legal_tools)),
        Metric("R@5", recommendation.cart_recall),
        Metric("NDCG@10", recommendation.cart_discounted_gain),
        *(
            Metric(
                f"CGV_{'End' if horizon is None else horizon}",
                partial(visibility.goal_visibility, horizon=horizon, products_of_place=products_of_place),
                pooled=True,
            )
            for horizon in visibility.HORIZONS
        ),
        Metric("RPR", outcome.reference_purchase, subsets=False),
        Metric("RPR|Cart", outcome.reference_purchase_given_cart, subsets=False),
        Metric("R-MRR@10", recommendation.reference_reciprocal_rank),
        Metric("Catalog", partial(recommendation.catalog_validity, catalog=catalog)),
    )


def aggregate(metric: Metric, episodes: Sequence[EpisodeRecord], subsets: Subsets | None = None) -> MetricValue:
    """The figure of a run.

    Args:
        metric: What to compute.
        episodes: Every episode of the run, failed ones too.
        subsets: Task ids of the four subsets, for a run that holds the full bank.
    """
    scores = [score for episode in episodes if (score := metric.score(episode)) is not None]
    if metric.pooled:
        return MetricValue(metric.of(episodes), None, round(sum(score.weight for score in scores)), EVENT_POOLED)
    eligible = len(scores)
    if subsets is None or not metric.subsets:
        return MetricValue(metric.of(episodes), None, eligible, COHORT)
    means = [metric.of([episode for episode in episodes if episode.task in tasks]) for tasks in subsets]
    defined = [value for value in means if value is not None]
    if len(defined) < len(means):
        return MetricValue(None, None, eligible, FOUR_SUBSET)
    return MetricValue(statistics.fmean(defined), statistics.stdev(defined), eligible, FOUR_SUBSET)


def summarise(
    episodes: Sequence[EpisodeRecord],
    legal_tools: Collection[str],
    catalog: Collection[str],
    products_of_place: Mapping[str, Collection[str]] | None = None,
) -> dict[str, MetricValue]:
    """Every metric of a run by name. The paper's partition is used when the run holds a scene's full bank.

    Args:
        episodes: Every episode of the run.
        legal_tools: Tool names of the scene.
        catalog: Product ids of the scene's catalog.
        products_of_place: For stores and display areas, the products that make them visible (``visibility.shows``).
    """
    subsets = partition_of_run([e.scene for e in episodes], [e.task for e in episodes])
    metrics = situated_metrics(frozenset(legal_tools), frozenset(catalog), products_of_place)
    return {metric.name: aggregate(metric, episodes, subsets) for metric in metrics}


def counts(episodes: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """How many episodes there are, by status and by end reason, names in alphabetical order."""
    by_status = Counter(episode.status for episode in episodes)
    by_end = Counter(episode.end_reason for episode in episodes)
    return {
        "episodes": len(episodes),
        "status": dict(sorted(by_status.items())),
        "end_reason": dict(sorted(by_end.items())),
    }
