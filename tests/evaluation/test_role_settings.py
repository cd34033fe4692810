"""Settings of roles that models play: how they are typed, and what is refused (S24)."""

import pytest

from siturec_gym.evaluation.role_settings import check_roles_of, read_settings, settings_of
from siturec_gym.evaluation.roles import model_settings
from siturec_gym.llm.messages import Decoding


def test_a_value_is_json_none_or_a_text():
    typed = ["assistant.temperature=0.7", "user.top_p=none", 'user.extra={"top_k": 5}', "moderator.extra=a=b"]
    assert read_settings(typed) == {
        "assistant.temperature": 0.7,
        "user.top_p": None,
        "user.extra": {"top_k": 5},
        "moderator.extra": "a=b",
    }


def test_of_two_values_the_last_holds():
    assert read_settings(["user.images=0", "user.images=2"]) == {"user.images": 2}


@pytest.mark.parametrize("word", ["temperature=1", "user.images", "user.=1", ".images=1", ""])
def test_another_form_is_one_clear_line(word):
    with pytest.raises(ValueError, match=r"--set takes ROLE.NAME=VALUE, such as assistant.temperature=0.7; got "):
        read_settings([word])


def test_each_role_gets_its_own_and_the_rest_is_as_usual():
    given = {"assistant.temperature": 1, "assistant.images": 3, "user.max_tokens": 99}
    assistant, user = settings_of("assistant", given), settings_of("user", given)
    assert (assistant.decoding.temperature, assistant.images) == (1.0, 3)
    assert type(assistant.decoding.temperature) is float
    assert (user.decoding, user.images) == (Decoding(max_tokens=99), 1)


def test_moderator_and_judge_keep_their_own_decoding_where_nothing_is_said():
    given = {"moderator.top_p": 0.5, "judge.temperature": 0.3}
    moderator, judge = (model_settings(role, given).decoding for role in ("moderator", "judge"))
    assert (moderator.top_p, moderator.max_tokens, moderator.temperature) == (0.5, 512, 0.0)
    assert judge.temperature == 0.3


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("user.colour", 1, "--set user.colour: no such setting; there are temperature, top_p, max_tokens"),
        ("user.images", "two", "--set user.images: Input should be a valid integer"),
        ("user.images", True, "--set user.images: Input should be a valid integer"),
        ("user.images", -1, "--set user: images must be 0 or more, got -1"),
        ("user.temperature", 3, "--set user: temperature must be from 0 to 2, got 3"),
        ("user.decoding", {}, "--set user.decoding: no such setting"),
        ("user.context_tokens", 2048, "--set user: a context of 2048 tokens leaves a prompt no room beside max_tokens"),
        ("judge.extra", {"stream": True, "model": "x"}, "--set judge: extra must not hold model, stream: "),
        ("moderator.images", 1, "--set moderator.images: no such setting"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(name, value, message):
    with pytest.raises(ValueError, match=message):
        model_settings(name.partition(".")[0], {name: value})


NAMES = {"assistant": "llm:a", "user": "agenda", "moderator": "none"}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("user.images", "--set user.images: the user 'agenda' is no model, so it has no settings"),
        ("judge.seed", "--set judge.seed: no role 'judge' here; roles: assistant, user, moderator"),
    ],
)
def test_a_setting_that_would_change_nothing_is_refused(setting, message):
    check_roles_of({"assistant.images": 0}, NAMES, ["assistant"])
    with pytest.raises(ValueError, match=message):
        check_roles_of({setting: 0}, NAMES, ["assistant"])
