"""Numbers that describe a turn to a learner: groups of columns, each within [-1, 1], all from what an assistant knows.

Angles are given as sine and cosine of the bearing (positive sine is left), distances as a fraction of a longest one,
prices on a logarithmic scale that reaches 1 at ``DEAREST`` dollars. What is absent is 0.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.policies.guidance import at_stand
from siturec_gym.policies.heuristic.beliefs import knows_category
from siturec_gym.policies.knowledge import Item, Stand, Store
from siturec_gym.wrappers.structured.outlook import Outlook
from siturec_gym.wrappers.structured.questions import TOPICS

FAR_M = 30.0
NEAR_M = 8.0
DEAREST = 100.0
WIDEST_GAP = 10.0
Values = Sequence[float]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """What the columns of one environment are about.

    Attributes:
        tools: Names of the user's tools.
        places: Names of the places, in the order of the location index.
        categories: Categories of the catalog, in its order.
        candidates: How many candidates are described.
        marks: How many of the nearest visible products are described.
        turn_limit: Turns of an episode.
        bounds_m: x0, y0, x1, y1 of the store.
    """

    tools: tuple[str, ...]
    places: tuple[str, ...]
    categories: tuple[str, ...]
    candidates: int
    marks: int
    turn_limit: int
    bounds_m: tuple[float, float, float, float]


@dataclass(frozen=True)
class Group:
    """Columns that belong together: their names, and their values in a turn."""

    names: Callable[[Layout], Iterable[str]]
    values: Callable[[Outlook, Layout], Values]


def names_of(layout: Layout) -> tuple[str, ...]:
    """The name of each column."""
    return tuple(name for group in GROUPS for name in group.names(layout))


def values_of(outlook: Outlook, layout: Layout) -> NDArray[np.float32]:
    """The columns' values, clipped to [-1, 1]."""
    row: list[float] = []
    for group in GROUPS:
        row.extend(group.values(outlook, layout))
    return np.clip(np.array(row, np.float32), -1.0, 1.0)


def _progress(outlook: Outlook, layout: Layout) -> Values:
    situation, (x0, y0, x1, y1) = outlook.situation, layout.bounds_m
    pose, yaw = situation.pose, math.radians(situation.pose.yaw_deg)
    return (
        situation.turn / layout.turn_limit,
        situation.recommendations_left / 3,
        float(situation.recommendations_left == 1),
        (pose.x - x0) / (x1 - x0),
        (pose.y - y0) / (y1 - y0),
        math.sin(yaw),
        math.cos(yaw),
        pose.pitch_deg / 60,
    )


_PROGRESS = (
    "turn", "recommendations_left", "last_recommendation", "pose.x", "pose.y", "pose.yaw.sin", "pose.yaw.cos",
    "pose.pitch",
)  # fmt: skip
_HELD = ("any", "share", "gap", "price", "over_budget", "offered", "rejected")


def _held(outlook: Outlook, _: Layout) -> Values:
    held = outlook.situation.held_item
    return (0.0,) * len(_HELD) if held is None else (1.0, *_worth(outlook, held))


def _worth(outlook: Outlook, item: Item) -> Values:
    """What was heard against the item: share, gap to the best, price, over budget, offered, rejected."""
    conversation, standing = outlook.conversation, outlook.standing
    belief = conversation.belief
    limit = min(math.inf if belief.budget is None else belief.budget, belief.dearest)
    return (
        standing.share_of(item.id),
        min(1.0, standing.gap_of(item.id) / WIDEST_GAP),
        _price(item.price),
        float(item.price > limit + 1e-9),
        float(item.id in conversation.offered),
        float(item.id in belief.rejected),
    )


@lru_cache(maxsize=4096)
def _price(dollars: float) -> float:
    return math.log1p(dollars) / math.log1p(DEAREST)


_REPLY = (
    "refused", "accepts", "rejects", "too_dear", "no_more", "lost", "leaves", "asks", "asks.price", "asks.compare",
    "asks.reason", "mentions", "gives_budget",
)  # fmt: skip


def _reply(outlook: Outlook, layout: Layout) -> Values:
    heard, line = outlook.conversation.heard, outlook.situation.last_user
    questions = heard.questions
    return (
        *(float(outlook.conversation.tool == tool) for tool in layout.tools),
        float(line is not None and line["refusal"] is not None),
        float(heard.accepts),
        float(heard.rejects),
        float(heard.too_dear),
        float(heard.no_more),
        float(heard.lost),
        float(heard.leaves),
        float(bool(questions or heard.asked)),
        float("price" in questions or "cheaper" in questions),
        float("compare" in questions),
        float("reason" in questions),
        len(heard.mentions) / 4,
        float(heard.budget is not None),
    )


def _topics(outlook: Outlook, _: Layout) -> Values:
    asked, closed = outlook.conversation.asked, outlook.conversation.closed
    row: list[float] = []
    for topic in TOPICS:
        row += (asked.count(topic) / 2, float(topic in closed), float(bool(asked) and asked[-1] == topic))
    return row


_BELIEF = (
    "knows_category", "knows_budget", "budget", "wanted", "unwanted", "rejected", "serious", "offered", "questions",
    "refusals", "searches",
)  # fmt: skip


