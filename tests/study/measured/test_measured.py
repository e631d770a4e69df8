"""A meter log against the model: its own year, more power, another load, and bad logs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facility.catalogue.series import Reading
from facility.core.errors import FacilityError
from facility.report.drawings.charts.kit.chart import PathShape
from facility.report.drawings.charts.measured import difference_chart, pue_chart
from facility.report.studies.measured import readings_csv
from facility.study.design.design import Design
from facility.study.measured.log import LogColumns, read_log
from facility.study.measured.study import MeasuredStudy, measured
from tests.study.helpers import SHORTEST, design_of

TIMES = np.datetime64("2023-01-01T00:00") + np.timedelta64(1, "h") * np.arange(8760)
HEAD = "timestamp,it_kw,facility_kw,outdoor degC"


@pytest.fixture(scope="module")
def found() -> Design:
    return design_of(SHORTEST, "it.load_factor=60 %")


def log(
    folder: Path, found: Design, scale: float = 1.0, head: str = HEAD, lost: slice = slice(0)
) -> Path:
    assert found.year is not None
    year = found.year.year
    columns = (year.power_w["it"] / 1e3, scale * year.facility_w / 1e3, year.hours.air.dry_bulb_c)
    series = zip(TIMES, *(each.tolist() for each in columns), strict=True)
    rows = [f"{t},{it!r},{facility!r},{dry!r}" for t, it, facility, dry in series]
    del rows[lost]
    path = folder / "log.csv"
    path.write_text("\n".join([head, *rows]))
    return path


def parts(study: MeasuredStudy) -> list[float]:
    names = ("load", "weather", "equipment")
    return [float(study.results[f"pue.difference.{name}"].si) for name in names]


def test_the_year_of_the_model_has_no_difference(found: Design, tmp_path: Path) -> None:
    study = measured(found, log(tmp_path, found))
    assert found.year is not None
    assert study.results["pue.readings"].si == pytest.approx(found.year.results["pue.annual"].si)
    assert parts(study) == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert not [check.rule for check in study.checks if check.failed]
    assert readings_csv(study).count("\n") == 8761


def test_more_facility_power_is_of_the_equipment(found: Design, tmp_path: Path) -> None:
    """12 % more at the meter: 12 % of the PUE, and a bias of 1/1.12 - 1."""
    study = measured(found, log(tmp_path, found, 1.12, lost=slice(100, 200)))
    pue = float(study.results["pue.model"].si)
    assert parts(study)[2] == pytest.approx(0.12 * pue, rel=1e-9)
    assert study.results["measured.bias"].si == pytest.approx(1.0 / 1.12 - 1.0, rel=1e-9)
    assert study.results["measured.hours"].si == 8660.0
    assert "8,660 of 8,760 hours" in study.title
    failed = {check.rule for check in study.checks if check.failed}
    assert failed == {"MEASURED-BIAS", "SERIES-FILLED"}


def test_charts_show_hours_and_causes(found: Design, tmp_path: Path) -> None:
    """Hours 1 to 100 are missing; the rest of the chart is 1.12 times the model."""
    study = measured(found, log(tmp_path, found, 1.12, lost=slice(0, 100)))
    chart = pue_chart(study)
    metered = next(s for s in chart.shapes if isinstance(s, PathShape) and s.role == "house")
    assert len(metered.x) == 8760
    assert np.count_nonzero(np.isnan(metered.y)) == 100
    pairs = zip(chart.of("Measured"), chart.of("Model, measured load and weather"), strict=True)
    for measured_pue, model_pue in pairs:
        assert measured_pue.value == pytest.approx(1.12 * model_pue.value, rel=1e-9)
    steps = [mark.value for mark in difference_chart(study).marks]
    assert sum(steps[:4]) == pytest.approx(steps[4], abs=1e-9)
    assert steps[1:4] == pytest.approx(parts(study))


def test_several_meters_are_added(tmp_path: Path) -> None:
    """10 kW and 0.02 MW are 30 kW, 5 kWh and 35 kWh of each hour are 40 kW."""
    path = tmp_path / "log.csv"
    head = "time,ups 1 kW,ups 2 MW,feed a kWh,feed b kWh"
    path.write_text(
        "\n".join([head, *(f"{t},10,0.02,{5 + n % 2},{35 - n % 2}" for n, t in enumerate(TIMES))])
    )
    names = LogColumns(("ups 1 kW", "ups 2 MW"), ("feed a kWh", "feed b kWh"))
    found = read_log(path, names, Reading(), 8760, 3600)
    np.testing.assert_allclose(found.it_w, 30e3)
    np.testing.assert_allclose(found.facility_w, 40e3)
    assert found.columns == {"it": names.it, "facility": names.facility}
    with pytest.raises(FacilityError, match="specified twice"):
        read_log(path, LogColumns(("ups 1 kW", "UPS 1 kW")), Reading(), 8760, 3600)


def test_another_load_is_of_the_load(found: Design, tmp_path: Path) -> None:
    other = design_of(SHORTEST, "it.load_factor=40 %")
    assert other.year is not None
    study = measured(found, log(tmp_path, other))
    pues = [float(each.year.results["pue.annual"].si) for each in (found, other) if each.year]
    assert parts(study) == pytest.approx([pues[1] - pues[0], 0.0, 0.0], abs=1e-9)


def test_swapped_columns_are_a_violation(found: Design, tmp_path: Path) -> None:
    columns = LogColumns(it="facility_kw", facility="it_kw")
    study = measured(found, log(tmp_path, found), columns=columns)
    (check,) = (check for check in study.checks if check.rule == "MEASURED-BELOW-IT")
    assert check.failed
    assert "8,760 h with facility power below IT power, first in hour 1" in check.why


@pytest.mark.parametrize(
    ("head", "code", "hint"),
    [
        ("timestamp,a kW,b kW,c degC", "METER_COLUMNS", "--it HEADING"),
        ("timestamp,it kW,b kW,c degC", "METER_COLUMNS", "--facility HEADING"),
        ("timestamp,it MW,total MW,c degC", "METER_NUMBER", "increase the design IT load"),
    ],
)
def test_a_question_names_its_option(
    head: str, code: str, hint: str, found: Design, tmp_path: Path
) -> None:
    with pytest.raises(FacilityError) as caught:
        measured(found, log(tmp_path, found, head=head), reading=Reading(gaps="stop"))
    assert caught.value.code == code
    assert hint in caught.value.hint
