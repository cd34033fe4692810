"""Metrics of the four dimensions: plain functions of recorded episodes, and their aggregation."""

from siturec_gym.metrics.aggregate import Metric, MetricValue, aggregate, counts, situated_metrics, summarise
from siturec_gym.metrics.partition import partition
from siturec_gym.metrics.score import Score

__all__ = ["Metric", "MetricValue", "Score", "aggregate", "counts", "partition", "situated_metrics", "summarise"]
