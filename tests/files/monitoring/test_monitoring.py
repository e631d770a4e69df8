"""Points list, alert rules and dashboard: their content, hostile names, and promtool's verdict."""

from __future__ import annotations

import csv
import json
import math
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

import facility
from facility.core.errors import FacilityError
from facility.files.io.safe_text import csv_cell
from facility.files.monitoring.alert_rules import DELAYS_S, alert_name, alert_rules
from facility.files.monitoring.dashboard import SCHEMA_VERSION, dashboard_json
from facility.files.monitoring.folder import ALERTS, FAILURES, POINTS, write_points
from facility.files.monitoring.points_csv import HEADS, row_of
from facility.study.points.crossings import alarm_coverage
from facility.study.points.limits import LEVELS
from facility.study.points.points import PointsList, design_points
from facility.study.points.schedule import is_contact, metric_of
from tests.study.helpers import SHORTEST, design_of

_STEP_S = 5
_TESTED = ("supply_lost", "loading", "active_power")


@pytest.fixture(scope="module")
def points() -> PointsList:
    return design_points(design_of(SHORTEST))


@pytest.fixture(scope="module")
def written(points: PointsList, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("points")
    assert len(facility.export(points.design, folder, "points")) == 4
    return folder


@pytest.fixture(scope="module")
def rows(written: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((written / POINTS).read_text(encoding="utf-8").splitlines()))


def test_each_point_is_a_row_with_a_unique_name(
    points: PointsList, rows: list[dict[str, str]]
) -> None:
    assert tuple(rows[0]) == HEADS
    assert len(rows) == sum(points.counts.values()) == len({row["point"] for row in rows})


def test_machine_names_are_unique_and_of_ascii(rows: list[dict[str, str]]) -> None:
    names = [row["machine_name"] for row in rows]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in names)


def test_numbers_are_numbers_and_what_is_missing_is_named(rows: list[dict[str, str]]) -> None:
    numeric = [head for head in HEADS if head.startswith(("expected_", "high", "low", "design_"))]
    for row in rows:
        for head in numeric:
            assert row[head] == "" or math.isfinite(float(row[head])), (row["point"], head)
    chilled = next(
        row
        for row in rows
        if (row["equipment_class"], row["quantity"]) == ("loop-chw", "supply_temperature")
    )
    assert "high" in chilled["not_stated"].partition(": no check")[0].split()
    assert next(row for row in rows if row["quantity"] == "supply_lost")["not_stated"] == ""


def test_ranges_are_those_of_the_year(points: PointsList, rows: list[dict[str, str]]) -> None:
    power = next(
        r for r in rows if r["equipment"] == "FACILITY" and r["quantity"] == "active_power"
    )
    results = points.design.year.results if points.design.year is not None else {}
    assert float(power["expected_max"]) == pytest.approx(float(results["annual.peak"].si) / 1e3)
    assert float(power["expected_typical"]) == pytest.approx(float(results["annual.p50"].si) / 1e3)
    assert power["range_basis"].startswith("year study")


@pytest.mark.parametrize(
    ("equipment", "quantity", "level", "text"),
    [
        ("loop-chw", "supply_temperature", "high", ""),
        ("rack-sensor", "inlet_temperature", "high", "27"),
        ("rack-pdu", "voltage", "low", "394.25"),
        ("panel", "supply_lost", "high", "1"),
        ("panel", "supply_lost", "low", ""),
        ("ups", "on_battery", "high_high_delay_s", None),
        ("rack", "energy", "high", ""),
    ],
)
def test_cells_of_limits(
    rows: list[dict[str, str]], equipment: str, quantity: str, level: str, text: str | None
) -> None:
    row = next(r for r in rows if (r["equipment_class"], r["quantity"]) == (equipment, quantity))
    assert float(row[level]) > 0.0 if text is None else row[level] == text


def test_server_points_have_dcgm_and_redfish_names(rows: list[dict[str, str]]) -> None:
    gpu = next(row for row in rows if row["quantity"] == "gpu_power")
    assert gpu["dcgm_field"] == "DCGM_FI_DEV_POWER_USAGE"
    assert gpu["instances"] == "8"
    server = next(row for row in rows if row["equipment_class"] == "server")
    assert server["redfish_resource"] == "/redfish/v1/Chassis/{id}/PowerSubsystem"


