"""The Cost sheet: tariff charges, monthly bills, cost of ownership."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.kinds import kind_in, money_kind
from facility.core.rounding import closes, closes_in_cells
from facility.model.cost import LIVES
from facility.report.sheet.entries import Entries, Reach, stated
from facility.report.sheet.grid import Grid, at_door
from facility.report.sheet.lines import Cited, Lines
from facility.report.sheet.model import Sheet, literal_text
from facility.report.sheet.staleness import stale_or
from facility.report.sheet.tables import (
    PageSetup,
    fit_heights,
    refused_sheet,
    write_heading,
    write_notes,
)
from facility.report.tables.bill import (
    Charge,
    MonthBill,
    charge_table,
    charges_of,
    month_table,
    months_of,
    notes_of,
)
from facility.report.tables.ownership import capital_table, name_of, price_of, unit_of
from facility.report.tables.ownership import notes_of as ownership_notes
from facility.report.tables.summary import LABELS
from facility.study.annual.result import AnnualStudy
from facility.study.cost.ownership import CapitalPart, Ownership
from facility.study.design.design import Design
from facility.study.tariff.bill import Bill

_NO_PRICE = "no energy price is known: enter one energy price or the tariff charges (site.tariff)."
_FIGURES = {
    "energy": "cost.annual.energy",
    "demand": "cost.annual.demand",
    "power_factor": "cost.annual.power_factor",
    "reactive": "cost.annual.reactive",
    "fixed": "cost.annual.fixed",
    "bill": "cost.annual",
}
_WIDE = 8
LABELS_OF_LIVES = {
    "it": "servers and network",
    "plant": "power and cooling",
    "building": "building",
}


@dataclass(frozen=True)
class BillInputs:
    """Inputs of the bill: prices as the tariff of the project states them."""

    entries: Entries
    typed: object  # `site.tariff` as typed: one price, or charges

    def link_prices(
        self, sheet: Sheet, grid: Grid[Charge], bill: Bill, charges: Sequence[Charge]
    ) -> None:
        """Make the price of each charge refer to the input that states it."""
        paths = list(self._paths())
        if len(paths) != len(charges):  # A charge of another origin than the tariff
            return
        for row, (charge, path) in enumerate(zip(charges, paths, strict=True), start=grid.first):
            cited = Cited(grid.cell("price", row), *charge.price)
            self.entries.link(sheet, cited, path, f"Price, {charge.head}", Reach.COST)

    def _paths(self) -> Iterator[str]:
        """Yield the field of each price, in the order of the charges."""
        if not isinstance(self.typed, dict):
            yield "site.tariff"
            return
        for part in ("energy", "demand", "reactive"):
            listed = self.typed.get(part)
            if isinstance(listed, str):
                yield f"site.tariff.{part}"
            for n, charge in enumerate(listed if isinstance(listed, list) else ()):
                yield f"site.tariff.{part}.{n}.price"
                blocks = charge.get("blocks") or ()
                yield from (
                    f"site.tariff.{part}.{n}.blocks.{at}.price" for at in range(len(blocks))
                )


def cost_sheet(
    name: str, design: Design, page_setup: PageSetup, of_year: Mapping[str, Cited], entries: Entries
) -> tuple[Sheet, Mapping[str, Cited]]:
    """Return the sheet and its figures by result key; without a bill, the reason.

    `of_year` are the figures of the sheet Year.
    """
    study = design.year
    if study is None:
        return refused_sheet(name, design.year_refusal, page_setup), {}
    bill, owned = study.bill, study.ownership
    if bill is None and owned is None:
        return refused_sheet(name, _NO_PRICE, page_setup), {}
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(sheet, "Annual cost", f"{study.title}.")
    lines = Lines(sheet, 4, basis_columns=_WIDE - 3)
    figures: dict[str, Cited] = {}
    if bill is None:
        sheet.set_widths(30.0, *(14.0,) * (_WIDE - 1))
        write_notes(sheet, lines.row, _WIDE, (_NO_PRICE,))
    else:
        inputs = BillInputs(entries, stated(entries.typed, "site.tariff"))
        figures = _write_bill(lines, study, bill, of_year, inputs)
    if owned is not None:
        figures |= write_ownership(lines, study, owned, figures.get("cost.annual"), entries)
    fit_heights(sheet, 4)
    return sheet, figures


def _write_bill(
    lines: Lines, study: AnnualStudy, bill: Bill, of_year: Mapping[str, Cited], inputs: BillInputs
) -> dict[str, Cited]:
    """Write charges, months and totals of the bill."""
    sheet, currency, charges = lines.sheet, bill.tariff.currency, charges_of(bill)
    grid = charge_table(bill).write(sheet, lines.row, charges)
    prices = {
        f"price_{charge.key}": grid.cell("price", grid.first + n).fixed
        for n, charge in enumerate(charges)
    }
    inputs.link_prices(sheet, grid, bill, charges)
    lines.row = grid.row
    if bill.tariff.fixed:
        kind = money_kind(currency)
        fixed = lines.given(
            "Monthly fixed charge", bill.tariff.fixed, kind, "input (site.tariff.fixed)"
        )
        prices["fixed_price"] = fixed.fixed
        inputs.entries.link(sheet, fixed, "site.tariff.fixed", "Monthly fixed charge", Reach.COST)
    months = _write_months(sheet, lines.row + 1, bill, prices)
    lines.row = months.row
    figures = _write_figures(lines, months, study, months_of(bill), of_year)
    write_notes(sheet, lines.row + 1, _WIDE, notes_of(bill.tariff))
    lines.row += len(notes_of(bill.tariff)) + 1
    return figures


def _write_months(sheet: Sheet, row: int, bill: Bill, prices: Mapping[str, str]) -> Grid[MonthBill]:
    """Write the months, priced by live formulas."""
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
    """Write the annual sums below the months and the figures derived from them."""
    found = {}
    for one in months.columns:
        values = [one.value(month) for month in of_months]
        if one.kind:
            found[one.key] = sum(value for value in values if isinstance(value, float))
    sums = months.total("Year", found)
    lines.row = months.row
    lines.section("Figures")
    figures = {}
    for column, key in _FIGURES.items():
        if key in study.results and column in sums:
            figures[key] = _live(lines, study, key, sums[column].here)
    annual, meter = figures["cost.annual"].here, of_year["energy.annual"]
    derived = {"cost.month_estimate": f"{annual}/12", "cost.price": f"{annual}/({meter}*1000)"}
    for key, formula in derived.items():
        if key in study.results:
            figures[key] = _live(lines, study, key, formula)
    energy = [cited for key, cited in sums.items() if key.startswith("E")]
    summed = "+".join(cited.here for cited in energy)
    condition = closes_in_cells(summed, f"{meter}*1000")
    holds = closes(sum(cited.si for cited in energy), meter.si)
    lines.check(
        "Energy in tariff periods vs. annual energy", condition, holds, "energy on the sheet Year"
    )
    return figures


def write_ownership(
    lines: Lines, study: AnnualStudy, owned: Ownership, electricity: Cited | None, entries: Entries
) -> dict[str, Cited]:
    """Write the cost of ownership below the bill; return its figures by result key.

    lines: Destination, continued below.
    study: Contains the figures.
    owned: Parts and lines.
    electricity: Annual bill, if known.
    entries: Inputs of the workbook.
    """
    plan, figures = owned.plan, {}
    lines.section("Cost of ownership")
    for key, label, share in (
        ("rate", "Discount rate", plan.rate),
        ("used", "GPU-hours used", plan.used),
    ):
        cited = lines.given(label, share, "fraction", f"input (cost.{key})", key=key)
        entries.link(
            lines.sheet, cited, f"cost.{key}", label, Reach.COST if key == "rate" else Reach.NONE
        )
    cells = {"rate": lines.cells["rate"].fixed}
    table, widths = capital_table(owned), lines.sheet.widths
    for index, column in enumerate(at_door("sheet", table.columns), 1):
        widths[index] = max(widths.get(index, 0.0), column.width)
    grid = table.write(lines.sheet, lines.row + 1, owned.parts, cells)
    _link_capital(grid, owned, entries)
    capital = sum(part.capital for part in owned.parts)
    yearly = sum(part.yearly for part in owned.parts)
    ends = {end: f"SUMPRODUCT({grid.span(end)},{grid.span('factor')})" for end in ("low", "high")}
    summed = grid.total("Capital", {"capital": capital, "yearly": yearly})
    lines.row = grid.row
    if owned.parts:
        figures = {"cost.capital": summed["capital"], "cost.annuity": summed["yearly"]}
    lines.section("Annual cost")
    terms = [summed["yearly"].here]
    for name, cost in owned.running.items():
        kind = money_kind(plan.currency)
        if electricity is not None and name == "electricity":
            cited = lines.live("Electricity", electricity.here, cost, kind, "bill above")
        else:
            cited = _write_running(lines, study, owned, (name, cost), entries)
        terms.append(cited.here)
    if "cost.ownership" in study.results:  # Else nothing is known, as the notes say
        total = _live(lines, study, "cost.ownership", "+".join(terms))
        figures["cost.ownership"] = total
        for end, annuity in ends.items() if owned.parts else ():
            formula = f"{total.here}-{terms[0]}+{annuity}"
            _live(lines, study, f"cost.ownership.{end}", formula)
        figures |= _write_units(lines, study, owned, total, entries)
    notes = tuple(ownership_notes(owned))[bool(owned.parts) :]  # The range is in lines above
    write_notes(lines.sheet, lines.row + 1, _WIDE, notes)
    for row, note in enumerate(notes, start=lines.row + 1):
        if any(sign.isdigit() for sign in note):
            formula = stale_or(literal_text(note), Reach.LOAD)
            lines.sheet.formula(row, 1, formula, note, "note")
    lines.row += len(notes) + 1
    return figures


def _link_capital(grid: Grid[CapitalPart], owned: Ownership, entries: Entries) -> None:
    """Make prices and years of the capital refer to inputs; the range of a price does not."""
    for row, part in enumerate(owned.parts, start=grid.first):
        life = LIVES[part.group]
        years = Cited(grid.cell("years", row), part.years, "ratio")
        label = f"Depreciation period, {LABELS_OF_LIVES[life]} (years)"
        entries.link(grid.sheet, years, f"cost.{life}_years", label, Reach.NONE)
        if part.name or part.low != part.high:
            continue
        price = price_of(part, owned.plan.currency)
        field = "gpu" if part.group == "servers" else part.group
        cited = Cited(grid.cell("price", row), *price)
        label = f"Price of {name_of(part)}, per {unit_of(part)}"
        entries.link(grid.sheet, cited, f"cost.capital.{field}", label, Reach.NONE)
        for key in ("low", "high"):
            column, capital = grid.cell(key, row).column, grid.cell("capital", row).here
            grid.sheet.make_live(row, column, capital)


def _write_running(
    lines: Lines, study: AnnualStudy, owned: Ownership, one: tuple[str, float], entries: Entries
) -> Cited:
    """Write an annual cost of operation: an input, or a volume times its price."""
    (name, cost), currency = one, owned.plan.currency
    path, kind, label = f"cost.operation.{name}", money_kind(currency), name.capitalize()
    prices = {"water": owned.plan.water_per_m3, "fuel": owned.plan.fuel_per_m3}
    price, key = prices.get(name), f"{name}.annual"
    if price is None or key not in study.results:
        cited = lines.given(label, cost, kind, f"input ({path})")
        if price is None:
            entries.link(lines.sheet, cited, path, f"Annual cost of {name}", Reach.NONE)
        return cited
    volume = study.results[key]
    used = lines.given(f"{label}, annual", float(volume.si), volume.kind, volume.basis)
    price_kind = kind_in("volume_price", currency)
    paid = lines.given(f"Price of {name}", price, price_kind, f"input ({path})")
    entries.link(lines.sheet, paid, path, f"Price of {name}", Reach.NONE)
    return lines.live(label, f"{used.here}*{paid.here}", cost, kind, "volume times its price")


def _write_units(
    lines: Lines, study: AnnualStudy, owned: Ownership, total: Cited, entries: Entries
) -> dict[str, Cited]:
    """Write the cost per kW and kWh of IT, per GPU-hour and per training run."""
    results, figures = study.results, {}
    it_w = owned.of.it_w
    lines.given("IT load", it_w, "active_power", "at the equipment inputs", key="it")
    it_j = float(results["energy.annual.it"].si)
    lines.given("IT energy, annual", it_j, "energy", "sheet Year", key="it_energy")
    for key, formula in (
        ("cost.it_power", f"{total.here}/{{it}}"),
        ("cost.levelised", f"{total.here}/({{it_energy}}*1000)"),
    ):
        figures[key] = _live(lines, study, key, lines.formula(formula))
    if "cost.gpu_hour" in results:
        hours = owned.of.gpus * owned.of.year_s / 3600.0
        lines.given("GPU-hours per year", hours, "count", "all GPUs, all hours", key="gpu_hours")
        formula = lines.formula(f"{total.here}/({{gpu_hours}}*{{used}})")
        hour = _live(lines, study, "cost.gpu_hour", formula, "GPU-hours used")
        figures["cost.gpu_hour"] = hour
        if owned.plan.run_s is not None:
            run_h = owned.plan.run_s / 3600.0
            label = "GPU-hours of the training run"
            run = lines.given(label, run_h, "count", "input (cost.run)")
            entries.link(lines.sheet, run, "cost.run", label, Reach.NONE, "h")
            key, formula = "cost.training_run", f"{hour.here}*{run.here}"
            figures[key] = _live(lines, study, key, formula, "GPU-hours times their cost")
    return figures


def _live(lines: Lines, study: AnnualStudy, key: str, formula: str, basis: str = "") -> Cited:
    value = study.results[key]
    return lines.live(LABELS[key], formula, float(value.si), value.kind, basis or value.basis)
