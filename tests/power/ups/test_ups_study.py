"""The UPS beside its count: input and output currents, shortlist, eco mode."""

from __future__ import annotations

import math
from typing import Any

import pytest

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.power.ups.input_limit import module_input
from facility.power.ups.modules import eco_curve
from facility.power.ups.study import ups_study
from tests.power.helpers import LOSSLESS, Built, bare, build, criteria, demand

EATON = {"model": "9395XR-1935"}


def study(built: Built, code: str = "NEC") -> tuple[dict[str, Value], dict[str, Check]]:
    found = ups_study(built.design, built.flow, built.flow, criteria(code=code), built.trace)
    return found.results, {check.rule: check for check in found.checks}


def test_input_current_at_low_line_with_recharge() -> None:
    """1875 kW at 96.4 % and 10 % recharge: 2132.5 kW, at 373.5 V and 0.99 3330 A (+-0.1 % fit)."""
    built = build(bare(1.5e6), redundancy="N", ups=EATON, distribution=LOSSLESS)
    values, checks = study(built)
    expected = (1875e3 / 0.964 + 187.5e3) / (math.sqrt(3) * 415 * 0.9 * 0.99)
    found = values["ups.input_current_low_line"].si
    assert found == pytest.approx(expected, rel=1e-3)
    assert values["ups.input_rating_minimum"].si == pytest.approx(1.25 * float(found))
    assert checks["UPS-INPUT-BREAKER"].outcome == "PASS"
    system = values["ups.input_current_low_line.system"].si
    loss_w = built.flow.ups.losses_failure_w
    assert system == pytest.approx((1.5e6 + loss_w + 187.5e3) / (math.sqrt(3) * 373.5 * 0.99))


def test_output_current_is_that_of_the_manual() -> None:
    """Eaton Power Xpert 9395P, 480 V: 900 kVA give 1083 A."""
    built = build(
        bare(8e5),
        redundancy="N",
        ups={"module_rating": "900 kW"},
        distribution={"voltage": "480 V", "rack_system": "480Y/277", **LOSSLESS},
    )
    values, _ = study(built)
    assert values["ups.output_current"].si == pytest.approx(1083.0, abs=0.6)


def test_more_recharge_or_a_deeper_sag_draws_more() -> None:
    currents = [
        study(build(bare(4e5), redundancy="N", ups={"module_rating": "500 kW", **more}))[0][
            "ups.input_current_low_line"
        ].si
        for more in ({}, {"recharge": "20 %"}, {"recharge": "20 %", "low_line": "15 %"})
    ]
    assert currents == sorted(currents)
    assert len(set(currents)) == 3


def test_a_module_too_large_for_a_breaker_is_warned_about() -> None:
    built = build(bare(4e6), redundancy="N", ups={"module_rating": "5000 kW"})
    values, checks = study(built)
    assert checks["UPS-INPUT-BREAKER"].failed
    assert "ups.input_limit" not in values


def test_no_breaker_for_its_rating_but_for_its_load_is_limited_as_assumed() -> None:
    """5,000 kW at 415 V draw 8,900 A at low line, 6,000 A / 1.25 carry 2 MW."""
    built = build(bare(2e6), redundancy="N", ups={"module_rating": "5000 kW"})
    values, checks = study(built)
    assert values["ups.input_limit"].si == pytest.approx(4800.0)
    assert values["ups.input_current_low_line"].si > 8800.0
    assert checks["UPS-INPUT-BREAKER"].outcome == "PASS"
    assert checks["UPS-INPUT-LIMIT"].outcome == "PASS"
    entry = next(one for one in built.trace.ledger if one.id == "power.ups.input_limit")
    assert "largest breaker" in entry.basis


LIMITED = {
    "module_rating": "200 kW",
    "efficiency_25": "95 %",
    "efficiency_50": "97 %",
    "efficiency_75": "97.4 %",
    "efficiency_100": "97.6 %",
}
AT_480 = {"voltage": "480 V", "rack_system": "480Y/277", **LOSSLESS}


def limited(load_w: float, limit: str) -> tuple[dict[str, Value], dict[str, Check]]:
    ups = {**LIMITED, "input_limit": limit}
    return study(build(bare(load_w), redundancy="N", ups=ups, distribution=AT_480))


def test_a_stated_limit_bounds_the_input_and_what_charges() -> None:
    """Galaxy VL, 200 kW, 480 V: nominal 249 A, maximum 298 A, limited to 308 A.

    At 308 A 253.5 kW enter; 200 kW of load and 4.9 kW of loss leave 48.6 kW. With 10 % of recharge
    the module draws 224.9 kW, at 432 V and 0.99 303.6 A.
    """
    values, checks = limited(200e3, "308 A")
    assert values["ups.input_limit"].si == 308.0
    assert values["ups.input_rating_minimum"].si == pytest.approx(1.25 * 303.7, rel=2e-3)
    assert values["ups.recharge_left"].si == pytest.approx(48.6e3, abs=300.0)
    assert checks["UPS-INPUT-LIMIT"].outcome == "PASS"
    below, _ = limited(200e3, "280 A")
    assert below["ups.input_rating_minimum"].si == pytest.approx(1.25 * 280.0)
    assert module_input(below) == (280.0, "input-current limit of the UPS module, 280 A")


