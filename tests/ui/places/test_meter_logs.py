"""The page Meter logs: nothing loaded, a question, a log of the design, branch readings."""

from __future__ import annotations

import numpy as np

from tests.ui.helpers import METERS, assert_sound, errors, go, opened


def test_a_log_is_compared_and_a_question_names_its_field() -> None:
    at = opened()
    go(at, METERS)
    assert_sound(at)
    assert any("No file loaded" in text.value for text in at.text)
    times = np.datetime64("2023-01-01T00:00") + np.timedelta64(1, "h") * np.arange(8760)
    rows = "\n".join(f"{t},9000,12000" for t in times)
    name, kind = "log.csv", "text/csv"
    at.file_uploader[0].set_value((name, f"timestamp,a kW,b kW\n{rows}".encode(), kind)).run()
    assert_sound(at)
    assert any("IT power column" in text.value for text in at.text)
    at.text_input(key="measured-it").set_value("a kW").run()
    at.text_input(key="measured-facility").set_value("b kW").run()
    assert_sound(at)
    assert any("8,760 of 8,760 hours measured" in text.value for text in at.text)
    branches = b"panel,circuit,current_a,current_b,current_c\nNOWHERE,1,3,3,3\n"
    at.file_uploader[0].set_value(("branches.csv", branches, kind)).run()
    assert_sound(at)
    assert "UNKNOWN_PANEL" in errors(at)[0]
