"""The inlet air of the equipment and class limits, with altitude and dew point."""

from __future__ import annotations

from dataclasses import dataclass

from facility.catalogue import Row, table
from facility.cooling.rules import RULES
from facility.core.check import Check
from facility.core.trace import Findings
from facility.model.facility import Criteria, Site
from facility.physics.air.psychrometrics import (
    humidity_ratio_of_vapor,
    relative_humidity,
    saturation_pressure,
)

_EDITION = "2021"
_T = "temperature"


@dataclass(frozen=True)
class RoomAirState:
    """Equipment inlet air: coldest and warmest inlet, and dew point of the room.

    `dew_points_c` are the driest and dampest, including admitted outdoor air.
    """

    coldest_c: float
    warmest_c: float
    dew_point_c: float
    dew_points_c: tuple[float, float]

    def outdoor_words(self, end: int) -> str:
        """Return why a dew point differs from the room dew point; empty if equal."""
        if self.dew_points_c[end] == self.dew_point_c:
            return ""
        field = f"cooling.economizer.dew_point_{('min', 'max')[end]}"
        return f"outdoor air admitted at {self.dew_points_c[end]:g} degC dew point ({field})"


def envelope(air_class: str) -> tuple[Row, Row]:
    """Return the recommended and the allowable envelope of a class.

    Raises ``UNKNOWN_MODEL`` for a class missing in the table.
    """
    classes = table("cooling/ashrae_air_classes")
    group = "H1" if air_class == "H1" else "A1-A4"
    recommended = classes.get((group, "recommended", _EDITION), "criteria.air_class")
    return recommended, classes.select(air_class=air_class, envelope="allowable")[0]


def limit_checks(state: RoomAirState, site: Site, criteria: Criteria, findings: Findings) -> None:
    """Add the class limits at site elevation, and their checks."""
    recommended, allowable = envelope(criteria.air_class)
    name = f"halls, class {criteria.air_class}"
    add = findings.checks.append
    highest_c = findings.note(
        "air.limit.allowable",
        criteria.air_allowable_max_c,
        "temperature",
        "maximum allowable inlet at this elevation",
        limit="criteria.air_allowable_here",
    )
    add(_derating(allowable, site))
    add(RULES["AIR-ALLOWABLE"].at_most(name, state.warmest_c, highest_c, _T))
    add(RULES["AIR-COLD"].at_least(name, state.coldest_c, allowable.si("t_db_min_c"), _T))
    highest_m = allowable.si_or_none("max_elev_m")
    if highest_m is None:
        add(RULES["AIR-ELEVATION"].not_evaluated(name, "maximum elevation unknown"))
    else:
        carried_on = (
            f"class limit {highest_m:,.0f} m; the inlet limit of {highest_c:.1f} degC here is "
            "extrapolated from its derating"
        )
        why = carried_on if site.elevation_m > highest_m else ""
        add(RULES["AIR-ELEVATION"].at_most(name, site.elevation_m, highest_m, "length", why))
    for rule, row in (("AIR-DEW-POINT", allowable), ("AIR-DEW-POINT-RECOMMENDED", recommended)):
        for end, (column, relation) in enumerate((("dp_min_c", ">="), ("dp_max_c", "<="))):
            limit_c = row.si_or_none(column)
            subject = f"{name}, {'lowest' if relation == '>=' else 'highest'}"
            if limit_c is None:
                findings.checks.append(RULES[rule].not_evaluated(subject, "limit unknown"))
            else:
                findings.checks.append(
                    RULES[rule].compare(
                        subject,
                        state.dew_points_c[end],
                        relation,
                        limit_c,
                        _T,
                        state.outdoor_words(end),
                    )
                )
    _humidity(recommended, state, site, name, findings)


def _derating(allowable: Row, site: Site) -> Check:
    """Return the check of the derating source, read or unverified."""
    start_m, rate = allowable.si("derate_start_m"), float(allowable.require("derate_m_per_k"))
    recalled = [c for c in ("derate_start_m", "derate_m_per_k") if allowable.is_memory(c)]
    above = site.elevation_m > start_m
    why = (
        f"derated from {start_m:g} m by 1 K per {rate:g} m"
        if above
        else "no derating at this elevation"
    )
    return RULES["AIR-DERATING-DATA"].verdict("halls", not (recalled and above), why)


def _humidity(row: Row, state: RoomAirState, site: Site, name: str, findings: Findings) -> None:
    dampest_c = state.dew_points_c[1]
    ratio = humidity_ratio_of_vapor.si(saturation_pressure.si(dampest_c), site.pressure_pa)
    humidity = findings.do(
        "air.humidity",
        relative_humidity,
        "of the coldest inlet",
        temperature_c=state.coldest_c,
        humidity_ratio=float(ratio),
        pressure_pa=site.pressure_pa,
    )
    limit = row.si_or_none("rh_max_pct")
    if limit is None:
        findings.checks.append(RULES["AIR-HUMIDITY"].not_evaluated(name, "limit unknown"))
        return
    rules = table("cooling/ashrae_air_rules")
    low = rules.get("rh_corrosive_site_max").text("value")
    outdoor = state.outdoor_words(1)
    findings.checks.append(
        RULES["AIR-HUMIDITY"].at_most(
            name,
            humidity,
            limit,
            "fraction",
            f"{outdoor}{'; ' if outdoor else ''}with corrosion on copper and silver coupons the "
            f"limit is {low} %",
        )
    )
