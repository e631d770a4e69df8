"""Draws: strata of the Latin hypercube, seeds, Sobol indices against published ones."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.study.ranges.draw import METHODS, Method, draw, saltelli, sobol_indices
from facility.study.ranges.influence import rank_correlation


def test_each_stratum_of_each_input_is_drawn_from_once() -> None:
    parts = draw("lhs", 500, 7, 3)
    assert parts.shape == (500, 7)
    for column in parts.T:
        assert sorted(np.floor(column * 500)) == list(range(500))


@pytest.mark.parametrize("method", METHODS)
def test_a_seed_draws_the_same_bytes_and_another_does_not(method: Method) -> None:
    one, again, other = (draw(method, 64, 3, seed) for seed in (5, 5, 6))
    assert one.tobytes() == again.tobytes()
    assert one.tobytes() != other.tobytes()
    assert float(one.min()) >= 0.0
    assert float(one.max()) <= 1.0


def test_sobol_indices_of_the_ishigami_function_are_the_published_ones() -> None:
    """Ishigami and Homma 1990, a = 7, b = 0.1; indices as in Saltelli et al., analytical."""
    parts = saltelli(4096, 3, 1)
    x = -math.pi + 2.0 * math.pi * parts
    outcome = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = sobol_indices(outcome, 3, 1)
    assert found is not None
    assert len(parts) == 4096 * 5
    assert found.first == pytest.approx((0.3139, 0.4424, 0.0), abs=0.01)
    assert found.total == pytest.approx((0.5576, 0.4424, 0.2437), abs=0.01)
    assert max(*found.first_error, *found.total_error) < 0.06


def test_what_does_not_vary_has_no_indices_and_no_correlation() -> None:
    assert sobol_indices(np.full(40, 3.0), 3, 1) is None
    line = np.arange(9.0)
    assert rank_correlation(line, np.full(9, 2.0)) is None
    assert rank_correlation(line, np.exp(line)) == pytest.approx(1.0)
    assert rank_correlation(line, -(line**3)) == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("method", "samples", "inputs", "seed", "code"),
    [
        ("lhs", 1, 2, 1, "RANGE_SAMPLES"),
        ("mc", 10_000_000, 2, 1, "RANGE_SAMPLES"),
        ("mc", 100, 2, -1, "RANGE_SAMPLES"),
        ("sobol", 100, 2, 1, "RANGE_SAMPLES"),
        ("sobol", 128, 7, 1, "RANGE_SOBOL"),
        ("best", 128, 7, 1, "OPTIONS"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    method: Method, samples: int, inputs: int, seed: int, code: str
) -> None:
    with pytest.raises(FacilityError) as caught:
        draw(method, samples, inputs, seed)
    assert caught.value.code == code


def test_without_the_extra_sobol_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(module: str) -> ModuleType:
        raise ModuleNotFoundError(module, name="SALib")

    monkeypatch.setattr("importlib.import_module", absent)
    with pytest.raises(FacilityError) as caught:
        saltelli(16, 2, 1)
    assert caught.value.code == "NO_SWEEP_EXTRA"
    assert "facility[sweep]" in caught.value.hint
