"""Angles and bearings: degrees, counter-clockwise, left positive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.pose import Pose, bearing_deg, distance_m, wrap_angle_deg


@pytest.mark.parametrize(("angle", "wrapped"), [(0, 0), (180, -180), (-180, -180), (190, -170), (-190, 170), (720, 0)])
def test_wrapping(angle: float, wrapped: float) -> None:
    assert wrap_angle_deg(angle) == wrapped


@given(st.floats(-1e4, 1e4))
def test_wrapping_stays_in_range_and_keeps_the_direction(angle: float) -> None:
    wrapped = wrap_angle_deg(angle)
    assert -180.0 <= wrapped < 180.0
    assert (angle - wrapped) % 360.0 == pytest.approx(0.0, abs=1e-6) or (angle - wrapped) % 360.0 == pytest.approx(360)


@pytest.mark.parametrize(
    ("yaw", "point", "bearing"),
    [
        (0.0, (3.0, 1.0), 0.0),
        (0.0, (1.0, 4.0), 90.0),
        (90.0, (3.0, 1.0), -90.0),
        (180.0, (3.0, 1.0), -180.0),
        (-90.0, (2.0, 0.0), 45.0),
    ],
)
def test_bearings_are_positive_to_the_left(yaw: float, point: tuple[float, float], bearing: float) -> None:
    assert bearing_deg(Pose(1.0, 1.0, yaw), *point) == pytest.approx(bearing)


def test_distance_is_on_the_floor() -> None:
    assert distance_m(Pose(1.0, 1.0, 30.0, -20.0), 4.0, 5.0) == 5.0
