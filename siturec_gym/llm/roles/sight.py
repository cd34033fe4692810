"""The pictures of an observation as parts of a message."""

import hashlib
import io
import threading
from collections import OrderedDict
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from siturec_gym.core.policy import Observation
from siturec_gym.llm.messages import ImagePart
from siturec_gym.llm.roles.settings import RoleSettings

_KEPT = 128
_COMPRESSION = 2
"""A quarter of the usual time for a tenth more bytes."""
_encoded: OrderedDict[tuple[bytes, int | None], ImagePart] = OrderedDict()
_lock = threading.Lock()


def current_view(observation: Observation, settings: RoleSettings) -> ImagePart | None:
    """The view with the role's marks, else as it is; None on text alone or where the observation has no picture."""
    return _picture(observation, ("som_image", "rgb"), settings) if settings.images else None


def layout_map(observation: Observation, settings: RoleSettings) -> ImagePart | None:
    """The layout map with the user on it; None where it is not wanted or not there."""
    return _picture(observation, ("map_image",), settings) if settings.images and settings.map_image else None


def _picture(observation: Observation, keys: tuple[str, ...], settings: RoleSettings) -> ImagePart | None:
    pixels = next((observation[key] for key in keys if key in observation), None)
    return None if pixels is None else png(pixels, settings.image_side)


def png(pixels: NDArray[np.uint8], longest_side: int | None = None) -> ImagePart:
    """A picture as PNG, shrunk to ``longest_side`` if it is larger. Equal pictures are encoded once.

    Args:
        pixels: (height, width, 3), 0..255.
        longest_side: In pixels; None leaves the size.
    """
    content = hashlib.blake2b(pixels.tobytes(), digest_size=16, salt=_salt(pixels.shape)).digest()
    key = content, longest_side
    with _lock:
        if key in _encoded:
            _encoded.move_to_end(key)
            return _encoded[key]
    part = ImagePart(_file(pixels, longest_side))
    with _lock:
        _encoded[key] = part
        if len(_encoded) > _KEPT:
            _encoded.popitem(last=False)
    return part


def size_of(image: ImagePart) -> tuple[int, int]:
    """Width and height of a picture, read from its header."""
    with Image.open(io.BytesIO(image.data)) as opened:
        return opened.size


def _salt(shape: tuple[int, ...]) -> bytes:
    """Pictures of the same bytes may differ in shape."""
    return "x".join(map(str, shape)).encode()[:16]


def _file(pixels: NDArray[np.uint8], longest_side: int | None) -> bytes:
    picture: Any = Image.fromarray(pixels)
    if longest_side is not None and max(picture.size) > longest_side:
        scale = longest_side / max(picture.size)
        size = tuple(max(1, round(side * scale)) for side in picture.size)
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    # OpenCV lets other threads go on meanwhile, which Pillow does not.
    done, data = cv2.imencode(".png", np.asarray(picture)[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, _COMPRESSION])
    if not done:
        raise ValueError(f"a picture of {picture.size} pixels cannot be encoded")
    return data.tobytes()
