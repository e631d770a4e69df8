"""Frames, notebook views and drawings of the library."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

import facility
from facility.core.errors import FacilityError
from facility.frames import __all__ as FRAMES
from tests.study.helpers import SHORTEST, design_of

HOSTILE = "<b>&amp;"


@pytest.mark.parametrize("name", sorted(FRAMES))
def test_a_frame_is_of_a_design(name: str) -> None:
    with pytest.raises(FacilityError) as caught:
        getattr(facility.frames, name)(None)
    assert caught.value.code == "INPUT_TYPE"


def test_results_and_checks_are_those_of_all_studies() -> None:
    design = design_of(SHORTEST)
    assert list(facility.frames.results(design).index) == list(design.all_results)
    frame = facility.frames.checks(design)
    assert list(frame["rule"]) == [check.rule for check in design.checks]
    compared = next(n for n, check in enumerate(design.checks) if check.margin is not None)
    assert frame["margin"][compared] == design.checks[compared].margin
    assert all(frame[name].dtype == float for name in ("value", "limit", "margin"))


def test_assumptions_are_numbers_or_words() -> None:
    design = design_of(SHORTEST)
    frame = facility.frames.assumptions(design)
    assert list(frame["id"]) == [one.id for one in design.ledger]
    assert frame["si"].dtype == float
    assert frame["display"].ne("").all()
    assert set(frame[frame["si_unit"] == "W"]["display"].str[-2:]) <= {"kW", " W"}


def test_circuits_and_panels_are_numbers() -> None:
    design = design_of(SHORTEST)
    panels, circuits = facility.frames.panels(design), facility.frames.circuits(design)
    assert list(panels["panel"]) == [one.tag for one in design.panels.panels]
    assert len(circuits) == panels["circuits"].sum()
    assert panels["current_max_a"].max() == design.panels.current_max_a.max()
    one = design.panels.panels[0]
    own = circuits[circuits["panel"] == one.tag]
    assert own["load_w"].sum() == pytest.approx(sum(c.total_va().real for c in one.circuits))
    assert list(own["id"]) == list(one.to_frame()["id"])


def test_states_are_those_of_the_failures() -> None:
    design = design_of(SHORTEST)
    frame = facility.frames.states(design)
    assert frame["state"][0] == "normal"
    assert frame["count"].sum() == facility.failures(design).outages
    assert frame["battery_s"].dtype == float


def test_hours_are_in_standard_time() -> None:
    design = design_of(SHORTEST, "site.station=ashburn")
    frame = facility.frames.hours(design)
    assert isinstance(frame.index, pd.DatetimeIndex)
    assert frame.index[0].utcoffset() == timedelta(hours=-5)
    assert len(frame) == 8760
    assert list(frame.index.month) == list(frame["month"].astype(int))
    by_month = frame["facility_kw"].groupby(frame.index.month).sum() / 1e3
    assert by_month[1] == pytest.approx(facility.annual(design).months[0].facility_j / 3.6e9)


def test_projects_and_panels_are_tables_without_markup() -> None:
    project = facility.project(
        {"it": {"gpu_model": "H100 SXM5", "gpus": 64}, "project": {"name": HOSTILE}}
    )
    shown = project._repr_html_()
    assert "<td>it.gpus</td><td>64</td>" in shown
    assert HOSTILE not in shown
    panel = design_of(SHORTEST).panels.panels[0]
    assert panel._repr_html_().count("<tr>") == len(panel.circuits) + 1
    assert panel.tag in panel._repr_html_()


@pytest.mark.parametrize("what", ["one-line", "loops"])
def test_a_drawing_is_svg(what: str, tmp_path: Path) -> None:
    design = design_of(SHORTEST, f"project.name={HOSTILE}")
    drawing = facility.draw(design, what)  # type: ignore[arg-type]
    ElementTree.fromstring(drawing._repr_html_())
    assert HOSTILE not in drawing.svg
    assert drawing.save(tmp_path / "a.svg").read_text(encoding="utf-8") == drawing.svg
    assert "svg" not in repr(drawing)


@pytest.mark.parametrize(
    ("what", "state", "code"),
    [("hall", "normal", "OPTIONS"), ("one-line", "nrmal", "UNKNOWN_STATE")],
)
def test_a_drawing_that_does_not_exist_is_rejected(what: str, state: str, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        facility.draw(design_of(SHORTEST), what, state=state)  # type: ignore[arg-type]
    assert caught.value.code == code
