"""One writer for a run folder at a time. The system lets go of the lock when its holder dies, however it dies."""

import os
from pathlib import Path

from siturec_gym.core.errors import RunError
from siturec_gym.core.storage.files import reason

LOCK = ".lock"


class RunLock:
    """Holds a run folder from the moment it is made until ``release`` or the end of the process.

    Raises:
        RunError: Another process holds it, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        import fcntl  # noqa: PLC0415  a POSIX module; only runs need it

        path = folder / LOCK
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise RunError(f"run folder '{folder}' cannot be written: {reason(error)}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._file, 32).decode(errors="replace").strip()
            os.close(self._file)
            raise RunError(f"run folder '{folder}' is in use by another siturec (process {holder})") from error
        self._note_holder(folder)

    def _note_holder(self, folder: Path) -> None:
        try:
            os.truncate(self._file, 0)
            os.write(self._file, f"{os.getpid()}\n".encode())
        except OSError as error:
            self.release()
            raise RunError(f"run folder '{folder}' cannot be written: {reason(error)}") from error

    def release(self) -> None:
        """Let others in."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
