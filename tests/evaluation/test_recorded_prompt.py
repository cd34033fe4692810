"""What ``siturec prompts show --run`` prints is what a server was sent in that turn, byte for byte."""

import hashlib
import json
import random
from base64 import b64decode
from dataclasses import replace
from typing import Any

import pytest
from schema_reply import reply_to

from siturec_gym.cli.main import run_command_line
from siturec_gym.core.errors import ContextOverflowError, DataError, RunError
from siturec_gym.core.records import to_json
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.recorded_prompt import RecordedTurn, recorded_request
from siturec_gym.evaluation.run_store import read_episodes
from siturec_gym.evaluation.runner import plan, run
from siturec_gym.llm.chat_form import request_body

SUPERMARKET, HOME = "SituRec-Supermarket-v0", "SituRec-HomeFurnishings-v0"
ROLES = ("assistant", "user", "moderator")
SMALL = {"assistant.images": 2, "assistant.image_side": 160, "user.image_side": 120, "user.temperature": 0.5,
         "assistant.seed": 3, "user.seed": 3}  # fmt: skip
UNSEEING = {"assistant.images": 0, "user.images": 0}


class Talk:
    """Answers with whatever the schema allows; one reply in four is of no use at first. Nobody buys or goes home."""

    def __init__(self, *, over_after: int = 5, fails: Any = None) -> None:
        self.over_after, self.fails, self.moderated, self.spoilt = over_after, fails, 0, 0
        self.sent: dict[str, list[dict[str, Any]]] = {role: [] for role in ROLES}

    def __call__(self, number: int, body: dict[str, Any]) -> Any:
        role, schema = body["model"], body["response_format"]["json_schema"]["schema"]
        again = len(body["messages"]) > 2
        if not again:
            self.sent[role].append(body)
        if self.fails == (role, len(self.sent[role])):
            return 401, {"error": {"message": "no such key"}}, {}
        if role == "moderator":
            self.moderated += 1
            return json.dumps({"reason": "so", "over": "yes" if self.moderated % self.over_after == 0 else "no"})
        if not again and number % 4 == 1:
            self.spoilt += 1
            return "I would rather not."
        return reply_to(schema, random.Random(number))


@pytest.fixture
def played(server, tmp_path):
    """Plays a run whose roles are models; its folder, its episodes and the bodies that the server got first."""

    def play(
        env: str = SUPERMARKET, talk: Talk | None = None, later: Any = None, **changes: Any
    ) -> tuple[Any, Any, Talk]:
        server.models, server.script = list(ROLES), talk or Talk()
        config = RunConfig(env, *(f"llm:{role}" for role in ROLES), tasks="0:1", settings=dict(UNSEEING))
        folder = tmp_path / "run"
        planned = plan(replace(config, **changes), ModelSettings(base_url=server.url, timeout_s=5.0))
        settings = planned.config.settings | dict(later or {})
        run(replace(planned, config=replace(planned.config, settings=settings)), folder)
        return folder, read_episodes(folder), server.script

    return play


@pytest.mark.parametrize(
    ("env", "changes"),
    [
        (SUPERMARKET, {"settings": SMALL}),
        (HOME, {"settings": SMALL | {"assistant.map_image": False}, "seed": 7, "save_frames": True}),
        (SUPERMARKET, {"ablation": "without_view_and_caption"}),
        (HOME, {"ablation": "without_egocentric_view", "settings": SMALL}),
        (SUPERMARKET, {"tasks": "train:1", "trials": 2}),
    ],
)
def test_every_turn_of_every_role_is_the_one_that_was_sent(played, env, changes):
    folder, episodes, talk = played(env, **changes)
    shown: dict[str, list[dict[str, Any]]] = {role: [] for role in ROLES}
    for episode in episodes:
        assert episode.end_reason in ("moderator_ended", "success_cart_added", "recommendation_exhausted")
        for turn in range(len(episode.turns)):
            for role in ROLES:
                if role == "moderator" and episode.end_reason != "moderator_ended" and turn == len(episode.turns) - 1:
                    continue  # something else ended it
                wanted = RecordedTurn(folder, role, episode.task, turn, episode.trial)
                slot, _, request = recorded_request(wanted)
                assert (slot.task, slot.trial, slot.seed) == (episode.task, episode.trial, episode.seed)
                shown[role].append(request_body(role, request))
    assert len(shown["user"]) > 2
    assert talk.spoilt > 0
    for role in ROLES:
        assert [json.dumps(body) for body in shown[role]] == [json.dumps(body) for body in talk.sent[role]]


