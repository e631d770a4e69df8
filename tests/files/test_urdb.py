"""Rates of the Utility Rate Database: price of every hour by its schedule, demand, refusals."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.files.project.file import default_project
from facility.files.urdb import urdb_tariff, with_tariff
from facility.model.inputs.money.tariff import TariffSection
from facility.study.resolve.site.tariff import resolve_charges
from facility.study.tariff.bill import Bill, Metered, bill_of

PEAK = [0] * 12 + [2] * 6 + [0] * 6
PLAIN = [0] * 7 + [1] * 15 + [0] * 2
RATES = [0.05, 0.08, 0.21]
RATE: dict[str, Any] = {
    "name": "TOU-8",
    "energyratestructure": [[{"rate": r - 0.01, "adj": 0.01, "unit": "kWh"}] for r in RATES],
    "energyweekdayschedule": [PEAK if 5 <= n <= 8 else PLAIN for n in range(12)],
    "energyweekendschedule": [[0] * 24] * 12,
    "flatdemandstructure": [[{"rate": 4.0}], [{"rate": 9.0, "max": 500}, {"rate": 12.0}]],
    "flatdemandmonths": [0] * 5 + [1] * 4 + [0] * 3,
    "demandratestructure": [[{"rate": 0.0}], [{"rate": 15.5}]],
    "demandweekdayschedule": [[0] * 12 + [n // 5 % 2] * 6 + [0] * 6 for n in range(12)],
    "demandweekendschedule": [[0] * 24] * 12,
    "fixedchargefirstmeter": 10.0,
    "fixedchargeunits": "$/day",
}


def written(folder: Path, **changes: Any) -> Path:
    path = folder / "rate.json"
    path.write_text(json.dumps({"items": [RATE | changes]}))
    return path


def bill(folder: Path, power_w: np.ndarray, **changes: Any) -> Bill:
    section = urdb_tariff(written(folder, **changes))
    tariff = with_tariff(default_project(), section).site.tariff
    assert isinstance(tariff, TariffSection)
    days = [date(2023, 1, 1) + timedelta(n) for n in range(365)]  # 1 January 2023 is a Sunday
    month = np.repeat([day.month for day in days], 24)
    return bill_of(resolve_charges(tariff, "sunday", Trace()), Metered(month, power_w, power_w))


def test_every_hour_has_the_price_of_its_schedule(tmp_path: Path) -> None:
    found = bill(tmp_path, np.full(8760, 1e6))
    expected = []
    for n in range(365):
        day = date(2023, 1, 1) + timedelta(n)
        name = "energyweekdayschedule" if day.weekday() < 5 else "energyweekendschedule"
        expected += [RATES[period] for period in RATE[name][day.month - 1]]
    assert found.price_per_j * 3.6e6 == pytest.approx(np.array(expected), rel=1e-12)
    assert float(found.energy.sum()) == pytest.approx(1e3 * sum(expected), rel=1e-12)
    assert found.fixed.sum() == pytest.approx(3650.0)


def test_demand_of_months_tiers_and_time_of_use(tmp_path: Path) -> None:
    """1 MW flat: 4 USD/kW in 8 months, 500 x 9 + 500 x 12 in four; 15.5 in 5 months with a peak."""
    found = bill(tmp_path, np.full(8760, 1e6))
    expected = 8 * 4000.0 + 4 * (500 * 9.0 + 500 * 12.0) + 5 * 15500.0
    assert float(found.demand.sum()) == pytest.approx(expected, rel=1e-12)


def test_tiers_by_hours_of_use_and_a_ratchet(tmp_path: Path) -> None:
    tiers = [[{"rate": 0.1, "max": 300, "unit": "kWh/kW"}, {"rate": 0.04, "unit": "kWh/kW"}]]
    plain = {"energyweekdayschedule": [[0] * 24] * 12, "energyweekendschedule": [[0] * 24] * 12}
    power_w = np.full(8760, 1e6)
    power_w[24 * 181 :] = 0.5e6
    found = bill(tmp_path, power_w, energyratestructure=tiers, lookbackPercent=0.8, **plain)
    assert found.energy[0] == pytest.approx(300e3 * 0.1 + (744 - 300) * 1e3 * 0.04)
    assert found.billed[:2].sum(axis=0)[11] == pytest.approx(0.8e6)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"mincharge": 100.0}, "mincharge"),
        ({"coincidentratestructure": [[{"rate": 3.0}]]}, "coincidentratestructure"),
        ({"fueladjustmentsmonthly": [0.0] * 11 + [0.01]}, "fueladjustmentsmonthly"),
        ({"flatdemandunit": "hp"}, "flatdemandunit"),
        ({"energyratestructure": [[{"rate": -0.1}]] * 3}, "energyratestructure"),
        ({"energyratestructure": [[{"rate": 1, "max": 9}, {"rate": 2}]] * 3}, "energyratestr"),
        ({"energyweekdayschedule": [[7] * 24] * 12}, "energyweekdayschedule"),
        ({"energyweekdayschedule": [[0] * 23] * 12}, "energyweekdayschedule"),
        ({"energyratestructure": [[{"rate": "=1+1"}]] * 3}, "energyratestructure"),
        ({"lookbackPercent": 0.5, "lookbackRange": 3}, "lookbackpercent"),
        ({"fixedchargeunits": "$/moon"}, "fixedchargefirstmeter"),
    ],
)
def test_what_is_not_covered_names_its_field(
    changes: dict[str, Any], field: str, tmp_path: Path
) -> None:
    with pytest.raises(FacilityError) as caught:
        urdb_tariff(written(tmp_path, **changes))
    assert caught.value.code == "URDB_NOT_COVERED"
    assert caught.value.where.startswith(field)
    assert "--without" in caught.value.hint


def test_a_charge_can_be_left_out(tmp_path: Path) -> None:
    assert "energy" in urdb_tariff(written(tmp_path, mincharge=100.0), ["mincharge"])


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", "[" * 20_000, '{"items": []}', "\x00"])
def test_files_that_are_no_rate(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rate.json"
    path.write_text(text)
    with pytest.raises(FacilityError) as caught:
        urdb_tariff(path)
    assert caught.value.code == "URDB_FILE"
