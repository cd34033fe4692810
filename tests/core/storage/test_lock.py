"""One writer at a time; the lock goes with its holder."""

import subprocess
import sys

import pytest

from siturec_gym.core.errors import RunError
from siturec_gym.core.storage.lock import RunLock

HOLDER = (
    "import sys, time; from pathlib import Path; from siturec_gym.core.storage.lock import RunLock; "
    "RunLock(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
)


def test_a_second_holder_is_refused_until_the_first_lets_go(tmp_path):
    first = RunLock(tmp_path)
    with pytest.raises(RunError, match="is in use by another siturec"):
        RunLock(tmp_path)
    first.release()
    first.release()
    RunLock(tmp_path).release()


def test_the_holder_is_named_and_its_death_frees_the_folder(tmp_path):
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(RunError, match=rf"\(process {holder.pid}\)"):
        RunLock(tmp_path)
    holder.kill()
    holder.wait()
    RunLock(tmp_path).release()


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(RunError, match="cannot be written: No such file or directory"):
        RunLock(tmp_path / "missing")
