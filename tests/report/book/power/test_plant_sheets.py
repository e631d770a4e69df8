"""Transformers, UPS, Generators and Batteries: lines that hold the engine's results, live."""

from __future__ import annotations

import pytest

from facility.core.kinds import KINDS, value_in
from facility.files.project.file import apply_sets, parse_project
from facility.files.workbook.book import workbook_book
from facility.power.backup.steps import step_limit
from facility.power.feeders.nec.transformer import protect_transformer
from facility.report.sheet.model import Book, Cell
from facility.study.design.design import Design, design
from tests.report.book.conftest import CASES, PROJECTS
from tests.report.book.reading import heading_row, is_live, line, rows_of, sheet_of

# sheet, label, which of the lines of that label, result, unit shown
LIVE_LINES = (
    ("Transformers", "efficiency", 0, "transformer.efficiency_normal", ""),
    ("Transformers", "efficiency", 1, "transformer.efficiency_failure", ""),
    ("Transformers", "regulation", 1, "transformer.regulation", ""),
    ("Transformers", "current", 0, "utility.current", "A"),
    ("Transformers", "current", -1, "utility.mv_current_34_5kv", "A"),
    ("UPS", "Input current, one module", 0, "ups.input_current_low_line", "A"),
    (
        "UPS",
        "Input current, one system, design failure",
        0,
        "ups.input_current_low_line.system",
        "A",
    ),
    ("UPS", "Output current, one module", 0, "ups.output_current", "A"),
    ("Generators", "Plant load", 0, "generator.design_load", "kW"),
    ("Generators", "Sets installed", 0, "generator.count", ""),
    ("Generators", "Voltage dip", 0, "generator.voltage_dip", ""),
    ("Generators", "Loading, all installed sets", 0, "generator.loading_least", ""),
    ("Batteries", "Ride-through time", 0, "battery.ride_through", "s"),
    ("Batteries", "Block power from the table", 0, "battery.listed_power", "W"),
    ("Batteries", "Strings", 0, "battery.strings.per_set", ""),
    ("Batteries", "Required block power, all strings", 0, "battery.block_power", "W"),
    ("Batteries", "Blocks, all systems", 0, "battery.blocks", ""),
    ("Batteries", "Cabinets, all systems", 0, "battery.cabinets", ""),
    ("Batteries", "Charging current", 0, "battery.charging_current", "A"),
    ("Batteries", "Airflow", 0, "battery.hydrogen_airflow", "m3/h"),
)

FUEL_LINES = (
    ("Fuel consumption, plant", "generator.fuel_rate", "L/h"),
    ("Tanks", "generator.tank", "m3"),
    ("Fuel autonomy", "generator.fuel_time", "h"),
)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("sheet", "label", "nth", "key", "unit"), LIVE_LINES)
def test_line_is_live_and_the_engines(
    name: str,
    sheet: str,
    label: str,
    nth: int,
    key: str,
    unit: str,
    designs: dict[str, Design],
    books: dict[str, Book],
) -> None:
    _check_line(line(sheet_of(books[name], sheet), label, nth), designs[name], key, unit)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("label", "key", "unit"), FUEL_LINES)
