"""A real vLLM server on loopback that lives no longer than the tests that need it."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

READY_S = 300.0
STOPPING_S = 15.0
CONTEXT = 32768
SHOWN_LINES = 40


class VLLMServer:
    """Starts at once; is ready when ``wait`` returns.

    The server and its workers are one process group, led by a keeper that holds a pipe to this process. When the pipe
    closes, by ``stop`` or because this process ended in whatever way, the keeper ends the group.

    Args:
        python: Interpreter of the environment that vLLM is in.
        model: Folder of the model.
        log: File for what the server prints.
        backend: What enforces schemas: "guidance" or "xgrammar".
    """

    def __init__(self, python: Path, model: Path, log: Path, backend: str = "guidance") -> None:
        self.model = model.name
        self.log = log
        self._port = _free_port()
        command = [str(python), *_arguments(model, self._port, backend)]
        with log.open("wb") as out:
            self._keeper = subprocess.Popen(
                [sys.executable, __file__, *command],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=os.environ | _SETTINGS,
            )

    @property
    def url(self) -> str:
        """Base URL of its API."""
        return f"http://127.0.0.1:{self._port}/v1"

    def wait(self) -> None:
        """Until it answers.

        Raises:
            RuntimeError: It ended, or is not ready in time; the end of its log is shown.
        """
        until = time.monotonic() + READY_S
        while not self._healthy():
            if self._keeper.poll() is not None:
                raise RuntimeError(f"the vLLM server ended; the end of {self.log}:\n{self.tail()}")
            if time.monotonic() > until:
                raise RuntimeError(f"no vLLM server after {READY_S:g} s; the end of {self.log}:\n{self.tail()}")
            time.sleep(0.3)

    def tail(self) -> str:
        """The last lines of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-SHOWN_LINES:])

    def stop(self) -> None:
        """End it and everything it started."""
        if self._keeper.stdin:
            self._keeper.stdin.close()
        try:
            self._keeper.wait(2 * STOPPING_S)
        except subprocess.TimeoutExpired:
            os.killpg(self._keeper.pid, signal.SIGKILL)
            self._keeper.wait()

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/health", timeout=5) as response:
                return response.status == 200
        except (OSError, urllib.error.URLError):
            return False


_SETTINGS = {
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TORCHDYNAMO_DISABLE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "auto",
    "VLLM_HOST_IP": "127.0.0.1",
    "VLLM_NO_USAGE_STATS": "1",
}


def _arguments(model: Path, port: int, backend: str) -> list[str]:
    """How the server is started.

    Prompts are never read in chunks: where they are, this build ends at the first reply that is drawn with a seed.
    """
    structured = f'{{"backend": "{backend}", "disable_any_whitespace": true}}'
    return [
        *("-m", "vllm.entrypoints.openai.api_server"),
        *("--model", str(model), "--served-model-name", model.name),
        *("--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--enforce-eager"),
        *("--max-model-len", str(CONTEXT), "--max-num-batched-tokens", str(CONTEXT), "--max-num-seqs", "64"),
        *("--enable-prefix-caching", "--no-enable-chunked-prefill"),
        *("--limit-mm-per-prompt", '{"image": 8, "video": 0}', "--structured-outputs-config", structured),
    ]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _keep(command: list[str]) -> int:
    """Run the server until it ends or the pipe closes; then end whatever is left of the group."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    threading.Thread(target=_end_with_pipe, args=(server,), daemon=True).start()
    status = server.wait()
    os.killpg(0, signal.SIGKILL)
    return status


def _end_with_pipe(server: subprocess.Popen[bytes]) -> None:
    sys.stdin.buffer.read()
    server.terminate()
    try:
        server.wait(STOPPING_S)
    finally:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(_keep(sys.argv[1:]))
