"""Transformers at work: harmonics, regulation, efficiency by state, MV side."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.trace import Findings
from facility.physics.circuits.harmonics import (
    HarmonicSpectrum,
    current_distortion,
    harmonic_capability,
    k_factor,
    k_rating,
    rectifier_spectrum,
)
from facility.physics.machines.transformer import transformer_efficiency, voltage_regulation
from facility.power.substation.losses import permitted_losses
from facility.power.substation.study import study_transformers
from tests.power.helpers import Built, build, criteria

E30 = HarmonicSpectrum(((1, 100.0), (3, 30.0), (5, 20.0), (7, 10.0)))
LOW = {"rack_system": "208Y/120"}


def studied(built: Built, code: str = "NEC") -> Findings:
    return study_transformers(
        built.design, built.flow, built.flow, criteria(code=code), built.trace
    )


def study(distribution: dict[str, str] | None = None, **transformer: Any) -> Findings:
    return studied(build(redundancy="2N", distribution=distribution or {}, transformer=transformer))


def of(rule: str, found: Findings) -> Check:
    (check,) = [c for c in found.checks if c.rule == rule]
    return check


def si(found: Findings, key: str) -> float:
    return float(found.results[key].si)


def test_published_spectrum() -> None:
    """100, 30, 20, 10 A at 1, 3, 5, 7: THD 37.4 %, 106.77 A, K 2.89, rating 4."""
    assert E30.rms == pytest.approx(106.77, abs=0.01)
    thd = current_distortion.si(E30.harmonics, E30.fundamental)
    assert thd == pytest.approx(0.374, abs=5e-4)
    factor = k_factor.si(E30.weighted, E30.rms)
    assert factor == pytest.approx(2.89, abs=0.01)
    assert k_rating(factor) == 4
    assert k_rating(60.0) is None


def test_capability_holds_the_winding_loss() -> None:
    """Resistive loss with the square of the current, eddy loss K times as much of it."""
    factor, eddy = 4.0, 0.12
    part = harmonic_capability.si(factor, eddy, 1.0)
    assert part**2 * (1.0 + factor * eddy) == pytest.approx(1.0 + eddy)
    assert harmonic_capability.si(1.0, eddy, 1.0) == 1.0
    rated = harmonic_capability.si(20.0, eddy, 13.0)
    assert rated**2 * (1.0 + 20.0 * eddy) == pytest.approx(1.0 + 13.0 * eddy)


@given(st.floats(0.0, 1.0))
def test_rectifier_spectrum_has_the_distortion_asked_for(distortion: float) -> None:
    spectrum = rectifier_spectrum(distortion)
    assert current_distortion.si(spectrum.harmonics, spectrum.fundamental) == pytest.approx(
        distortion, abs=1e-12
    )
    assert k_factor.si(spectrum.weighted, spectrum.rms) >= 1.0 - 1e-12


def test_regulation_against_the_phasor_calculation() -> None:
    """1 + (r + jx) x (pf - j sin) has the magnitude that the second order leaves out little of."""
    r, z, pf, load = 0.005, 0.06, 0.9, 0.8
    x = math.sqrt(z * z - r * r)
    exact = abs(1.0 + complex(r, x) * load * complex(pf, -math.sqrt(1 - pf * pf))) - 1.0
    assert voltage_regulation.si(load, r, z, pf) == pytest.approx(exact, abs=1e-4)


def test_results_of_the_chain() -> None:
    built = build(redundancy="2N")
    found = studied(built)
    unit, system = built.design.transformers.unit, built.flow.systems[0]
    expected = transformer_efficiency.si(
        built.flow.transformers.normal,
        unit.rating_va,
        system.board_w / system.board_va,
        unit.no_load_w,
        unit.load_loss_w,
    )
    assert si(found, "transformer.efficiency_normal") == pytest.approx(expected)
    output_w = sum(s.board_w for s in built.flow.systems)
    lost_w = built.flow.part("transformer").loss_w
    assert expected == pytest.approx(output_w / (output_w + lost_w), rel=1e-9)
    assert 0.0 < si(found, "transformer.regulation") < 0.06
    volt_amperes = built.flow.utility.demand_va
    for end, volts in (("13_8kv", 13.8e3), ("33kv", 33e3), ("34_5kv", 34.5e3)):
        assert si(found, f"utility.mv_current_{end}") == pytest.approx(
            volt_amperes / (math.sqrt(3.0) * volts)
        )
    assert si(found, "substation.count") == 2


def test_substations_by_lineup() -> None:
    assert si(studied(build(redundancy="3N/2", ups={"buses": "3"})), "substation.count") == 9


def test_harmonics_of_the_ups_sheet() -> None:
    """9395XR-1935: 3 % input distortion. With 1/h up to the 25th that is K 1.08."""
    built = build(redundancy="2N", ups={"model": "9395XR-1935"})
    found = studied(built)
    assert si(found, "transformer.thd") == pytest.approx(0.03)
    amplitude = 0.03**2 / sum(1 / h**2 for h in (5, 7, 11, 13, 17, 19, 23, 25))
    assert si(found, "transformer.k_factor") == pytest.approx((1 + 8 * amplitude) / (1 + 0.03**2))
    assert "power.transformer.distortion" in built.trace.ledger


def test_harmonics_as_given_lower_the_permitted_load() -> None:
    strong = [{"order": "5", "current": "30 %"}, {"order": "11", "current": "20 %"}]
    clean, dirty = study(), study(harmonics=strong)
    assert si(dirty, "transformer.k_factor") == pytest.approx(
        (1 + 25 * 0.09 + 121 * 0.04) / (1 + 0.09 + 0.04)
    )
    limits = [of("TRANSFORMER-HARMONICS", found).limit for found in (clean, dirty)]
    assert limits[0] > limits[1]
    more = study(harmonics=strong, eddy_loss="30 %")
    assert of("TRANSFORMER-HARMONICS", more).limit < limits[1]
    for wrong in ([{"order": "1", "current": "5 %"}], [strong[0], strong[0]]):
        with pytest.raises(ValueError, match="orders must be different"):
            study(harmonics=wrong)


def test_transformers_are_sized_for_what_harmonics_leave() -> None:
    """The published K of 2.89 (E30) leaves sqrt(1.1 / 1.289) = 92.4 % with 10 % eddy loss."""
    e30 = [
        {"order": "3", "current": "30 %"},
        {"order": "5", "current": "20 %"},
        {"order": "7", "current": "10 %"},
    ]
    built = build(redundancy="2N", transformer={"harmonics": e30, "eddy_loss": "10 %"})
    found = of("TRANSFORMER-HARMONICS", studied(built))
    assert found.limit == pytest.approx(0.95 * 0.924, rel=1e-3)
    assert not found.failed
    # Three in each of two systems. Of 2 MVA they carry 4.5 MVA at 75 %, 4.16 MVA with harmonics,
    # 4.44 MVA at 80 % with them: the load is between the last two.
    cases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("75 %", {}), ("75 %", {"harmonics": e30}), ("80 %", {"harmonics": e30}),
    )  # fmt: skip
    made = [build(redundancy="2N", transformer={"max_loading": m, **own}) for m, own in cases]
    sizes = [b.design.transformers for b in made]
    assert [(one.count, one.unit.rating_va) for one in sizes] == [(6, 2e6), (6, 2.5e6), (6, 2e6)]
    assert not of("TRANSFORMER-HARMONICS", studied(made[1])).failed


def test_rack_harmonics_against_the_pdu() -> None:
    none = study(LOW)
    assert of("PDU-K-FACTOR", none).outcome == "NOT_EVALUATED"
    e30 = [
        {"order": "3", "current": "30 %"},
        {"order": "5", "current": "20 %"},
        {"order": "7", "current": "10 %"},
    ]
    made_for_it = study(LOW, it_harmonics=e30)
    held = of("PDU-K-FACTOR", made_for_it)
    assert si(made_for_it, "pdu.k_factor") == pytest.approx(2.89, abs=0.01)
    assert (held.outcome, held.limit) == ("PASS", pytest.approx(0.95))
    assert "K-13" in held.why


def test_pdu_transformers_are_sized_for_what_the_racks_leave() -> None:
    """An ordinary one carries 92.4 % under the published K of 2.89, a K-4 one its nameplate.

    Under 60 % of the seventh, K 13.7, a K-4 one carries (1.4 / 2.371)^0.5.
    """
    e30 = [
        {"order": "3", "current": "30 %"},
        {"order": "5", "current": "20 %"},
        {"order": "7", "current": "10 %"},
    ]
    seventh = [{"order": "7", "current": "60 %"}]
    own = {**LOW, "pdu_transformer": "250 kVA"}
    clean = build(redundancy="2N", distribution=own)
    counts = []
    for k, spectrum, left in (
        (None, e30, 0.924),
        ("4", e30, 1.0),
        ("4", seventh, (1.4 / 2.3706) ** 0.5),
    ):
        stated = {**own, **({"pdu_k_rating": k} if k else {})}
        built = build(redundancy="2N", distribution=stated, transformer={"it_harmonics": spectrum})
        found = of("PDU-K-FACTOR", studied(built))
        assert found.limit == pytest.approx(0.95 * left, rel=1e-3)
        assert not found.failed
        counts.append(built.design.pdus.count)
    assert counts[1] == clean.design.pdus.count
    assert counts[0] >= counts[1]


def test_a_k_rating_that_is_not_listed_is_refused() -> None:
    with pytest.raises(FacilityError, match="1, 4, 9, 13, 20, 30, 40, 50") as caught:
        build(redundancy="2N", distribution={**LOW, "pdu_k_rating": "7"})
    assert caught.value.code == "NOT_ONE_OF"


def test_what_is_not_known_is_said() -> None:
    found = study()
    assert of("TRANSFORMER-INRUSH", found).outcome == "NOT_EVALUATED"
    assert "TRANSFORMER-LOSS-RULE" not in {c.rule for c in found.checks}


def test_an_efficiency_beyond_its_table_is_advised() -> None:
    """The efficiencies reach from 1,000 to 2,500 kVA; a smaller unit has the nearest one."""
    small, within = (
        build(redundancy="2N", transformer={"rating": rating}).design.transformers.unit.memory
        for rating in ("300 kVA", "1500 kVA")
    )
    assert "efficiency at 1,000 kVA, the end of its table" in small
    assert not [note for note in within if "end of its table" in note]


def test_a_stated_k_rating_is_recorded_without_harmonics_too() -> None:
    own = {**LOW, "pdu_transformer": "250 kVA", "pdu_k_rating": "13"}
    assert build(redundancy="2N", distribution=own).trace.value("power.pdu_k_rating") == 13.0


@pytest.mark.parametrize(
    ("rating_va", "high_v", "low_v", "no_load_w", "load_loss_w"),
    [
        (1000e3, 20e3, 400.0, 693.0, 7600.0),
        (900e3, 20e3, 400.0, 639.0, 6800.0),
        (1000e3, 33e3, 400.0, 1.15 * 693.0, 1.10 * 7600.0),
        (2000e3, 20e3, 11e3, 1.10 * 1305.0, 1.10 * 15000.0),
        (2000e3, 33e3, 11e3, 1.20 * 1305.0, 1.15 * 15000.0),
    ],
)
def test_iec_losses_are_those_of_tier_two(
    rating_va: float, high_v: float, low_v: float, no_load_w: float, load_loss_w: float
) -> None:
    """Tables I.1 and I.3 of EU 548/2014, between two ratings linear."""
    found = permitted_losses(rating_va, "IEC", high_v, low_v)
    assert found.no_load_w == pytest.approx(no_load_w)
    assert found.load_loss_w == pytest.approx(load_loss_w)
    assert not found.doubts


def test_iec_losses_above_the_tables_keep_the_peak_efficiency() -> None:
    """Table I.4 of EU 548/2014: 99.548 % at 5,000 kVA, 2 sqrt(P0 Pk) = 22.6 kW."""
    found = permitted_losses(5000e3, "IEC", 20e3, 400.0)
    assert 2.0 * math.sqrt(found.no_load_w * found.load_loss_w) == pytest.approx(22.6e3)
    assert found.load_loss_w / found.no_load_w == pytest.approx(23000.0 / 1980.0)


@pytest.mark.parametrize(
    ("rating", "no_load", "load", "fails"),
    [
        ("1000 kVA", "693 W", "7600 W", False),
        ("1000 kVA", "1395 W", "9000 W", False),
        ("1000 kVA", "1395 W", "9100 W", True),
        ("4000 kVA", "2743 W", "31863 W", False),
        ("4000 kVA", "4000 W", "40000 W", True),
    ],
)
def test_losses_as_given_are_held_to_tier_two(
    rating: str, no_load: str, load: str, fails: bool
) -> None:
    """Those of a dry-type unit, 1,395 and 9,000 W, are within its own limits."""
    given = {"rating": rating, "no_load_loss": no_load, "load_loss": load}
    built = build(by=criteria(code="IEC"), redundancy="2N", transformer=given)
    assert of("TRANSFORMER-LOSS-RULE", studied(built, "IEC")).failed == fails


def test_losses_of_the_design_are_within_the_rule_of_the_site() -> None:
    abroad = studied(build(by=criteria(code="IEC"), redundancy="2N"), "IEC")
    assert of("TRANSFORMER-LOSS-RULE", abroad).value == pytest.approx(1.0)
    assert not of("TRANSFORMER-LOSS-RULE", abroad).failed