def _belief(outlook: Outlook, _: Layout) -> Values:
    conversation = outlook.conversation
    belief = conversation.belief
    wanted = sum(mention.wanted for mention in belief.mentions)
    return (
        float(knows_category(belief)),
        float(belief.budget is not None),
        0.0 if belief.budget is None else _price(belief.budget),
        wanted / 8,
        (len(belief.mentions) - wanted) / 8,
        len(belief.rejected) / 4,
        outlook.standing.serious / 20,
        len(conversation.offered) / 8,
        sum(map(bool, conversation.asked)) / 10,
        conversation.refusals / 5,
        conversation.searches / 6,
    )


_CANDIDATE = (
    "share", "gap", "price", "over_budget", "offered", "rejected", "visible", "reachable", "distance", "bearing.sin",
    "bearing.cos", "at_shelf", "shelf.visible", "shelf.distance", "shelf.bearing.sin", "shelf.bearing.cos",
)  # fmt: skip


def _candidates(outlook: Outlook, layout: Layout) -> Values:
    row: list[float] = []
    for item in outlook.candidates[: layout.candidates]:
        mark, stand = outlook.situation.product_marks.get(item.id), outlook.stand_of(item)
        row += _worth(outlook, item)
        row += (float(mark is not None), float(outlook.reachable(item)), *_where(mark, NEAR_M))
        row += (0.0,) * 5 if stand is None else _shelf(outlook, stand)
    return _padded(row, layout.candidates * len(_CANDIDATE))


def _where(mark: Mapping[str, Any] | None, longest_m: float) -> Values:
    if mark is None:
        return (0.0, 0.0, 0.0)
    bearing = math.radians(mark["bearing_deg"])
    return min(1.0, mark["distance_m"] / longest_m), math.sin(bearing), math.cos(bearing)


def _shelf(outlook: Outlook, stand: Stand) -> Values:
    situation = outlook.situation
    x, y, _ = situation.store.places[stand.place].approaches[stand.side]
    dx, dy = x - situation.pose.x, y - situation.pose.y
    bearing = math.atan2(dy, dx) - math.radians(situation.pose.yaw_deg)
    return (
        float(at_stand(situation, stand)),
        float(stand.place in situation.place_marks),
        math.hypot(dx, dy) / FAR_M,
        math.sin(bearing),
        math.cos(bearing),
    )


_PLACE = ("visible", "distance", "bearing.sin", "bearing.cos", "share")


def _places(outlook: Outlook, _: Layout) -> Values:
    situation = outlook.situation
    xs, ys = _centres(situation.store)
    dx, dy = xs - situation.pose.x, ys - situation.pose.y
    bearing = np.arctan2(dy, dx) - math.radians(situation.pose.yaw_deg)
    marks = situation.place_marks
    table = np.empty((len(xs), len(_PLACE)))
    table[:, 0] = [place in marks for place in situation.store.places]
    table[:, 1] = np.hypot(dx, dy) / FAR_M
    table[:, 2], table[:, 3] = np.sin(bearing), np.cos(bearing)
    table[:, 4] = outlook.standing.places
    row: list[float] = table.ravel().tolist()
    return row


@lru_cache(maxsize=8)
def _centres(store: Store) -> tuple[Array, Array]:
    places = store.places.values()
    return np.array([place.x for place in places]), np.array([place.y for place in places])


def _categories(outlook: Outlook, _: Layout) -> Values:
    return outlook.standing.categories


_MARK = ("distance", "bearing.sin", "bearing.cos", "reachable", "share", "gap", "price")


def _nearest(outlook: Outlook, layout: Layout) -> Values:
    situation = outlook.situation
    marks = sorted(situation.product_marks.items(), key=lambda pair: (pair[1]["distance_m"], pair[0]))
    row: list[float] = []
    for product, mark in marks[: layout.marks]:
        share, gap, price, *_ = _worth(outlook, situation.store.by_id[product])
        row += (*_where(mark, NEAR_M), float(mark["reachable"]), share, gap, price)
    return _padded(row, layout.marks * len(_MARK))


def _padded(row: list[float], length: int) -> Values:
    return row + [0.0] * (length - len(row))


def _table(title: str, rows: Iterable[object], columns: Sequence[str]) -> list[str]:
    return [f"{title}[{row}].{column}" for row in rows for column in columns]


GROUPS = (
    Group(lambda _: _PROGRESS, _progress),
    Group(lambda _: [f"held.{name}" for name in _HELD], _held),
    Group(lambda layout: [*(f"reply.{tool}" for tool in layout.tools), *(f"reply.{name}" for name in _REPLY)], _reply),
    Group(lambda _: _table("topic", TOPICS, ("asked", "closed", "open")), _topics),
    Group(lambda _: [f"belief.{name}" for name in _BELIEF], _belief),
    Group(lambda layout: _table("candidate", range(layout.candidates), _CANDIDATE), _candidates),
    Group(lambda layout: _table("place", layout.places, _PLACE), _places),
    Group(lambda layout: [f"category[{name}]" for name in layout.categories], _categories),
    Group(lambda layout: _table("mark", range(layout.marks), _MARK), _nearest),
)
