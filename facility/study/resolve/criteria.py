"""Design criteria and building loads, resolved with their named defaults."""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue import Row, table
from facility.catalogue.articles import article
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.facility import ComponentLimits, Criteria, Goal, House, UncoveredStandard
from facility.model.inputs.criteria import (
    CODE_EDITIONS,
    DEFAULT_CODE,
    USUAL_AIR_CLASS,
    USUAL_LIQUID_CLASS,
    CriteriaSection,
    HouseSection,
    code_of_edition,
    editions,
)
from facility.model.it import ItPlan
from facility.physics.air.distribution import derated_dry_bulb
from facility.physics.facility.house import load_on_area, share_of_load
from facility.study.resolve.reader import Reader
from facility.study.resolve.standards import covered_value, record_uncovered, stated_uncovered

_CONTINUOUS = {"NEC": 1.25, "IEC": 1.0}
_DROP_LIMITS = {"NEC": (0.03, 0.03, 0.05), "IEC": (0.05, 0.05, 0.05)}
_DROP_BASIS = {
    "NEC": "informational note of the code: a recommendation",
    "IEC": "annex G: 5 % from origin to load for other uses than lighting; no separate "
    "limit for a section of the route",
}
_AIR_EDITION = "2021"
_CIRCUIT_SHARE = 0.01
"""Maximum share of the IT load on such a circuit, for small rooms."""
_CIRCUIT_W = 20.0 * 120.0 * 0.8
_PEOPLE_PER_HALL = 2


def resolve_criteria(
    section: CriteriaSection,
    trace: Trace,
    default: tuple[str, str] = (DEFAULT_CODE, "not specified: code of a US site"),
    elevation_m: float = 0.0,
) -> Criteria:
    """Return the design criteria; defaults follow from the code and the classes.

    `default` is the default code, and the reason. The maximum allowable inlet is
    the class value at site elevation, for every study.

    The continuous factor is 1.25 in the NEC and 1 in IEC, where the rule is Ib <= In <= Iz.
    """
    read = Reader(section, "criteria", trace)
    uncovered = stated_uncovered(section)
    record_uncovered(uncovered, trace)
    code, edition = _code(section, read, default, uncovered)
    branch, feeder, total = _drop_limits(read, code, edition)
    air_class, recommended_min_c, recommended_max_c, allowable_max_c = _air_limits(
        section, elevation_m, read
    )
    minimum = _CONTINUOUS[code]
    source = article("continuous load", edition, code)
    continuous = read("continuous_factor", minimum, "IT load is continuous", source)
    if continuous < minimum:
        raise FacilityError(
            "CONTRADICTION",
            "criteria.continuous_factor",
            f"{continuous:g} is below the {minimum:g} required by {code} {edition} for continuous"
            f" load, {source.locator}.",
            "Enter power.distribution.listed_100 if assemblies and devices are listed for 100 %"
            " of their rating; else omit the factor.",
        )
    growth = read("growth")
    classes = table("cooling/ashrae_liquid_classes")
    usual = classes.get(USUAL_LIQUID_CLASS).cite("t_supply_max_c")
    stated: str = read.word("liquid_class", section.liquid_class, source=usual)
    liquid_class = covered_value(uncovered, "criteria.liquid_class", stated)
    row = classes.get(liquid_class, "criteria.liquid_class")
    supply_max_c = _limit(read.trace, "criteria.liquid_supply_max", row, "t_supply_max_c")
    return Criteria(
        code=code,
        edition=edition,
        continuous_factor=continuous,
        growth=growth,
        voltage_drop_branch=branch,
        voltage_drop_feeder=feeder,
        voltage_drop_total=total,
        air_class=air_class,
        air_recommended_max_c=recommended_max_c,
        air_recommended_min_c=recommended_min_c,
        air_allowable_max_c=allowable_max_c,
        liquid_class=liquid_class,
        liquid_supply_max_c=supply_max_c,
        liquid_class_stated=section.liquid_class is not None,
        component_limits=ComponentLimits(
            read.given("mlc_limit"), read.given("elc_limit"), section.component_limits_edition or ""
        ),
        goal=_goal(section, read),
        uncovered=uncovered,
        coolant_limits_c=_coolant_limits(classes.get(stated), trace),
    )


def _code(
    section: CriteriaSection,
    read: Reader,
    default: tuple[str, str],
    uncovered: tuple[UncoveredStandard, ...],
) -> tuple[str, str]:
    """Return the code, and the edition of the sizing."""
    code: str = read.word("code", section.code, *default)
    known = CODE_EDITIONS[code]
    edition: str = read.word("edition", section.edition, known[0])
    if edition not in editions(code):
        raise FacilityError(
            "CONTRADICTION",
            "criteria.edition",
            f"{edition} is an edition of the {code_of_edition(edition)}, but the code of the site"
            f" is the {code} ({default[1]}).",
            f"Enter criteria.code, or an edition of the {code}: {', '.join(known)}.",
        )
    return code, covered_value(uncovered, "criteria.edition", edition)


