"""Whole episodes over a spoiled connection: each ends as it would have, or with a typed renderer failure."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from fault_proxy import KINDS, FaultProxy

from siturec_gym.core.errors import RendererError
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.episode import RENDERER_FAULT, play
from siturec_gym.policies import make_assistant
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.unrealcv.mapping import Connection, Mapping
from siturec_gym.renderers.unrealcv.reading import load_mapping
from siturec_gym.scenes.scene import Scene
from siturec_gym.users import make_user

SIZE = (160, 120)
FACADES = {"supermarket": "siturec_gym.supermarket_v0", "home_furnishings": "siturec_gym.home_furnishings_v0"}


@pytest.fixture
def mapping(quick: Connection) -> Mapping:
    return load_mapping("ours").model_copy(update={"connection": quick})


def episode(env: Any, task: str) -> EpisodeRecord:
    return play(env, make_assistant("heuristic"), make_user("agenda"), task, seed=17)


@contextmanager
def unspoiled(proxy: FaultProxy) -> Iterator[None]:
    """For setting the store up, which is a thousand commands."""
    proxy.armed = False
    yield
    proxy.armed = True


def played(shop: Scene, proxy: FaultProxy, mapping: Mapping, faults: int) -> Counter[str]:
    """Episodes until so many faults have struck, each held against the same one without UnrealCV; ends by kind."""
    module = import_module(FACADES[shop.name])
    plain = module.env(image_size=SIZE)
    spoiled = module.env(
        image_size=SIZE, renderer="unrealcv", renderer_config={"mapping": mapping, "socket": proxy.endpoint}
    )
    ends: Counter[str] = Counter()
    with unspoiled(proxy):
        spoiled.reset(seed=0)
    for number in cycle(range(1, 26)):
        if len(proxy.faults) >= faults:
            break
        task = f"{shop.name}/{number:02d}.1"
        try:
            record = episode(spoiled, task)
        except RendererError:
            ends["not begun"] += 1
            continue
        ends[record.failure or record.status] += 1
        if record.failure is None:
            assert record == episode(plain, task)
        else:
            assert record.failure == RENDERER_FAULT
            assert (record.status, record.end_reason) == ("failed", "generation_failure")
            assert record.turns == episode(plain, task).turns[: len(record.turns)]
    spoiled.close()
    return ends


def test_episodes_over_a_spoiled_connection(shop, serve, between, mapping):
    proxy = between(serve(shop, *SIZE), seed=23, rate=0.05)
    ends = played(shop, proxy, mapping, faults=15)
    assert ends["complete"] >= 1
    assert set(ends) <= {"complete", RENDERER_FAULT, "not begun"}


@pytest.mark.long
def test_episodes_over_five_hundred_faults_in_each_store(shop, serve, between, mapping):
    proxy = between(serve(shop, *SIZE), seed=1000, rate=0.03)
    ends = played(shop, proxy, mapping, faults=500)
    assert {fault.kind for fault in proxy.faults} == set(KINDS)
    assert set(ends) <= {"complete", RENDERER_FAULT, "not begun"}
    assert ends["complete"] > 0.8 * ends.total()


def poses(scene: Scene) -> Iterator[tuple[float, float, float, float]]:
    rng = np.random.default_rng(6)
    while True:
        waypoint = scene.waypoints[int(rng.integers(len(scene.waypoints)))]
        yield waypoint.x, waypoint.y, float(rng.uniform(-180, 180)), float(rng.uniform(-30, 30))


@pytest.mark.long
def test_a_store_is_set_up_over_a_spoiled_connection(shop, serve, between, mapping):
    proxy = between(serve(shop, *SIZE), seed=5, rate=0.005)
    plain = make_renderer("embedded", shop, *SIZE)
    for _ in range(3):
        spoiled = make_renderer("unrealcv", shop, *SIZE, mapping=mapping, socket=proxy.endpoint)
        spoiled.connect()
        with unspoiled(proxy):
            assert np.array_equal(spoiled.render(shop.start_pose).ids, plain.render(shop.start_pose).ids)
            spoiled.close()
    assert len(proxy.faults) > 20


def test_no_picture_of_another_moment(supermarket, serve, between, mapping):
    """Poses and hidden items change at each step; what comes is the picture of that step, or an error."""
    proxy = between(serve(supermarket, *SIZE), seed=31, rate=0.05)
    spoiled = make_renderer("unrealcv", supermarket, *SIZE, mapping=mapping, socket=proxy.endpoint)
    plain = make_renderer("embedded", supermarket, *SIZE)
    with unspoiled(proxy):
        spoiled.connect()
    failed = 0
    for number, where in enumerate(poses(supermarket)):
        if len(proxy.faults) >= 30:
            break
        pose, item = Pose(*where), 1 + number * 37 % len(supermarket.instances)
        for renderer in (spoiled, plain):
            renderer.set_object(item, visible=number % 3 == 0)
        expected = plain.render(pose)
        try:
            seen = spoiled.render(pose)
        except RendererError:
            failed += 1
            continue
        assert np.array_equal(seen.rgb, expected.rgb)
        assert np.array_equal(seen.ids, expected.ids)
    spoiled.close()
    assert failed <= 5
