"""A moving load worked once more by brute force."""

from __future__ import annotations

from tests.results import motion


def test_a_moving_load_is_that_of_the_second_calculation() -> None:
    assert list(motion.differences()) == []