def test_fuel_is_that_of_the_engines(
    name: str, label: str, key: str, unit: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    _check_line(line(sheet_of(books[name], "Generators"), label), designs[name], key, unit)


def test_fuel_below_a_quarter_of_the_rating_is_not_known() -> None:
    """The sheet of a C15 of 500 kW gives fuel from 125 kW; it carries less."""
    own_set = ["power.generator.model=C15 GC 500 ekW standby"]
    text = (PROJECTS / "us-208-2n.yaml").read_text(encoding="utf-8")
    found = design(apply_sets(parse_project(text), own_set))
    assert float(found.results["generator.loading"].si) < 0.25
    assert not {key for _, key, _ in FUEL_LINES} & set(found.results.values_by_key)
    sheet = sheet_of(workbook_book(found), "Generators")
    assert line(sheet, "Fuel", 1).value == "not known"


def _check_line(cell: Cell, found: Design, key: str, unit: str) -> None:
    """Hold a live cell against a result, in a unit of its kind; in SI where none is named."""
    result = found.results[key]
    expected = float(result.si)
    if unit:
        expected = value_in(KINDS[result.kind], expected, unit)
    assert cell.value == pytest.approx(expected, rel=1e-9)
    assert cell.formula


@pytest.mark.parametrize("name", CASES)
def test_autonomies_are_the_engines(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    sheet, found = sheet_of(books[name], "Batteries"), designs[name]
    rows = list(rows_of(sheet, heading_row(sheet, "State")))
    assert len(rows) == 5
    for row, key in zip(
        rows, ("normal", "normal_new", "failure", "failure_new", "design"), strict=True
    ):
        id = f"battery.autonomy_{key}"
        assert row["Autonomy (s)"].value == pytest.approx(found.trace.value(id))
        inside = found.trace[id].equation is not None
        assert is_live(row["Autonomy (s)"]) == inside
        assert bool(row["Note"].value) != inside


@pytest.mark.parametrize("name", CASES)
def test_load_steps_sum_to_the_plant_and_meet_their_limit(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    sheet, found = sheet_of(books[name], "Generators"), designs[name]
    rows = list(rows_of(sheet, heading_row(sheet, "Step")))
    assert len(rows) == found.results["generator.steps"].si
    total = sum(float(str(row["Load (kW)"].value)) for row in rows)
    assert total == pytest.approx(found.trace.value("generator.design_load") / 1e3, rel=1e-9)
    first = step_limit(found.chain).first
    assert rows[0]["Permitted"].value == ("not known" if first is None else first)
    assert rows[0]["Share of capacity"].value == found.results["generator.first_step"].si
    assert all(row["Reached"].formula for row in rows)


@pytest.mark.parametrize("name", ["mixed-hall", "us-208-2n"])
def test_protection_is_that_of_the_code(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    found, sheet = designs[name], sheet_of(books[name], "Transformers")
    chain = found.chain
    unit = chain.transformers.unit
    allowed = protect_transformer(
        unit.rating_va,
        chain.utility_voltage_v,
        chain.chain.wiring.lv_voltage_v,
        found.facility.criteria.edition,
        impedance=unit.impedance,
    )
    assert line(sheet, "Rated current, primary").value == pytest.approx(allowed.primary_a)
    assert line(sheet, "Maximum setting, primary").value == pytest.approx(allowed.primary_max_a)
    standard = line(sheet, "Maximum standard device, secondary").value
    assert standard == allowed.secondary_ocpd_a


def test_pdu_transformers_have_their_own_section(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    found, sheet = designs["us-208-2n"], sheet_of(books["us-208-2n"], "Transformers")
    assert found.chain.pdus is not None
    assert line(sheet, "Rating", 1).value == found.chain.pdus.unit.rating_va / 1e3
    assert line(sheet, "Rated voltage, secondary", 1).value == pytest.approx(208.0)
    titles = {cell.value for cell in sheet_of(books["iec-400"], "Transformers").cells.values()}
    assert "PDU transformers" not in titles


@pytest.mark.parametrize("name", CASES)
def test_shortlist_shows_every_option(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    sheet = sheet_of(books[name], "UPS")
    top = heading_row(sheet, "Module")
    for row, option in enumerate(designs[name].chain.ups.shortlist, start=top + 1):
        values = [sheet.cells[row, column].value for column in range(1, 11)]
        assert values[0] == option.model
        assert values[5] == pytest.approx(option.efficiency_normal)
        assert values[8] == pytest.approx(option.loss_failure_w / 1e3)
        assert values[9] == pytest.approx(option.margin, rel=1e-9, abs=1e-12)
        assert sheet.cells[row, 10].formula
        assert option.source.id in str(sheet.cells[row, 11].value)
