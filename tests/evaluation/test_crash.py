"""A run that is killed with SIGKILL at any moment: nothing complete is lost, nothing is played twice."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.run_store import read_episodes
from siturec_gym.evaluation.runner import plan

# Plays as ``siturec run`` and ``siturec resume`` do, but each episode takes some milliseconds and holds a long text, so
# that kills hit every stage: starting, playing, writing a line, putting lines in order, writing figures.
DRIVER = """
import random, sys, time
from pathlib import Path
from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, EpisodeRecord, TurnRecord, UserRecord, ViewRecord
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.runner import Watch, plan, plan_rest, resume, run
from siturec_gym.evaluation.workers import Crew

VIEW = ViewRecord((), (), Pose(0.0, 0.0, 0.0))

def make_player():
    return play_slot

def play_slot(slot):
    time.sleep(random.Random(slot.seed).uniform(0.0, 0.02))
    said = AssistantRecord("x" * 20000, "Greet", None, None, None, ())
    turn = TurnRecord(0, VIEW, said, UserRecord("", ToolCall("idle"), ToolCall("idle")))
    return EpisodeRecord(slot.task, slot.trial, slot.seed, "supermarket", slot.task.split(".")[0], ("P001",),
                         "complete", "turn_limit", (), (turn,), VIEW)

if __name__ == "__main__":
    folder, crew = Path(sys.argv[1]), Crew(int(sys.argv[2]), int(sys.argv[3]))
    watch = Watch(lambda done: print("begun", done, flush=True), lambda _: print("kept", flush=True))
    if (folder / "manifest.json").exists():
        resume(plan_rest(folder), folder, crew, watch, make_player)
    else:
        config = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks=":", trials=2)
        run(plan(config), folder, crew, watch, make_player)
    print("over", flush=True)
"""
CREWS = [(1, 1), (1, 4), (2, 2)]


def attempt(driver: Path, folder: Path, crew: tuple[int, int], kill_after_s: float | None) -> list[str]:
    """Lines that the driver told; it is killed so long after it was started."""
    process = subprocess.Popen(
        [sys.executable, str(driver), str(folder), *map(str, crew)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        process.send_signal(signal.SIGKILL)
    told = process.stdout.read().split("\n")
    process.wait()
    return told


def kill_again_and_again(tmp_path: Path, kills: int, earliest_s: float, latest_s: float) -> None:
    driver, chance = tmp_path / "driver.py", random.Random(7)
    driver.write_text(DRIVER)
    slots = plan(RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", trials=2)).slots
    owed = {(slot.task, slot.trial) for slot in slots}
    killed, number, kept = 0, 0, 0
    folder = tmp_path / "run0"
    while killed < kills:
        told = attempt(driver, folder, CREWS[killed % len(CREWS)], chance.uniform(earliest_s, latest_s))
        begun = [int(line.split()[1]) for line in told if line.startswith("begun")]
        assert all(present >= kept for present in begun)  # what was told to be kept is there when it goes on
        kept = max([kept, *begun]) + told.count("kept")
        if "over" in told:
            check_complete(folder, owed)
            number, kept = number + 1, 0
            folder = tmp_path / f"run{number}"
        else:
            killed += 1
    assert "over" in attempt(driver, folder, (1, 4), None)
    check_complete(folder, owed)


def check_complete(folder: Path, owed: set[tuple[str, int]]) -> None:
    episodes = [(episode.task, episode.trial) for episode in read_episodes(folder)]
    assert len(episodes) == len(set(episodes))
    assert set(episodes) == owed
    drafts = [path.name for path in folder.iterdir() if path.name.startswith(".") and path.name != ".lock"]
    assert drafts == []
    assert json.loads((folder / "summary.json").read_text())["counts"]["episodes"] == len(owed)


@pytest.mark.slow
def test_worker_processes_go_with_a_parent_that_was_killed(tmp_path):
    psutil = pytest.importorskip("psutil")
    driver = tmp_path / "driver.py"
    driver.write_text(DRIVER)
    command = [sys.executable, str(driver), str(tmp_path / "run"), "2", "2"]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while parent.stdout.readline() != "kept\n":
        pass
    workers = psutil.Process(parent.pid).children(recursive=True)
    parent.kill()
    parent.wait()
    assert len(workers) >= 2
    assert psutil.wait_procs(workers, timeout=20)[1] == []


@pytest.mark.slow
def test_a_run_killed_again_and_again_loses_nothing(tmp_path):
    kill_again_and_again(tmp_path, kills=4, earliest_s=0.8, latest_s=3.0)


@pytest.mark.long
def test_a_run_killed_fifty_times_loses_nothing(tmp_path):
    kill_again_and_again(tmp_path, kills=50, earliest_s=0.2, latest_s=4.0)
