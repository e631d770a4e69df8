"""What a changed project keeps of its example is shown, and released in one step."""

from __future__ import annotations

import pytest

from facility.files.project.file import default_project, dump_project, example_text, parse_project
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import with_entries
from facility.study.design.design import design
from facility.ui.inspector.notices import QUICK, from_example
from tests.ui.helpers import assert_sound, choose, new_app, opened, press, session, shown, type_in

STATED = {
    "criteria.code",
    "criteria.edition",
    "it.server",
    "it.servers_per_rack",
    "it.feeds",
    "it.cords",
    "power.ups",
    "power.distribution",
}


def test_an_example_as_it_is_keeps_nothing() -> None:
    assert from_example(default_project()) is None
    assert (
        from_example(parse_project("schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 8}\n"))
        is None
    )


def test_what_the_example_states_and_nobody_typed_is_listed() -> None:
    changed = with_entries(default_project(), {"it.gpus": "1"})
    found = from_example(changed)
    assert found is not None
    assert found.example == "h100-10k"
    assert set(found.things) == STATED
    assert found.things["power.ups"] == {"power.ups.model": "9395XR-1935", "power.ups.buses": "6"}
    assert not set(found.fields) & set(QUICK)
    stored = from_example(parse_project(dump_project(changed)))
    assert stored == found  # opened again, it still knows
    typed = from_example(with_entries(changed, {"power.ups.buses": "2", "it.server": ""}))
    assert typed is not None
    assert set(typed.things) == STATED - {"it.server"}
    assert typed.fields.count("power.ups.buses") == 0


def test_a_changed_example_loses_its_identity_and_is_still_known() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "4608")
    project = session(at).project
    assert as_typed(project)["project"] == {
        "title": "4,608 H100 SXM5, 3N/2, air-cooled",
        "started_from": "h100-10k",
    }
    found = from_example(project)
    assert found is not None
    assert set(found.things) == STATED


@pytest.mark.parametrize("name", ["dgx-su-32", "mixed-hall", "nvl72-hall"])
def test_every_example_is_known_by_its_identity(name: str) -> None:
    project = parse_project(example_text(name))
    assert from_example(project) is None
    found = from_example(with_entries(project, {"project.name": "Mine", "power.redundancy": "N+1"}))
    assert found is None or found.example == name


def test_the_ups_of_the_example_is_not_kept_in_silence() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "1")
    assert any(b.key == "release-power.ups" for b in at.button)
    assert any("9395XR-1935" in text.value for text in at.text)
    kept_pue = float(design(session(at).project).results["pue.design"].si)
    assert kept_pue > 5.0
    press(at, "release-power.ups")
    project = session(at).project
    assert project.power.ups is None
    assert project.it.gpus == 1
    assert float(design(project).results["pue.design"].si) < 0.5 * kept_pue
    assert not any(b.key == "release-power.ups" for b in at.button)
    press(at, "undo")
    assert session(at).project.power.ups is not None
    press(at, "release-all")
    assert from_example(session(at).project) is None
    assert session(at).project.it.cords is None
    press(at, "undo")
    assert from_example(session(at).project) is not None


def test_a_release_that_leads_to_no_design_is_refused_and_said() -> None:
    at = opened()
    choose(at, "Example", "nvl72-hall")
    choose(at, "UPS redundancy", "N+1")
    before = session(at).project
    found = from_example(before)
    assert found is not None
    for thing in found.things:
        press(at, f"release-{thing}")
        assert not at.error
    assert from_example(session(at).project) is None


def test_sidebar_shows_what_the_session_holds() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "5k")
    assert session(at).project.it.gpus == 5000
    assert shown(at, "Number of GPUs") == "5000"
    type_in(at, "Number of GPUs", "12,000")
    assert session(at).project.it.gpus == 12_000
    type_in(at, "Tariff", "12 ct/kWh")
    assert shown(at, "Tariff") == "12 ct/kWh"
    assert any("0.12 USD/kWh" in text.value for text in at.text)
    press(at, "put-back-site.tariff")
    assert shown(at, "Tariff") == "0.05 USD/kWh"
    assert not at.error


def test_units_of_the_address_are_read_in_either_case() -> None:
    at = new_app()
    at.query_params["units"] = "ip"
    at.run()
    assert_sound(at)
    assert at.segmented_control(key="units").value == "ip"
