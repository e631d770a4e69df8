"""Points list as CSV, one row a point, for building management, DCIM import and metering."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from facility.core.views import view_value
from facility.files.io.safe_text import csv_cell
from facility.study.points.crossings import AlarmCoverage, AlarmCrossing
from facility.study.points.limits import LEVELS
from facility.study.points.points import MeasuredPoint, PointsList
from facility.study.points.ranges import ExpectedRange

_LEVEL_HEADS = tuple(level.replace("-", "_") for level in LEVELS)
_PLACE = "point machine_name site hall row rack equipment equipment_class fed_from"
_NUMBERS = ("expected_min", "expected_typical", "expected_max", "design_hour")
_RANGE = "expected_min expected_typical expected_max design_hour range_basis"
_LIMITS = "limit_rules limit_sources limit_class not_stated"
_NAMES = "prometheus_metric dcgm_field redfish_resource"
_MAPPED = (
    "modbus_device modbus_register modbus_type modbus_scale"
    " bacnet_device bacnet_object_type bacnet_instance dcim_id"
)
HEADS = (
    *f"{_PLACE} quantity description signal unit instances {_RANGE}".split(),
    *_LEVEL_HEADS,
    *(f"{head}_delay_s" for head in _LEVEL_HEADS),
    *f"{_LIMITS} {_NAMES} {_MAPPED}".split(),
)
"""Columns; those of Modbus, BACnet and DCIM are empty, for the integrator.

A number that is not known is empty, and named with the reason under `not_stated`.
"""
_OPEN = ("",) * len(_MAPPED.split())
_FIRST = "first_alarm first_level first_s first_limit first_limit_level first_limit_s"
FAILURE_HEADS = (
    *("failure", "study", "component", "failures", "effect", "alarms"),
    *_FIRST.split(),
    "detected",
)


def write_csv(points: PointsList, path: Path) -> None:
    """Write the points to a file, row by row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        _written(file, HEADS, _rows(points))


def write_failures(coverage: AlarmCoverage, path: Path) -> None:
    """Write the simulated failures with their alarms to a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        _written(file, FAILURE_HEADS, failure_rows(coverage))


def _rows(points: PointsList) -> Iterator[tuple[object, ...]]:
    """Yield the cells of all points; equal machine names are numbered."""
    counts: Counter[str] = Counter()
    for point in points:
        name = point.machine_name
        counts[name] += 1
        yield row_of(point, name if counts[name] == 1 else f"{name}_{counts[name]}")


def _written(file: TextIO, heads: tuple[str, ...], rows: Iterator[tuple[object, ...]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)


def row_of(point: MeasuredPoint, machine_name: str) -> tuple[object, ...]:
    """Return the cells of a point; ranges and limits in its unit, empty where they do not apply."""
    item, about, expected = point.item, point.about, point.expected

    def shown(value: float | None) -> float | str:
        if value is None:
            return ""
        return round(view_value(value, about.kind), 6) if about.kind else value

    ranged = expected or ExpectedRange(None, None, None, "")
    limits = [point.at(level) for level in LEVELS]
    stated = [one for one in limits if one is not None]
    sources = (
        f"{one.level}: {one.source}" + (f" (delay: {one.delay_source})" if one.delay_source else "")
        for one in stated
    )
    place = (
        point.name,
        machine_name,
        point.site,
        item.hall,
        item.row,
        item.rack,
        item.tag,
        item.equipment,
    )
    named = item.fed_from, point.quantity, about.words, about.signal, point.unit, point.count
    return (
        *(*place, *named),
        *(shown(one) for one in ranged.values),
        ranged.basis,
        *(shown(None if one is None else one.value) for one in limits),
        *("" if one is None or one.delay_s is None else one.delay_s for one in limits),
        "; ".join(f"{one.level}: {one.rule}" for one in stated if one.rule),
        "; ".join(sources),
        *(point.limit_class, _not_stated(point), point.metric, point.dcgm, point.redfish),
        *_OPEN,
    )


def _not_stated(point: MeasuredPoint) -> str:
    """Return the columns of a measured value without a number, with the reason."""
    about, expected = point.about, point.expected
    if not about.kind or about.signal == "ACC":
        return ""
    parts = []
    ranged = {} if expected is None else dict(zip(_NUMBERS, expected.values, strict=True))
    if missing := [head for head in _NUMBERS if ranged.get(head) is None]:
        parts.append(f"{' '.join(missing)}: no study has it")
    levels = dict(zip(_LEVEL_HEADS, map(point.at, LEVELS), strict=True))
    if missing := [head for head, limit in levels.items() if limit is None]:
        parts.append(f"{' '.join(missing)}: no check, rating or input has it")
    delays = [head for head, one in levels.items() if one is not None and one.delay_s is None]
    if delays:
        parts.append(f"{' '.join(f'{head}_delay_s' for head in delays)}: no input has it")
    return "; ".join(parts)


def failure_rows(coverage: AlarmCoverage) -> Iterator[tuple[object, ...]]:
    """Yield the cells of each simulated failure."""
    for one in coverage.failures:
        about = one.id, one.study, one.component, one.count, one.effect, len(one.crossings)
        yield (*about, *_alarm(one.first), *_alarm(one.first_limit), bool(one.crossings))


def _alarm(crossing: AlarmCrossing | None) -> tuple[object, object, object]:
    if crossing is None:
        return "", "", ""
    return crossing.words, crossing.limit.level, round(crossing.time_s, 1)
