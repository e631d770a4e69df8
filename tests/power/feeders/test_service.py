"""Low-voltage services of the NEC: their conductors, disconnects, grounding and bonding."""

from __future__ import annotations

from functools import cache

import pytest

from facility.core.check import Check, Outcome
from facility.files.project.file import apply_sets, parse_project
from facility.power.feeders.nec.grounding import bonding_jumper, grounding_electrode
from facility.power.feeders.nec.tables import area_named
from facility.study.design.design import Design, design
from tests.power.feeders.nec_helpers import choose

SERVICE = """\
schema_version: 1
site: {station: chicago, utility_voltage: 480 V, fault_level: 30 MVA}
criteria: {code: NEC, edition: 2023}
it: {gpu_model: H100 SXM5, gpus: 64, server: DGX H100, servers_per_rack: 2, feeds: [A, B]}
power: {redundancy: 2N}
"""


@cache
def made(*sets: str) -> Design:
    return design(apply_sets(parse_project(SERVICE), sets))


def of_rule(found: Design, rule: str, subject: str = "") -> list[Check]:
    return [c for c in found.checks if c.rule == rule and subject in c.subject]


def test_main_bonding_jumper_of_four_sets_of_500_kcmil() -> None:
    # NEC Digest on 250.28(D): 4 x 500 kcmil, 12.5 % of 2,000 kcmil is a jumper of 250 kcmil.
    line_m2 = 4 * area_named("500")
    assert bonding_jumper(line_m2, "cu").label == "250 kcmil"
    assert grounding_electrode(line_m2, "cu").label == "3/0 AWG"


def test_jumper_in_each_raceway_and_grounded_conductor_of_a_service() -> None:
    # Table 250.102(C)(1) as published: 350 kcmil asks for 2 AWG; in parallel none below 1/0.
    found = choose(1000.0, location="service", neutral="not counted", neutral_a=0.0)
    assert found.sets > 1
    assert found.egc_size == bonding_jumper(found.area_m2, "cu").name
    assert found.neutral_size == "1/0"
    assert "NEC-NEUTRAL-COUNTED" not in {c.rule for c in found.checks}
    assert found.articles[:2] == ("230.90", "230.42(A)")


def test_a_service_is_60_a_at_least() -> None:
    found = choose(8.0, location="service", min_ampacity_a=60.0)  # 230.79(D)
    assert (found.ocpd_a, found.size) == (60.0, "6")
    assert choose(8.0).ocpd_a == 10.0


def test_rules_of_the_service() -> None:
    found = made()
    (marking,) = of_rule(found, "NEC-FAULT-MARKING")
    assert marking.why.startswith("service equipment: mark")
    (grounding,) = of_rule(found, "NEC-GROUNDING")
    # 300 A as the UPS input that it feeds: 350 kcmil, over 3/0 in table 250.102(C)(1).
    assert "main bonding jumper 2 AWG" in grounding.why
    assert "250.24" in str(grounding.source)
    (gfp,) = of_rule(found, "NEC-GFP", "UTIL>ATS-A")
    assert "230.95" in str(gfp.source)
    (unmodeled,) = of_rule(found, "NEC-SERVICE")
    assert unmodeled.outcome is Outcome.NOT_EVALUATED


@pytest.mark.parametrize(("buses", "failed"), [(3, False), (4, True)])
def test_no_more_than_six_disconnects(buses: int, failed: bool) -> None:
    found = made(f"power.ups.buses={buses}")
    (disconnects,) = of_rule(found, "NEC-SERVICE-DISCONNECTS")
    assert (disconnects.failed, disconnects.value) == (failed, 2 * buses)


def test_circuits_carry_the_loss_of_another_board_of_the_service() -> None:
    assert not [c for c in of_rule(made(), "OVERLOAD-IN-STATE") if c.failed]


def test_a_receptacle_carries_its_load_although_its_breaker_is_listed_for_100_percent() -> None:
    """18.3 A on a 20 A breaker: NEMA L21-20R carries 16 A continuously, the next one 24 A."""
    found = made("power.distribution.listed_100=true", "power.distribution.rack_system=208Y/120")
    loads = of_rule(found, "RECEPTACLE-LOAD")
    assert loads
    assert not [c.subject for c in loads if c.failed]


def test_a_circuit_beyond_every_receptacle_is_wired_without_one() -> None:
    """The largest of 480Y/277 is NEMA L22-30R, 24 A continuously: 28.3 A on 30 A has none."""
    found = made("power.distribution.listed_100=true", "power.distribution.rack_system=480Y/277")
    assert not [c.subject for c in of_rule(found, "RECEPTACLE-LOAD") if c.failed]
    assert of_rule(found, "RECEPTACLE-KNOWN")


def test_cables_of_an_iec_service_stand_behind_the_utility_alone() -> None:
    found = made(
        "criteria.edition=2009", "criteria.code=IEC", "site.utility_voltage=380 V",
        "site.country=BR", "power.faults.clearing_time=100 ms",
    )  # fmt: skip
    (check,) = of_rule(found, "IEC-SHORT-CIRCUIT", "UTIL>")
    assert check.outcome is Outcome.NOT_EVALUATED
    assert not [c.subject for c in of_rule(found, "IEC-SHORT-CIRCUIT") if c.failed]
