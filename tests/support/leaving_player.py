"""A player that leaves a file behind when it is closed, and another when its process ends in the orderly way."""

import atexit
import multiprocessing
import os
import uuid
from pathlib import Path

from siturec_gym.evaluation.slots import Slot


class LeavingPlayer:
    """Answers with a slot's seed. Importable in any process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if multiprocessing.parent_process() is not None:
            atexit.register((folder / f"ended-{os.getpid()}").touch)

    def __call__(self, slot: Slot) -> int:
        return slot.seed

    def close(self) -> None:
        (self._folder / f"closed-{uuid.uuid4().hex}").touch()
