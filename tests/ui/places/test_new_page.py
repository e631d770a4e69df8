"""Start asks six questions, answers next to them as they change, and creates the project."""

from __future__ import annotations

import gzip

from streamlit.testing.v1 import AppTest

from facility.core.reference import reference_path
from facility.model.inputs.document import as_typed
from tests.ui.helpers import NEW, assert_sound, errors, go, metrics, numbers, opened, press, session

_BOXES = {
    "amount": "text_input", "unit": "selectbox", "model": "selectbox", "location": "selectbox",
    "power": "segmented_control", "cooling": "segmented_control", "voltage": "selectbox",
    "goal": "selectbox",
}  # fmt: skip


def answered(at: AppTest, **answers: str) -> None:
    for name, text in answers.items():
        getattr(at, _BOXES.get(name, "text_input"))(key=f"new-{name}").set_value(text)
    at.run()
    assert_sound(at)


def started() -> AppTest:
    at = go(opened(), NEW)
    assert_sound(at)
    return at


def texts(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


def test_the_answer_changes_with_the_questions_and_becomes_the_project() -> None:
    at = started()
    first = metrics(at)
    assert len(first) == 6
    assert "Power redundancy: N+1" in at.pills(key="new-default").options
    answered(at, amount="64", place="Munich", goal="2N")
    assert "Which weather?" in errors(at)
    assert "A station applies to a site within 100 km and 300 m of elevation" in texts(at)
    assert "For 256 GPUs of H100 SXM5" in texts(at)
    assert metrics(at) == first
    answered(at, weather="37 degC, 24 degC")
    assert not at.error
    assert metrics(at)["IT load"] != first["IT load"]
    assert "Size 256 → 64, Other site default → Munich" in texts(at)
    (note, *_) = (one["note"] for one in numbers(at)[0]["cells"])
    assert note.startswith("−")
    assert note.endswith(" racks: 4 compute, 3 network, storage or management")
    press(at, "new-create")
    typed = as_typed(session(at).project)
    assert typed["it"] == {"gpu_model": "H100 SXM5", "gpus": "64"}
    assert typed["criteria"] == {"redundancy_goal": "2N"}
    assert typed["project"] == {"title": "64 H100 SXM5"}


def test_a_city_is_chosen_among_those_of_its_name_and_takes_the_weather_of_a_station() -> None:
    at = started()
    answered(at, amount="64", place="Frankfurt")
    assert "Which city?" in errors(at)
    press(at, "new-Frankfurt am Main, DE")
    assert at.text_input(key="new-place").value == "Frankfurt am Main, DE"
    assert "Which weather?" in errors(at)
    assert not at.selectbox(key="new-station").options  # none within 2,000 km
    assert "Upload the EPW file of the place" in texts(at)
    answered(at, weather="33, x")
    assert "The weather cannot be used." in errors(at)
    answered(at, weather="33, 21")
    assert not at.error
    assert "Utility voltage: 20 kV" in at.pills(key="new-default").options
    assert "Battery autonomy: 10.0 min" in at.pills(key="new-default").options
    (cost,) = (c for c in numbers(at)[0]["cells"] if c["label"] == "Electricity per month")
    assert "no hourly weather" in cost["note"]


def test_a_distant_station_is_offered_and_warned_of() -> None:
    at = started()
    answered(at, amount="64", place="Halifax, CA")
    nearest = at.selectbox(key="new-station").options[0]
    assert nearest.endswith(" km")
    assert nearest in [button.label for button in at.button]
    at.selectbox(key="new-station").set_value("chicago").run()
    assert_sound(at)
    assert not at.error
    assert "the weather is from chicago" in texts(at)
    press(at, "new-create")
    assert as_typed(session(at).project)["site"]["station"] == "chicago"


def test_a_site_without_a_known_energy_price_has_a_button_for_it() -> None:
    at = started()
    answered(at, amount="64", place="Mexico City")
    nearest = at.selectbox(key="new-station").options[0]
    press(at, next(button.key for button in at.button if button.label == nearest))
    assert metrics(at)["Electricity per month"] == "–"
    press(at, "new-price")
    answered(at, **{"site.tariff": "2 MXN/kWh"})
    assert not at.error
    assert metrics(at)["Electricity per month"].endswith("MXN")
    answered(at, **{"site.tariff": ""})
    press(at, "new-create")
    press(at, "summary-price")
    assert at.session_state["design-input"] == "site.tariff"


def test_liquid_cooling_offers_the_models_that_it_cools() -> None:
    at = started()
    answered(at, cooling="liquid")
    assert "These answers cannot be built together." in errors(at)
    press(at, "new-liquid-GB200 NVL72")
    assert at.selectbox(key="new-model").value == "GB200 NVL72"
    assert not at.error


def test_a_rejected_choice_stays_with_the_button_that_makes_it_possible() -> None:
    at = started()
    answered(at, amount="8", unit="racks", cooling="air")
    assert not at.error
    answered(at, model="GB200 NVL72")
    assert at.selectbox(key="new-model").value == "GB200 NVL72"
    assert "requires liquid cooling: 87% of its 132 kW" in texts(at)
    assert "For 8 racks of H100 SXM5, air" in texts(at)
    (switch,) = (one for one in at.button if one.key == "new-apply")
    assert switch.label == "Switch to hybrid cooling and apply both"
    press(at, "new-apply")
    assert at.segmented_control(key="new-cooling").value == "hybrid"
    assert not at.error
    answered(at, cooling="air")
    press(at, "new-keep")
    assert at.segmented_control(key="new-cooling").value == "hybrid"
    assert not at.error


def test_a_goal_not_met_has_the_redundancy_that_meets_it() -> None:
    at = started()
    answered(at, amount="64", power="N+1", goal="maintenance")
    assert "Goal not met" in [warning.value for warning in at.warning]
    scheme = next(one for one in at.button if one.key == "new-switch").label.split()[-1]
    press(at, "new-switch")
    assert at.segmented_control(key="new-power").value == scheme
    assert not at.warning
    assert "Goal met" in " ".join(one.value for one in at.markdown)


def test_a_default_is_stated_and_becomes_an_entry() -> None:
    at = started()
    at.pills(key="new-default").set_value("power.battery.autonomy").run()
    assert_sound(at)
    assert at.text_input(key="new-power.battery.autonomy").value == "10.0 min"
    answered(at, **{"power.battery.autonomy": "8 min"})
    at.pills(key="new-default").set_value("power").run()
    assert at.segmented_control(key="new-power").value == "N+1"
    press(at, "new-create")
    power = as_typed(session(at).project)["power"]
    assert power == {"redundancy": "N+1", "battery": {"autonomy": "8 min"}}


def test_a_weather_file_is_uploaded_with_the_new_project() -> None:
    """The record of Miami as a file; the sidebar shows no inputs of the open project."""
    at = started()
    assert not [box for box in at.sidebar.selectbox if box.label.startswith("GPU ")]
    content = gzip.decompress(reference_path("weather", "miami.epw.gz").read_bytes())
    answered(at, amount="64", location="Miami, Florida")
    at.file_uploader(key="new-weather-file").set_value(("here.epw", content, "text/plain")).run()
    assert_sound(at)
    assert not at.error
    press(at, "new-create")
    typed = as_typed(session(at).project)
    assert str(typed["site"]["weather_file"]).startswith("here-")
    assert [box for box in at.sidebar.selectbox if box.label.startswith("GPU ")]


def test_the_largest_cluster_on_a_grid_connection() -> None:
    at = started()
    answered(at, unit="as many as fit")
    answered(at, grid="150 kW")
    assert "Binding limit: Grid connection. 1 MW more allows" in texts(at)
    press(at, "new-create")
    assert int(as_typed(session(at).project)["it"]["gpus"]) > 8


def test_racks_are_imported_into_the_new_project() -> None:
    at = started()
    answered(at, amount="64")
    press(at, "new-import")
    assert session(at).project.it.gpus == 64
    assert [box for box in at.text_area if box.key.startswith("inventory-text")]


def test_hostile_entries_stay_text() -> None:
    at = started()
    hostile = "<img src=x onerror=alert(1)> **bold**"
    answered(at, place=hostile)
    assert any("not in the list of cities" in error for error in errors(at))
    assert hostile[:20] in texts(at)
    assert not any("<img" in one.value for one in (*at.markdown, *at.error, *at.warning))
