"""Fixtures: tiny models, each behind a real vLLM server of its own for as long as the tests run.

The environment with vLLM is the folder in SITUREC_VLLM_VENV (``make vllm-env``). Both servers begin to start when the
first test asks for one. Together they cover both backends that enforce schemas: guidance with text, xgrammar with
images.
"""

import os
import subprocess
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import tiny_models
from vllm_env import is_complete
from vllm_server import VLLMServer

BACKENDS = {"text": "guidance", "vision": "xgrammar"}
_servers: list[VLLMServer] = []


@pytest.fixture(scope="session")
def vllm_python() -> Path:
    """Interpreter of the environment with vLLM; tests that need it are skipped, loudly, where there is none."""
    folder = Path(os.environ.get("SITUREC_VLLM_VENV", ""))
    if not is_complete(folder):
        reason = f"*** NO vLLM in {str(folder)!r}: nothing is tested with a real server. make vllm-env builds it."
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    return folder / "bin/python"


@pytest.fixture(scope="session")
def vllm_servers(vllm_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, VLLMServer]]:
    """A server for each kind of model, starting."""
    folder = tmp_path_factory.mktemp("vllm")

    def start(kind: str) -> VLLMServer:
        make = [str(vllm_python), tiny_models.__file__, kind, str(folder / kind)]
        subprocess.run(make, check=True, capture_output=True)
        return VLLMServer(vllm_python, folder / kind, folder / f"{kind}.log", BACKENDS[kind])

    with ThreadPoolExecutor() as both:
        servers = dict(zip(BACKENDS, both.map(start, BACKENDS), strict=True))
    _servers.extend(servers.values())
    yield servers
    for server in servers.values():
        server.stop()
    _servers.clear()


@pytest.fixture(scope="session")
def vllm(vllm_servers: dict[str, VLLMServer]) -> Callable[[str], VLLMServer]:
    """The server of a kind of model, "text" or "vision", once it answers."""

    def ready(kind: str) -> VLLMServer:
        vllm_servers[kind].wait()
        return vllm_servers[kind]

    return ready


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Shows the end of each server's log with a test that failed."""
    report: Any = (yield).get_result()  # type: ignore[misc]
    if report.failed and item.get_closest_marker("vllm"):
        report.sections += [(f"vLLM server of {server.model}", server.tail()) for server in _servers]
