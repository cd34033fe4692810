"""Frames of UnrealCV's wire: a magic number and a length, little-endian, then that many bytes."""

import struct

from siturec_gym.core.errors import RendererError

MAGIC = 0x9E2B83C1
LONGEST_REQUEST = 1 << 20
"""Bytes of the longest request that is taken; commands are short."""
_HEADER = struct.Struct("<II")
HEADER_BYTES = _HEADER.size


class FrameError(RendererError):
    """What arrived is no frame of this protocol; nothing after it on that connection can be understood."""


def header(payload_bytes: int) -> bytes:
    """What goes before a payload of that many bytes."""
    return _HEADER.pack(MAGIC, payload_bytes)


class FrameReader:
    """Puts frames together from whatever pieces of them arrive.

    Args:
        longest: Bytes of the longest payload taken.
    """

    def __init__(self, longest: int = LONGEST_REQUEST) -> None:
        self._longest = longest
        self._received = bytearray()

    @property
    def waiting_bytes(self) -> int:
        """Bytes that arrived and were not taken yet."""
        return len(self._received)

    def feed(self, piece: bytes | bytearray | memoryview) -> None:
        """Add what arrived."""
        self._received += piece

    def take(self) -> bytes | None:
        """The next payload, or None until all of it has arrived.

        Raises:
            FrameError: The magic number is wrong, the payload is empty or longer than is taken.
        """
        if len(self._received) < HEADER_BYTES:
            return None
        magic, length = _HEADER.unpack_from(self._received)
        if magic != MAGIC:
            raise FrameError(f"expected a frame that starts with 0x{MAGIC:08X}, got 0x{magic:08X}")
        if not 0 < length <= self._longest:
            raise FrameError(f"expected a payload of 1 to {self._longest} bytes, got a length of {length}")
        end = HEADER_BYTES + length
        if len(self._received) < end:
            return None
        payload = bytes(self._received[HEADER_BYTES:end])
        del self._received[:end]
        return payload