def test_rules_and_thresholds_have_the_limits_of_the_list(points: PointsList) -> None:
    groups = yaml.safe_load(alert_rules(points))["groups"]
    rules = {
        (rule["labels"]["limit_class"], rule["labels"]["level"]): rule
        for group in groups
        for rule in group["rules"]
    }
    assert len(rules) == sum(len(one.limits) for one in points.used_sets)
    for one in points.used_sets:
        for limit in one.limits:
            found = rules[points.sets.name(one), limit.level]
            assert found["alert"] == alert_name(one, limit)
            assert ("for" in found) == (bool(limit.delay_s) or not is_contact(one.quantity))
            if not is_contact(one.quantity):
                number = found["expr"].split(" and ")[0].rsplit(" ", 1)[1]
                assert float(number) == pytest.approx(limit.value, rel=1e-11)


def test_the_dashboard_is_a_dashboard(points: PointsList) -> None:
    content = json.loads(dashboard_json(points))
    assert content["schemaVersion"] == SCHEMA_VERSION
    names = [one["name"] for one in content["templating"]["list"]]
    assert names == ["datasource", "site", "hall", "row", "rack"]
    panels = content["panels"]
    assert len({one["id"] for one in panels}) == len(panels)
    assert [one["title"] for one in panels if one["type"] == "row"] == [
        "Facility", "Hall", "Row", "Rack",
    ]  # fmt: skip
    taken: set[tuple[int, int]] = set()
    for one in panels:
        at = one["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken
        assert max(x for x, _ in cells) < 24
        taken |= cells
    inlet = next(one for one in panels if one["title"] == "Inlet air by rack")
    steps = inlet["fieldConfig"]["defaults"]["thresholds"]["steps"]
    values = [step["value"] for step in steps]
    assert values[0] is None
    assert values[1:] == sorted(values[1:])
    limits = points.sets.of("hall", "inlet_temperature", "")
    assert limits is not None
    assert values[1:] == pytest.approx([one.value for one in limits.limits])


def test_hostile_names_stay_text() -> None:
    """Names from a project reach a cell, a label and a title as text."""
    hostile = "=cmd|' /C calc'!A0 {{ $x }} %/: -<b>"
    text = SHORTEST.replace("gpus: 64}", f'gpus: 64, halls: [{{name: "{hostile}"}}]}}')
    found = design_points(design_of(f'{text}project: {{name: "{hostile}"}}\n'))
    hall = next(point for point in found if point.item.equipment == "hall")
    assert hall.item.hall == hostile
    assert "%25%2F: -<b>/" in hall.name
    assert row_of(hall, hall.machine_name)[3] == hostile
    assert all(
        str(csv_cell(cell))[:1] not in "=+-@"
        for cell in row_of(hall, hall.machine_name)
        if isinstance(cell, str) and cell
    )
    assert json.loads(dashboard_json(found))["title"].startswith("=cmd")
    rules = alert_rules(found)
    assert yaml.safe_load(rules)["groups"]
    assert "cmd" not in rules


def test_a_file_of_another_suffix_is_refused(points: PointsList, tmp_path: Path) -> None:
    with pytest.raises(FacilityError, match="suffix"):
        write_points(points, tmp_path / "points.pdf")


def test_failures_are_listed(points: PointsList, written: Path) -> None:
    text = (written / FAILURES).read_text(encoding="utf-8")
    listed = list(csv.DictReader(text.splitlines()))
    coverage = alarm_coverage(points)
    assert len(listed) == len(coverage.failures)
    assert sum(row["detected"] == "false" for row in listed) == len(coverage.undetected)


def promtool(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["promtool", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.promtool
def test_promtool_accepts_the_rules(written: Path) -> None:
    done = promtool("check", "rules", ALERTS, folder=written)
    assert done.returncode == 0, done.stdout + done.stderr


def _series(points: PointsList, id: str) -> Iterator[dict[str, str]]:
    """Yield series of the power network before an outage, on battery if it waits, and after.

    The final state is solved on its own, not with the others as the coverage does.
    """
    design = points.design
    outages = design.outages.study
    assert outages is not None
    state = next(s for s in outages.states if s.case.outage.id == id)
    outage, solver = state.case.outage, design.states
    waits = bool(state.riding) or state.interrupted_w > 0.0
    flows = solver.normal, *([solver.riding(outage)] if waits else ()), solver.settled(outage)
    index = design.states.network.index
    for item in points.items:
        row = index.get(item.tag)
        if row is None:
            continue
        for quantity in item.quantities:
            limits = points.sets.of(item.equipment, quantity, *item.limit_keys)
            if limits is None or quantity not in _TESTED:
                continue
            values = [
                {
                    "loading": flow.loading[row, 0],
                    "active_power": flow.output_w[row, 0],
                    "supply_lost": float(flows[0].live[row, 0] and not flow.live[row, 0]),
                }[quantity]
                for flow in flows
            ]
            shown = (0.0 if math.isnan(value) else float(value) for value in values)
            labels = f'equipment="{item.tag}",limit_class="{points.sets.name(limits)}"'
            name = f"{metric_of(quantity)}{{{labels}}}"
            yield {"series": name, "values": " ".join(f"{value:.9g}x3" for value in shown)}


def _tested(folder: Path, series: object, alerts: str, firing: Mapping[str, object]) -> None:
    """Compare the alerts that have fired until times of a test, by name and equipment."""
    firing_alerts = f'ALERTS{{alertstate="firing",alertname=~"{alerts}"}}'
    expression = f"sum by (alertname, equipment) (max_over_time({firing_alerts}[10m]))"
    expected = [
        {"expr": expression, "eval_time": at, "exp_samples": samples}
        for at, samples in firing.items()
    ]
    test = {"interval": f"{_STEP_S}s", "input_series": series, "promql_expr_test": expected}
    content = {"rule_files": [ALERTS], "evaluation_interval": f"{_STEP_S}s", "tests": [test]}
    (folder / "test.yml").write_text(yaml.safe_dump(content), encoding="utf-8")
    done = promtool("test", "rules", "test.yml", folder=folder)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


def _sample(alert: str, tag: str) -> dict[str, object]:
    return {"labels": f'{{alertname="{alert}",equipment="{tag}"}}', "value": 1}


@pytest.mark.promtool
@pytest.mark.parametrize("id", ["loss of UPO-1", "loss of RPP-A01", "loss of utility"])
def test_prometheus_fires_the_alarms_of_an_outage(
    points: PointsList, written: Path, id: str
) -> None:
    """Rules evaluated by promtool on a failure state fire for exactly the equipment listed."""
    failure = next(one for one in alarm_coverage(points).failures if one.id == id)
    network = points.design.states.network
    names: dict[tuple[str, str, str], str] = {}
    for item in points.items:
        for quantity in set(item.quantities) & set(_TESTED):
            limits = points.sets.of(item.equipment, quantity, *item.limit_keys)
            if limits is None:
                continue
            for limit in limits.limits:
                names[item.tag, quantity, limit.level] = alert_name(limits, limit)
    crossed = {c.key for c in failure.crossings if c.quantity in _TESTED and c.tag in network.index}
    expected = [_sample(names[key], key[0]) for key in sorted(crossed)]
    assert expected
    alerts = "|".join(sorted(set(names.values())))
    _tested(written, list(_series(points, id)), alerts, {"10s": [], "60s": expected})


@pytest.mark.promtool
def test_prometheus_fires_the_inlet_alarm_at_the_time_of_the_ride_through(
    points: PointsList, written: Path
) -> None:
    ride = points.design.ride_through.study
    limits = points.sets.of("hall", "inlet_temperature", "")
    assert ride is not None
    assert limits is not None
    result = ride["utility"]
    (time_s,) = (t for limit, t, _ in result.limits if limit.id == "recommended")
    assert time_s is not None
    stride = round(_STEP_S / float(ride.time_s[1] - ride.time_s[0]))
    # An alarm of the study is 0.01 K above the limit, where the model resolves it.
    after = math.ceil(time_s / _STEP_S) * _STEP_S
    shown = " ".join(f"{v - 0.01:.9g}" for v in result.series["inlet_worst"][::stride])
    labels = f'equipment="R",limit_class="{points.sets.name(limits)}"'
    series = [{"series": f"{metric_of('inlet_temperature')}{{{labels}}}", "values": shown}]
    alert = "HallInletTemperatureHigh"
    after += DELAYS_S["temperature"]
    firing = {f"{after - _STEP_S}s": [], f"{after}s": [_sample(alert, "R")]}
    _tested(written, series, alert, firing)


def test_levels_are_in_order() -> None:
    assert LEVELS == ("low-low", "low", "high", "high-high")
