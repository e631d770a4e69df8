"""Projects with liquid and with storage against figures worked by hand (data/liquid_projects.csv).

The projects are as somebody would type them; nothing in them was chosen to suit the tool.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from facility.files.project_file import apply_sets, load_project
from facility.study.design import Design, design
from facility.study.transient import TransientStudy, transient

DATA = Path(__file__).parent / "data"
with (DATA / "liquid_projects.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


@cache
def project(name: str, *sets: str) -> Design:
    return design(apply_sets(load_project(DATA / "projects" / f"{name}.yaml"), sets))


@cache
def ride(name: str, id: str, *sets: str) -> TransientStudy:
    return transient(project(name, *sets), (id,), storage=False)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['project']} {row['key']}" for row in ROWS])
def test_figures_worked_by_hand(row: dict[str, str]) -> None:
    sets = tuple(one for one in row["sets"].split("; ") if one)
    found = project(row["project"], *sets).all_results.as_json()[row["key"]]
    value = found["value"] if isinstance(found, dict) else found
    assert value == pytest.approx(float(row["expected"]), abs=float(row["tolerance"])), row["hand"]


def test_a_spare_dry_cooler_that_runs_is_lost_without_a_trace() -> None:
    name, id = "nvl72-san-francisco-40c", "fws_rejection"
    running, standing = ride(name, id), ride(name, id, "cooling.thermal.standby_rejection=true")
    peaks = [float(study[id].series["fws_supply"].max()) for study in (running, standing)]
    supply_c = project(name).cooling_flow.fws_supply_c
    assert peaks[0] == pytest.approx(supply_c, abs=0.05)
    assert peaks[1] > supply_c + 0.3
    bank = running.plant.banks["fws_rejection"]
    assert (bank.running, bank.duty) == (bank.installed, bank.installed - 1)


def test_no_limit_is_passed_earlier_than_a_step() -> None:
    study = ride("storage", "utility", "cooling.thermal.chilled_water_tank=0 m3",
                 "cooling.thermal.ramp=1 s", "cooling.on_ups.0=water_pumps")  # fmt: skip
    step_s = float(study.time_s[1])
    times = [time_s for _, time_s, _ in study["utility"].limits if time_s is not None]
    assert times
    assert min(times) >= step_s
