"""Units and axes: hand-made cases of Unreal's convention, and exact round trips of every number."""

import math
import struct
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.renderers.unrealcv import axes

FINITE = st.floats(-1e6, 1e6)
ANGLES = st.floats(-180.0, 180.0)
ANY = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


def test_ahead_left_and_above_in_unreal_is_ahead_right_and_above_in_centimetres() -> None:
    assert axes.location_text((1.5, 2.25, 1.6)) == "150 -225 160"
    assert axes.location_of("150 -225 160") == (1.5, 2.25, 1.6)


def test_a_left_turn_is_negative_in_unreal_and_up_is_up() -> None:
    assert axes.rotation_text(90.0, 30.0) == "30 -90 0"
    assert axes.rotation_of("30 -90 0") == (90.0, 30.0)


def test_a_pose_in_one_line() -> None:
    assert axes.pose_text((0.1, -0.2, 1.6), -45.5, -10.0) == "10 20 160 -10 45.5 0"
    assert axes.pose_of("10.000 20.000 160.000 -10.000 45.500 0.000") == ((0.1, -0.2, 1.6), -45.5, -10.0)


def test_floats_that_a_product_would_bend_stay() -> None:
    assert 0.29 * 100 != 29.0
    assert axes.cm_text(0.29) == "29"
    assert axes.cm_text(1e-7) == "0.00001"
    assert axes.metres_of("29") == 0.29


@pytest.mark.parametrize(
    ("angle", "wrapped"),
    [(180.0, 180.0), (-180.0, -180.0), (270.0, -90.0), (-270.0, 90.0), (540.0, 180.0), (359.5, -0.5), (1e-20, 1e-20)],
)
def test_angles_are_brought_into_one_turn(angle: float, wrapped: float) -> None:
    assert axes.wrapped_deg(angle) == wrapped


def test_behind_keeps_its_name() -> None:
    assert axes.rotation_text(-180.0) == "0 180 0"
    assert axes.rotation_of("0 180 0") == (-180.0, 0.0)
    assert axes.rotation_text(180.0) == "0 -180 0"
    assert axes.rotation_of("0 -180 0") == (180.0, 0.0)
    assert axes.rotation_of("350 0 0") == (-0.0, -10.0)


@given(x=ANY)
def test_lengths_come_back_bit_for_bit(x: float) -> None:
    assert bits(axes.metres_of(axes.cm_text(x))) == bits(x)
    assert bits(axes.metres_of(Decimal(axes.cm_text(x)))) == bits(x)


@given(x=ANY)
def test_numbers_come_back_bit_for_bit(x: float) -> None:
    assert bits(axes.number_of(axes.number_text(x))) == bits(x)
    assert "e" not in axes.number_text(x).lower()


@given(x=FINITE, y=FINITE, z=FINITE, yaw=ANGLES, pitch=ANGLES)
def test_poses_come_back_bit_for_bit(x: float, y: float, z: float, yaw: float, pitch: float) -> None:
    (bx, by, bz), back_yaw, back_pitch = axes.pose_of(axes.pose_text((x, y, z), yaw, pitch))
    assert list(map(bits, (bx, by, bz, back_yaw, back_pitch))) == list(map(bits, (x, y, z, yaw, pitch)))


@given(angle=st.floats(-1e5, 1e5))
def test_wrapping_keeps_the_direction_and_is_done_once(angle: float) -> None:
    wrapped = axes.wrapped_deg(angle)
    assert -180.0 <= wrapped <= 180.0
    assert axes.wrapped_deg(wrapped) == wrapped
    turns = (angle - wrapped) / 360.0
    assert math.isclose(turns, round(turns), abs_tol=1e-9)


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf", "-Infinity", "1e999", "9" * 500, "1,5", "0x10"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="finite number"):
        axes.number_of(text)


def test_other_than_six_numbers_is_no_pose() -> None:
    with pytest.raises(ValueError, match="expected 6 numbers, got '1 2 3'"):
        axes.pose_of("1 2 3")
