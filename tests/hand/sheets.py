"""Cases of columns of reports: cable list, costs of the comparison, the ride-through table."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from facility.catalogue import table
from facility.report.book.cooling.ride_through import CASES, LIMITS, case_rows, limit_rows
from facility.report.book.distribution.feeders import FeederFacts, feeders_sheet
from facility.report.book.lists.cables import cables_sheet
from facility.report.sheet.grid import TextTable
from facility.report.sheet.tables import PageSetup
from facility.report.studies.transient import case_object
from facility.study.cost.machines import Machines
from facility.study.cost.prices import CapitalCost, price_list
from tests.hand.registry import case
from tests.report.book.reading import rows_of
from tests.study.helpers import reference

PLAIN = PageSetup("", "", "", False)


def _line_metres() -> tuple[float, float]:
    """Return length x sets of all runs of a 3-pole circuit, and what its live formula gives."""
    found = reference("dgx-su-32").distribution.feeders.feeders
    feeder = next(f for f in found if f.choice is not None and f.circuit.poles == 3)
    sheet, _ = cables_sheet("Cables", [feeder], "NEC", PLAIN)
    heads = {str(sheet.cells[1, c].value): c for _, c in sheet.cells if (1, c) in sheet.cells}
    cell = sheet.cells[2, heads["Line conductor m"]]
    product = 1.0
    for letter in re.findall(r"\$?([A-Z])\$?2", str(cell.formula)):
        product *= float(str(sheet.cells[2, ord(letter) - 64].value))
    assert feeder.choice is not None
    assert feeder.length_m is not None
    assert product == cell.value
    return feeder.length_m * feeder.choice.sets * feeder.circuit.runs, product


@case("cable-list-line-conductors")
def _() -> float:
    length_m, listed_m = _line_metres()
    return listed_m / length_m


def _cooling_cost(found: Any) -> CapitalCost:
    return price_list(None, "US").equipment("cooling", found)


def _priced(part: str) -> Any:
    return next(p for p in _cooling_cost(reference("dgx-su-32")).parts if p.part == part)


@case("cost-of-chillers-installed")
def _() -> float:
    return float(_priced("chillers").units)


@case("cost-of-towers-installed")
def _() -> float:
    return float(
        next(
            p.units
            for p in _cooling_cost(reference("dgx-su-32")).parts
            if p.part.startswith("towers")
        )
    )


def _ride() -> Any:
    """A case whose inlet rises from 24 to 41 degC and settles at 30."""
    limit = SimpleNamespace(
        id="allowable", title="inlet", grade="limit", series="inlet_worst", limit_c=35.0
    )
    power = SimpleNamespace(restored_s=30.0, battery_s=None)
    return SimpleNamespace(
        case=SimpleNamespace(
            id="utility", title="loss", power=power, supplied=frozenset(), headers=frozenset()
        ),
        holds=False,
        first=(limit, 12.0),
        settled=True,
        storage=None,
        series={"inlet_worst": np.array([24.0, 41.0, 30.0])},
        limits=((limit, 12.0, 41.0),),
    )


def _cell(shown: TextTable, head: str) -> str:
    """Return a cell of the one row of a table."""
    (row,) = shown.rows
    return row[list(shown.heads).index(head)]


def _degrees(text: str) -> float:
    return float(text.split()[0].rstrip("°C"))


@case("ride-through-row-shows-the-peak")
def _() -> float:
    study = SimpleNamespace(cases=[_ride()])
    shown = CASES.text(case_rows(study))  # type: ignore[arg-type]
    return _degrees(_cell(shown, "Inlet, worst, maximum"))


@case("ride-through-limit-shows-the-peak")
def _() -> float:
    study = SimpleNamespace(cases=[_ride()])
    return _degrees(_cell(LIMITS.text(limit_rows(study)), "Maximum"))  # type: ignore[arg-type]


@case("ride-through-json-peak")
def _() -> float:
    return float(case_object(_ride())["peak_c"]["inlet_worst"])


@case("ride-through-json-end")
def _() -> float:
    return float(case_object(_ride())["end_c"]["inlet_worst"])


@case("sheet-ampacity-of-all-sets")
def _() -> float:
    """What the live formula of the ampacity gives over what the choice holds, several sets."""
    found = reference("dgx-su-32")
    wide = next(
        f
        for f in found.distribution.feeders.feeders
        if f.choice is not None and f.choice.sets > 1 and f.heaviest == f.circuit.tag
    )
    facts = FeederFacts(found.facility.criteria, found.facility.electrical.conductors, False)
    (row,) = rows_of(feeders_sheet("F", [wide], facts, PLAIN), 6)
    heads = {
        "base": "Table ampacity, one set (A)",
        "sets": "Sets",
        "ambient": "Ambient factor",
        "bundling": "Bundling factor",
    }
    cell = row["Corrected ampacity (A)"]
    letters = re.findall(r"\$?([A-Z]+)\$?\d+", str(cell.formula))
    assert len(letters) == len(heads)
    product = 1.0
    for head in heads.values():
        product *= float(str(row[head].value))
    return product / float(str(cell.value))


@case("cost-pumps-by-those-on-duty")
def _() -> float:
    """Size of one of the chilled-water pumps over their power; two of three carry it."""
    loop_w = reference("dgx-su-32").cooling_flow.power.chw_pumps_w
    return float(_priced("chilled-water pumps").machines.size) / loop_w


@case("cost-towers-by-those-on-duty")
def _() -> float:
    """Towers of one size that carry the heat of the plant; the spare one carries none of it."""
    found = reference("dgx-su-32")
    towers = next(p for p in _cooling_cost(found).parts if p.part.startswith("towers"))
    return found.cooling.chilled.sink.heat_w / float(towers.machines.size)


@case("cost-plates-by-those-on-duty")
def _() -> float:
    """Plate exchangers of one size that carry the facility water: two of three."""
    found = reference("nvl72-hall")
    plates = next(p for p in _cooling_cost(found).parts if p.part == "plate exchangers")
    return found.cooling_flow.facility_water_w / float(plates.machines.size)


@case("cost-chillers-by-capacity")
def _() -> float:
    found = reference("dgx-su-32")
    chilled = replace(found.cooling.chilled, capacity_w=1.5e6)
    changed = replace(found, cooling=replace(found.cooling, chilled=chilled))
    chillers = next(p for p in _cooling_cost(changed).parts if p.part == "chillers")
    return float(chillers.machines.size)


@case("cost-of-one-by-its-power-law")
def _() -> float:
    """What each costs over fixed + slope x size^exponent of its row, the exponent not 1."""
    row = next(
        row
        for row in table("cost/unit_costs").rows
        if float(row.require("exponent")) not in (0.0, 1.0)
    )
    size_w = float(row.require("from_size"))
    each = row.si("fixed_usd") + float(row.require("slope_usd")) * math.exp(
        float(row.require("exponent")) * math.log(size_w)
    )
    machines = Machines(row.text("part"), "", 3, size_w, row.text("kind"))
    return float(price_list(None, "US").priced(machines).cost or 0.0) / each
