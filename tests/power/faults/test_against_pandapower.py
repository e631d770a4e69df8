"""IEC 60909 against pandapower 3.5.6, recorded, and against the currents of IEC TR 60909-4.

`tools/oracles/iec60909_pandapower.py` wrote the record. Asked is 0.5 %; the tolerances here are the
digits that are left: the two follow one standard and differ by rounding alone.
"""

from __future__ import annotations

from functools import cache

import pytest

from facility.power.faults.currents import fault_currents
from facility.power.faults.types import Case, FaultCurrents
from tests.power.faults.networks import VOLTAGE, radial, recorded, tr_60909_4

TREES = {
    "radial-utility": radial("utility"),
    "radial-generator": radial("generator"),
    "tr4": tr_60909_4(with_motors=True),
    "tr4-no-motors": tr_60909_4(with_motors=False),
}
CURRENT_TOLERANCE = 1e-4
PEAK_TOLERANCE = 1e-3

# Initial three-phase currents of IEC TR 60909-4 at buses 5, 6 and 7 as the tests of pandapower
# carry them [kA]: with all motors, and without.
PUBLISHED = {
    "tr4": {"5": 33.1894, "6": 37.5629, "7": 25.5895},
    "tr4-no-motors": {"5": 32.9971, "6": 34.3559, "7": 22.2762},
}


@cache
def found(network: str, case: Case) -> FaultCurrents:
    return fault_currents(TREES[network], "iec-60909", case, VOLTAGE)


ROWS = [row for row in recorded() if row["network"] in TREES]


def test_the_record_is_whole() -> None:
    buses = {row["bus"] for row in ROWS if row["network"] == "radial-utility"}
    assert len(buses) >= 12
    assert buses == set(found("radial-utility", "max").tags)
    assert len(ROWS) == 14 * 6 + 6 * 4 + 2 * 3 * 2
    assert all(row["version"].startswith("pandapower 3") and row["date"] for row in ROWS)


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda r: f"{r['network']}-{r['bus']}-{r['fault']}-{r['case']}"
)
def test_currents_are_those_of_pandapower(row: dict[str, str]) -> None:
    currents = found(row["network"], "max" if row["case"] == "max" else "min")
    index = currents.index(row["bus"])
    by_fault = {
        "3ph": currents.three_phase_a,
        "2ph": currents.line_line_a,
        "1ph": currents.line_ground_a,
    }
    assert by_fault[row["fault"]][index] == pytest.approx(
        float(row["ikss_a"]), rel=CURRENT_TOLERANCE
    )
    z1 = currents.z1_ohm[index]
    assert z1.real == pytest.approx(float(row["r_ohm"]), rel=CURRENT_TOLERANCE)
    assert z1.imag == pytest.approx(float(row["x_ohm"]), rel=CURRENT_TOLERANCE)
    if row["fault"] == "3ph":
        assert currents.peak_a[index] == pytest.approx(float(row["ip_a"]), rel=PEAK_TOLERANCE)


@pytest.mark.parametrize("network", PUBLISHED)
def test_currents_are_those_of_the_technical_report(network: str) -> None:
    currents = found(network, "max")
    for bus, published_ka in PUBLISHED[network].items():
        assert currents.three_phase_a[currents.index(bus)] == pytest.approx(
            1e3 * published_ka, abs=0.3
        )


def test_the_factor_of_the_transformer_is_not_forgotten() -> None:
    """Without K_T the current behind 12 % would differ by 2.5 %: far outside the tolerance."""
    per_unit = fault_currents(TREES["tr4"], "per-unit", "max", VOLTAGE)
    row = per_unit.index("6")
    corrected = found("tr4", "max").three_phase_a[row]
    assert abs(per_unit.three_phase_a[row] * 1.1 / corrected - 1.0) > 0.01
