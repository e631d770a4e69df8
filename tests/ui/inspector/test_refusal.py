"""An entry that is not applied: the results are named, and one button makes it possible."""

from __future__ import annotations

import pytest

from facility.files.project.file import default_project
from facility.ui.session import state
from facility.ui.session.edits import Session, with_changes
from facility.ui.work import remedy as searching
from facility.ui.work.remedy import Remedy, remedies
from tests.study.helpers import failed_rules
from tests.ui.helpers import choose, opened, press, session, show_object, shown, type_in


def test_a_choice_that_requires_liquid_cooling_is_made_possible_by_one_button() -> None:
    at = opened()
    choose(at, "GPU", "GB200 NVL72")
    assert any("The results are for 10,000 H100 SXM5" in text.value for text in at.text)
    # The stated buses would need breakers that do not exist: the remedy sizes them anew.
    buses = "size separate output buses per system automatically"
    label = f"Switch to liquid cooling, {buses} and apply all"
    assert at.button(key="remedy-apply").label == label
    press(at, "remedy-apply")
    assert not at.error
    project = session(at).project
    assert (project.it.gpu_model, project.cooling.method) == ("GB200 NVL72", "liquid")
    assert project.power.ups.buses is None
    assert not failed_rules(state.design_of(project), "VIOLATION")
    press(at, "undo")
    assert session(at).project == default_project()


def test_liquid_cooling_of_air_cooled_equipment_offers_the_liquid_cooled_gpus() -> None:
    at = opened()
    choose(at, "Cooling", "liquid")
    labels = [button.label for button in at.button if (button.key or "").startswith("remedy-")]
    more = "size separate output buses per system automatically and apply all"
    assert labels == [f"Switch to {gpu}, {more}" for gpu in ("GB200 NVL72", "GB300 NVL72")]
    press(at, "remedy-apply-1")
    project = session(at).project
    assert not at.error
    assert (project.it.gpu_model, project.cooling.method) == ("GB300 NVL72", "liquid")


def test_a_server_clears_the_gpu_model_that_it_does_not_contain() -> None:
    project = default_project().with_({"it.gpu_model": "B200 SXM"})
    alone = with_changes(Session(project), {"it.server": "DGX H100"}, state.design_of)
    assert alone.project.it.server == "DGX H100"
    assert alone.released == ("it.gpu_model", "it.servers_per_rack", "it.cords")
    liquid = {"it.server": "GB200 NVL72"}
    changes = {"cooling.method": "liquid", "power.ups.buses": ""}
    assert remedies(project, liquid, lambda _: None) == (Remedy(changes),)


def test_a_remedy_with_a_violation_that_nothing_avoids_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searching, "fixes", lambda *_, **__: {})
    (found,) = remedies(default_project(), {"it.gpu_model": "GB200 NVL72"}, lambda _: None)
    assert found == Remedy({"cooling.method": "liquid"}, ("CIRCUIT-TOO-LARGE",))


def test_the_project_is_kept_as_it_is() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "abc")
    assert "remedy-apply" not in [button.key for button in at.button]
    press(at, "keep-project")
    assert not at.error
    assert shown(at, "Number of GPUs") == "10000"


def test_a_search_ends_without_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    assert remedies(default_project(), {"cooling.method": "air"}, tried.append) == ()
    assert tried == [0]
    monkeypatch.setattr(searching, "MAX_TRIES", 1)
    assert remedies(default_project(), {"it.gpu_model": "GB200 NVL72"}, tried.append) == ()


def test_liquid_cooled_servers_are_marked_in_the_list() -> None:
    at = opened()
    at.session_state["design-input"] = "it.server"
    show_object(at, "IT")
    (options,) = (box.options for box in at.selectbox if box.label == "Value")
    assert "GB200 NVL72 (liquid-cooled)" in options
    assert "DGX H100" in options
