"""The workspace: one selection for tree, drawing, inspector and address; inputs edited in place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from facility.study.design.design import design
from facility.ui.canvas.component import Picked
from facility.ui.design import workspace
from facility.ui.objects import known, selection
from tests.ui.helpers import (
    PROJECTS,
    assert_sound,
    box,
    go,
    inputs,
    opened,
    pick,
    press,
    press_title,
    session,
    type_in,
)


def of_object(id: str) -> AppTest:
    """Return the workspace of an object, selected by its address."""
    at = opened()
    at.query_params["o"] = id
    at.run()
    assert_sound(at)
    return at


def head(at: AppTest) -> str:
    """Return the name of the object in the inspector."""
    return str(at.subheader[-1].value)


def cells(at: AppTest) -> list[str]:
    """Return the texts of the numbers in the inspector."""
    drawn = [one.proto for one in at.get("bidi_component")]
    shown = [json.loads(one.json) for one in drawn if one.component_name == "facility.elements"]
    return [text for one in shown if one for text in _texts(one)]


def _texts(shown: str | dict[str, Any]) -> Iterator[str]:
    if isinstance(shown, str):
        yield shown
        return
    for inside in shown["inside"]:
        yield from _texts(inside)


@pytest.fixture(scope="module")
def ups() -> AppTest:
    return of_object("UPS-B1")


def test_the_address_selects_an_object_with_its_numbers(ups: AppTest) -> None:
    assert head(ups) == "UPS-B1"
    found = cells(ups)
    at = found.index("loss of MVS-A")
    assert found[at - 1 : at + 5] == [
        "Loading",
        "loss of MVS-A",
        "most loaded phase, kVA or kW",
        "78.0 %",
        "100.0 %",
        "22.0 %",
    ]
    assert "Taken over in this state" in found
    badges = [one.value for one in ups.markdown if "badge" in one.value]
    assert any("orange-badge" in badge and " % over" in badge for badge in badges), badges


def test_an_input_is_edited_and_reset_in_place() -> None:
    at, path = of_object("UPS-B1"), "power.battery.autonomy"
    assert inputs(at)["Inherited"][path]["title"] == "Battery autonomy"
    pick(at, path, "Inputs")
    at.text_input(key=box(at, f"inspector-value {path}")).set_value("12 min").run()
    assert_sound(at)
    battery = session(at).project.power.battery
    assert battery is not None
    assert battery.autonomy is not None
    assert battery.autonomy.text == "12 min"
    assert any("→ 12 min" in text.value for text in at.text)
    assert inputs(at)["Stated"][path]["action"] == "Reset"  # the editor is still open
    pick(at, path, "Inputs", "acted")
    battery = session(at).project.power.battery
    assert battery is None or battery.autonomy is None
    assert path in inputs(at)["Inherited"]


def test_an_edit_shows_which_numbers_of_the_object_moved() -> None:
    at, path = of_object("IT"), "it.gpus"
    first = cells(at).index("IT load") + 2
    before = cells(at)[first]
    pick(at, path, "Inputs")
    at.text_input(key=box(at, f"inspector-value {path}")).set_value("5000").run()
    assert_sound(at)
    found = cells(at)
    assert found[first] == f"{before} →"
    assert found[first + 1] == session_load(at)
    press(at, "undo")
    assert cells(at)[first : first + 2] == [f"{found[first + 1]} →", before]


def test_another_project_does_not_show_the_numbers_of_the_one_before() -> None:
    at = opened()
    before = session_load(at)
    assert "Facility power" in cells(at)
    go(at, PROJECTS)
    press_title(at, "examples", "dgx-su-32")
    go(at, ("design", "summary"))
    assert "Facility power" in cells(at)
    assert session_load(at) != before
    assert not any("→" in text for text in cells(at))


def test_the_summary_names_the_state_of_tree_and_inspector() -> None:
    at = opened()
    begins = "State in the object tree and the inspector: Loss of UPS-A"
    assert not any(text.value.startswith(begins) for text in at.text)
    case = next(
        one for one in at.selectbox(key="state-case").options if one.startswith("Loss of UPS-A")
    )
    at.selectbox(key="state-case").select(case).run()
    assert_sound(at)
    assert any(text.value.startswith(begins) for text in at.text)


def session_load(at: AppTest) -> str:
    """Return the IT load of the project of the session."""
    return design(session(at).project).results["load.it"].short()


def test_a_default_is_confirmed_in_place() -> None:
    at, path = of_object("UPS-B1"), "power.ups.max_loading"
    assert inputs(at)["Default"][path]["action"] == "Confirm"
    pick(at, path, "Inputs", "acted")
    assert list(session(at).project.confirmed or ()) == [path]
    assert inputs(at)["Default"][path]["remark"] == "Confirmed"
    press(at, "undo")
    assert not session(at).project.confirmed


def test_an_inherited_value_leads_to_the_input_it_follows_from() -> None:
    at = of_object("UPS-B1")
    pick(at, "power.battery.autonomy", "Inputs", "acted")
    assert head(at) == "UPS-B1"  # its technology is an input of the UPS too
    assert at.session_state["design-input"] == "power.battery.technology"
    at = of_object("LVB-A1")
    pick(at, "power.distribution.voltage", "Inputs", "acted")
    assert head(at) == "Power"
    assert "".join(at.query_params["o"] or ()) == "POWER"


def test_what_is_clicked_in_the_drawing_is_selected(
    ups: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    picked: list[str] = []
    monkeypatch.setattr(selection, "pick", picked.append)
    objects = dict.fromkeys(("TX-A1", "RPP-A01", "CH"))
    monkeypatch.setattr(known, "objects", lambda: objects)
    workspace.picked(Picked("equipment", ("TX-A1",)))
    workspace.picked(Picked("racks", ("RPP-A01", "RPP-A07")))
    workspace.picked(Picked("machine", ("plant.chiller_power",)))
    assert picked == ["TX-A1", "RPP-A01", "CH"]


@pytest.mark.parametrize(
    ("id", "view", "label"),
    [
        ("RPP-A01", "schedule", "Poles used"),
        ("SITE", "inputs", "Filter inputs"),
        ("Hall 1", "racks", "Rack list"),
        ("COOLING", "cooling", "Cooling power"),
        ("POWER", "outages", "Single points of failure"),
        ("UPS-B1", "models", "Unit"),
    ],
)
def test_views_of_objects_show_what_the_old_pages_did(id: str, view: str, label: str) -> None:
    at = opened()
    at.session_state["design-object"], at.session_state["design-view"] = id, view
    at.run()
    assert_sound(at)
    labels = [
        *(one.label for one in at.metric),
        *(one.label for one in at.text_input),
        *(one.proto.label for one in at.get("button_group")),
    ]
    grids = [one.proto.json for one in at.get("bidi_component")]
    assert any(label in text for text in (*labels, *grids))


def test_a_selection_that_does_not_exist_falls_back_to_the_address() -> None:
    at = of_object("UPS-B1")
    at.session_state["design-object"] = "UPS-ZZ"
    at.run()
    assert_sound(at)
    assert head(at) == "UPS-B1"  # as the address says


@pytest.mark.parametrize("was_shown", [True, False])
def test_equipment_stays_selected_while_the_network_is_calculated_again(
    monkeypatch: pytest.MonkeyPatch, was_shown: bool
) -> None:
    """A change of the project, as a circuit that is moved, must not leave its panel."""
    at = of_object("RPP-A11")
    at.session_state["objects-listed"] = None, ""
    if was_shown:
        at.run()
    with monkeypatch.context() as patch:
        patch.setattr(known, "network_is_known", lambda: False)
        patch.setattr(workspace, "ready", lambda *_, **__: False)
        type_in(at, "Tariff", "0.07 USD/kWh")
        assert (head(at) == "RPP-A11") is was_shown
        assert ("Summary" in [one.value for one in at.subheader]) is not was_shown
        listed = {path for rows in inputs(at).values() for path in rows}
        assert any(path.startswith("panels.") for path in listed) is was_shown
        assert at.query_params["o"] == "RPP-A11"
    at.run()
    assert_sound(at)
    assert head(at) == "RPP-A11"
