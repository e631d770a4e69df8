"""Hourly energy prices beside a tariff: sums by hand, negative prices, leap years, currencies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import load_project
from facility.study.annual.result import AnnualStudy
from facility.study.design.design import design

HEAD = "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 64}\n"
TIMES = np.datetime64("2023-01-01T00:00") + np.timedelta64(1, "h") * np.arange(8760)


def year_of(
    folder: Path, prices: np.ndarray, more: str = "", head: str = "LMP $/MWh"
) -> AnnualStudy:
    rows = [f"{t},{p!r}" for t, p in zip(TIMES, prices.tolist(), strict=True)]
    (folder / "price.csv").write_text("\n".join([f"timestamp,{head}", *rows]))
    project = folder / "p.yaml"
    project.write_text(f"{HEAD}site: {{station: ashburn, price_file: price.csv{more}}}\n")
    found = design(load_project(project)).year
    assert found is not None
    return found


def test_a_constant_price_is_that_of_the_tariff(tmp_path: Path) -> None:
    found = year_of(tmp_path, np.full(8760, 50.0)).results
    energy_mwh = float(found["energy.annual"].si) / 3.6e9
    assert found["cost.annual"].si == pytest.approx(50.0 * energy_mwh, rel=1e-12)


def test_negative_hours_lower_the_bill_beside_the_charges(tmp_path: Path) -> None:
    """Prices of -20 and 70 USD/MWh by turns, and 10 USD/kW: hour by hour."""
    prices = np.where(np.arange(8760) % 24 < 6, -20.0, 70.0)
    more = ", tariff: {energy: [{price: 0.01 USD/kWh}], demand: [{price: 10 USD/kW}]}"
    study = year_of(tmp_path, prices, more)
    power_mw = study.year.facility_w / 1e6
    market = float(power_mw @ prices)
    assert study.results["cost.annual.market"].si == pytest.approx(market, rel=1e-12)
    peaks_kw = sum(month.peak_w for month in study.months) / 1e3
    expected = market + 10.0 * float(power_mw.sum()) + 10.0 * peaks_kw
    assert study.results["cost.annual"].si == pytest.approx(expected, rel=1e-12)
    assert study.bill is not None
    assert float(study.bill.price_per_j.min()) * 3.6e9 == pytest.approx(-10.0)


def test_two_currencies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FacilityError) as caught:
        year_of(tmp_path, np.full(8760, 50.0), ", tariff: 0.1 USD/kWh", "price EUR/MWh")
    assert caught.value.code == "CONTRADICTION"
