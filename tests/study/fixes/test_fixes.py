"""Fixes: proved by a design, never guessed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, default_project
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.study.design.design import Design, design
from facility.study.fixes.propose import ALSO, BY_RULE, Fix, fields_of, fixes, may_be_fixed
from tests.checks.test_rules import AT_415_V, DRIVEN, UPS
from tests.cli.helpers import run
from tests.study.fields import AIR, BASES
from tests.study.helpers import design_of

CASES = {
    "UPS-SPARE": {"power.ups.modules_per_system"},
    "TRANSFORMER-SPARE": {"power.transformer.count"},
    "GENERATOR-KVA": {"power.generator.count"},
    "CHILLER-CAPACITY": {"cooling.plant.chiller.count"},
    "AIR-DOOR-LOST": {"cooling.crah.rating"},
    "BATTERY-AUTONOMY": {"power.battery.strings"},
    "BRANCH-LOAD": {"it.halls.0.racks.0.circuits.0.breaker"},
    "NEC-NEUTRAL-COUNTED": {"power.conductors.neutral_counted"},
}
WARNED = {
    "AIR-DENSITY-LIMIT": {"it.servers_per_rack": ""},  # Left open: at most 30 kW to air
    "CONDUCTOR-LOSS": {},
    "NETWORK-LOADING": {"power.transformer.count": ""},
    "AIR-TILES": {"it.servers_per_rack": "1"},  # Left open: two, 20.4 kW, too many for tiles
    "DC-AMPACITY": {"power.dc.conductor_size": "4/0"},
    "RACK-FLOW": {"cooling.cdu.tcs_flow": ""},
}
"""Checks that are asked about one by one, warnings among them, and what clears them."""
LOSSES = {"branch_loss": 0.2, "feeder_loss": 0.1, "board_loss": 0.1}
"""Losses stated for the project of CONDUCTOR-LOSS, % of the IT power (`driven.csv`)."""
NONE = ("UTILITY-CAPACITY", "REUSE-TEMPERATURE", "SUPPLY-VOLTAGE", "PSU-REDUNDANCY")


def driven(rule: str) -> Design:
    one = next(one for one in DRIVEN if one.rule == rule)
    ups = () if any(s.startswith("power.ups.") for s in one.fails) else UPS.get(one.base, ())
    return design_of(BASES[one.base], *AT_415_V.get(one.base, ()), *ups, *one.fails)


def violations(found: Design) -> set[tuple[str, str]]:
    return {
        (check.rule, subject)
        for check in found.checks
        if check.word == "VIOLATION"
        for subject in (check.subject, *check.alike)
    }


def surplus(found: Design) -> set[str]:
    return {c.subject.partition(",")[0] for c in found.checks if c.failed and c.rule in ALSO}


@pytest.mark.parametrize("rule", CASES)
def test_a_fix_clears_its_violation_and_makes_none(rule: str) -> None:
    found = driven(rule)
    mine: list[Fix] = [fix for (name, _), fix in fixes(found).items() if name == rule]
    assert mine
    for fix in mine:
        assert set(fix.changes) == CASES[rule]
        after = design(found.project.with_(dict.fromkeys(fix.changes)))
        assert (rule, fix.subject) not in violations(after)
        assert violations(after) < violations(found)
        assert violations(found) - violations(after) == set(fix.cleared)
        assert all(path in fix.reason for path in fix.changes)
        for key, before, now in fix.effects:
            assert (before, now) == (found.results[key], after.results[key])
            assert before != now


def losses_that_clear(found: Design) -> dict[str, str]:
    """Return the stated losses, raised in proportion to the loss found, up to 0.001 %."""
    stated_w = sum(LOSSES.values()) / 100.0 * float(found.results["load.it"].si)
    more = float(found.distribution.results["feeder.loss"].si) / stated_w
    return {
        f"power.distribution.{name}": f"{math.ceil(1e3 * percent * more) / 1e3:g} %"
        for name, percent in LOSSES.items()
    }


@pytest.mark.parametrize("rule", WARNED)
def test_one_check_is_cleared_by_what_the_design_says_passes(rule: str) -> None:
    found = driven(rule)
    check = next(c for c in found.checks if c.rule == rule and c.failed)
    of = (rule, check.subject)
    assert may_be_fixed(rule)
    fix = fixes(found, of=of)[of]
    assert fix.changes == (WARNED[rule] or losses_that_clear(found))
    changed = {path: text or None for path, text in fix.changes.items()}
    after = design(found.project.with_(changed))
    assert not [c for c in after.checks if c.failed and (c.rule, c.subject) == of]
    assert violations(after) <= violations(found)
    new = {c.rule for c in after.checks if c.word == "WARNING"}
    new -= {c.rule for c in found.checks if c.word == "WARNING"}
    assert new <= {one.partition(" of ")[0] for one in fix.warned}
    assert all(one in fix.reason for one in fix.warned)
    assert all(f"to {text}" in fix.reason for text in fix.changes.values() if text)
    before = {path: text or None for path, text in fix.stated.items()}
    again = design(after.project.with_(before))
    assert of in {(c.rule, c.subject) for c in again.checks if c.failed}


def test_units_too_large_for_a_small_room_are_offered_in_a_standard_size() -> None:
    stated = (
        "power.ups.module_rating=300 kW",
        "power.generator.rating=1000 kW",
        "power.transformer.rating=1000 kVA",
    )
    found = design_of(BASES["air"], "it.gpus=8", "power.redundancy=N", *stated)
    kinds = ("UPS", "generators", "transformers")
    fields = ("power.ups.module_rating", "power.generator.rating", "power.transformer.rating")
    offered = fixes(found)
    assert {subject.partition(",")[0] for _, subject in offered} == set(kinds)
    for (_, subject), fix in offered.items():
        kind = subject.partition(",")[0]
        assert fields[kinds.index(kind)] in fix.changes
        left = surplus(design(found.project.with_(fix.changes)))
        assert left <= surplus(found) - {kind}


def test_a_stated_transformer_too_large_is_released_to_the_size_of_its_lineup() -> None:
    """Behind a stated UPS of 150 kW an open transformer is as large as the UPS asks for."""
    stated = ("power.ups.module_rating=150 kW", "power.transformer.rating=500 kVA")
    found = design_of(BASES["air"], "it.gpus=8", "power.redundancy=N", *stated)
    assert "transformers" in surplus(found)
    (fix,) = [fix for (_, subject), fix in fixes(found).items() if "transformers" in subject]
    assert fix.changes == {"power.transformer.rating": ""}
    after = design(found.project.with_({"power.transformer.rating": None}))
    assert "transformers" not in surplus(after)
    assert float(after.results["transformer.rating_kva"].si) == 225e3


def test_buffer_too_small_for_the_chillers_is_released() -> None:
    project = apply_sets(default_project(), ("cooling.thermal.chilled_water_tank=0 m3",))
    found, of = design(project), ("RIDE-THROUGH-VOLUME", "chilled water")
    (check,) = [c for c in found.checks if c.rule == of[0]]
    assert check.failed
    assert fixes(found, of=of)[of].changes == {"cooling.thermal.chilled_water_tank": ""}


@pytest.mark.parametrize("rule", NONE)
def test_what_is_a_fact_or_a_wish_is_never_changed(rule: str) -> None:
    assert not [name for name, _ in fixes(driven(rule)) if name == rule]


def test_a_ups_kept_from_an_example_is_released_to_the_size_of_the_load() -> None:
    found = design(apply_sets(default_project(), ["it.gpus=64"]))
    ((_, fix),) = [(m, f) for m, f in fixes(found).items() if m[1].startswith("UPS")]
    assert "power.ups.model" in fix.changes
    assert fix.effects
    after = design(found.project.with_({p: text or None for p, text in fix.changes.items()}))
    assert "UPS" in surplus(found) - surplus(after)
    assert (surplus(after) <= surplus(found)) or "INSTALLED-SURPLUS" in fix.reason
    assert float(after.results["pue.design"].si) < float(found.results["pue.design"].si)


def test_the_check_prints_what_would_clear_what_fails(tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    sets = "power: {redundancy: 3N/2, battery: {blocks_per_string: '41'}}"
    file.write_text(AIR.replace("power: {redundancy: 3N/2}", sets), encoding="utf-8")
    asked = run("check", str(file), "--fixes", "--json")
    assert ["power.battery.blocks_per_string="] in [fix["set"] for fix in asked.json["fixes"]]
    told = run("check", str(file), "--fixes").out
    assert "--set power.battery.blocks_per_string=" in told
    assert "Clear power.battery.blocks_per_string (41) for automatic sizing" in " ".join(
        told.split()
    )


def test_a_search_is_bounded_and_can_be_ended() -> None:
    found, seen = driven("UPS-SPARE"), list[int]()
    assert not fixes(found, seen.append, most=0)
    assert not seen

    def stop(_: int) -> None:
        raise FacilityError("RUN_CANCELLED", "", "")

    with pytest.raises(FacilityError, match="RUN_CANCELLED"):
        fixes(found, stop)


def test_every_field_that_a_fix_may_release_is_an_input() -> None:
    known = {entry.path for entry in leaves(Project)}
    for pattern in BY_RULE.values():
        for path in pattern:
            assert path in known or any(one.startswith(f"{path}.") for one in known), path
    assert fields_of("UPS-SPARE")
    assert not fields_of("NO-SUCH-RULE")
