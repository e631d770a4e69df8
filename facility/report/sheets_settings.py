"""The Settings sheet: the limits, factors and lists that formulas of other sheets refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.power.panel_model import CLASS_CODES
from facility.report.panel_places import LoadClass
from facility.report.sheet_cells import Ref, Span
from facility.report.sheet_model import Sheet
from facility.report.sheet_tables import Furniture, fit_heights, shown, write_heading

CONTINUOUS_NAME = "Continuous_Factor"
IMBALANCE_NAME = "Imbalance_Limit"
_CLASS_HEADS = (
    "Class", "Demand factor", "Continuous", "Meaning", "Basis", "Up to VA (blank: all)",
    "Factor above",
)  # fmt: skip
_IDLE = ("SPARE", "SPACE")
_NOT_CONTINUOUS = ("REC", "MISC")
_MEANINGS = {
    "IT-AI": "AI servers",
    "IT-NET": "network",
    "IT-STO": "storage",
    "IT-MGT": "management servers",
    "COOL": "cooling",
    "LTG": "lighting",
    "REC": "receptacles",
    "EV": "vehicle charging",
    "MISC": "other",
    "SPARE": "breaker, no load",
    "SPACE": "no breaker",
}


@dataclass(frozen=True)
class Setting:
    """One value of the sheet; `name` is the workbook name formulas use, empty where none does."""

    label: str
    value: float
    kind: str
    name: str
    basis: str


@dataclass(frozen=True)
class SettingsPlaces:
    """Where the settings stand: load classes, named cells, and the book's defined names."""

    classes: tuple[LoadClass, ...]
    cells: dict[str, Ref]
    names: dict[str, str]


def settings_sheet(
    name: str, settings: Sequence[Setting], facts: Sequence[tuple[str, str]],
    trip_sizes_a: Sequence[float], furniture: Furniture,
) -> tuple[Sheet, SettingsPlaces]:  # fmt: skip
    """Return the sheet and where its values stand.

    Parameters
    ----------
    name : str
        Sheet name.
    settings : sequence of Setting
        Values in SI.
    facts : sequence of (str, str)
        Statements that are words: code basis, voltage system.
    trip_sizes_a : sequence of float
        Standard trip ratings, rising [A].
    furniture : Furniture
        Page edges.
    """
    sheet = Sheet(name, page=furniture.page(landscape=False, fit_height=1), protected=True)
    write_heading(
        sheet, "Settings", "Inputs of the formulas of this workbook. Blue: may be changed."
    )
    cells: dict[str, Ref] = {}
    sheet.row(4, 1, ("Setting", "Value", "Unit", "Name in formulas", "Basis"), "head")
    row = 5
    for label, text in facts:
        sheet.row(row, 1, (label, text, "", "", ""), "cell")
        row += 1
    for setting in settings:
        number = shown(setting.value, setting.kind)
        sheet.put(row, 1, setting.label, "cell")
        cell = sheet.put(row, 2, number.value, f"input.{number.format}")
        sheet.row(row, 3, (number.unit, setting.name, setting.basis), "cell")
        if setting.name:
            cells[setting.name] = cell
        row += 1
    classes, class_list = _write_classes(sheet, row + 1)
    poles = _write_list(sheet, 9, "Poles", (1, 2, 3))
    trips = _write_list(sheet, 10, "Trip A", trip_sizes_a or (1.0,))
    sheet.set_widths(34, 20, 12, 20, 52, 12, 12, 2, 7, 7)
    fit_heights(sheet, 4)
    quoted = sheet.quoted
    names = {key: str(cell) for key, cell in cells.items()}
    names |= {
        "Class_List": f"{quoted}!{class_list.fixed}",
        "Pole_List": f"{quoted}!{poles.fixed}",
        "Trip_List": f"{quoted}!{trips.fixed}",
    }
    return sheet, SettingsPlaces(classes, cells, names)


def _write_classes(sheet: Sheet, row: int) -> tuple[tuple[LoadClass, ...], Span]:
    """Write the load classes; idle ones are codes only, without factors."""
    sheet.put(row, 1, "Load classes", "section")
    sheet.row(row + 1, 1, _CLASS_HEADS, "head")
    row += 2
    first = row
    classes = []
    for code in CLASS_CODES:
        sheet.put(row, 1, code, "cell")
        sheet.put(row, 4, _MEANINGS[code], "cell")
        if code in _IDLE:
            sheet.row(row, 2, (None, None), "pna")
            sheet.put(row, 5, "no load", "cell")
            sheet.row(row, 6, (None, None), "pna")
        else:
            continuous = code not in _NOT_CONTINUOUS
            factor = sheet.put(row, 2, 1.0, "input.n2")
            flag = sheet.put(row, 3, "yes" if continuous else "no", "inputword")
            sheet.put(row, 5, _basis(code, continuous), "cell")
            tier = sheet.put(row, 6, None, "input.n0")
            above = sheet.put(row, 7, None, "input.n2")
            classes.append(LoadClass(code, 1.0, continuous, factor, flag, tier, above))
        row += 1
    return tuple(classes), Span(first, 1, row - 1, 1)


def _basis(code: str, continuous: bool) -> str:
    demand = "connected load taken in full; demand factor and diversity of IT are in its loads"
    if not code.startswith("IT-"):
        demand = "connected load taken in full"
    return f"{demand}; {'three hours or more at full load' if continuous else 'intermittent use'}"


def _write_list(sheet: Sheet, column: int, title: str, values: Sequence[float]) -> Span:
    """Write a list below its title, as a validation needs it; return its span."""
    sheet.put(4, column, title, "head")
    for row, value in enumerate(values, start=5):
        sheet.put(row, column, value, "number.n0")
    return Span(5, column, 4 + len(values), column)
