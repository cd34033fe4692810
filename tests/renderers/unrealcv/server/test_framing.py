"""Frames put together from any pieces they arrive in."""

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.renderers.unrealcv.server.framing import MAGIC, FrameError, FrameReader, header

PAYLOADS = st.lists(st.binary(min_size=1, max_size=40), max_size=8)


def all_of(reader):
    taken = []
    while (payload := reader.take()) is not None:
        taken.append(payload)
    return taken


def test_a_header_by_hand():
    """Magic 0x9E2B83C1 and length 3, both little-endian."""
    assert header(3) == bytes.fromhex("c1832b9e 03000000")


@given(PAYLOADS, st.lists(st.integers(0, 400), max_size=12))
def test_any_split_of_any_frames_gives_the_same_payloads(payloads, cuts):
    stream = b"".join(header(len(payload)) + payload for payload in payloads)
    reader, taken, ends = FrameReader(), [], sorted({min(cut, len(stream)) for cut in cuts} | {0, len(stream)})
    for start, end in pairwise(ends):
        reader.feed(memoryview(stream)[start:end])
        taken += all_of(reader)
    assert taken == payloads
    assert reader.waiting_bytes == 0


@given(st.binary(min_size=1, max_size=40), st.integers(1, 47))
def test_an_unfinished_frame_is_waited_for(payload, missing):
    stream = header(len(payload)) + payload
    reader = FrameReader()
    reader.feed(stream[: -min(missing, len(stream))])
    assert reader.take() is None


@given(st.binary(min_size=8, max_size=60).filter(lambda data: data[:4] != struct.pack("<I", MAGIC)))
def test_what_is_no_frame_is_an_error(data):
    reader = FrameReader()
    reader.feed(data)
    with pytest.raises(FrameError, match="0x9E2B83C1"):
        reader.take()


@pytest.mark.parametrize("length", [0, 101, 2**31, 2**32 - 1])
def test_an_absurd_length_is_an_error_before_anything_more_arrives(length):
    reader = FrameReader(longest=100)
    reader.feed(struct.pack("<II", MAGIC, length))
    with pytest.raises(FrameError, match=f"a length of {length}"):
        reader.take()


def test_the_longest_payload_is_taken():
    reader = FrameReader(longest=100)
    reader.feed(header(100) + bytes(100))
    assert reader.take() == bytes(100)
