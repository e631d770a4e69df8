"""Mechanical load component and electrical loss component, as in ASHRAE 90.4.

The values of the standard were read in secondary sources, its limits for some climate zones only:
these results do not state compliance. Checks use the limits stated by the user.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facility.catalogue import table
from facility.core.check import Check
from facility.core.kinds import FloatArray
from facility.core.trace import Findings
from facility.model.facility import ComponentLimits
from facility.physics.facility.metrics import electrical_loss_component, mechanical_load_component
from facility.study.annual.hours import Hours, hours_of, of_group, power_by_part
from facility.study.annual.zone import climate_zone
from facility.study.loop import Sized, WingsBalance, balance
from facility.study.rules import RULES
from facility.study.studies import StudyContext

LOADS = (1.0, 0.75, 0.5, 0.25)
_LIMITS = "cooling/ashrae_90_4_limits"
_SMALL_W = 300e3
"""IT load up to which the standard has separate limits."""
_INCOMING = ("transformer", "lv_board")
_INSIDE = ("feeder", "pdu_transformer", "branch", "rack_pdu")
STATED = "stated"
"""Mark of a limit that the project states."""


@dataclass(frozen=True)
class LoadPoint:
    """The components at one IT load, constant over the year, with all equipment in service."""

    load: float  # Relative to the design IT load
    mlc: float  # Cooling energy divided by IT energy
    # Loss of each segment divided by its input: service and boards, UPS, and UPS to equipment.
    incoming: float
    ups: float
    distribution: float
    elc: float  # Of all three segments
    elc_inside: float  # Without the incoming segment, as in later editions


@dataclass(frozen=True)
class KnownLimit:
    """A limit of a component: stated by the user, or from the reference tables."""

    quantity: str
    edition: str
    place: str  # Climate zone, or the project
    limit: float
    mark: str  # Reading status


@dataclass(frozen=True)
class LoadComponents:
    """The load points and the known limits."""

    points: tuple[LoadPoint, ...]
    limits: tuple[KnownLimit, ...]

    @property
    def mlc(self) -> float:
        """Mean MLC of the load points."""
        return sum(point.mlc for point in self.points) / len(self.points)

    @property
    def elc(self) -> float:
        """Largest ELC of the load points."""
        return max(point.elc for point in self.points)


def load_components(design: StudyContext) -> LoadComponents | None:
    """Return the components of a design; None without a weather year for its site.

    Each load point is a separate annual simulation, by the same balance as the annual study.
    """
    record = design.weather_year
    if record is None:
        return None
    hours, sized = hours_of(record), Sized(design.chain, design.cooling)
    facility, it = design.facility, design.it
    points = tuple(
        _point(load, balance(facility, it, sized, hours.weather, load), hours) for load in LOADS
    )
    return LoadComponents(points, tuple(_limits(design)))


def _point(load: float, found: WingsBalance, hours: Hours) -> LoadPoint:
    parts = power_by_part(found, hours)
    it_j = hours.total(parts["it"])
    cooling_j = sum(hours.total(parts[id]) for id in of_group(parts, "cooling"))
    meter_j = sum(hours.total(power_w) for power_w in parts.values())
    inside_j = _lost(parts, hours, _INSIDE)
    input_j = hours.total(sum(system.input_w for system in found.flow.systems))
    segments = {
        "incoming": _lost(parts, hours, _INCOMING) / meter_j,
        "ups": hours.total(parts["losses.ups"]) / input_j,
        "distribution": inside_j / (it_j + inside_j),
    }
    return LoadPoint(
        load,
        float(mechanical_load_component.si(cooling_j, it_j)),
        **segments,
        elc=float(electrical_loss_component.si(**segments)),
        elc_inside=float(electrical_loss_component.si(**segments | {"incoming": 0.0})),
    )


def _lost(parts: Mapping[str, FloatArray], hours: Hours, names: tuple[str, ...]) -> float:
    return sum(hours.total(parts[f"losses.{name}"]) for name in names)


def _limits(design: StudyContext) -> Iterator[KnownLimit]:
    stated = design.facility.criteria.component_limits
    for name, limit in (("MLC", stated.mlc), ("ELC", stated.elc)):
        if limit is not None:
            yield KnownLimit(name, stated.edition, "the project", limit, STATED)
    zone = climate_zone(design.facility.site)
    column = "limit_up_to_300_kw" if design.it.it_w <= _SMALL_W else "limit_above_300_kw"
    for row in table(_LIMITS).rows:
        limit = row.si_or_none(column)
        if limit is not None and row.text("climate_zone") in (zone, "any"):
            place = f"zone {row.text('climate_zone')}"
            mark = row.text("verified")
            yield KnownLimit(row.text("metric"), row.text("edition"), place, limit, mark)


def component_checks(
    found: LoadComponents, stated: ComponentLimits, findings: Findings
) -> Iterator[Check]:
    """Record the components with user limits, and yield their checks."""
    words = f"limit of {stated.edition}, stated by the project"
    if stated.mlc is not None:
        findings.note("mlc.annual", found.mlc, "ratio", "mean over 100, 75, 50 and 25 % IT load")
        yield RULES["MLC-LIMIT"].at_most("cooling", found.mlc, stated.mlc, "ratio", words)
    if stated.elc is not None:
        findings.note("elc.annual", found.elc, "ratio", "largest over 100, 75, 50 and 25 % IT load")
        yield RULES["ELC-LIMIT"].at_most("power chain", found.elc, stated.elc, "ratio", words)
