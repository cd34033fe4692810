"""What ``siturec prompts show`` prints is what a run sends, byte for byte."""

from typing import Any

import pytest
from dictated import Dictated
from prompt_reader import reply

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.evaluation import player
from siturec_gym.evaluation.environments import make_env
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.player import Player, views_for
from siturec_gym.evaluation.prompt_preview import Preview, previewed, prompt_hash
from siturec_gym.evaluation.roles import describe_roles
from siturec_gym.evaluation.slots import slots
from siturec_gym.judges.llm_conversation import LLMConversationJudge
from siturec_gym.llm import ScriptedClient
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.structured import Asker
from siturec_gym.users import make_user

SUPERMARKET, HOME = "SituRec-Supermarket-v0", "SituRec-HomeFurnishings-v0"
TEXT = {"assistant.images": 0, "assistant.utterance_chars": 512, "assistant.reason_chars": 256}


@pytest.mark.parametrize("ablation", [None, "without_view_and_caption"])
def test_the_first_turn_is_the_one_that_a_run_sends(monkeypatch: Any, tmp_path: Any, ablation: str | None) -> None:
    client = ScriptedClient(reply)
    monkeypatch.setattr(player, "askers_of", lambda names, models: {"assistant": Asker(client)})
    settings = {"assistant.images": 1, "assistant.image_side": 160, "assistant.temperature": 0.5}
    config = RunConfig(SUPERMARKET, "llm:x", "agenda", seed=4, ablation=ablation, settings=settings)
    (slot,) = slots(["supermarket/03.2"], 1, 4)
    Player(config, tmp_path)(slot)
    shown, request = previewed(Preview("assistant", SUPERMARKET, "03.2", 0, 4, ablation=ablation, settings=settings))
    assert shown == slot
    assert request == client.requests[0]


@pytest.mark.parametrize(("env", "task"), [(SUPERMARKET, "supermarket/02.1"), (HOME, "home_furnishings/02.1")])
def test_every_later_turn_is_the_one_that_a_run_with_that_history_sends(env: str, task: str) -> None:
    config = RunConfig(env, "llm:x", "agenda", settings=TEXT)
    (slot,) = slots([task], 1, 0)
    dictated = Dictated(RoleSettings(images=0, utterance_chars=512, reason_chars=256))
    record = play(
        make_env(env, **(views_for(config) or {"images": False})), dictated, make_user("agenda"), task, slot.seed
    )
    assert len(record.turns) == len(dictated.client.requests) > 3
    for turn, sent in enumerate(dictated.client.requests):
        assert previewed(Preview("assistant", env, task, turn, settings=TEXT))[1] == sent


def test_earlier_views_are_shown_as_a_run_sends_them() -> None:
    settings = TEXT | {"assistant.images": 2, "assistant.image_side": 160}
    config = RunConfig(SUPERMARKET, "llm:x", "agenda", settings=settings)
    (slot,) = slots(["supermarket/01.1"], 1, 0)
    dictated = Dictated(RoleSettings(images=2, image_side=160, utterance_chars=512, reason_chars=256))
    play(make_env(SUPERMARKET, **views_for(config)), dictated, make_user("agenda"), slot.task, slot.seed)
    assert (
        previewed(Preview("assistant", SUPERMARKET, slot.task, 2, settings=settings))[1] == dictated.client.requests[2]
    )


def test_the_user_is_asked_with_its_private_goal_and_the_assistant_without() -> None:
    def asked(role: str) -> str:
        _, request = previewed(Preview(role, SUPERMARKET, turn=1, settings={f"{role}.images": 0}))
        return "".join(message.text for message in request.messages)

    private = "what you pay at most ($2)"
    assert private in asked("user")
    assert private not in asked("assistant")


def test_the_moderator_is_shown_the_exchange_of_the_turn_and_the_judge_the_whole_episode() -> None:
    _, moderated = previewed(Preview("moderator", SUPERMARKET, turn=1))
    assert moderated.messages[1].text.count("\nAssistant:") == 2
    slot, judged = previewed(Preview("judge", SUPERMARKET, trial=1, settings={"judge.max_tokens": 99}))
    assert "Rate the assistant now." in judged.messages[1].text
    assert (judged.decoding.max_tokens, judged.trial, judged.seed) == (99, 1, slot.seed)


def test_the_hash_is_that_of_manifests_and_judgments() -> None:
    for role in ("assistant", "user", "moderator"):
        kept = describe_roles({role: "llm:x"}, {f"{role}.temperature": 0.5})[role]["prompt_hash"]
        assert prompt_hash(Preview(role, SUPERMARKET, settings={f"{role}.temperature": 0.5})) == kept
    assert prompt_hash(Preview("judge", SUPERMARKET)) == LLMConversationJudge(ScriptedClient(())).prompt_hash


@pytest.mark.parametrize(
    ("preview", "problem"),
    [
        (Preview("clerk", SUPERMARKET), "unknown role 'clerk'; choose from assistant, user, moderator, judge"),
        (Preview("assistant", "X-v0"), "unknown environment 'X-v0'"),
        (Preview("assistant", SUPERMARKET, "99.9"), "99.9"),
        (Preview("assistant", SUPERMARKET, "0:3"), "--task takes the id of one task, such as supermarket/01.1"),
        (Preview("assistant", SUPERMARKET, turn=20, settings=TEXT), "is not asked in turn 20: the scripted episode of"),
        (Preview("moderator", SUPERMARKET, turn=20), "the moderator is not asked in turn 20"),
        (Preview("assistant", SUPERMARKET, ablation="blind"), "ablation: expected none or one of"),
        (Preview("assistant", SUPERMARKET, settings={"assistant.images": -1}), "images must be 0 or more"),
    ],
)
def test_what_cannot_be_shown_is_one_line(preview: Preview, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        previewed(preview)


def test_a_context_that_is_too_small_is_told_as_such() -> None:
    with pytest.raises(ContextOverflowError, match="a context of 8000 leaves 5952"):
        previewed(Preview("assistant", SUPERMARKET, settings=TEXT | {"assistant.context_tokens": 8000}))