def _coolant_limits(row: Row, trace: Trace) -> tuple[float, ...]:
    """Return the maximum coolant supply of an S class; none for a class of facility water."""
    if row.text("loop") != "TCS":
        return ()
    id, basis = "criteria.coolant_supply_max", f"number in the name of {row.text('liquid_class')}"
    max_c, source = row.si("t_supply_max_c"), row.cite("t_supply_max_c")
    return (trace.assume(id, max_c, "temperature", basis, source),)


def _goal(section: CriteriaSection, read: Reader) -> Goal:
    """Return the stated goals; the scope is assumed only where an availability is required."""
    goal = Goal(section.redundancy_goal or "", section.availability_goal or "")
    if not goal.maintainable:
        return goal
    scope = read.word("availability_scope", section.availability_scope)
    return replace(goal, cooling=scope == "electrical_and_cooling")


def _drop_limits(read: Reader, code: str, edition: str) -> tuple[float, float, float]:
    source = article("voltage drop", edition, code)
    branch, feeder, total = (
        read(f"voltage_drop_{name}", limit, _DROP_BASIS[code], source)
        for name, limit in zip(("branch", "feeder", "total"), _DROP_LIMITS[code], strict=True)
    )
    return branch, feeder, total


def _air_limits(
    section: CriteriaSection, elevation_m: float, read: Reader
) -> tuple[str, float, float, float]:
    """Return the class, the minimum and maximum recommended inlet, and the maximum allowable."""
    classes = table("cooling/ashrae_air_classes")
    allowable = {row.text("air_class"): row for row in classes.select(envelope="allowable")[::-1]}
    usual = allowable[USUAL_AIR_CLASS].cite("t_db_max_c")
    air_class: str = read.word("air_class", section.air_class, source=usual)
    group = air_class if air_class == "H1" else "A1-A4"
    recommended = classes.get((group, "recommended", _AIR_EDITION), "criteria.air_class")
    row = allowable[air_class]
    _limit(read.trace, "criteria.air_allowable_max", row, "t_db_max_c")
    highest_c = read.trace.do(
        "criteria.air_allowable_here",
        derated_dry_bulb,
        "maximum allowable inlet at this elevation",
        limit_c="criteria.air_allowable_max",
        elevation_m=elevation_m,
        start_m=row.si("derate_start_m"),
        metres_per_kelvin=float(row.require("derate_m_per_k")),
    )
    warmest_c = _limit(read.trace, "criteria.air_recommended_max", recommended, "t_db_max_c")
    return (
        air_class,
        _limit(read.trace, "criteria.air_recommended_min", recommended, "t_db_min_c"),
        min(warmest_c, float(highest_c)),
        float(highest_c),
    )


def _limit(trace: Trace, id: str, row: Row, column: str) -> float:
    return trace.given(id, row.si(column), "temperature", row.cite(column), f"of {row.label}")


def resolve_house(section: HouseSection, it_w: float, it: ItPlan, trace: Trace) -> House:
    """Return the loads of the building, for the IT load `it_w` and the halls.

    Defaults: lights as a share of the IT load; one circuit per hall for controls and one for
    security; two people in each hall; no envelope heat.
    """
    halls = len(it.halls)
    circuit_w = min(halls * _CIRCUIT_W, _CIRCUIT_SHARE * it_w)
    read = Reader(section, "house", trace)
    return House(
        lighting_w=_lighting(section, it_w, it, trace),
        controls_w=read("controls", circuit_w),
        security_w=read("security", circuit_w),
        other_w=read("other"),
        generator_heaters_w=read("generator_heaters"),
        people=read.count("people", _PEOPLE_PER_HALL * halls),
        people_w=read("heat_per_person"),
        envelope_w=read("envelope"),
    )


def _lighting(section: HouseSection, it_w: float, it: ItPlan, trace: Trace) -> float:
    id, read = "house.lighting", Reader(section, "house", trace)
    if section.lighting is not None:
        return read("lighting")
    if section.lighting_density is not None:
        area_m2 = sum(hall.floor_area_m2 for hall in it.halls)
        density = read("lighting_density")
        return float(trace.do(id, load_on_area, density_w_m2=density, area_m2=area_m2))
    row = table("cooling/default_assumptions").get("lighting")
    share = row.si("share_pct")
    read("lighting_share", share, source=row.cite("value"))
    load = "load.it" if "load.it" in trace else it_w
    return float(trace.do(id, share_of_load, load_w=load, share="house.lighting_share"))
