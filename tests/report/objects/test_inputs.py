"""Inputs of objects: every field of the tables exists, origin and value as the design has them."""

from __future__ import annotations

import csv
from dataclasses import replace
from importlib import resources

import pytest

from facility.core.views import show
from facility.model.inputs.change import declared_path
from facility.model.inputs.entries import fields, with_entries
from facility.report.objects.history import changes_between
from facility.report.objects.inputs import first_inputs, inputs_at, owner_of, paths_of
from facility.report.objects.objects import DesignObjects
from tests.study.helpers import SHORTEST, checks_of, design_of, reference


def _rows(name: str) -> list[dict[str, str]]:
    text = resources.files("facility.report.objects").joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@pytest.fixture(scope="module")
def objects() -> DesignObjects:
    design = reference("h100-10k")
    return DesignObjects(design, design.states.network)


def test_every_field_of_the_tables_exists() -> None:
    known = fields()
    for row in _rows("inputs.csv"):
        for path in (*row["first"].split(), *row["sections"].split()):
            declared = declared_path(path.format(hall=0))
            assert declared in known or any(f.startswith(f"{declared}.") for f in known), path
    for row in _rows("follows.csv"):
        assert {row["field"], row["from"]} <= set(known)


def test_every_field_outside_lists_bears_on_an_object(objects: DesignObjects) -> None:
    plant = reference("nvl72-hall")
    found = {
        path
        for some in (objects, DesignObjects(plant, plant.states.network))
        for one in some.values()
        if one.kind != "rack"
        for path in paths_of(some, one)
    }
    left = {path for path in fields() if "[]" not in path} - found
    of_racks = {path for path in left if path.startswith("it.cords.") or path == "it.rack_pdu_loss"}
    assert left - of_racks == {"schema_version", "confirmed"}


def test_stated_default_and_inherited(objects: DesignObjects) -> None:
    paths = paths_of(objects, objects["UPS-B1"])
    found = {one.path: one for one in inputs_at(objects.design, paths)}
    model = found["power.ups.model"]
    assert (model.value, model.origin) == ("9395XR-1935", "Stated")
    limit = found["power.ups.max_loading"]
    assert (limit.value, limit.origin, limit.assumption) == (
        "100.0 %",
        "Default",
        "power.ups.max_loading",
    )
    voltage = inputs_at(objects.design, ["power.distribution.voltage"])[0]
    assert (voltage.value, voltage.origin) == ("415 V", "Inherited")
    assert voltage.follows == "power.distribution.rack_system"
    assert owner_of(objects, voltage.follows) == "POWER"
    assert len(found) > first_inputs(objects["UPS-B1"]) >= 5
    assert all("_" not in one.title for one in found.values())


def test_a_value_set_by_the_sizing_is_inherited(objects: DesignObjects) -> None:
    count = inputs_at(objects.design, ["cooling.plant.chiller.count"])[0]
    assert (count.value, count.origin) == ("8", "Inherited")


def test_a_value_selected_by_the_design_is_shown(objects: DesignObjects) -> None:
    design = design_of(SHORTEST)
    assert design.distribution.checks
    paths = ["power.ups.modules_per_system", "power.faults.panel_rating"]
    modules, rating = inputs_at(design, paths)
    found = design.as_built().power.ups
    assert found is not None
    assert (modules.value, modules.origin) == (
        f"{found.modules_per_system} · by design",
        "Inherited",
    )
    (check,) = (
        check
        for check in checks_of(design, "FAULT-INTERRUPTING")
        if check.subject.startswith("panels")
    )
    assert check.limit is not None
    assert rating.value == f"{show(check.limit, 'current')} · by design"


def test_history_names_the_change(objects: DesignObjects) -> None:
    project = objects.design.project
    changed = with_entries(project, {"power.battery.autonomy": "12 min", "it.gpus": "9000"})
    (change,) = changes_between(project, changed, paths_of(objects, objects["UPS-B1"]))
    assert change.words == "Battery autonomy: not specified → 12 min"
    assert not changes_between(project, project, ("it.gpus",))


def test_a_stated_quantity_is_in_the_unit_of_the_view(objects: DesignObjects) -> None:
    path, project = "cooling.supply_air", objects.design.project
    warmer = replace(objects.design, project=with_entries(project, {path: "27 degC"}))
    assert inputs_at(warmer, [path])[0].value == "27.0 °C"
    assert inputs_at(warmer, [path], "ip")[0].value == "80.6 °F"
