"""What starts vLLM servers for tests leaves none behind."""

import subprocess
import sys
import time

import psutil
import pytest
import vllm_server

SLEEPER = "import subprocess, time; subprocess.Popen(['sleep', '100']); time.sleep(100)"


@pytest.mark.parametrize("closing", ["stdin", "kill"])
def test_a_server_and_its_workers_end_with_whoever_started_them(closing):
    """A worker is left alone by its parent's end; the keeper ends the whole group, whichever way the starter ended."""
    starter = (
        f"import subprocess, sys\n"
        f"keeper = subprocess.Popen([sys.executable, {vllm_server.__file__!r}, sys.executable, '-c', {SLEEPER!r}],"
        f" stdin=subprocess.PIPE, start_new_session=True)\n"
        f"print(keeper.pid, flush=True)\n"
        f"sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", starter], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        keeper = psutil.Process(int(process.stdout.readline()))
        group = [keeper, *descendants(keeper, 2)]
        assert len(group) == 3
        if closing == "kill":
            process.kill()
    _, alive = psutil.wait_procs(group, timeout=10)
    assert alive == []


def descendants(process, count):
    """The processes below it, once there are so many."""
    until = time.monotonic() + 10
    while len(found := process.children(recursive=True)) < count and time.monotonic() < until:
        time.sleep(0.05)
    return found
