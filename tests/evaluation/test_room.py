"""A context that has no room for the first request of a run is found before the run begins (S24)."""

from dataclasses import replace

import pytest

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.evaluation import room
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.room import check_room
from siturec_gym.evaluation.task_selection import bank_for

CONFIG = RunConfig("SituRec-HomeFurnishings-v0", "llm:tiny", "llm:small", "llm:tiny")
WIDE = 100_000


def check(**lengths: int) -> None:
    bank = bank_for(":", CONFIG.env)
    settings = {f"{role}.context_tokens": length for role, length in lengths.items()}
    check_room(replace(CONFIG, settings=settings), bank.tasks[3], bank)


def test_contexts_that_are_large_enough_pass():
    check(assistant=WIDE, user=WIDE)


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ({"assistant": 8192}, "assistant 'tiny' .*; a context of 8192 leaves 6144 beside the reply"),
        ({"assistant": WIDE, "user": 3000}, "user 'small' .*; a context of 3000 leaves 952 beside the reply"),
        ({"user": 3000}, "user 'small'"),
    ],
)
def test_a_context_that_is_too_small_is_told_with_its_role(lengths, message):
    with pytest.raises(ContextOverflowError, match=message) as caught:
        check(**lengths)
    assert "\n" not in str(caught.value)


def test_the_least_context_that_passes_is_the_one_that_the_message_tells():
    with pytest.raises(ContextOverflowError) as caught:
        check(assistant=8192)
    needed = int(str(caught.value).split("about ")[1].split()[0])
    check(assistant=needed + 2048)
    with pytest.raises(ContextOverflowError):
        check(assistant=needed + 2047)


def test_without_a_known_length_no_store_is_built(monkeypatch):
    monkeypatch.setattr(room, "make_env", None)
    check()
