"""Every column of the circuit lists says what its heading says, row by row."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from facility.power.feeders.schedule import Feeder
from facility.report.book.distribution.feeders import FeederFacts, feeders_sheet
from facility.report.book.lists.book import cable_totals_sheet, cables_sheet
from facility.report.book.power.transformers import transformers_sheet
from facility.report.sheet.model import Cell
from facility.report.studies.equipment import PowerTrain
from facility.study.design.design import Design
from tests.hand.sheets import PLAIN
from tests.report.book.reading import line, rows_of
from tests.results.variants import VARIANTS
from tests.study.helpers import design_of, reference

PROJECTS = ("dgx-su-32", "2N by the IEC", "three systems for two, PDU transformers")
SQRT3 = math.sqrt(3.0)


@cache
def _design(name: str) -> Design:
    return design_of(VARIANTS[name]) if name in VARIANTS else reference(name)


def _feeders(found: Design) -> tuple[Feeder, ...]:
    return found.distribution.feeders.feeders


def _number(text: object) -> float:
    """Return the number that a text or cell starts with."""
    match = re.match(r"-?[\d,]*\.?\d+", str(text))
    assert match is not None, text
    return float(match.group().replace(",", ""))


def _wanted_in_schedule(one: Feeder, heaviest: Feeder, many: int) -> dict[str, float | str | None]:
    """Return what the Feeders sheet must hold of a circuit that has conductors."""
    choice = one.choice
    assert choice is not None
    return {
        "From": one.circuit.source,
        "To": one.circuit.target,
        "Stage": one.circuit.stage,
        "Circuits": many if one.circuit.stage == "branch" else one.circuit.runs,
        "Volts L-L": one.circuit.voltage_v,
        "Poles": one.circuit.poles,
        "Normal load (A)": one.normal_a,
        "Worst-case load (A)": one.worst_a,
        "Sized by (state or rating)": one.sized_by,
        "Sized with circuit": one.heaviest,
        "Sizing current (A)": heaviest.worst_a,
        "Required (A)": choice.required_a,
        "Device (A)": choice.ocpd_a,
        "Sets": choice.sets,
        "Ambient factor": choice.ambient_factor,
        "Bundling factor": choice.bundling_factor,
        "Corrected ampacity (A)": choice.ampacity_corrected_a,
        "Ampacity at terminations (A)": choice.ampacity_term_a,
        "Ampacity used (A)": choice.ampacity_a,
        "Device and ampacity": "OK",
        "Fill": choice.fill,
    }


def _other(row: dict[str, Cell], wanted: dict[str, float | str | None]) -> Iterator[str]:
    for head, value in wanted.items():
        found = row[head].value if head in row else value
        near = pytest.approx(value, rel=1e-9) if isinstance(value, float | int) else value
        if found != near:
            yield f"{head}: {found} for {value}"


@pytest.mark.parametrize("name", PROJECTS)
def test_columns_of_the_feeder_schedule(name: str) -> None:
    found = _design(name)
    by_tag = {one.circuit.tag: one for one in _feeders(found)}
    many = Counter(one.group for one in by_tag.values())
    facts = FeederFacts(found.facility.criteria, found.facility.electrical.conductors, False)
    seen, wrong = 0, []
    for row in rows_of(feeders_sheet("F", _feeders(found), facts, PLAIN), 6):
        one = by_tag[str(row["Circuit"].value)]
        if one.choice is None:
            continue
        seen += 1
        wanted = _wanted_in_schedule(one, by_tag[one.heaviest], many[one.group])
        wrong += [f"{one.circuit.tag}, {words}" for words in _other(row, wanted)]
    assert wrong == []
    assert seen > 5


@pytest.mark.parametrize("name", PROJECTS)
def test_columns_of_the_cable_list(name: str) -> None:
    found = _design(name)
    by_tag = {one.circuit.tag: one for one in _feeders(found)}
    sheet, grid = cables_sheet("C", _feeders(found), found.facility.criteria.code, PLAIN)
    wrong = []
    for row in rows_of(sheet, 1):
        one = by_tag[str(row["Circuit"].value)]
        choice = one.choice
        if choice is None or choice.is_busway or one.length_m is None:
            continue
        metres = one.length_m * choice.sets * one.circuit.runs
        wanted: dict[str, float | str | None] = {
            "From": one.circuit.source,
            "To": one.circuit.target,
            "Volts L-L": one.circuit.voltage_v,
            "Device (A)": choice.ocpd_a,
            "Line conductors": one.circuit.poles,
            "Sets": choice.sets * one.circuit.runs,
            "Length one way m": one.length_m,
            "Line conductor m": metres * one.circuit.poles,
            "Neutral m": metres if choice.neutral_size else None,
            "Earth conductor m": metres if choice.egc_size else None,
        }
        wrong += [f"{one.circuit.tag}, {words}" for words in _other(row, wanted)]
        for head, size in (
            ("Line size", choice.size),
            ("Neutral size", choice.neutral_size),
            ("Earth size", choice.egc_size),
        ):
            if not str(row[head].value or "").startswith(size):
                wrong.append(f"{one.circuit.tag}, {head}: {row[head].value} for {size}")
    totals = rows_of(cable_totals_sheet("T", sheet, grid, PLAIN), 1)
    for row in totals:
        added = [str(row[head].value) for head in ("Line m", "Neutral m", "Earth m")]
        letters = re.findall(r"([A-Z])\d+", str(row["All m"].formula))
        if letters != ["B", "C", "D"]:
            wrong.append(f"{row['Size'].value}: all metres add the columns {letters}")
        if row["All m"].value != pytest.approx(sum(map(float, added))):
            wrong.append(f"{row['Size'].value}: {row['All m'].value} of {added}")
    assert wrong == []


def _table(found: Design, title: str) -> list[dict[str, str]]:
    """Return the rows of a table of the power train as the doors show it."""
    (one,) = (one for one in PowerTrain(found).tables("si") if one.title == title)
    return [dict(zip(one.heads, row, strict=True)) for row in one.rows]


@pytest.mark.parametrize("name", PROJECTS)
def test_columns_of_the_feeder_table(name: str) -> None:
    found = _design(name)
    by_tag = {one.circuit.tag: one for one in _feeders(found)}
    alike = Counter(one.group for one in by_tag.values())
    drops = {row["Most loaded circuit"]: row for row in _table(found, "Voltage drop")}
    for row in _table(found, "Feeder schedule"):
        one = by_tag[row["Circuit"]]
        branch = one.circuit.stage == "branch"
        assert _number(row["Circuits"]) == (alike[one.group] if branch else one.circuit.runs)
        assert _number(row["Normal load"]) == pytest.approx(one.normal_a, abs=0.51)
        assert _number(row["Worst-case load"]) == pytest.approx(one.worst_a, abs=0.51)
        choice = one.choice
        if choice is None:
            continue
        assert _number(row["Device"]) == pytest.approx(choice.ocpd_a, abs=0.51)
        assert _number(row["Ampacity used"]) == pytest.approx(choice.ampacity_a, abs=0.51)
        assert choice.size in row["Line conductor"]
        assert choice.egc_size in row["Earth conductor"] or choice.is_busway
        if choice.drop_v is not None and one.heaviest == one.circuit.tag:
            part = 100.0 * choice.drop_v / one.circuit.voltage_v
            assert _number(drops[row["Circuit"]]["Circuits"]) == alike[one.group]
            of_set = _number(drops[row["Circuit"]]["Current per set"])
            assert of_set == pytest.approx(one.worst_a / choice.sets, abs=0.51)
            assert _number(drops[row["Circuit"]]["Drop"]) == pytest.approx(part, abs=0.0051)
    assert set(drops) == {one.heaviest for one in by_tag.values()}


@pytest.mark.parametrize("name", PROJECTS)
def test_columns_of_the_fault_table(name: str) -> None:
    """What must be interrupted is the higher of both; the lowest are under all of them."""
    found = _design(name)
    faults = found.distribution.faults
    highest = ("Maximum, three-phase", "Maximum, line-to-ground")
    lowest = ("Minimum, three-phase", "Minimum, line-to-line", "Minimum, line-to-ground")
    for row in _table(found, "Fault currents"):
        state = faults.states[row["Source"]]
        high = [_number(row[head]) for head in highest if row[head].endswith("kA")]
        if row["Interrupting duty"].endswith("kA"):
            assert _number(row["Interrupting duty"]) == max(high)
        low = state.lowest
        at = low.index(row["Bus"])
        for head, sort in zip(
            lowest, (low.three_phase_a, low.line_line_a, low.line_ground_a), strict=True
        ):
            if row[head].endswith("kA"):
                assert _number(row[head]) <= max(high) + 0.011
                assert _number(row[head]) == pytest.approx(float(sort[at]) / 1e3, abs=0.0051)
        if row["X/R"] != "unknown":
            ratio = float(state.highest.x_over_r[state.highest.index(row["Bus"])])
            assert _number(row["X/R"]) == pytest.approx(ratio, abs=0.051)


@pytest.mark.parametrize("name", PROJECTS)
def test_columns_of_the_ups_table(name: str) -> None:
    found = _design(name)
    for one, row in zip(found.chain.ups.shortlist, _table(found, "UPS shortlist"), strict=True):
        assert _number(row["Modules"]) == one.modules
        parts = {
            "Loading, normal": one.loading_normal,
            "Loading, failure": one.loading_failure,
            "Margin": one.margin,
            "Efficiency, normal": one.efficiency_normal,
            "Efficiency, failure": one.efficiency_failure,
        }
        for head, part in parts.items():
            assert _number(row[head]) == pytest.approx(100.0 * part, abs=0.051), head
        scale = 1e6 if row["Loss, normal"].endswith("MW") else 1e3
        if not row["Loss, normal"].endswith(("kW", "MW")):
            scale = 1.0
        assert _number(row["Loss, normal"]) * scale == pytest.approx(one.loss_normal_w, rel=0.02)


@pytest.mark.parametrize("name", PROJECTS)
def test_lines_of_the_transformer_sheet(name: str) -> None:
    found = _design(name)
    chain, flow = found.chain, found.point.flow
    sheet = transformers_sheet("T", found, PLAIN)
    unit, wiring = chain.transformers.unit, chain.chain.wiring
    kva = unit.rating_va / 1e3
    wanted = {
        "Rating": kva,
        "Installed": chain.transformers.count,
        "Loading, all in service": flow.transformers.normal,
        "Loading, design failure": flow.transformers.failure,
        "Rated voltage, primary": chain.utility_voltage_v,
        "Rated voltage, secondary": wiring.lv_voltage_v,
        "Rated current, primary": 1e3 * kva / (SQRT3 * chain.utility_voltage_v),
        "Rated current, secondary": 1e3 * kva / (SQRT3 * wiring.lv_voltage_v),
    }
    for label, value in wanted.items():
        assert line(sheet, label).value == pytest.approx(value, rel=1e-9), label
    demand = float(flow.utility.demand_va)
    own_v = chain.utility_voltage_v
    for n, volts in enumerate(dict.fromkeys((own_v, 13.8e3, 33e3, 34.5e3))):
        assert line(sheet, "current", n).value == pytest.approx(demand / (SQRT3 * volts))
