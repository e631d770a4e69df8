"""Charts for programs: the figures of the app, without a server."""

from __future__ import annotations

import subprocess
import sys

import pytest

import facility
from facility.core.errors import FacilityError
from facility.study.design.design import Design
from tests.study.helpers import reference


@pytest.fixture(scope="module")
def design() -> Design:
    return reference("dgx-su-32")


def test_a_program_plots_without_a_server() -> None:
    code = "import sys, facility.ui.charts.plot; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_charts_show_the_figures_of_the_results(design: Design) -> None:
    stack = facility.plot(design, "PUE")
    pue = float(design.results["pue.design"].si)
    assert sum(stack.data[0].x[:-1]) == pytest.approx(pue - 1.0, rel=1e-9)
    assert stack.data[0].x[-1] == pytest.approx(pue - 1.0, rel=1e-9)
    assert facility.plot(design).data == facility.plot(design, "power flow").data
    assert facility.plot(design, "heat").data


def test_charts_of_a_year(design: Design) -> None:
    assert design.year is not None
    months = facility.plot(design.year, "months")
    it = next(bar for bar in months.data if bar.name == "IT")
    assert len(it.y) == 12
    for what in ("pue", "IT load by day"):
        assert facility.plot(design.year, what).data
    assert facility.plot(design, "load duration").data


def test_other_objects_and_charts_are_rejected(design: Design) -> None:
    with pytest.raises(FacilityError) as refused:
        facility.plot(design, "pie")
    assert refused.value.code == "OPTIONS"
    with pytest.raises(FacilityError) as refused:
        facility.plot("design")  # type: ignore[arg-type]  # the rejected case
    assert refused.value.code == "INPUT_TYPE"