def test_a_limit_below_the_load_at_low_line_names_both() -> None:
    """204.9 kW at 432 V and 0.99 are 276.6 A."""
    _, checks = limited(200e3, "270 A")
    found = checks["UPS-INPUT-LIMIT"]
    assert (found.word, found.limit) == ("VIOLATION", 270.0)
    assert found.why == (
        "200 kW load and 5 kW losses of the most loaded module draw 277 A at 432 V (low line);"
        " rectifier input limit 270 A"
    )
    assert limited(200e3, "277 A")[1]["UPS-INPUT-LIMIT"].outcome == "PASS"


@pytest.mark.parametrize("redundancy", ["N", "N+1", "2N", "3N/2", "block-redundant"])
def test_losses_of_the_shortlist_are_those_of_the_chain(redundancy: str) -> None:
    built = build(demand(), redundancy=redundancy)
    first = built.design.ups.shortlist[0]
    assert first.loss_normal_w == pytest.approx(float(built.flow.ups.losses_w), rel=1e-9)
    assert first.loss_failure_w == pytest.approx(float(built.flow.ups.losses_failure_w), rel=1e-9)
    assert first.loading_normal == pytest.approx(float(built.flow.ups.loading.normal), rel=1e-9)


@pytest.mark.parametrize(
    "ups", [{}, EATON, {"module_rating": "500 kW"}, {**EATON, "modules_per_system": 9}]
)
def test_three_modules_are_compared_whatever_is_given(ups: dict[str, Any]) -> None:
    built = build(demand(), redundancy="2N", ups=ups)
    values, checks = study(built)
    assert checks["UPS-SHORTLIST"].outcome == "PASS"
    models = [values[f"ups.shortlist.{place}.model"].si for place in (1, 2, 3)]
    assert models[0] == built.design.ups.module.model
    assert len(set(models)) == 3
    for place in (1, 2, 3):
        at = f"ups.shortlist.{place}"
        loading, margin = values[f"{at}.loading_failure"].si, values[f"{at}.margin"].si
        assert float(loading) + float(margin) == pytest.approx(1.0)
        assert values[f"{at}.loading_normal"].si <= float(loading)


def test_as_built_count_does_not_bind_the_alternatives() -> None:
    built = build(demand(), redundancy="2N", ups={**EATON, "modules_per_system": 9})
    first, *others = built.design.ups.shortlist
    assert first.modules == 18
    assert all(option.installed_w < first.installed_w for option in others)


def test_eco_mode_is_reported_and_leaves_the_design_alone() -> None:
    plain = build(demand(), redundancy="2N", ups=EATON)
    eco = build(
        demand(), redundancy="2N", ups={**EATON, "eco_mode": "true", "eco_efficiency": "99 %"}
    )
    values, checks = study(eco)
    assert eco.flow.ups.losses_w == plain.flow.ups.losses_w
    output_w = float(eco.flow.ups.output_w)
    assert values["ups.eco_losses"].si == pytest.approx(output_w * (1 / 0.99 - 1))
    assert checks["UPS-ECO-MODE"].failed
    assert checks["UPS-ECO-MODE"].severity == "ADVICE"
    without, none = study(plain)
    assert "ups.eco_losses" not in without
    assert "UPS-ECO-MODE" not in none


def test_eco_mode_of_the_catalogue_and_of_an_unknown_module() -> None:
    """9395XR-1935: 98.4, 99.0, 99.2 and 99.2 %."""
    points = [eta for _, eta in eco_curve("9395XR-1935")]
    assert points == pytest.approx([0.984, 0.99, 0.992, 0.992])
    built = build(demand(), redundancy="2N", ups={**EATON, "eco_mode": "true"})
    values, _ = study(built)
    assert 0.984 < float(values["ups.eco_efficiency"].si) < 0.992
    light = build(demand(it_w=2e5), redundancy="2N", ups={**EATON, "eco_mode": "true"})
    assert light.flow.ups.loading.normal < 0.25
    assert study(light)[1]["UPS-ECO-MODE"].outcome == "NOT_EVALUATED"
    own = build(demand(), redundancy="2N", ups={"module_rating": "500 kW", "eco_mode": "true"})
    assert study(own)[1]["UPS-ECO-MODE"].outcome == "NOT_EVALUATED"


def test_the_static_switch_is_named_as_not_evaluated() -> None:
    assert study(build(demand()))[1]["UPS-BYPASS"].outcome == "NOT_EVALUATED"


@pytest.mark.parametrize(
    ("system", "told"),
    [("600Y/347", "None reaches the 600 V of the racks"), ("208Y/120", "208, 380, 380-440")],
)
def test_no_voltage_below_that_of_the_racks_is_proposed(system: str, told: str) -> None:
    distribution = {"rack_system": system, "voltage": "600 V"}
    with pytest.raises(FacilityError, match="output of 600 V") as refused:
        build(bare(1.5e6), distribution=distribution)
    assert (refused.value.code, told in refused.value.hint) == ("NO_UPS", True)
