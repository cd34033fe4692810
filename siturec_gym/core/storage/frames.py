"""Images of a run, each kept once."""

import hashlib
import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.storage.files import write_whole

FRAMES = "frames"


class FrameStore:
    """PNG files named by the sha256 of their bytes, so that equal images are kept once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FRAMES

    def save(self, rgb: NDArray[np.uint8]) -> str:
        """Store a (height, width, 3) image; its content hash.

        Raises:
            RunError: The file cannot be written.
        """
        from PIL import Image  # noqa: PLC0415  only runs that save frames need it

        buffer = io.BytesIO()
        Image.fromarray(rgb).save(buffer, "PNG")
        content = buffer.getvalue()
        digest = hashlib.sha256(content).hexdigest()
        path = self._folder / f"{digest}.png"
        if not path.exists():
            write_whole(path, content)
        return digest
