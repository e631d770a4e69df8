"""The page New project asks the questions, answers beside them, and creates the project."""

from __future__ import annotations

import gzip

from streamlit.testing.v1 import AppTest

from facility.core.reference import reference_path
from facility.model.inputs.document import as_typed
from tests.ui.helpers import NEW, assert_sound, go, opened, press, session


def answered(at: AppTest, **answers: str) -> None:
    for field, answer in answers.items():
        boxes = at.selectbox if field in ("model", "voltage", "survive") else at.text_input
        boxes(key=f"new-{field}").set_value(answer)
    at.run()
    assert_sound(at)


def figures(at: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in at.metric}


def test_the_answer_changes_with_the_questions_and_becomes_the_project() -> None:
    at = opened()
    go(at, NEW)
    assert_sound(at)
    assert figures(at)["GPUs"] == "256"
    assert any("Model: H100 SXM5" in text.value for text in at.text)
    answered(at, size="64 GPUs", location="Munich", survive="2N")
    assert at.error[0].value == "Open question: WEATHER_SITE"
    assert any("none is within 500 km" in text.value for text in at.text)
    answered(at, weather="37 degC, 24 degC")
    assert not at.error
    assert figures(at)["GPUs"] == "64"
    press(at, "new-create")
    typed = as_typed(session(at).project)
    assert typed["it"] == {"gpu_model": "H100 SXM5", "gpus": "64"}
    assert typed["criteria"] == {"redundancy_goal": "2N"}
    assert "project" not in typed


def test_a_weather_file_is_uploaded_with_the_new_project() -> None:
    """The record of Miami as a file; the sidebar shows no inputs of the open project."""
    at = opened()
    go(at, NEW)
    assert not [box for box in at.sidebar.selectbox if box.label == "GPU"]
    content = gzip.decompress(reference_path("weather", "miami.epw.gz").read_bytes())
    answered(at, size="64 GPUs", location="Miami")
    at.file_uploader(key="new-weather-file").set_value(("here.epw", content, "text/plain")).run()
    assert_sound(at)
    assert not at.error
    press(at, "new-create")
    typed = as_typed(session(at).project)
    assert str(typed["site"]["weather_file"]).startswith("here-")
    assert "GPU" in [box.label for box in at.sidebar.selectbox]


def test_the_largest_cluster_on_a_grid_connection() -> None:
    at = opened()
    go(at, NEW)
    answered(at, grid="150 kW")
    assert any("Binding limit: Grid connection. 1 MW more allows" in text.value for text in at.text)
    assert int(figures(at)["GPUs"]) > 8
