"""Vector environments of the learners' form: every autoreset mode, metrics at the end, sixteen at once, flat memory."""

import gc
import tracemalloc
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import siturec_gym  # noqa: F401  registers the environments
from siturec_gym.wrappers import DiscreteAssistantActions, TokenizeText, VectorFeatures
from siturec_gym.wrappers.structured.intents import INTENTS

ENV_ID = "SituRec-Supermarket-v0"
LEARNERS_FORM = (DiscreteAssistantActions, VectorFeatures)
MODES = [("sync", mode) for mode in AutoresetMode] + [("async", mode) for mode in AutoresetMode]


def make(
    count: int, vectorization: Any = "sync", mode: AutoresetMode = AutoresetMode.NEXT_STEP, **keywords: Any
) -> Any:
    return gym.make_vec(
        ENV_ID,
        num_envs=count,
        vectorization_mode=vectorization,
        vector_kwargs={"autoreset_mode": mode},
        wrappers=LEARNERS_FORM,
        **{"images": False, "tasks": "train", **keywords},
    )


def asking(count: int) -> Any:
    """Everybody asks about a budget, whatever is going on."""
    return np.tile([INTENTS.index("ask_budget"), 0, 0], (count, 1))


@pytest.mark.parametrize(("vectorization", "mode"), MODES)
def test_the_final_info_holds_the_metrics_in_every_mode(vectorization: Any, mode: AutoresetMode) -> None:
    vector = make(2, vectorization, mode, max_cycles=2)
    vector.reset(seed=1)
    vector.step(asking(2))
    observations, _, terminated, truncated, infos = vector.step(asking(2))
    over = terminated | truncated
    assert over.all()
    final = infos["final_info"] if mode == AutoresetMode.SAME_STEP else infos
    assert final["end_reason"].tolist() == ["turn_limit"] * 2
    metrics = final["episode_metrics"]
    assert metrics["Turn"].tolist() == [2.0, 2.0]
    assert metrics["SR"].tolist() == metrics["RPR"].tolist() == [0.0, 0.0]
    assert metrics["_SR"].all()
    assert not metrics.get("_RPR|Cart", np.zeros(2)).any()  # undefined without a purchase: left out
    if mode == AutoresetMode.SAME_STEP:
        assert vector.single_observation_space.contains(infos["final_obs"][0])
    turn = observations[:, 0]
    assert turn.tolist() == pytest.approx([0.0 if mode == AutoresetMode.SAME_STEP else 1.0] * 2)
    if mode == AutoresetMode.DISABLED:
        observations, _ = vector.reset(options={"reset_mask": over})
    elif mode == AutoresetMode.NEXT_STEP:
        observations, *_ = vector.step(asking(2))
    assert observations[:, 0].tolist() == [0.0, 0.0]
    vector.close()


def test_sixteen_together_are_sixteen_alone() -> None:
    vector = make(16)
    together = [vector.reset(seed=list(range(100, 116)))[0]]
    masks = vector.call("action_masks")
    assert {mask.shape for mask in masks} == {(len(INTENTS) + 29 + 8,)}
    for _ in range(3):
        together.append(vector.step(asking(16))[0])
    vector.close()
    for number in (0, 7, 15):
        alone = VectorFeatures(DiscreteAssistantActions(gym.make(ENV_ID, images=False, tasks="train")))
        rows = [alone.reset(seed=100 + number)[0]]
        rows += [alone.step(asking(1)[0])[0] for _ in range(3)]
        assert np.array_equal(np.stack(rows), np.stack([step[number] for step in together]))


def test_tokens_go_through_shared_memory() -> None:
    vector = gym.make_vec(
        ENV_ID,
        num_envs=2,
        vectorization_mode="async",
        wrappers=(DiscreteAssistantActions, TokenizeText),
        images=False,
    )
    vector.reset(seed=3)
    observations, *_ = vector.step(asking(2))
    assert observations["history"].shape == (2, 1024)
    assert observations["history"].any(axis=1).all()
    vector.close()


@pytest.mark.long
def test_memory_stays_flat_over_three_hundred_episodes() -> None:
    """The same episodes again and again leave nothing behind; what is remembered of new texts is bounded by count.

    benchmarks/wrapped.py --memory 10000 looks at new episodes all the time, in sixteen environments.
    """
    vector = make(4)

    def play() -> int:
        vector.reset(seed=0)
        vector.action_space.seed(0)
        ends = 0
        for _ in range(40):
            *_, terminated, truncated, _ = vector.step(vector.action_space.sample())
            ends += int((terminated | truncated).sum())
        gc.collect()
        return ends

    play()
    play()
    tracemalloc.start()
    play()
    play()
    before, _ = tracemalloc.get_traced_memory()
    episodes = sum(play() for _ in range(20))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    vector.close()
    assert episodes >= 300
    assert after - before < 2**17
