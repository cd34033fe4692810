"""Instances of packaged builds: started, watched until they answer, and ended with everything they started."""

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from siturec_gym.core.errors import RendererError
from siturec_gym.renderers.unrealcv.link import Link
from siturec_gym.renderers.unrealcv.mapping import Launch, Mapping
from siturec_gym.renderers.unrealcv.ports import Port, alone

_LOOK_EVERY_S = 0.05
_LAST_WORDS = 400
"""Characters of its output that an error shows."""


class Instance:
    """A running build with a port of its own.

    It leads a process group, so that what it starts ends with it. It ends with ``stop``, when nobody refers to it any
    more, or when this process ends.

    Args:
        mapping: How it is launched and connected to.
        size: Width and height for its command line.

    Raises:
        RendererError: The mapping does not say how, the binary is not there or does not start, or it never answers.
    """

    def __init__(self, mapping: Mapping, size: tuple[int, int]) -> None:
        launch = launch_of(mapping)
        self._port = Port(launch.first_port, launch.last_port)
        self._connection = mapping.connection.model_copy(update={"attempts": 1})
        path = mapping.connection.socket_path(self._port.number)
        self.endpoint: tuple[str, int] | str = path or ("127.0.0.1", self._port.number)
        width, height = size
        words = {"port": self._port.number, "socket": path or "", "width": width, "height": height}
        self._binary = launch.binary
        arguments = [argument.format(**words) for argument in launch.arguments]
        with alone(_name_of(launch.ini)) if launch.ini is not None else nullcontext():
            self._start(launch, arguments, path, size)
            self._wait(launch.start_timeout_s)

    def _start(self, launch: Launch, arguments: list[str], socket_path: str | None, size: tuple[int, int]) -> None:
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  closed with the instance
        try:
            if launch.ini is not None:
                _write_ini(Path(launch.ini).expanduser(), self._port.number, size)
            self._process = _started(launch, arguments, self._output)
        except BaseException:
            self._output.close()
            self._port.release()
            raise
        held = _Held(self._process, self._port, self._output, socket_path, os.getpid(), launch.stop_timeout_s)
        self._end = weakref.finalize(self, held.end)

    @property
    def pid(self) -> int:
        """Its process, which leads its group."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended."""
        return self._end.alive and not _is_dead(self._process.pid)

    def answers(self) -> bool:
        """Whether it runs and answers an echo over a new connection."""
        link = self._link()
        try:
            link.open()
        except RendererError:
            return False
        finally:
            link.close()
        return self.is_running

    def stop(self) -> None:
        """Ask it to end, wait, and end by force what is left of its group; harmless when stopped."""
        self._end()

    def _wait(self, timeout_s: float) -> None:
        """Wait until it answers an echo; it is ended where it does not."""
        end = time.monotonic() + timeout_s
        link = self._link()
        try:
            while not self._is_up(link, time.monotonic() > end):
                time.sleep(_LOOK_EVERY_S)
        except BaseException:
            self.stop()
            raise
        finally:
            link.close()

    def _link(self) -> Link:
        return Link(self.endpoint, self._connection, lambda _: None)

    def _is_up(self, link: Link, is_late: bool) -> bool:
        if not self.is_running:
            raise RendererError(f"{self._binary} ended before it answered{self._last_words()}")
        try:
            link.open()
        except RendererError as error:
            if is_late:
                raise RendererError(f"the instance does not answer: {error}{self._last_words()}") from error
            return False
        return True

    def _last_words(self) -> str:
        length = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, length - _LAST_WORDS))
        words = " ".join(self._output.read().decode(errors="replace").split())
        return f": {words}" if words else ""


def launch_of(mapping: Mapping) -> Launch:
    """How an instance is started. Raises RendererError where the mapping does not say it."""
    if mapping.launch is None:
        raise RendererError("the mapping does not say how an instance is started: add launch")
    if not hasattr(os, "waitid"):
        raise RendererError("instances are started on Linux only: start the program yourself and leave launch out")
    return mapping.launch


def _started(launch: Launch, arguments: list[str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    binary = shutil.which(os.path.expanduser(launch.binary))
    if binary is None:
        raise RendererError(f"launch.binary: {launch.binary} is no program that can be run here")
    if os.geteuid() == 0 and not launch.allow_root:
        raise RendererError("Unreal refuses to run as root: be another user, or set launch.allow_root for this one")
    try:
        return subprocess.Popen(
            [binary, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **launch.environment},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: an argument or variable that no program can be given
        why = getattr(error, "strerror", None) or error
        raise RendererError(f"launch: {binary} cannot be started: {why}") from error


@dataclass(frozen=True)
class _Held:
    """All that an instance holds, apart from it, so that it can be let go of when the instance is gone."""

    process: "subprocess.Popen[bytes]"
    port: Port
    output: IO[bytes]
    socket_path: str | None
    owner_pid: int
    stop_timeout_s: float

    def end(self) -> None:
        """End the process group: politely, then by force.

        The leader is reaped last, so that its group cannot become another's meanwhile. A forked process leaves its
        parent's instances alone.
        """
        if os.getpid() != self.owner_pid:
            return
        pid = self.process.pid
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGTERM)
        end = time.monotonic() + self.stop_timeout_s
        while not _is_dead(pid) and time.monotonic() < end:
            time.sleep(_LOOK_EVERY_S / 5)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        self.process.wait()
        if self.socket_path is not None:
            Path(self.socket_path).unlink(missing_ok=True)
        self.output.close()
        self.port.release()


def _is_dead(pid: int) -> bool:
    """Whether a child has ended; it is not reaped by looking."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _name_of(path: str) -> str:
    """A name for a file, of which only one instance may be started at a time."""
    return hashlib.sha256(str(Path(path).expanduser().resolve()).encode()).hexdigest()


def _write_ini(path: Path, port: int, size: tuple[int, int]) -> None:
    """Tell the plugin its port and image size in the file that it reads when it starts."""
    width, height = size
    lines = ("[UnrealCV.Core]", f"Port={port}", f"Width={width}", f"Height={height}", "FOV=90.000000", "")
    try:
        path.write_text("\n".join(lines))
    except OSError as error:
        raise RendererError(f"launch.ini: {path} cannot be written: {error.strerror}") from error
