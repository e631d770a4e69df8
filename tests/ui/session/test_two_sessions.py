"""Two sessions of one server: what one enters, is refused, undoes or sets is not the other's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from facility.files.project.file import default_project, dump_project
from tests.ui.helpers import (
    design_with,
    forget_store,
    metrics,
    opened,
    press,
    session,
    shown,
    type_in,
)


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    yield
    forget_store()


def test_two_sessions_share_nothing_that_was_entered() -> None:
    one, other = opened(), opened()
    type_in(one, "Number of GPUs", "2048")
    type_in(other, "Number of GPUs", "512")
    for at, gpus in ((one, 2048), (other, 512)):
        at.run()
        assert shown(at, "Number of GPUs") == str(gpus)
        load = design_with(f"it.gpus={gpus}").results["load.it"]
        assert metrics(at)["IT load"] == load.shown()
    type_in(one, "Tariff", "lots")
    one.session_state["units"] = "ip"
    other.run()
    assert [*session(one).refused] == ["site.tariff"]
    assert not session(other).refused
    assert other.session_state["units"] == "si"
    press(other, "undo")
    assert dump_project(session(other).project) == dump_project(default_project())
    one.run()
    assert session(one).project.it.gpus == 2048
    assert one.session_state["opened"].id != other.session_state["opened"].id
