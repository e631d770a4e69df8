"""Charts for programs: those of the app as SVG, without a server."""

from __future__ import annotations

import re
import subprocess
import sys
from calendar import month_abbr
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import facility
from facility.core.errors import FacilityError
from facility.files.svg.chart import chart_svg
from facility.files.svg.drawn import SvgDrawing
from facility.report.drawings.charts.bars import heat_split, pue_stack
from facility.report.drawings.charts.kit.chart import Chart, HeatCells
from facility.report.drawings.charts.kit.colours import COLOURS
from facility.study.design.design import Design
from tests.study.helpers import reference


@pytest.fixture(scope="module")
def design() -> Design:
    return reference("dgx-su-32")


def test_a_program_plots_without_a_server() -> None:
    code = "import sys, facility.files.svg.plot; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def texts(drawn: SvgDrawing) -> list[str]:
    """Return the texts of a document, which is well-formed."""
    root = ElementTree.fromstring(drawn._repr_html_())
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_charts_show_the_figures_of_the_results(design: Design, tmp_path: Path) -> None:
    pue = float(design.results["pue.design"].si)
    assert f"{pue:.3f}" in texts(facility.plot(design, "PUE"))
    assert facility.plot(design) == facility.plot(design, "power flow")
    assert "IT heat" in texts(facility.plot(design, "heat"))
    written = facility.plot(design).save(tmp_path / "flow.svg")
    assert written.read_text(encoding="utf-8") == facility.plot(design).svg


def test_charts_of_a_year(design: Design) -> None:
    assert design.year is not None
    months = texts(facility.plot(design.year, "months"))
    assert [*month_abbr][1:] == [text for text in months if text in [*month_abbr][1:]]
    assert any(text.startswith("Peak") for text in texts(facility.plot(design.year, "pue")))
    assert "Daily mean" in texts(facility.plot(design.year, "IT load by day"))
    assert any(text.startswith("P50") for text in texts(facility.plot(design, "load duration")))


def test_a_document_of_several_charts_has_a_title_and_notes(design: Design) -> None:
    charts = [pue_stack(design.results), heat_split(design.results, "ip")]
    found = texts(SvgDrawing("", chart_svg(charts, "Both <1>", ["A note."])))
    assert found[0] == "Both <1>"
    assert found[-1] == "A note."
    assert {"PUE by contribution", "Heat by path"} <= {*found}


def test_hours_of_equal_shade_are_one_rectangle() -> None:
    """Two days of four hours: three shades, and an hour that is not known."""
    values = np.array([[1.0, 1.0], [1.0, 2.0], [3.0, 2.0], [np.nan, 2.0]])
    cells = HeatCells(
        values, (0.0, 1.0), (0.0, 40.0), (1.0, 3.0), ("a", "b"), ("1", "2", "3", "4"), ""
    )
    svg = chart_svg([Chart("Hours", 40.0, 0.0, 0.0, (), cells=cells)])
    paths = re.findall(r'<path d="(M[^"]*z)" fill="(#[0-9a-f]{6})"', svg)
    low, high = COLOURS["heat-0"][0], COLOURS["heat-1"][0]
    assert paths[0] == ("M0 2h1v2h-1zM1 3h1v1h-1z", low)
    assert [path for path, _ in paths[1:]] == ["M1 0h1v3h-1z", "M0 1h1v1h-1z"]
    assert paths[2][1] == high


def test_other_objects_and_charts_are_rejected(design: Design) -> None:
    with pytest.raises(FacilityError) as refused:
        facility.plot(design, "pie")
    assert refused.value.code == "OPTIONS"
    with pytest.raises(FacilityError) as refused:
        facility.plot("design")  # type: ignore[arg-type]  # the rejected case
    assert refused.value.code == "INPUT_TYPE"
