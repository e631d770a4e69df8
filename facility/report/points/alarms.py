"""Presentation of a points list: alarm limits, and the alarms of simulated failures.

In its JSON limits and ranges have the unit of the point, times are in s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from facility.core.table import Results, Value
from facility.core.views import System, show, view_value
from facility.report.sheet.grid import Column, SheetTable, TextTable
from facility.report.studies.protocol import Object, OfDesign
from facility.study.points.crossings import AlarmCoverage, AlarmCrossing, DetectedFailure
from facility.study.points.limits import LEVELS, AlarmLimit, LimitSet
from facility.study.points.points import NOT_STATED, MeasuredPoint, PointsList
from facility.study.points.schedule import QUANTITIES, is_contact

_NAMES = {
    "mv-switchgear": "MV switchgear",
    "lv-board": "LV board",
    "ats": "ATS",
    "sts": "STS",
    "ups": "UPS",
    "ups-output": "UPS output",
    "pdu": "PDU",
    "generator-set": "generator set",
    "air-unit": "air handler",
    "water-coil": "coil of an air handler",
    "rejection": "heat rejection",
    "loop-chw": "chilled water",
    "loop-fws": "facility water (FWS)",
    "loop-tcs": "coolant (TCS)",
    "loop-cw": "condenser water",
    "loop-fws_tower": "tower water",
    "tank-chw": "chilled-water tank",
    "tank-fws": "facility-water tank",
    "makeup": "make-up water",
    "liquid-rack": "rack coolant",
    "rack-sensor": "inlet sensor",
    "rack-pdu": "rack PDU",
    "cdu": "CDU",
    "gpu": "GPU",
}
"""Names of classes of equipment that are not the words of their keys."""


@dataclass(frozen=True)
class FailureGroup:
    """Failures of one type of component with the same alarms."""

    failures: tuple[DetectedFailure, ...]

    @property
    def words(self) -> str:
        """First failure, and the number of similar ones."""
        more = self.count - 1
        return self.failures[0].id + (f" and {more:,} similar" if more else "")

    @property
    def count(self) -> int:
        """Number of failures."""
        return sum(one.count for one in self.failures)

    @property
    def component(self) -> str:
        """Type of the failed component; of a circuit that of the equipment it feeds."""
        kind = self.failures[0].component
        circuit = "circuit to " if kind.startswith("circuit to ") else ""
        return f"{circuit}{class_name(kind.removeprefix(circuit))}" if kind else "cooling"

    @property
    def first(self) -> str | None:
        """First alarm and its latest time; None if not detected."""
        return _alarm([one.first for one in self.failures])

    @property
    def limit(self) -> str | None:
        """First alarm of a measured value and its latest time; None if none is crossed."""
        return _alarm([one.first_limit for one in self.failures])


def _alarm(crossings: Sequence[AlarmCrossing | None]) -> str | None:
    known = [one for one in crossings if one is not None]
    if not known:
        return None
    time = show(max(one.time_s for one in known), "time", digits=0)
    words = _alarm_words(known[0])
    return f"{words}, {time}"


def _alarm_words(crossing: AlarmCrossing | None) -> str:
    if crossing is None:
        return ""
    words = QUANTITIES[crossing.quantity].words.split(",")[0].lower()
    return words if crossing.is_contact else f"{words} {crossing.limit.level}"


def failure_groups(failures: Iterable[DetectedFailure]) -> list[FailureGroup]:
    """Return failures grouped by component, first alarm and first limit, in their order."""
    found: dict[object, list[DetectedFailure]] = {}
    for one in failures:
        alarms = _alarm_words(one.first), _alarm_words(one.first_limit)
        key = one.component or one.id, *alarms, one.harmful
        found.setdefault(key, []).append(one)
    return [FailureGroup(tuple(group)) for group in found.values()]


ALARMS: SheetTable[FailureGroup] = SheetTable(
    "Simulated failures and their alarms",
    (
        Column("failure", "Failure", 0, of=lambda g: g.words),
        Column("first", "First alarm", 0, of=lambda g: g.first),
        Column("limit", "First limit crossed", 0, of=lambda g: g.limit),
    ),
)
UNDETECTED: SheetTable[FailureGroup] = SheetTable(
    "Failures that no alarm detects",
    (
        Column("failure", "Failure", 0, of=lambda g: g.words),
        Column("component", "Component", 0, of=lambda g: g.component),
        Column("effect", "Effect", 0, of=lambda g: g.failures[0].effect),
    ),
)


def class_name(equipment: str) -> str:
    """Return the name of a class of equipment."""
    return _NAMES.get(equipment, equipment.replace("-", " "))


def _heading(equipment: str) -> str:
    name = class_name(equipment)
    return name[:1].upper() + name[1:]


def limit_text(limits: LimitSet, level: str) -> str:
    """Return the limit of a level as text."""
    found = next((one for one in limits.limits if one.level == level), None)
    kind = QUANTITIES[limits.quantity].kind
    if found is None:
        return NOT_STATED
    return show(found.value, kind) if kind else "closed"


LIMITS: SheetTable[LimitSet] = SheetTable(
    "Alarm limits",
    (
        Column("equipment", "Equipment", 0, of=lambda s: _heading(s.equipment)),
        Column("quantity", "Quantity", 0, of=lambda s: QUANTITIES[s.quantity].words),
        *(
            Column(level, level.capitalize(), 0, of=partial(limit_text, level=level))
            for level in LEVELS
        ),
        Column(
            "rules",
            "Rules",
            0,
            of=lambda s: ", ".join(dict.fromkeys(one.rule for one in s.limits if one.rule)) or None,
        ),
    ),
)
CLASSES: SheetTable[tuple[str, int, int]] = SheetTable(
    "Points by class",
    (
        Column("equipment", "Class", 0, of=lambda c: _heading(c[0])),
        Column("count", "Locations", 0, "count", of=lambda c: c[1]),
        Column("points", "Points", 0, "count", of=lambda c: c[2]),
    ),
)
_MODEL = (
    "Rows of racks are assigned in name order: the project states counts, not positions. Limits "
    "come from checks, ratings and inputs; a limit that none of them has is not stated. A limit "
    "without a stated delay alarms at once.",
    "Contacts: alarm at once. Power outages: steady state on battery and after all switching, with "
    "the generator start time; planned maintenance is not a failure. Alarms depend on sensors and "
    "contacts that work.",
)


@dataclass(frozen=True)
class PointsShown(OfDesign):
    """Points list of a design with the alarms of its simulated failures."""

    points: PointsList
    coverage: AlarmCoverage
    verb = "points"

    @property
    def results(self) -> Mapping[str, object]:
        """Counts of points, limits and failures."""
        failures, missed = self.coverage.failures, self.coverage.undetected
        limits = [limit for one in self.points.used_sets for limit in one.limits]
        counts = {
            "points.count": sum(self.points.counts.values()),
            "points.locations": len(self.points.items),
            "points.limits": len(limits),
            "points.rules": len({limit.rule for limit in limits if limit.rule}),
            "failures.count": sum(one.count for one in failures),
            "failures.undetected": sum(one.count for one in missed),
            "failures.undetected.harmful": sum(one.count for one in missed if one.harmful),
            "alarms.standing": len(self.coverage.standing),
        }
        return Results({key: Value(count, "count") for key, count in counts.items()}).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return points, limits and failures."""
        return {
            "points": [point_object(point) for point in self.points],
            "limits": [limits_object(self.points, one) for one in self.points.used_sets],
            "failures": [failure_object(one) for one in self.coverage.failures],
            "standing": [crossing_object(one) for one in self.coverage.standing],
        }

    def opening(self) -> Iterator[str]:
        """Return the counts, and how many failures an alarm detects."""
        points, failures = self.points, self.coverage.failures
        limits = [limit for one in points.used_sets for limit in one.limits]
        rules = {limit.rule for limit in limits if limit.rule}
        count, missed = (
            sum(one.count for one in some) for some in (failures, self.coverage.undetected)
        )
        yield (
            f"{sum(points.counts.values()):,} points at {len(points.items):,} locations; "
            f"{len(limits):,} alarm limits, of {len(rules):,} rules and of ratings and inputs."
        )
        yield f"{count:,} simulated failures, {missed:,} without an alarm."
        standing = self.coverage.standing
        if standing:
            named = ", ".join(one.words for one in standing[:3])
            yield f"Alarms active in normal operation, {len(standing):,}: {named}."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return failures without and with alarms, limits, and counts by class."""
        missed = self.coverage.undetected
        # Cooling and utility first: the power train has many components.
        detected = sorted(
            self.coverage.failures,
            key=lambda one: bool(one.component) and one.component != "utility",
        )
        if missed:
            yield UNDETECTED.text(failure_groups(missed), system)
        yield ALARMS.text(failure_groups(one for one in detected if one.first), system)
        limited = (one for one in self.points.used_sets if not is_contact(one.quantity))
        yield LIMITS.text(limited, system)
        counted: dict[str, int] = {}
        for item in self.points.items:
            counted[item.equipment] = counted.get(item.equipment, 0) + 1
        rows = [(name, counted[name], n) for name, n in self.points.counts.items()]
        yield CLASSES.text(rows, system)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the model."""
        return _MODEL


