"""Going on with a run: exactly what is missing, and only where everything is as it was."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.core.records import to_json
from siturec_gym.core.storage.files import append_line, is_draft
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig, config_of, fingerprint
from siturec_gym.evaluation.run_store import RunStore, read_episodes, read_manifest
from siturec_gym.evaluation.runner import Watch, plan, plan_rest, resume, run
from siturec_gym.evaluation.workers import Crew

CONFIG = RunConfig("SituRec-Supermarket-v0", "heuristic", "agenda", tasks="0:3", seed=4, trials=2)


@pytest.fixture
def player(env, script, talk, buy):
    """Plays a slot in the scripted environment: every shopper buys P001 at once."""
    return lambda: lambda slot: play(env, script([talk]), script([buy]), slot.task, slot.seed, slot.trial)


@pytest.fixture
def complete(tmp_path, player):
    folder = tmp_path / "run"
    run(plan(CONFIG), folder, make_player=player)
    return folder


def keep_only(folder: Path, *numbers: int, tail: bytes = b"") -> None:
    lines = (folder / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_bytes(b"".join(lines[number] for number in numbers) + tail)


def change(folder: Path, **fields) -> None:
    manifest = read_manifest(folder) | fields
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize("kept", [(), (0,), (4, 1), (5, 4, 3, 2, 1, 0)])
def test_exactly_the_missing_slots_are_played(complete, player, kept):
    whole = (complete / "episodes.jsonl").read_bytes()
    keep_only(complete, *kept)
    begun, played = [], []
    resume(plan_rest(complete), complete, 1, Watch(begun.append, played.append), player)
    assert begun == [len(kept)]
    assert len(played) == 6 - len(kept)
    assert (complete / "episodes.jsonl").read_bytes() == whole


def test_figures_are_those_of_the_whole_run(complete, player):
    summary = json.loads((complete / "summary.json").read_text())
    keep_only(complete, 2)
    (complete / "summary.json").unlink()
    assert resume(plan_rest(complete), complete, 1, make_player=player) == summary


@pytest.mark.parametrize("tail", [b'{"task": "superm', b"\xff\xfe", b"x" * 50_000])
def test_a_line_that_was_cut_off_is_played_again(complete, player, tail):
    whole = (complete / "episodes.jsonl").read_bytes()
    keep_only(complete, 0, 1, tail=tail)
    played = []
    resume(plan_rest(complete), complete, 1, Watch(None, played.append), player)
    assert len(played) == 4
    assert (complete / "episodes.jsonl").read_bytes() == whole


def test_a_line_that_lacks_its_end_alone_is_kept(complete, player):
    whole = (complete / "episodes.jsonl").read_bytes()
    (complete / "episodes.jsonl").write_bytes(whole[:-1])
    played = []
    resume(plan_rest(complete), complete, 1, Watch(None, played.append), player)
    assert played == []
    assert (complete / "episodes.jsonl").read_bytes() == whole


def test_a_broken_line_in_the_middle_is_no_accident_and_is_named(complete, player):
    lines = (complete / "episodes.jsonl").read_text().splitlines()
    (complete / "episodes.jsonl").write_text("\n".join([lines[0], "{}", lines[2]]) + "\n")
    with pytest.raises(DataError, match="line 2: not an episode record"):
        resume(plan_rest(complete), complete, 1, make_player=player)


def test_an_episode_that_is_there_twice_or_not_owed_is_refused(complete, player):
    keep_only(complete, 0, 1, 1)
    with pytest.raises(DataError, match=r"episode 3 \(supermarket/01.2, trial 0\) is there twice"):
        resume(plan_rest(complete), complete, 1, make_player=player)
    keep_only(complete, 0)
    stranger = replace(read_episodes(complete)[0], seed=1)
    append_line(complete / "episodes.jsonl", to_json(stranger))
    with pytest.raises(DataError, match=r"episode 2 .* belongs to another run"):
        resume(plan_rest(complete), complete, 1, make_player=player)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"code": "0" * 64}, r"code was 00000000\.\.\. and is "),
        ({"versions": {"python": "2.7"}}, r"versions\.gymnasium was null"),
        ({"data": {"supermarket/products.json": "0" * 64}}, r"and \d+ more"),
        ({"tasks": ["supermarket/01.1"]}, r"tasks was \[\"supermarket/01.1\"\]"),
        ({"roles": {}}, r"roles\.assistant was null"),
        ({"format": 1}, "format was 1 and is 2"),
    ],
)
def test_what_has_changed_is_named_in_one_line(complete, fields, words):
    change(complete, **fields)
    with pytest.raises(RunError, match=words) as caught:
        plan_rest(complete)
    assert "cannot be resumed" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_arguments_changed_in_the_manifest_are_refused(complete):
    manifest = read_manifest(complete)
    change(complete, arguments=manifest["arguments"] | {"seed": 5})
    with pytest.raises(RunError, match="its manifest was changed after the run began"):
        plan_rest(complete)


def test_what_does_not_matter_may_differ(complete):
    change(complete, started="long ago", git_commit="abc+changes", models={})
    assert len(plan_rest(complete).slots) == 6


def test_the_fingerprint_covers_what_is_pinned_alone():
    assert fingerprint({"code": "a", "started": "x"}) == fingerprint({"code": "a"}) != fingerprint({"code": "b"})


def test_a_manifest_of_another_kind_is_one_line(complete):
    change(complete, arguments={"env": "x"})
    with pytest.raises(DataError, match="holds no known arguments"):
        plan_rest(complete)
    (complete / "manifest.json").write_text("[]")
    with pytest.raises(DataError, match="holds no JSON object"):
        plan_rest(complete)


def test_a_folder_with_a_run_says_how_to_finish_it(complete):
    with pytest.raises(RunError, match="holds a run; finish it with: siturec resume"):
        run(plan(CONFIG), complete)


def test_a_failing_run_keeps_what_was_complete_and_can_go_on(tmp_path, env, script, talk, buy, player):
    def make_failing():
        def play_slot(slot):
            if slot.trial == 1:
                raise RunError("the roof fell in")
            return play(env, script([talk]), script([buy]), slot.task, slot.seed, slot.trial)

        return play_slot

    folder = tmp_path / "run"
    with pytest.raises(RunError, match="the roof fell in"):
        run(plan(CONFIG), folder, make_player=make_failing)
    assert len(read_episodes(folder)) == 3
    resume(plan_rest(folder), folder, Crew(threads=3), make_player=player)
    assert len(read_episodes(folder)) == 6


HOLDER = """
import sys, time
from pathlib import Path
from siturec_gym.core.storage.lock import RunLock
RunLock(Path(sys.argv[1])); print("held", flush=True); time.sleep(60)
"""


def test_two_writers_are_refused_and_a_dead_one_is_no_hindrance(complete, player):
    other = subprocess.Popen([sys.executable, "-c", HOLDER, str(complete)], stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "held\n"
    with pytest.raises(RunError, match=rf"is in use by another siturec \(process {other.pid}\)"):
        resume(plan_rest(complete), complete, 1, make_player=player)
    other.kill()
    other.wait()
    assert resume(plan_rest(complete), complete, 1, make_player=player)["counts"]["episodes"] == 6


def test_the_lock_is_let_go_after_a_failure(complete, player):
    keep_only(complete, 1, 1)
    for _ in range(2):
        with pytest.raises(DataError, match="twice"):
            resume(plan_rest(complete), complete, 1, make_player=player)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_stops_the_run_in_one_line(tmp_path, make_record):
    """/dev/full takes no byte, as a disk without space."""
    folder = tmp_path / "run"
    store = RunStore.create(folder, plan(CONFIG).manifest())
    store.close()
    (folder / "episodes.jsonl").unlink()
    (folder / "episodes.jsonl").symlink_to("/dev/full")
    with pytest.raises(RunError, match="No space left on device"):
        append_line(folder / "episodes.jsonl", "x")
    with pytest.raises(RunError, match="No space left on device"):
        store.append(make_record())


READ_ONLY = "mount --bind {0} {0} && mount -o remount,bind,ro {0} && {1} -m siturec_gym.cli.main {2}"


@pytest.mark.parametrize("command", ["run --tasks 0:1 --out {0}/new", "resume {0}/run", "judge {0}/run"])
def test_a_read_only_folder_is_one_line(complete, command):
    """In a mount namespace of its own, where the folder is mounted read-only."""
    folder = complete.parent
    script = READ_ONLY.format(folder, sys.executable, command.format(folder))
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("mount namespaces are not allowed here")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Read-only file system" in done.stderr


def test_drafts_of_a_killed_writer_are_known_and_cleared(complete, player):
    (complete / ".episodes.jsonl.123.456").write_text("half")
    assert is_draft(complete / ".episodes.jsonl.123.456")
    assert not is_draft(complete / ".lock")
    resume(plan_rest(complete), complete, 1, make_player=player)
    assert not (complete / ".episodes.jsonl.123.456").exists()


@pytest.mark.parametrize(("name", "value"), [("seed", "x"), ("trials", None), ("save_frames", 1), ("tasks", [1])])
def test_an_argument_of_another_type_is_one_clear_error(tmp_path, name, value):
    arguments = {"env": "SituRec-Supermarket-v0", "assistant": "heuristic", "user": "agenda", name: value}
    with pytest.raises(DataError, match=f"its manifest holds .* as '{name}'"):
        config_of({"arguments": arguments}, tmp_path)
