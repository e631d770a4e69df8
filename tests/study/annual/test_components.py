"""Load and loss components: years of their own at four loads, beside limits of the user."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, parse_project
from facility.study.annual.components import LOADS
from facility.study.design.design import Design
from tests.study.helpers import SHORTEST, checks_of, design_of, reference

EDITION = "criteria.component_limits_edition=90.4-2019"


def results(found: Design) -> dict[str, float]:
    assert found.year is not None
    return {key: float(value.si) for key, value in found.year.results.items() if value.kind}


@pytest.mark.parametrize("load", [1.0, 0.5])
def test_a_load_point_is_the_year_at_that_load(load: float) -> None:
    here = results(design_of(SHORTEST, f"it.load_factor={load:.0%}"))
    components = design_of(SHORTEST).components
    assert components is not None
    point = next(point for point in components.points if point.load == load)
    cooling = here["energy.annual.cooling"] / here["energy.annual.it"]
    assert point.mlc == pytest.approx(cooling, rel=1e-9)
    inside = sum(
        here[f"annual.losses.{part}"]
        for part in ("feeder", "pdu_transformer", "branch", "rack_pdu")
    )
    kept = here["energy.annual.it"] / (here["energy.annual.it"] + inside)
    assert point.distribution == pytest.approx(1.0 - kept, rel=1e-9)
    incoming = here["annual.losses.transformer"] + here["annual.losses.lv_board"]
    assert point.incoming == pytest.approx(incoming / here["energy.annual"], rel=1e-9)


def test_loads_from_full_to_a_quarter_and_their_mean() -> None:
    found = reference("h100-10k").components
    assert found is not None
    assert tuple(point.load for point in found.points) == LOADS
    assert found.mlc == pytest.approx(sum(point.mlc for point in found.points) / 4.0)
    for point in found.points:
        through = (1.0 - point.incoming) * (1.0 - point.ups) * (1.0 - point.distribution)
        assert point.elc == pytest.approx(1.0 - through)
        assert point.elc_inside < point.elc
    least = min(found.points, key=lambda point: point.ups)
    assert least.load > 0.25, "modules nearly empty lose most"


def test_sourced_limits_of_the_zone_stand_beside_with_their_mark() -> None:
    found = design_of(SHORTEST, "site.station=chicago").components
    assert found is not None
    assert ("2016+g / 2019", "zone 5A", 0.25, "secondary") in {
        (limit.edition, limit.place, limit.limit, limit.mark) for limit in found.limits
    }
    assert not checks_of(design_of(SHORTEST, "site.station=chicago"), "MLC-LIMIT")
    large = reference("h100-10k", "site.station=chicago").components
    assert large is not None
    assert 0.16 in {limit.limit for limit in large.limits}, "another limit above 300 kW"


@pytest.mark.parametrize("rule", ["MLC-LIMIT", "ELC-LIMIT"])
def test_only_a_stated_limit_is_checked(rule: str) -> None:
    name = rule[:3].lower()
    components = design_of(SHORTEST).components
    assert components is not None
    value = getattr(components, name)
    for limit, failed in ((value * 0.99, True), (value * 1.01, False)):
        found = design_of(SHORTEST, f"criteria.{name}_limit={limit:.6f}", EDITION)
        checks = checks_of(found, rule)
        assert [check.failed for check in checks] == [failed]
        assert "90.4-2019" in checks[0].why
        assert results(found)[f"{name}.annual"] == pytest.approx(value, rel=1e-9)


def test_a_limit_is_a_share_as_others_are() -> None:
    limits = [
        apply_sets(parse_project(SHORTEST), (f"criteria.mlc_limit={text}", EDITION)).criteria
        for text in ("25 %", "0.25")
    ]
    assert [one.mlc_limit.si for one in limits if one.mlc_limit] == [0.25, 0.25]


@pytest.mark.parametrize("sets", [("criteria.mlc_limit=0.3",), (EDITION,)])
def test_a_limit_names_the_standard_it_is_from(sets: tuple[str, ...]) -> None:
    with pytest.raises(FacilityError) as caught:
        apply_sets(parse_project(SHORTEST), sets)
    assert caught.value.code == "LIMITS_EDITION"
