"""What rounding leaves is forgiven at a limit, what is truly beyond it is not."""

from __future__ import annotations

import math

import pytest

from facility.catalogue import table
from facility.core.rounding import (
    argmax_within_rounding,
    argmin_within_rounding,
    reaches,
    rising,
    rounded,
    whole_units,
    within,
)


@pytest.mark.parametrize("limit", [1e-6, 1.0, 415.0, 3.2e8, -40.0])
def test_a_number_computed_equal_to_its_limit_holds(limit: float) -> None:
    step = 1e-12 * abs(limit)
    assert reaches(limit - step, limit)
    assert within(limit + step, limit)
    assert not reaches(limit - 1e5 * step, limit)
    assert not within(limit + 1e5 * step, limit)


def test_no_end_and_no_number() -> None:
    assert reaches(math.inf, math.inf)
    assert within(5.0, math.inf)
    assert not reaches(5.0, math.inf)
    assert not reaches(math.nan, 1.0)
    assert not within(math.nan, 1.0)


@pytest.mark.parametrize(
    ("needed", "units"),
    [(0.0, 0), (1e-3, 1), (1.0, 1), (1.0 + 1e-12, 1), (1.0 + 1e-6, 2), (7.3, 8), (8.0, 8)],
)
def test_whole_units(needed: float, units: int) -> None:
    assert whole_units(needed) == units
    assert whole_units(needed, minimum=1) == max(units, 1)


def test_the_row_above() -> None:
    egc = table("electrical/nec_250_122_egc")
    found = egc.above("ocpd_max_a", 61.0)
    assert found is not None
    assert found.si("ocpd_max_a") == 100.0  # NEC table 250.122: 15, 20, 60, 100 A
    same = egc.above("ocpd_max_a", 60.0 * (1.0 + 1e-12))
    assert same is not None
    assert same.si("ocpd_max_a") == 60.0
    assert egc.above("ocpd_max_a", 6001.0) is None
    soil = table("electrical/iec_60364_soil").above("resistivity_k_m_per_w", 2.1)
    assert soil is not None
    assert soil["factor"] == 1.0  # IEC 60364-5-52 table B.52.16: 2.5 K m/W


def test_of_equals_the_first_is_named() -> None:
    tenths = [0.1 + 0.2, 0.3, 0.5 - 0.2]
    assert argmax_within_rounding([*tenths, 0.1]) == 0
    assert argmax_within_rounding(tenths[::-1]) == 0
    assert argmin_within_rounding([1.0, *tenths]) == 1
    assert argmax_within_rounding([math.nan, 2.0, math.inf, math.inf]) == 2
    assert argmax_within_rounding([-2.0, -1.0, -1.0 + 1e-12]) == 1
    assert argmax_within_rounding([1.0, 1.0 + 1e-8]) == 1


def test_equals_keep_their_order() -> None:
    values = [0.3, 0.1 + 0.2, 0.2, 1e-18, 0.0, 1.0]
    assert rising(values).tolist() == [3, 4, 2, 0, 1, 5]
    assert sorted(range(3), key=lambda n: rounded(values[n])) == [2, 0, 1]
    assert rounded(-0.1 - 0.2) == rounded(-0.3)
