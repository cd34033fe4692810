"""The evaluation loop: order, seeds, failures of a role (S3); generation failures stay in every N."""

import pytest

from siturec_gym.core.errors import (
    ContextOverflowError,
    DataError,
    DeterministicModelError,
    JudgeError,
    ModelError,
    RendererError,
    ReplyError,
    RunError,
    TransientModelError,
)
from siturec_gym.core.records import from_json, to_json
from siturec_gym.core.seeding import role_seed
from siturec_gym.evaluation.episode import play

TASK = "supermarket/01.1"


def test_two_policies_play_to_the_end(env, script, talk, wait, buy):
    record = play(env, script([talk]), script([wait, buy]), TASK, seed=5, trial=2)
    assert (record.status, record.end_reason, record.cart) == ("complete", "success_cart_added", ("P001",))
    assert [turn.user.utterance for turn in record.turns] == ["Hm.", "I take it."]
    assert (record.task, record.trial, record.seed) == (TASK, 2, 5)


def test_each_role_has_its_own_seed(env, script, talk, wait):
    assistant, user = script([talk]), script([wait])
    play(env, assistant, user, TASK, seed=5)
    assert assistant.seeds == [role_seed(5, "assistant")]
    assert user.seeds == [role_seed(5, "user")]
    assert assistant.seeds != user.seeds


def test_a_role_that_fails_ends_the_episode_and_keeps_the_turns_before(env, script, talk, wait):
    record = play(env, script([talk]), script([wait, ModelError("no\nanswer")]), TASK, seed=0)
    assert (record.status, record.end_reason) == ("failed", "generation_failure")
    assert record.error == "user: ModelError: no answer"
    assert len(record.turns) == 1


def test_a_bug_in_a_role_and_a_wrong_action_are_failures_of_that_role(env, script, talk, wait):
    assert play(env, script([KeyError("x")]), script([wait]), TASK, 0).error == "assistant: KeyError: 'x'"
    assert "not an action: 'hello'" in (play(env, script(["hello"]), script([wait]), TASK, 0).error or "")


def test_a_failing_start_is_a_failure_too(env, script, talk, wait):
    broken = script([talk])
    broken.initial_state = lambda seed: 1 / 0
    assert play(env, broken, script([wait]), TASK, 0).status == "failed"


def test_broken_data_stops_the_run_and_is_no_failure_of_a_role(env, script, wait):
    with pytest.raises(DataError):
        play(env, script([DataError("changed")]), script([wait]), TASK, 0)


def test_a_failing_renderer_ends_the_episode_and_is_no_failure_of_a_role(env, script, talk, wait):
    step, left = env.step, iter(range(2))

    def fail_in_the_third(action):
        if next(left, None) is None:
            raise RendererError("no\npicture")
        step(action)

    env.step = fail_in_the_third
    record = play(env, script([talk]), script([wait]), TASK, 0)
    assert (record.status, record.end_reason, record.failure) == ("failed", "generation_failure", "renderer error")
    assert record.error == "renderer: no picture"
    assert len(record.turns) == 1


def test_a_renderer_that_fails_after_the_end_changes_nothing(env, script, talk, buy):
    last = env.last

    def fail_when_over():
        if env.over:
            raise RendererError("no picture")
        return last()

    env.last = fail_when_over
    record = play(env, script([talk]), script([buy]), TASK, 0)
    assert (record.status, record.end_reason, record.failure) == ("complete", "success_cart_added", None)


def test_a_renderer_that_fails_before_the_first_view_is_its_error(env, script, talk, wait):
    def fail(**_):
        raise RendererError("no picture")

    env.reset = fail
    with pytest.raises(RendererError, match="no picture"):
        play(env, script([talk]), script([wait]), TASK, 0)


def test_ctrl_c_is_never_taken_for_a_failure(env, script, talk, wait):
    class Interrupt:
        initial_state = staticmethod(lambda seed: 0)

        def step(self, observation, state):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(env, Interrupt(), script([wait]), TASK, 0)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (TransientModelError("down"), "user transient"),
        (ReplyError("no JSON"), "user parse"),
        (ContextOverflowError("too long"), "user overflow"),
        (ModelError("odd"), "user model"),
        (KeyError("x"), "user error"),
    ],
)
def test_the_record_names_role_and_kind_of_a_failure(env, script, talk, error, failure):
    assert play(env, script([talk]), script([error]), TASK, 0).failure == failure


def test_a_moderator_that_fails_is_a_failure_of_its_own(env, script, talk, wait):
    def fail(action):
        raise JudgeError("no verdict") from DeterministicModelError("wrong key")

    env.step = fail
    record = play(env, script([talk]), script([wait]), TASK, 0)
    assert (record.failure, record.error) == ("moderator deterministic", "moderator: JudgeError: no verdict")


def test_a_full_disk_is_no_failure_of_a_role(env, script, talk):
    with pytest.raises(RunError):
        play(env, script([talk]), script([RunError("cache folder is full")]), TASK, 0)


def test_usage_is_kept_by_turn_and_an_unfinished_turn_counts_for_the_episode(env, script, talk, wait):
    readings = iter([{"user_requests": 1.0}, {"user_requests": 2.0, "judge_requests": 1.0}])
    record = play(env, script([talk]), script([wait, ModelError("gone")]), TASK, 0, take_usage=lambda: next(readings))
    assert [turn.usage for turn in record.turns] == [{"user_requests": 1.0}]
    assert record.usage == {"judge_requests": 1.0, "user_requests": 3.0}


def test_frames_are_kept_once_a_turn(env, script, talk, wait):
    record = play(env, script([talk]), script([wait]), TASK, 0, save_frame=lambda rgb: f"hash{rgb[0, 0, 0]}")
    assert [turn.frame for turn in record.turns] == ["hash0", "hash1", "hash2"]


class _UnspeakableError(Exception):
    def __str__(self):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("a\n\u2028b\ud800"), "assistant: ValueError: a b?"),
        (ValueError("x" * 10**6), "assistant: ValueError: " + "x" * 1997 + "..."),
        (_UnspeakableError(), "assistant: _UnspeakableError: (its text cannot be had: ZeroDivisionError)"),
    ],
)
def test_whatever_a_role_raises_can_be_kept(env, script, wait, error, told):
    record = play(env, script([error]), script([wait]), TASK, 0)
    assert record.error == told
    assert from_json(to_json(record)) == record
