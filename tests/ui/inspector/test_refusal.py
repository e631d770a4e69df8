"""An entry that is not applied: the results are named, and one button makes it possible."""

from __future__ import annotations

import pytest

from facility.files.project.file import default_project
from facility.ui.work import remedy as searching
from facility.ui.work.remedy import remedy
from tests.ui.helpers import choose, opened, press, session, shown, type_in


def test_a_choice_that_requires_liquid_cooling_is_made_possible_by_one_button() -> None:
    at = opened()
    choose(at, "GPU", "GB200 NVL72")
    assert any("The results are for 10,000 H100 SXM5" in text.value for text in at.text)
    assert at.button(key="remedy-apply").label == "Switch to liquid cooling and apply both"
    press(at, "remedy-apply")
    assert not at.error
    project = session(at).project
    assert (project.it.gpu_model, project.cooling.method) == ("GB200 NVL72", "liquid")
    press(at, "undo")
    assert session(at).project == default_project()


def test_the_project_is_kept_as_it_is() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "abc")
    assert "remedy-apply" not in [button.key for button in at.button]
    press(at, "keep-project")
    assert not at.error
    assert shown(at, "Number of GPUs") == "10000"


def test_a_search_ends_without_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    assert remedy(default_project(), {"cooling.method": "liquid"}, tried.append) == {}
    assert tried == [0]
    monkeypatch.setattr(searching, "MAX_TRIES", 1)
    assert remedy(default_project(), {"it.gpu_model": "GB200 NVL72"}, tried.append) == {}
