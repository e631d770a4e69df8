"""Published examples of conductors, grounding, fill, transformers and taps, each number of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from facility.core.check import Outcome
from facility.core.kinds import KINDS
from facility.physics.circuits.conductors import tap_ampacity
from facility.physics.circuits.currents import continuous_limit, required_rating
from facility.physics.circuits.voltage_drop import effective_impedance
from facility.power.feeders.nec.ampacity import ampacities, derating
from facility.power.feeders.nec.candidate import voltage_drops
from facility.power.feeders.nec.equipment import ground_fault_check
from facility.power.feeders.nec.grounding import installed_egc, table_egc
from facility.power.feeders.nec.raceway import smallest_conduit
from facility.power.feeders.nec.tables import impedance_per_metre, insulated_area, wire_size
from facility.power.feeders.nec.transformer import protect_transformer, transformer_checks
from tests.power.feeders.nec_helpers import COPPER, choose, circuit, failed

PUBLISHED = Path(__file__).parent / "data" / "published.csv"
FOOT_M = KINDS["length"].units["ft"][0]
AREA = KINDS["area"].units


def _rows() -> list[dict[str, str]]:
    with PUBLISHED.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, strict=True))


def _feeder_e01() -> dict[str, Any]:
    found = choose(200.0, neutral="not counted", neutral_a=200.0)
    return {
        "ocpd_a": found.ocpd_a,
        "required_a": found.required_a,
        "size": found.size,
        "ampacity_a": found.ampacity_a,
        "neutral": found.neutral_size,
    }


def _feeder_e02() -> dict[str, Any]:
    found = choose(13356.0 / 240.0, other_a=75.0, poles=2, voltage_v=240.0, v_ln=120.0)
    return {"required_a": found.required_a, "size": found.size}


def _parallel_e03() -> dict[str, Any]:
    found = {}
    for size in ("500", "600"):
        built = choose(960.0, ocpd_a=1200.0, size=size, sets=3)
        found[f"ampacity_3x{size}"] = built.ampacity_term_a
        found[f"ok_3x{size}"] = "no" if "NEC-CONDUCTOR-PROTECTION" in failed(built) else "yes"
    return found


def _bundling_e05() -> dict[str, Any]:
    factors = derating(circuit(10.0, grouped_circuits=5), COPPER)
    assert factors.current_carrying == 15
    adjusted = {
        f"adjusted_{size}": ampacities(size, 1, "cu", 90.0, 75.0, factors)[1]
        for size in ("12", "10")
    }
    return {"factor": factors.bundling, **adjusted}


def _egc(ocpd_a: float, base: str, installed: str) -> dict[str, Any]:
    least, small, large = table_egc(ocpd_a, "cu", "2023"), wire_size(base), wire_size(installed)
    found = installed_egc(least, large, "cu", 1, large.area_m2, small.area_m2)
    assert found is not None
    needed = least.area_m2 * large.area_m2 / small.area_m2 / AREA["cmil"][0]
    return {"egc_base": least.name, "egc_size": found.name, "egc_cmil": needed}


def _fill_e09() -> dict[str, Any]:
    conduit = smallest_conduit("EMT", "THHN/THWN-2", {"10": 4})
    one = insulated_area("10", "THHN/THWN-2")
    assert one is not None
    assert conduit.fill is not None
    return {
        "area_in2": 4 * one / AREA["in2"][0],
        "fill_pct": 100.0 * conduit.fill,
        "trade_size": conduit.trade_size,
    }


def _impedance_e11() -> dict[str, Any]:
    per_metre = impedance_per_metre("250", "cu", "EMT")
    assert per_metre is not None
    return {"ze_ohm_per_kft": effective_impedance.si(*per_metre, 0.85) * 1000.0 * FOOT_M}


def _drop_e13() -> dict[str, Any]:
    demand = circuit(
        40.0, length_m=180.0 * FOOT_M, power_factor=0.8, voltage_v=240.0, v_ln=240.0 / 3.0**0.5
    )
    drops = voltage_drops(demand, wire_size("6"), 1, COPPER)
    assert drops is not None
    return {"drop_v": drops[2]}


def _transformer_e24() -> dict[str, Any]:
    return vars(protect_transformer(75e3, 480.0, 208.0, "2017"))


def _panel_e32() -> dict[str, Any]:
    design = required_rating.si(195.0, 0.0, 1.25)
    return {
        "design_a": design,
        "divided_a": required_rating.si(design, 0.0, 1.25),
        "limit_of_225_a": continuous_limit.si(225.0, 1.25),
    }


def _ground_fault_d6() -> dict[str, Any]:
    asked = [(480.0, 1000.0), (480.0, 800.0), (415.0, 1200.0), (208.0, 3000.0)]
    found = {
        f"{v:.0f} V {a:.0f} A": ground_fault_check("MSB", v, a, "service", "2017", provided=False)
        for v, a in asked
    }
    return {name: "yes" if check.failed else "no" for name, check in found.items()}


CASES = {
    "E01": _feeder_e01,
    "E02": _feeder_e02,
    "E03": _parallel_e03,
    "E05": _bundling_e05,
    "E06": lambda: _egc(300.0, "250", "350"),
    "E07": lambda: _egc(40.0, "8", "6"),
    "E09": _fill_e09,
    "E11": _impedance_e11,
    "E13": _drop_e13,
    "E24": _transformer_e24,
    "E32": _panel_e32,
    "D6": _ground_fault_d6,
    "D7": lambda: {"tap_a": tap_ampacity.si(225.0, 0.1, 480.0, 208.0)},
}


@pytest.mark.parametrize("row", _rows(), ids=lambda r: f"{r['case']}-{r['quantity']}")
def test_published_number(row: dict[str, str]) -> None:
    found = CASES[row["case"]]()[row["quantity"]]
    if row["tolerance"]:
        assert found == pytest.approx(float(row["expected"]), abs=float(row["tolerance"]))
    else:
        assert found == row["expected"]


def test_not_more_than_225_a_of_primary_and_300_a_of_secondary_pass() -> None:
    allowed = protect_transformer(75e3, 480.0, 208.0, "2023")
    kept = transformer_checks("T1", allowed, 225.0, 300.0, "2023")
    broken = transformer_checks("T1", allowed, 250.0, 350.0, "2023")
    missing = transformer_checks("T1", allowed, 225.0, None, "2023")
    assert [c.outcome for c in kept] == [Outcome.PASS, Outcome.PASS]
    assert [c.outcome for c in broken] == [Outcome.FAIL, Outcome.FAIL]
    assert [c.outcome for c in missing] == [Outcome.PASS, Outcome.FAIL]
