"""Run folders to report: one made by hand in the Supermarket, one that scripted roles played."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from siturec_gym.core.actions import Navigation, Recommendation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import (
    AssistantRecord,
    EpisodeRecord,
    TurnRecord,
    UserRecord,
    ViewRecord,
    to_json,
)
from siturec_gym.judges.judgment import DIMENSIONS, SCORED, UNSCORED, Judgment, to_line

START = Pose(30.2, 1.5, 90.0)
IDLE = ToolCall("idle")
GO = ToolCall("move_to_fixture", target="F01", approach="front")


def make_turn(number: int = 0, pose: Pose = START, **changes: Any) -> TurnRecord:
    said = {
        "utterance": "Please go to the shelf.", "act": "Navigate", "recommendation": None,
        "navigation": Navigation("F01", reason="it is there"), "expected_user_action": GO, "ranking": ("P001", "P002"),
    }  # fmt: skip
    did = {"utterance": "All right.", "tool_requested": GO, "tool_executed": GO, "refusal": None}
    said |= {key: changes.pop(key) for key in set(said) & set(changes)}
    if "user_utterance" in changes:
        did["utterance"] = changes.pop("user_utterance")
    did |= {key: changes.pop(key) for key in set(did) & set(changes)}
    return TurnRecord(
        number, ViewRecord(("F01",), ("P001",), pose), AssistantRecord(**said), UserRecord(**did), **changes
    )


def make_episode(task: str = "01.1", *turns: TurnRecord, **changes: Any) -> EpisodeRecord:
    scene = changes.pop("scene", "supermarket")
    fields = {
        "trial": 0, "seed": 5, "scene": scene, "profile_id": f"{scene}/{task[:2]}", "reference_set": ("P001",),
        "status": "complete", "end_reason": "turn_limit", "cart": (), "turns": turns or (make_turn(),),
        "final_view": ViewRecord((), (), START),
    }  # fmt: skip
    return EpisodeRecord(f"{scene}/{task}", **(fields | changes))


def recommend(number: int, product: str | None = "P002", **changes: Any) -> TurnRecord:
    about = Recommendation(product, "a thing", True, "it fits")
    return make_turn(number, act="Recommend", recommendation=about, navigation=None, **changes)


def manifest(assistant: str = "heuristic", **changes: Any) -> dict[str, Any]:
    arguments = {"env": "SituRec-Supermarket-v0", "tasks": ":", "trials": 1, "seed": 0, "allow_privileged": False}
    names = {"assistant": assistant, "user": "agenda", "moderator": "rules"}
    content = {
        "format": 2, "started": "2026-01-02T03:04:05+00:00", "versions": {"siturec-gym": "0.1.0"},
        "git_commit": "abc123", "data": {}, "arguments": arguments, "scene": "supermarket",
        "roles": {role: {"name": name, "kind": "scripted"} for role, name in names.items()},
    }  # fmt: skip
    return content | changes


def write_run(folder: Path, episodes: list[EpisodeRecord], judgments: tuple[Judgment, ...] = (), **kept: Any) -> Path:
    folder.mkdir(parents=True)
    kept = manifest() | {"slots": len(episodes)} | kept
    (folder / "manifest.json").write_text(json.dumps(kept))
    (folder / "episodes.jsonl").write_text("".join(to_json(episode) + "\n" for episode in episodes))
    if judgments:
        (folder / "judgments.jsonl").write_text("".join(to_line(judgment) + "\n" for judgment in judgments))
    return folder


def judged(episode: EpisodeRecord, score: int | None, judge: str = "offline") -> Judgment:
    if score is None:
        return Judgment(episode.task, episode.trial, judge, "0123456789", UNSCORED, "reply did not parse", {})
    return Judgment(episode.task, episode.trial, judge, "0123456789", SCORED, None, dict.fromkeys(DIMENSIONS, score))


class Makers:
    """The functions above, for tests."""

    turn = staticmethod(make_turn)
    episode = staticmethod(make_episode)
    recommend = staticmethod(recommend)
    manifest = staticmethod(manifest)
    run = staticmethod(write_run)
    judged = staticmethod(judged)
    start = START


@pytest.fixture(scope="session")
def make() -> type[Makers]:
    return Makers


@pytest.fixture(scope="session")
def mixed_episodes(make) -> list[EpisodeRecord]:
    """A purchase that suits, one that does not, exhausted recommendations, a stalled walk, a failure."""
    return [
        make.episode("01.1", make.turn(0), make.recommend(1, "P001"), cart=("P001",), end_reason="success_cart_added"),
        make.episode("02.1", make.turn(0), cart=("P002",), end_reason="success_cart_added"),
        make.episode("03.1", *(make.recommend(i) for i in range(3)), end_reason="recommendation_exhausted"),
        make.episode("04.1", make.turn(0, refusal="target_not_visible", flags=("no_expected_user_action",))),
        make.episode(
            "05.1", status="failed", end_reason="generation_failure", error="assistant: TimeoutError: <late>",
            failure="assistant transient",
        ),
    ]  # fmt: skip


@pytest.fixture(scope="session")
def make_mixed(make, mixed_episodes):
    """A run folder of the mixed episodes, each judged but for the failed one."""

    def build(folder: Path) -> Path:
        scores = (5, 4, 2, 1, None)
        said = tuple(make.judged(episode, score) for episode, score in zip(mixed_episodes, scores, strict=True))
        return make.run(folder, mixed_episodes, said)

    return build


@pytest.fixture
def mixed_run(tmp_path, make_mixed) -> Path:
    return make_mixed(tmp_path / "mixed")


@pytest.fixture(scope="session")
def played_episodes() -> list[EpisodeRecord]:
    """Two episodes that the heuristic assistant and the agenda user really played."""
    from siturec_gym.evaluation.environments import make_env
    from siturec_gym.evaluation.episode import play
    from siturec_gym.policies import make_assistant
    from siturec_gym.users import make_user

    env = make_env("SituRec-Supermarket-v0", moderator=None)
    episodes = [
        play(env, make_assistant("heuristic"), make_user("agenda"), f"supermarket/0{i}.1", seed=i) for i in (1, 2)
    ]
    env.close()
    return episodes


@pytest.fixture
def played_run(tmp_path, make, played_episodes) -> Path:
    return make.run(tmp_path / "played", played_episodes)


@pytest.fixture
def figures_of(tmp_path, make):
    """RunFigures of hand-made episodes."""
    from siturec_gym.evaluation.report.figures import RunFigures
    from siturec_gym.evaluation.report.runs import read_runs

    def build(*runs: list[EpisodeRecord], **kept: Any) -> list[RunFigures]:
        folders = [make.run(tmp_path / f"run{i}", run, **kept) for i, run in enumerate(runs)]
        return [RunFigures(run) for run in read_runs(folders)]

    return build


@pytest.fixture(scope="session")
def with_trial():
    return lambda episode, trial: replace(episode, trial=trial)