def point_object(point: MeasuredPoint) -> Object:
    """Return a point as a JSON object."""
    item, kind = point.item, point.about.kind
    expected = point.expected

    def number(value: float | None) -> float | None:
        return None if value is None or not kind else view_value(value, kind)

    values = (None,) * 3 if expected is None else (expected.low, expected.typical, expected.high)
    return {
        "id": point.name,
        "machine_name": point.machine_name,
        "equipment": item.tag,
        "class": item.equipment,
        "hall": item.hall,
        "row": item.row,
        "rack": item.rack,
        "quantity": point.quantity,
        "signal": point.about.signal,
        "unit": point.unit,
        "instances": point.count,
        "expected": [number(value) for value in values],
        "range_basis": expected.basis if expected is not None else NOT_STATED,
        "limits": point.limit_class,
        "metric": point.metric,
        "redfish": point.redfish,
    }


def limits_object(points: PointsList, limits: LimitSet) -> Object:
    """Return the limits of a quantity as a JSON object."""
    kind = QUANTITIES[limits.quantity].kind
    return {
        "id": points.sets.name(limits),
        "class": limits.equipment,
        "quantity": limits.quantity,
        "limits": [limit_object(one, kind) for one in limits.limits],
    }


def limit_object(limit: AlarmLimit, kind: str) -> Object:
    """Return a limit as a JSON object."""
    return {
        "level": limit.level,
        "value": round(view_value(limit.value, kind), 6) if kind else limit.value,
        "delay_s": limit.delay_s,
        "rule": limit.rule,
        "source": limit.source,
    }


def crossing_object(crossing: AlarmCrossing) -> Object:
    """Return a crossed alarm as a JSON object."""
    return {
        "equipment": crossing.tag,
        "quantity": crossing.quantity,
        "level": crossing.limit.level,
        "time_s": crossing.time_s,
    }


def failure_object(one: DetectedFailure) -> Object:
    """Return a simulated failure with its first alarms as a JSON object."""
    first, limit = one.first, one.first_limit
    return {
        "id": one.id,
        "study": one.study,
        "component": one.component,
        "failures": one.count,
        "effect": one.effect,
        "alarms": len(one.crossings),
        "first": None if first is None else crossing_object(first),
        "first_limit": None if limit is None else crossing_object(limit),
    }
