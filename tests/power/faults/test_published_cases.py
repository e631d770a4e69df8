"""The published short-circuit examples, worked through the study of a whole tree."""

from __future__ import annotations

import math

import pytest

from facility.catalogue import table
from facility.physics.machines.transformer import secondary_fault_current
from facility.power.faults.impedances import conductor_branch, transformer_branch
from facility.power.faults.types import Method
from facility.study.verification.power.fault_cases import current, transformer
from tests.formulas.machines import impedance_of_c
from tests.formulas.point_to_point import conductor_factor, multiplier, secondary_current

FOOT_M = 0.3048


@pytest.mark.parametrize("method", ["per-unit", "point-to-point"])
@pytest.mark.parametrize(
    ("kva", "volt", "z", "level_mva", "expected_a", "tolerance_a"),
    [
        (1000.0, 480.0, 0.0575, None, 20924.0, 15.0),  # E18
        (400.0, 420.0, 0.04, None, 13700.0, 60.0),  # E20
        (630.0, 420.0, 0.06, 500.0, 14100.0, 100.0),  # E21
        (800.0, 420.0, 0.06, 500.0, 17900.0, 100.0),
        (1000.0, 420.0, 0.06, 500.0, 22200.0, 100.0),
        (1250.0, 420.0, 0.06, 500.0, 27500.0, 100.0),
        (1600.0, 420.0, 0.06, 500.0, 34800.0, 100.0),
        (2000.0, 420.0, 0.06, 500.0, 43000.0, 100.0),
        (2500.0, 420.0, 0.06, 500.0, 52900.0, 100.0),
        (630.0, 420.0, 0.04, 500.0, 21000.0, 100.0),  # E21, oil
        (1000.0, 420.0, 0.06, 250.0, 21500.0, 100.0),
        (2500.0, 420.0, 0.06, 250.0, 49100.0, 100.0),
    ],
)
def test_transformer_tables(
    kva: float,
    volt: float,
    z: float,
    level_mva: float | None,
    expected_a: float,
    tolerance_a: float,
    method: Method,
) -> None:
    """One X/R for network and transformer: magnitudes and R + jX then add alike."""
    level = None if level_mva is None else level_mva * 1e6
    found_a = current("LV", method, level, transformer(kva * 1e3, volt, z))
    assert found_a == pytest.approx(expected_a, abs=tolerance_a)


def test_point_to_point_one_line() -> None:  # E16, faults X1 and X2
    c = table("electrical/bussmann_c_values").get("500")["c_cu_steel"]
    ohm = float(impedance_of_c.si(20.0 * FOOT_M, float(c)))
    run = conductor_branch("X2", "LV", 208.0, complex(0.0, ohm), complex(0.0, ohm), (1.0, 1.0), 2)
    tree = (transformer(300e3, 208.0, 0.02, 0.10), run)
    first, second = (current(bus, "point-to-point", None, *tree) for bus in ("LV", "X2"))
    assert first == pytest.approx(46273.0, abs=20.0)
    assert second == pytest.approx(39425.0, abs=20.0)
    f = conductor_factor.si(first, ohm, 2, 208.0)
    assert f == pytest.approx(0.174, abs=0.0005)
    assert multiplier.si(f) == pytest.approx(0.852, abs=0.0005)
    assert multiplier.si(f) * first == pytest.approx(second, rel=1e-9)


def test_largest_current_of_the_tolerance() -> None:  # E46: +7.5 % on the current
    by_rule = secondary_fault_current.si(2500e3, 480.0, 0.0575, 1.075)
    assert by_rule == pytest.approx(56292.0, abs=110.0)
    exact = current("LV", "per-unit", None, transformer(2500e3, 480.0, 0.0575, 0.075))
    assert exact == pytest.approx(by_rule / 1.075 / 0.925, rel=1e-9)


def test_step_by_step_is_the_tree() -> None:
    """Bussmann's steps through a second transformer give what the tree gives."""
    ohm = 0.004
    run = conductor_branch("A", "LV", 480.0, complex(ohm, 0.0), complex(ohm, 0.0), (1.0, 1.0))
    small = transformer_branch("B", "A", 75e3, 480.0, 208.0, 0.0269, "Dyn1", 1.0, x_over_r=1.5)
    tree = (transformer(1000e3, 480.0, 0.0575), run, small)
    first = current("LV", "point-to-point", None, *tree)
    second = first * multiplier.si(conductor_factor.si(first, ohm, 1, 480.0))
    f = math.sqrt(3.0) * second * 480.0 * 2.69 / (100000.0 * 75.0)
    assert current("A", "point-to-point", None, *tree) == pytest.approx(second, rel=1e-9)
    third = secondary_current.si(second, 480.0, 208.0, f)
    assert current("B", "point-to-point", None, *tree) == pytest.approx(third, rel=1e-9)
    assert current("B", "per-unit", None, *tree) > third