@pytest.mark.parametrize("role", ["assistant", "user"])
def test_what_is_printed_is_what_was_sent(played, capsys, role):
    folder, (episode,), talk = played(settings=SMALL)
    capsys.readouterr()
    for turn in range(len(episode.turns)):
        command = ["prompts", "show", "--role", role, "--run", str(folder), "--turn", str(turn)]
        assert run_command_line([*command, "--json"]) == 0
        printed, sent = json.loads(capsys.readouterr().out), talk.sent[role][turn]
        assert [_parts(message["content"]) for message in sent["messages"]] == [
            [part.get("text", part.get("image", {}).get("sha256")) for part in message["parts"]]
            if any("image" in part for part in message["parts"])
            else ["".join(part["text"] for part in message["parts"])]
            for message in printed["messages"]
        ]
        assert printed["schema"] == sent["response_format"]["json_schema"]["schema"]
        assert printed["decoding"]["temperature"] == sent["temperature"]
        assert (printed["task"], printed["turn"], printed["trial"]) == (episode.task, turn, 0)
        assert run_command_line(command) == 0
        text = capsys.readouterr().out
        assert text.startswith(f"== {role}, {episode.task}, turn {turn}, prompt {printed['prompt_hash']}\n")
        assert all(word in text for message in sent["messages"] for word in _texts(message["content"]))


def _parts(content: Any) -> list[str]:
    """Texts, and the sha256 of pictures."""
    if isinstance(content, str):
        return [content]
    return [
        part["text"]
        if part["type"] == "text"
        else hashlib.sha256(b64decode(part["image_url"]["url"].partition(",")[2])).hexdigest()
        for part in content
    ]


def _texts(content: Any) -> list[str]:
    return [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]


def test_of_a_turn_that_failed_the_assistant_is_shown_and_the_user_cannot_be(played):
    folder, (episode,), talk = played(talk=Talk(fails=("user", 3)))
    assert (episode.failure, len(episode.turns)) == ("user deterministic", 2)
    request = recorded_request(RecordedTurn(folder, "assistant", turn=2))[2]
    assert request_body("assistant", request) == talk.sent["assistant"][2]
    with pytest.raises(ValueError, match=r"turn 2 of .*, trial 0, was never finished, and what the user"):
        recorded_request(RecordedTurn(folder, "user", turn=2))
    with pytest.raises(ValueError, match="nobody was asked in turn 3: "):
        recorded_request(RecordedTurn(folder, "assistant", turn=3))


def test_a_turn_that_had_no_room_is_told_as_such(played):
    folder, (episode,), _ = played(later={"assistant.context_tokens": 9000})  # else refused before the run
    assert episode.failure == "assistant overflow"
    with pytest.raises(ContextOverflowError, match="a context of 9000 leaves 6952"):
        recorded_request(RecordedTurn(folder, "assistant"))


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"role": "judge"}, "a run asks assistant, user, moderator; got the role 'judge'"),
        ({"role": "moderator"}, "the moderator of '.*' is 'rules', which is asked nothing"),
        ({"role": "user", "task": "03.2"}, "holds no episode of task '03.2', trial 0"),
        ({"role": "user", "trial": 1}, "holds no episode of task 'supermarket/01.1', trial 1"),
        ({"role": "user", "turn": 20}, "nobody was asked in turn 20: supermarket/01.1, trial 0, has the turns 0 to"),
    ],
)
def test_what_was_not_asked_is_one_line(played, wanted, problem):
    folder, *_ = played(moderator="rules")
    with pytest.raises(ValueError, match=problem):
        recorded_request(RecordedTurn(folder, **wanted))


def test_other_prompts_and_other_episodes_are_refused(played):
    folder, (episode,), _ = played()
    wanted = RecordedTurn(folder, "user", "01.1", 1)
    recorded_request(wanted)
    lines = folder / "episodes.jsonl"
    turn = episode.turns[0]
    moved = replace(turn, visible=replace(turn.visible, pose=replace(turn.visible.pose, x=1.0)))
    lines.write_text(to_json(replace(episode, turns=(moved, *episode.turns[1:]))) + "\n")
    with pytest.raises(DataError, match="the replay differs in turn 0"):
        recorded_request(wanted)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["roles"]["user"]["prompt_hash"] = "0123456789abcdef"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(RunError, match=r"was asked by other prompts \(0123456789abcdef\) than this version has"):
        recorded_request(wanted)


@pytest.mark.parametrize("besides", [("--env", HOME), ("--seed", "0"), ("--ablation", "x"), ("--set", "user.images=0")])
def test_what_the_run_says_itself_is_not_typed_besides(capsys, tmp_path, besides):
    status = run_command_line(["prompts", "show", "--role", "user", "--run", str(tmp_path), *besides])
    line = f"siturec: --run tells --env, --seed, --ablation, --set itself; leave out {besides[0]}\n"
    assert (status, capsys.readouterr().err) == (2, line)


def test_a_folder_that_is_no_run_is_one_line(capsys, tmp_path):
    assert run_command_line(["prompts", "show", "--role", "user", "--run", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
