"""Every example runs as its header says."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "printed"), [("play_gymnasium.py", "end: "), ("custom_assistant.py", "assistant: Please go to")]
)
def test_example_runs(name: str, printed: str) -> None:
    command = [sys.executable, str(FOLDER / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout
