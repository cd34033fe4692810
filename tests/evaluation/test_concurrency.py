"""What must hold of episodes that wait for a model, measured by the benchmark (issue of the evaluation protocol)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "concurrency.py"


@pytest.mark.long
@pytest.mark.parametrize("client", [(), ("--http",), ("--models",)])
def test_64_episodes_take_little_longer_than_the_longest_one_waits(client):
    """Within 1.2 of the ideal time; the best of three measurements, for a machine may be busy with something else."""
    ratios = []
    for _ in range(3):
        command = [sys.executable, str(BENCHMARK), "--json", *client]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        ratios.append(json.loads(done.stdout)["ratio"])
        if ratios[-1] <= 1.2:
            break
    assert min(ratios) <= 1.2, ratios
