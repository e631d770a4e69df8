"""The Cost sheet: what electricity is charged by, the bill of each month, cost of ownership."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facility.core.kinds import money_kind
from facility.core.rounding import closes, closes_in_cells
from facility.report.sheet.grid import Grid, at_door
from facility.report.sheet.lines import Cited, Lines
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import (
    PageSetup,
    fit_heights,
    refused_sheet,
    write_heading,
    write_notes,
)
from facility.report.tables.bill import (
    MonthBill,
    charge_table,
    charges_of,
    month_table,
    months_of,
    notes_of,
)
from facility.report.tables.ownership import capital_table
from facility.report.tables.ownership import notes_of as ownership_notes
from facility.study.annual.result import AnnualStudy
from facility.study.cost.ownership import Ownership
from facility.study.design.design import Design
from facility.study.tariff.bill import Bill

_NO_PRICE = (
    "no price of energy is known here: give site.tariff, one price of energy or the charges of "
    "the tariff."
)
_FIGURES = {
    "energy": ("cost.annual.energy", "Energy"),
    "demand": ("cost.annual.demand", "Demand"),
    "power_factor": ("cost.annual.power_factor", "Power factor"),
    "reactive": ("cost.annual.reactive", "Reactive energy"),
    "fixed": ("cost.annual.fixed", "Fixed"),
    "bill": ("cost.annual", "Electricity cost"),
}
_WIDE = 8


def cost_sheet(
    name: str, design: Design, page_setup: PageSetup, of_year: Mapping[str, Cited]
) -> tuple[Sheet, Mapping[str, Cited]]:
    """Return the sheet, and its figures by result key; without a bill it says why.

    `of_year` are the figures of the sheet Year.
    """
    study = design.year
    if study is None:
        return refused_sheet(name, design.year_refusal, page_setup), {}
    bill, owned = study.bill, study.ownership
    if bill is None and owned is None:
        return refused_sheet(name, _NO_PRICE, page_setup), {}
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(sheet, "The cost", f"{study.title}.")
    lines = Lines(sheet, 4, basis_columns=_WIDE - 3)
    figures: dict[str, Cited] = {}
    if bill is None:
        sheet.set_widths(30.0, *(14.0,) * (_WIDE - 1))
        write_notes(sheet, lines.row, _WIDE, (_NO_PRICE,))
    else:
        figures = _write_bill(lines, study, bill, of_year)
    if owned is not None:
        figures |= write_ownership(lines, study, owned, figures.get("cost.annual"))
    fit_heights(sheet, 4)
    return sheet, figures


def _write_bill(
    lines: Lines, study: AnnualStudy, bill: Bill, of_year: Mapping[str, Cited]
) -> dict[str, Cited]:
    """Write charges, months and figures of the bill."""
    sheet, currency, charges = lines.sheet, bill.tariff.currency, charges_of(bill)
    grid = charge_table(bill).write(sheet, lines.row, charges)
    prices = {
        f"price_{charge.key}": grid.cell("price", grid.first + n).fixed
        for n, charge in enumerate(charges)
    }
    lines.row = grid.row
    if bill.tariff.fixed:
        kind = money_kind(currency)
        fixed = lines.given("Fixed charge of a month", bill.tariff.fixed, kind, "site.tariff.fixed")
        prices["fixed_price"] = fixed.fixed
    months = _write_months(sheet, lines.row + 1, bill, prices)
    lines.row = months.row
    figures = _write_figures(lines, months, study, months_of(bill), of_year)
    write_notes(sheet, lines.row + 1, _WIDE, notes_of(bill.tariff))
    lines.row += len(notes_of(bill.tariff)) + 1
    return figures


def _write_months(sheet: Sheet, row: int, bill: Bill, prices: Mapping[str, str]) -> Grid[MonthBill]:
    """Write the months, each priced live."""
    table = month_table(bill)
    widths = [column.width for column in at_door("sheet", charge_table(bill).columns)]
    widths += [column.width for column in table.columns[len(widths) :]]
    sheet.set_widths(*widths, *(13.0,) * (_WIDE - len(widths)))
    return table.write(sheet, row, months_of(bill), prices)


def _write_figures(
    lines: Lines,
    months: Grid[MonthBill],
    study: AnnualStudy,
    of_months: Sequence[MonthBill],
    of_year: Mapping[str, Cited],
) -> dict[str, Cited]:
    """Write the sums of the year below the months, and what follows from them."""
    sums = months.total("Year", _year_of(months, of_months))
    lines.row = months.row
    lines.section("Figures")
    figures = {}
    for column, (key, label) in _FIGURES.items():
        if key in study.results and column in sums:
            value = study.results[key]
            formula = sums[column].here
            figures[key] = lines.live(label, formula, float(value.si), value.kind, value.basis)
    month = study.results["cost.month_estimate"]
    figures["cost.month_estimate"] = lines.live(
        "Mean month", f"{figures['cost.annual'].here}/12", float(month.si), month.kind, month.basis
    )
    meter = of_year["energy.annual"]
    if "cost.price" in study.results:
        value = study.results["cost.price"]
        formula = f"{figures['cost.annual'].here}/({meter}*1000)"
        figures["cost.price"] = lines.live(
            "Price of a kWh, all charges", formula, float(value.si), value.kind, value.basis
        )
    energy = [cited for key, cited in sums.items() if key.startswith("E")]
    summed = "+".join(cited.here for cited in energy)
    condition = closes_in_cells(summed, f"{meter}*1000")
    holds = closes(sum(cited.si for cited in energy), meter.si)
    lines.held("Periods hold all energy", condition, holds, "the energy of the sheet Year")
    return figures


def _year_of(months: Grid[MonthBill], of_months: Sequence[MonthBill]) -> dict[str, float]:
    """Return the sums of the columns of numbers."""
    found = {}
    for column in months.columns:
        values = [column.value(month) for month in of_months]
        if column.kind:
            found[column.key] = sum(value for value in values if isinstance(value, float))
    return found


def write_ownership(
    lines: Lines, study: AnnualStudy, owned: Ownership, electricity: Cited | None
) -> dict[str, Cited]:
    """Write the cost of ownership below the bill; return its figures by result key.

    lines: Where to; goes on below.
    study: Holds the figures.
    owned: Parts and lines.
    electricity: The bill of the year, where it is known.
    """
    plan, figures = owned.plan, {}
    lines.section("Cost of ownership")
    lines.given("Discount rate", plan.rate, "fraction", "cost.rate", key="rate")
    lines.given("GPU-hours used", plan.used, "fraction", "cost.used", key="used")
    cells = {"rate": lines.cells["rate"].fixed}
    table, widths = capital_table(owned), lines.sheet.widths
    for place, column in enumerate(at_door("sheet", table.columns), 1):
        widths[place] = max(widths.get(place, 0.0), column.width)
    grid = table.write(lines.sheet, lines.row + 1, owned.parts, cells)
    capital = sum(part.capital for part in owned.parts)
    yearly = sum(part.yearly for part in owned.parts)
    summed = grid.total("Capital", {"capital": capital, "yearly": yearly})
    lines.row = grid.row
    if owned.parts:
        figures = {"cost.capital": summed["capital"], "cost.annuity": summed["yearly"]}
    lines.section("Cost of a year")
    terms = [summed["yearly"].here]
    for name, cost in owned.running.items():
        kind = money_kind(plan.currency)
        if electricity is not None and name == "electricity":
            cited = lines.live("Electricity", electricity.here, cost, kind, "the bill above")
        else:
            cited = lines.given(name.capitalize(), cost, kind, f"cost.operation.{name}")
        terms.append(cited.here)
    if "cost.ownership" in study.results:  # Else nothing is known, as the notes say
        total = _live(
            lines,
            study,
            "cost.ownership",
            "Annual cost of ownership (priced items)",
            "+".join(terms),
        )
        figures["cost.ownership"] = total
        figures |= _write_units(lines, study, owned, total)
    write_notes(lines.sheet, lines.row + 1, _WIDE, tuple(ownership_notes(owned)))
    lines.row += len(tuple(ownership_notes(owned))) + 1
    return figures


def _write_units(
    lines: Lines, study: AnnualStudy, owned: Ownership, total: Cited
) -> dict[str, Cited]:
    """Write what a kW and a kWh of IT, a GPU-hour and a run bear."""
    results, figures = study.results, {}
    it_w = owned.of.it_w
    lines.given("IT load of the design", it_w, "active_power", "load.it", key="it")
    it_j = float(results["energy.annual.it"].si)
    lines.given("Energy of the IT", it_j, "energy", "sheet Year", key="it_energy")
    for key, label, formula in (
        ("cost.it_power", "Annual cost per kW of IT load", f"{total.here}/{{it}}"),
        ("cost.levelised", "Levelised cost of IT energy", f"{total.here}/({{it_energy}}*1000)"),
    ):
        figures[key] = _live(lines, study, key, label, lines.formula(formula))
    if "cost.gpu_hour" in results:
        hours = owned.of.gpus * owned.of.year_s / 3600.0
        lines.given("GPU-hours of the year", hours, "count", "all GPUs, all hours", key="gpu_hours")
        formula = lines.formula(f"{total.here}/({{gpu_hours}}*{{used}})")
        hour = _live(lines, study, "cost.gpu_hour", "Cost per GPU-hour", formula)
        figures["cost.gpu_hour"] = hour
        if owned.plan.run_s is not None:
            run_h = owned.plan.run_s / 3600.0
            run = lines.given("GPU-hours of the run", run_h, "count", "cost.run")
            key, formula = "cost.training_run", f"{hour.here}*{run.here}"
            figures[key] = _live(lines, study, key, "Of the training run", formula)
    return figures


def _live(lines: Lines, study: AnnualStudy, key: str, label: str, formula: str) -> Cited:
    value = study.results[key]
    return lines.live(label, formula, float(value.si), value.kind, value.basis)
