"""The sheet Dynamic load: job at each level, limits, spectrum, storage, sags, chart."""

from __future__ import annotations

from types import MappingProxyType

from facility.report.drawings.charts.load import scene_curves
from facility.report.sheet.entries import Entries
from facility.report.sheet.grid import Column, Grid, Values
from facility.report.sheet.lines import Lines
from facility.report.sheet.model import Sheet, SheetChart, Span
from facility.report.sheet.tables import (
    PageSetup,
    fit_heights,
    refused_sheet,
    write_heading,
    write_notes,
)
from facility.report.tables.load_motion import (
    BANDS,
    LADDER,
    LEFT_OUT,
    LEVELS,
    SAGS,
    UTILITY_LIMITS,
    bands_of,
    ladder_of,
    utility_limits,
)
from facility.report.tables.summary import FIGURES, LOAD_SECTION
from facility.study.design.design import Design
from facility.study.transient.load.figures import energy_charge_shares
from facility.study.transient.load.result import LoadStudy

_WIDTHS = (44, 14, 14, 15, 16, 16)
_STORAGE = MappingProxyType(
    {
        "swing.storage.power": "{utility}/SQRT({efficiency})",
        "swing.storage.energy": "{power}*{window}/2/3600",
        "swing.storage.nominal": "{energy}/{usable}",
        "swing.storage.duration": "{energy}*3600/{power}",
    }
)
"""Storage figures derived from others, in the units of the sheet."""
_PRICED = ("swing.storage.loss", "swing.burn")
_CITED = ("swing.utility", "swing.storage.window", "swing.price", *_STORAGE, *_PRICED)
"""Figures that formulas refer to by the last part of their key."""
_CURVES = (
    Column[Values]("time", "Time (s)", 44, "time"),
    Column[Values]("load", "Without storage (MW)", 14, "active_power", unit="MW"),
    Column[Values]("grid", "With storage (MW)", 14, "active_power", unit="MW"),
)
_FORMATS = {"power_ramp": "n5"}
_CHART_ROWS = 22


def load_sheet(name: str, design: Design, entries: Entries, page_setup: PageSetup) -> Sheet:
    """Return the sheet of dynamic load; if the study was rejected, the reason.

    `entries` contains the energy prices of the project.
    """
    study = design.moving_load.study
    if study is None:
        return refused_sheet(name, design.moving_load.refusal, page_setup)
    sheet = Sheet(name)
    write_heading(sheet, "Dynamic load", f"{study.title[0].upper()}{study.title[1:]}.")
    sheet.set_widths(*_WIDTHS)
    row = LEVELS.write(sheet, 4 + _CHART_ROWS, study.points).row
    row = UTILITY_LIMITS.write(sheet, row + 1, utility_limits(study)).row
    lines = Lines(sheet, row, basis_columns=len(_WIDTHS) - 3)
    _write_figures(lines, study, design, entries)
    cells = {"usable": lines.cells["usable"].fixed}
    row = LADDER.write(sheet, lines.row + 1, tuple(ladder_of(study)), cells).row
    row = BANDS.write(sheet, row + 1, bands_of(study)).row
    row = SAGS.write(sheet, row + 1, study.ride.events).row
    write_notes(sheet, row + 1, len(_WIDTHS), LEFT_OUT)
    row += len(LEFT_OUT) + 2
    _write_curves(sheet, row, study)
    # The points of the curves are below all tables and are not printed. The chart comes first:
    # below tables of variable length it could be split by a page break.
    sheet.page = page_setup.page(area=Span(1, 1, row - 1, len(_WIDTHS)))
    fit_heights(sheet, 4)
    return sheet


def _write_figures(lines: Lines, study: LoadStudy, design: Design, entries: Entries) -> None:
    """Write the figures; storage figures derived from rows above are live, and costs."""
    tariff, formulas = design.facility.site.tariff, dict(_STORAGE)
    prices = [one for one in entries.entries.values() if one.kind.startswith("energy_price")]
    shares = [] if tariff is None else energy_charge_shares(design, tariff)
    if shares and len(prices) == len(shares):
        one_price = prices[0].name if "swing.price" not in study.results else "{price}"
        formulas |= {f"{key}.cost": f"{{{_short(key)}}}*1000*{one_price}" for key in _PRICED}
    lines.section("Figures")
    smoothing = study.motion.smoothing
    words = "round trip of the storage"
    lines.given("Efficiency", smoothing.efficiency, "fraction", words, key="efficiency")
    lines.given("Usable", smoothing.usable, "fraction", "fraction of nominal energy", key="usable")
    for key, label in FIGURES[LOAD_SECTION]:
        if key not in study.results:
            continue
        value, formula = study.results[key], formulas.get(key)
        if key == "swing.price" and len(formulas) > len(_STORAGE):
            terms = []
            for n, (price, share) in enumerate(zip(prices, shares, strict=True), 1):
                title = f"Share of the IT energy at E{n}"
                cited = lines.given(title, share, "fraction", price.label)
                terms.append(f"{cited.here}*{price.name}")
            formula = "+".join(terms)
        if isinstance(value.si, bool):
            lines.word(label, "yes" if value.si else "no", value.basis)
        elif formula is None:
            lines.given(
                label,
                float(value.si),
                value.kind,
                value.basis,
                _FORMATS.get(value.kind, ""),
                key=_short(key),
            )
        else:
            small = value.kind == "energy"
            lines.live(
                label,
                formula,
                float(value.si),
                value.kind,
                value.basis,
                number_format="n2" if small else _FORMATS.get(value.kind, ""),
                unit="kWh" if small else "",
                key=_short(key),
            )


def _short(key: str) -> str:
    """Return the formula key of a figure; empty if it has none."""
    return key.rpartition(".")[2] if key in _CITED else ""


def _write_curves(sheet: Sheet, row: int, study: LoadStudy) -> None:
    """Write the power profile at the utility from `row` on, with its chart above the tables."""
    sheet.put(4, 1, "Power profile at the utility", "section")
    grid: Grid[Values] = Grid(sheet, row, _CURVES, 28)
    for time_s, load_w, grid_w in scene_curves(study):
        grid.write({"time": time_s, "load": load_w, "grid": grid_w})
    sheet.charts.append(
        SheetChart(
            title="Power at the utility meter",
            x_title="Time (s)",
            y_title="Power (MW)",
            row=5,
            column=1,
            width_mm=224.0,
            height_mm=100.0,
            along=grid.span("time"),
            lines=(
                ("Without storage", grid.span("load"), False),
                ("With storage", grid.span("grid"), True),
            ),
        )
    )
