"""Grafana dashboard of a points list: facility, hall, row and rack, with the alarm limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.study.points.points import PointsList
from facility.study.points.schedule import LIMITED_AS, QUANTITIES, SCHEDULE, metric_of

SCHEMA_VERSION = 39
"""Version of the dashboard JSON model of Grafana 10.4 and 11."""
_UNITS = {
    "active_power": "watt",
    "apparent_power": "voltamp",
    "current": "amp",
    "line_voltage": "volt",
    "temperature": "celsius",
    "fraction": "percentunit",
    "ratio": "none",
    "time": "s",
    "pressure": "pressurepa",
    "liquid_flow": "flowcms",
    "air_flow": "flowcms",
    "volume": "m3",
    "": "none",
}
"""Grafana unit of each kind of quantity, in the base unit of the metrics."""
_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
_LABELS = ("site", "hall", "row", "rack")
_WIDTH, _HEIGHT, _COLUMNS = 12, 8, 2


@dataclass(frozen=True)
class _Graph:
    """One graph: the quantity of a class of equipment, filtered by the labels of its level."""

    title: str
    equipment: str  # Class of the points
    quantity: str
    filters: tuple[str, ...]
    legend: str = "{{equipment}}"


_SITE = ("site",)
_HALL, _ROW, _RACK = ("site", "hall"), ("site", "hall", "row"), ("site", "hall", "row", "rack")
_LEVELS: tuple[tuple[str, tuple[_Graph, ...]], ...] = (
    (
        "Facility",
        (
            _Graph("Facility power", "facility", "active_power", _SITE),
            _Graph("Power usage effectiveness", "facility", "pue", _SITE),
            _Graph("Utility power", "utility", "active_power", _SITE),
            _Graph("Transformer loading", "transformer", "loading", _SITE),
            _Graph("UPS loading", "ups", "loading", _SITE),
            _Graph("Battery autonomy", "ups", "battery_time", _SITE),
            _Graph("Generator loading", "generator-plant", "loading", _SITE),
            _Graph("Fuel autonomy", "generator-plant", "fuel_time", _SITE),
            _Graph("Chilled-water supply", "loop-chw", "supply_temperature", _SITE),
            _Graph("Chilled-water flow", "loop-chw", "flow", _SITE),
            _Graph("Facility-water supply", "loop-fws", "supply_temperature", _SITE),
            _Graph("Coolant supply", "loop-tcs", "supply_temperature", _SITE),
            _Graph("Coolant flow", "loop-tcs", "flow", _SITE),
            _Graph("Outdoor dry bulb", "outdoor", "dry_bulb", _SITE),
            _Graph("Outdoor wet bulb", "outdoor", "wet_bulb", _SITE),
        ),
    ),
    (
        "Hall",
        (
            _Graph("IT load by hall", "hall", "active_power", _HALL, "{{hall}}"),
            _Graph("Dew point, cold aisles", "aisle", "dew_point", _HALL),
            _Graph("Relative humidity", "aisle", "relative_humidity", _HALL),
            _Graph("Panel current", "panel", "current", _HALL),
            _Graph("Supply air, air handlers", "air-unit", "supply_temperature", _HALL),
            _Graph("CDU coolant supply", "cdu", "supply_temperature", _HALL),
        ),
    ),
    (
        "Row",
        (
            _Graph("IT load by row", "row", "active_power", _ROW, "row {{row}}"),
            _Graph("Inlet air by rack", "rack-sensor", "inlet_temperature", _ROW),
        ),
    ),
    (
        "Rack",
        (
            _Graph("Rack power", "rack", "active_power", _RACK, "{{rack}}"),
            _Graph("Inlet air", "rack-sensor", "inlet_temperature", _RACK),
            _Graph("Branch current", "branch", "current", _RACK),
            _Graph("Rack PDU voltage", "rack-pdu", "voltage", _RACK),
            _Graph("Coolant flow", "liquid-rack", "coolant_flow", _RACK),
        ),
    ),
)


def dashboard_json(points: PointsList) -> str:
    """Return the dashboard as JSON, for import in Grafana.

    A graph is present where the design has its points. Thresholds are the alarm limits; none where
    the equipment of a graph has different limits.
    """
    design = points.design
    panels: list[dict[str, object]] = []
    top = 0
    for level, graphs in _LEVELS:
        shown = [one for one in graphs if points.counts.get(one.equipment)]
        if not shown:
            continue
        at = {"h": 1, "w": 24, "x": 0, "y": top}
        row = {"id": len(panels) + 1, "type": "row", "title": level, "collapsed": False}
        panels.append({**row, "gridPos": at, "panels": []})
        top += 1
        for n, graph in enumerate(shown):
            line, column = divmod(n, _COLUMNS)
            left, below = column * _WIDTH, top + line * _HEIGHT
            at = {"h": _HEIGHT, "w": _WIDTH, "x": left, "y": below}
            panels.append(_panel(points, graph, len(panels) + 1, at))
        top += _HEIGHT * -(-len(shown) // _COLUMNS)
    content = {
        "uid": f"facility-{design.sha256[:12]}",
        "title": f"{design.facility.identity.name}: power and cooling",
        "tags": ["facility"],
        "schemaVersion": SCHEMA_VERSION,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "browser",
        "templating": {"list": list(_variables())},
        "annotations": {"list": []},
        "links": [],
        "panels": panels,
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _variables() -> Iterator[dict[str, object]]:
    """Yield the data source and one variable per level, each filtered by the levels above."""
    yield {
        "name": "datasource",
        "type": "datasource",
        "query": "prometheus",
        "label": "Data source",
    }
    metric = metric_of("active_power")
    for n, label in enumerate(_LABELS):
        query = f"label_values({metric}{{{_matchers(_LABELS[:n])}}}, {label})"
        yield {
            "name": label,
            "label": label.capitalize(),
            "type": "query",
            "datasource": _SOURCE,
            "query": {"query": query, "refId": label},
            "refresh": 2,
            "sort": 3,
            "multi": label != "site",
            "includeAll": label != "site",
        }


def _matchers(labels: Sequence[str]) -> str:
    return ",".join(f'{one}=~"${one}"' for one in labels)


def _panel(points: PointsList, graph: _Graph, number: int, at: dict[str, int]) -> dict[str, object]:
    about = QUANTITIES[graph.quantity]
    named = f'equipment_class="{graph.equipment}",quantity="{graph.quantity}"'
    query = f"{metric_of(graph.quantity)}{{{_matchers(graph.filters)},{named}}}"
    steps = threshold_steps(points, graph.equipment, graph.quantity)
    return {
        "id": number,
        "type": "timeseries",
        "title": graph.title,
        "datasource": _SOURCE,
        "gridPos": at,
        "targets": [
            {"refId": "A", "datasource": _SOURCE, "expr": query, "legendFormat": graph.legend}
        ],
        "fieldConfig": {
            "defaults": {
                "unit": _UNITS[about.kind],
                "custom": {"thresholdsStyle": {"mode": "dashed" if len(steps) > 1 else "off"}},
                "thresholds": {"mode": "absolute", "steps": steps},
            },
            "overrides": [],
        },
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
    }


def threshold_steps(points: PointsList, equipment: str, quantity: str) -> list[dict[str, object]]:
    """Return the thresholds of a graph, lowest first: red beyond alarm, orange beyond warning.

    Values are in the base unit of the metric.
    """
    named = LIMITED_AS.get(equipment, equipment), quantity
    found = [one for one in points.used_sets if (one.equipment, one.quantity) == named]
    stated = found[0].limits if len(found) == 1 else ()
    limits = {one.level: float(f"{one.value:.12g}") for one in stated}
    steps: list[tuple[float | None, str]] = [(None, "green")]
    if "low" in limits:
        steps = [(None, "orange"), (limits["low"], "green")]
    if "low-low" in limits:
        inner = steps[1:] if "low" in limits else []
        color = "orange" if "low" in limits else "green"
        steps = [(None, "red"), (limits["low-low"], color), *inner]
    colors = {"high": "orange", "high-high": "red"}
    steps += [(limits[level], color) for level, color in colors.items() if level in limits]
    return [{"color": color, "value": value} for value, color in steps]


GRAPHED = tuple((one.equipment, one.quantity) for _, graphs in _LEVELS for one in graphs)
"""Class and quantity of every graph."""
assert all(quantity in SCHEDULE[equipment] for equipment, quantity in GRAPHED)
