"""The cost of ownership on the sheet Cost: capital, lines of a year, what a unit bears."""

from __future__ import annotations

from facility.core.kinds import money_kind
from facility.report.sheet.lines import Cited, Lines
from facility.report.sheet.tables import write_notes
from facility.report.tables.ownership import capital_table, notes_of
from facility.study.annual.result import AnnualStudy
from facility.study.cost.ownership import Ownership

_WIDE = 8


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
    for place, column in enumerate(table.columns, 1):
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
        total = _live(lines, study, "cost.ownership", "All that is known", "+".join(terms))
        figures["cost.ownership"] = total
        figures |= _write_units(lines, study, owned, total)
    write_notes(lines.sheet, lines.row + 1, _WIDE, tuple(notes_of(owned)))
    lines.row += len(tuple(notes_of(owned))) + 1
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
        ("cost.it_power", "Of a kW of IT", f"{total.here}/{{it}}"),
        ("cost.levelised", "Of a kWh of IT", f"{total.here}/({{it_energy}}*1000)"),
    ):
        figures[key] = _live(lines, study, key, label, lines.formula(formula))
    if "cost.gpu_hour" in results:
        hours = owned.of.gpus * owned.of.year_s / 3600.0
        lines.given("GPU-hours of the year", hours, "count", "all GPUs, all hours", key="gpu_hours")
        formula = lines.formula(f"{total.here}/({{gpu_hours}}*{{used}})")
        hour = _live(lines, study, "cost.gpu_hour", "Of a GPU-hour", formula)
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
