from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labapp.controls.scale import Scale

LOG = Scale(1e-3, 1e3, log=True)
LINEAR = Scale(0.0, 120.0)
part = st.floats(0, 1)


@pytest.mark.parametrize("scale", [LOG, LINEAR, Scale(-3, 3), Scale(0, 9, integer=True)])
@given(part)
def test_values_stay_inside_and_keep_their_place(scale: Scale, fraction: float) -> None:
    value = scale.value(fraction)
    assert scale.low <= value <= scale.high
    assert scale.fraction(value) == pytest.approx(fraction, abs=0.06 if scale.integer else 1e-3)


def test_a_hand_means_few_digits() -> None:
    assert LOG.value(0.5817) == 3.09
    assert LINEAR.value(1 / 3) == 40.0
    assert LINEAR.value(0.3337) == 40.0 or LINEAR.value(0.3337) == pytest.approx(40.0, abs=0.1)


def test_values_outside_lie_at_the_ends() -> None:
    assert LOG.fraction(1e9) == 1
    assert LOG.fraction(-5.0) == 0
    assert LINEAR.fraction(-5.0) == 0


def test_steps() -> None:
    assert LINEAR.nudge(70.0, 1) == 71.0
    assert Scale(0, 1, step=0.25).nudge(0.5, -1) == 0.25
    assert LOG.nudge(1.0, 20) == 10.0
    assert LOG.nudge(1.0, 1) == 1.12
    assert LOG.nudge(1e-3, -1) == 1e-3
    assert Scale(0, 9, integer=True).nudge(3, 1) == 4
    assert Scale(float("-inf"), float("inf")).nudge(0.5, 1) == 1.5


@given(part)
def test_every_step_moves(fraction: float) -> None:
    for scale in (LOG, LINEAR):
        value = scale.value(fraction)
        for steps in (0.1, 1, 10):
            assert scale.nudge(value, steps) > value or value == scale.high
            assert scale.nudge(value, -steps) < value or value == scale.low


def test_snap() -> None:
    assert LOG.snap(3.4) == 5.0
    assert LOG.snap(0.0117) == 0.01
    assert LINEAR.snap(71.3) == 70.0
