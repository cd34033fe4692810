"""``siturec prompts show``: the request of a turn as text and as JSON."""

import hashlib
import json

import pytest

from siturec_gym.cli.main import run_command_line
from siturec_gym.evaluation.prompt_preview import Preview, previewed
from siturec_gym.llm.messages import ImagePart

SMALL = ("--set", "assistant.image_side=160")


@pytest.fixture
def show(capsys):
    def run(*arguments):
        status = run_command_line(["prompts", "show", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_text_shows_every_word_and_names_the_pictures(show):
    status, out, _ = show("--role", "assistant", "--turn", "1", *SMALL)
    assert status == 0
    _, request = previewed(
        Preview("assistant", "SituRec-Supermarket-v0", turn=1, settings={"assistant.image_side": 160})
    )
    for message in request.messages:
        for part in message.parts:
            if isinstance(part, ImagePart):
                assert f"{len(part.data)} bytes, sha256 {hashlib.sha256(part.data).hexdigest()[:16]}]" in out
            else:
                assert part.text in out
    first, *_, last = out.strip().split("\n")
    assert first.startswith("== assistant, supermarket/01.1, turn 1, prompt ")
    assert last.startswith("== about ")
    assert out.count("[picture 160 x 120,") == 2


def test_json_holds_the_schema_and_all_that_a_reply_depends_on(show):
    _, out, _ = show(
        "--role", "user", "--task", "03.2", "--turn", "1", "--seed", "4", "--set", "user.images=0", "--json"
    )
    shown = json.loads(out)
    slot, request = previewed(Preview("user", "SituRec-Supermarket-v0", "03.2", 1, 4, settings={"user.images": 0}))
    assert (shown["task"], shown["episode_seed"], shown["seed"]) == (slot.task, slot.seed, request.seed)
    assert shown["schema"] == request.schema
    assert [m["role"] for m in shown["messages"]] == [m.role for m in request.messages]
    assert "".join(part["text"] for part in shown["messages"][1]["parts"]) == request.messages[1].text
    assert shown["decoding"]["max_tokens"] == 2048
    assert len(shown["prompt_hash"]) == 16


def test_pictures_in_json_are_named_by_size_and_content(show):
    _, out, _ = show("--role", "assistant", *SMALL, "--json")
    images = [part["image"] for message in json.loads(out)["messages"] for part in message["parts"] if "image" in part]
    assert [(image["width"], image["height"], image["media_type"]) for image in images] == [(160, 120, "image/png")] * 2
    assert all(len(image["sha256"]) == 64 for image in images)


def test_without_boxes_it_is_fit_for_any_terminal(show, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    _, narrow, _ = show("--role", "moderator", "--turn", "0")
    monkeypatch.setenv("COLUMNS", "200")
    assert show("--role", "moderator", "--turn", "0")[1] == narrow
    assert narrow.isascii()


def test_the_judge_is_shown_the_episode(show):
    status, out, _ = show("--role", "judge")
    assert status == 0
    assert out.startswith("== judge, supermarket/01.1, after the episode, prompt ")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--role", "clerk"), "unknown role 'clerk'; choose from assistant, user, moderator, judge"),
        (("--role", "assistant", "--env", "X"), "unknown environment 'X'"),
        (("--role", "assistant", "--set", "images=0"), "--set takes ROLE.NAME=VALUE"),
        (("--role", "assistant", "--set", "assistant.sight=0"), "no such setting"),
        (("--role", "assistant", "--turn", "20", "--set", "assistant.images=0"), "is not asked in turn 20"),
    ],
)
def test_mistakes_are_one_line_and_status_2(show, arguments, problem):
    status, out, err = show(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert problem in err
