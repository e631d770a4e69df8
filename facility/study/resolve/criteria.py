"""Design criteria and house loads, resolved with their named defaults."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria, House
from facility.model.inputs.criteria import (
    CODE_EDITIONS,
    DEFAULT_CODE,
    CriteriaSection,
    HouseSection,
)
from facility.model.it import ItPlan
from facility.physics.facility.house import load_on_area, share_of_load

_CONTINUOUS = {"NEC": 1.25, "IEC": 1.0}
_DROP_LIMITS = {"NEC": (0.03, 0.03, 0.05), "IEC": (0.05, 0.05, 0.05)}
_DROP_BASIS = {
    "NEC": "informational note of the code: a recommendation",
    "IEC": "annex G: 5 % from the origin to the load for other uses than lighting; no limit of "
    "its own for a part of the way",
}
_AIR_CLASS, _AIR_EDITION = "A2", "2021"
_LIQUID_CLASS = "W32"
_CIRCUIT_SHARE = 0.01
"""Most of the IT load that such a circuit carries: a small room does not load a whole one."""
_CIRCUIT_W = 20.0 * 120.0 * 0.8
_PEOPLE_PER_HALL = 2
_BODY_HEAT_W = 250.0 * 1055.05585262 / 3600.0
_CIRCUIT = Source("derivation", "one 20 A 120 V circuit loaded to 80 %: 1.92 kW")
_SPACE_TYPES = Source("revit-space-types", "250 Btu/h sensible", "2014 and 2019")
UNSTATED = Source("project", "not stated")


def given_or_assumed(
    trace: Trace,
    id: str,
    given: Measured | None,
    value: float,
    kind: str,
    basis: str,
    source: Source,
) -> float:
    """Return what the project gives, or record `value` as an assumption and return it."""
    if given is not None:
        return trace.given(id, given.si, kind, PROJECT)
    return trace.assume(id, value, kind, basis, source)


def resolve_criteria(
    section: CriteriaSection, trace: Trace,
    default: tuple[str, str] = (DEFAULT_CODE, "no code is given: the code of a US site"),
) -> Criteria:  # fmt: skip
    """Return the design criteria; what is left open follows from the code and the classes.

    `default` is the code of a project that states none, and why.

    The continuous factor is 1.25 in the NEC and 1 in IEC, where the rule is Ib <= In <= Iz.
    """
    if section.edition is not None:
        default = (DEFAULT_CODE, "no code is given: the edition is one of this")
    code = section.code or trace.ledger.add_text("criteria.code", *default, UNSTATED)
    edition = section.edition or trace.ledger.add_text(
        "criteria.edition", CODE_EDITIONS[code][0], "latest edition whose tables are carried",
        UNSTATED,
    )  # fmt: skip
    branch, feeder, total = _drop_limits(section, code, edition, trace)
    recommended_min_c, recommended_max_c, allowable_max_c = _air_limits(section, trace)
    return Criteria(
        code=code,
        edition=edition,
        continuous_factor=given_or_assumed(
            trace, "criteria.continuous_factor", section.continuous_factor, _CONTINUOUS[code],
            "ratio", "IT load is continuous", _continuous_source(code, edition),
        ),
        growth=given_or_assumed(
            trace, "criteria.growth", section.growth, 0.0, "fraction",
            "no spare for growth is asked for", UNSTATED,
        ),
        voltage_drop_branch=branch,
        voltage_drop_feeder=feeder,
        voltage_drop_total=total,
        air_class=section.air_class or _AIR_CLASS,
        air_recommended_max_c=recommended_max_c,
        air_recommended_min_c=recommended_min_c,
        air_allowable_max_c=allowable_max_c,
        liquid_class=section.liquid_class or _LIQUID_CLASS,
        liquid_supply_max_c=_liquid_limit(section, trace),
        liquid_class_stated=section.liquid_class is not None,
    )  # fmt: skip


def _continuous_source(code: str, edition: str) -> Source:
    if code == "NEC":
        return Source("nec-210-20", "210.20(A), 215.3", edition)
    return Source("iec-60364-4-43-overload", "433.1", "", "secondary")


def _drop_limits(
    section: CriteriaSection, code: str, edition: str, trace: Trace
) -> tuple[float, float, float]:
    source = (
        Source("nec-210-19-notes", "210.19, 215.2", edition)
        if code == "NEC"
        else Source("iec-60364-5-52-annex-g", "annex G", edition, "secondary")
    )
    names = ("branch", "feeder", "total")
    given = (section.voltage_drop_branch, section.voltage_drop_feeder, section.voltage_drop_total)
    branch, feeder, total = (
        given_or_assumed(
            trace,
            f"criteria.voltage_drop_{name}",
            value,
            limit,
            "fraction",
            _DROP_BASIS[code],
            source,
        )
        for name, value, limit in zip(names, given, _DROP_LIMITS[code], strict=True)
    )
    return branch, feeder, total


def _air_limits(section: CriteriaSection, trace: Trace) -> tuple[float, float, float]:
    """Return the lowest and highest recommended inlet, and the highest allowable one."""
    classes = table("cooling/ashrae_air_classes")
    air_class = section.air_class or trace.ledger.add_text(
        "criteria.air_class",
        _AIR_CLASS,
        "class of volume servers; the recommended range is the same for A1 to A4",
        classes.select(air_class=_AIR_CLASS, envelope="allowable")[0].cite("t_db_max_c"),
    )
    group = air_class if air_class == "H1" else "A1-A4"
    recommended = classes.get((group, "recommended", _AIR_EDITION), "criteria.air_class")
    allowable = classes.select(air_class=air_class, envelope="allowable")[0]
    return (
        _limit(trace, "criteria.air_recommended_min", recommended, "t_db_min_c"),
        _limit(trace, "criteria.air_recommended_max", recommended, "t_db_max_c"),
        _limit(trace, "criteria.air_allowable_max", allowable, "t_db_max_c"),
    )


def _liquid_limit(section: CriteriaSection, trace: Trace) -> float:
    classes = table("cooling/ashrae_liquid_classes")
    liquid_class = section.liquid_class or trace.ledger.add_text(
        "criteria.liquid_class",
        _LIQUID_CLASS,
        "facility water up to 32 degC: with a CDU approach of 3 to 5 K the racks get 35 to 37 "
        "degC, the low end of usual liquid set points",
        classes.get(_LIQUID_CLASS).cite("t_supply_max_c"),
    )
    row = classes.get(liquid_class, "criteria.liquid_class")
    return _limit(trace, "criteria.liquid_supply_max", row, "t_supply_max_c")


def _limit(trace: Trace, id: str, row: Row, column: str) -> float:
    return trace.given(id, row.si(column), "temperature", row.cite(column), f"of {row.label}")


def resolve_house(section: HouseSection, it_w: float, it: ItPlan, trace: Trace) -> House:
    """Return the loads of the building, with the IT load `it_w` and the halls known.

    Open: lights as a share of the IT load; one circuit per hall for controls and one for
    security; two people in each hall; no heat through walls and roof.
    """
    halls = len(it.halls)
    circuit_w = min(halls * _CIRCUIT_W, _CIRCUIT_SHARE * it_w)
    return House(
        lighting_w=_lighting(section, it_w, it, trace),
        controls_w=given_or_assumed(
            trace, "house.controls", section.controls, circuit_w, "active_power",
            "building and power monitoring: one circuit per hall, 1 % of the IT load at most",
            _CIRCUIT,
        ),
        security_w=given_or_assumed(
            trace, "house.security", section.security, circuit_w, "active_power",
            "access control and cameras: one circuit per hall, 1 % of the IT load at most",
            _CIRCUIT,
        ),
        other_w=given_or_assumed(
            trace, "house.other", section.other, 0.0, "active_power",
            "no other load of the building is stated", UNSTATED,
        ),
        people=_people(section, halls, trace),
        people_w=given_or_assumed(
            trace, "house.heat_per_person", section.heat_per_person, _BODY_HEAT_W, "heat_flow",
            "sensible heat of a person at light work", _SPACE_TYPES,
        ),
        envelope_w=given_or_assumed(
            trace, "house.envelope", section.envelope, 0.0, "heat_flow",
            "halls inside the building: no sun, neighbours at about the same temperature",
            UNSTATED,
        ),
    )  # fmt: skip


def _lighting(section: HouseSection, it_w: float, it: ItPlan, trace: Trace) -> float:
    id = "house.lighting"
    if section.lighting is not None:
        return trace.given(id, section.lighting.si, "active_power", PROJECT)
    if section.lighting_density is not None:
        area_m2 = sum(hall.floor_area_m2 for hall in it.halls)
        density = trace.given(
            "house.lighting_density", section.lighting_density.si, "power_density", PROJECT
        )
        return float(trace.do(id, load_on_area, density_w_m2=density, area_m2=area_m2))
    row = table("cooling/default_assumptions").get("lighting")
    trace.assume(
        "house.lighting_share",
        row.si("share_pct"),
        "fraction",
        "lights in use, as a part of the IT load",
        row.cite("value"),
    )
    load = "load.it" if "load.it" in trace else it_w
    return float(trace.do(id, share_of_load, load_w=load, share="house.lighting_share"))


def _people(section: HouseSection, halls: int, trace: Trace) -> int:
    if section.people is not None:
        return int(trace.given("house.people", section.people, "count", PROJECT))
    count = _PEOPLE_PER_HALL * halls
    return int(trace.assume("house.people", count, "count", "two at work in each hall", UNSTATED))
