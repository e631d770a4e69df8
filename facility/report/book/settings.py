"""The Settings sheet: limits, factors, lists and load classes that formulas refer to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from facility.power.panels.board.model import CLASS_CODES
from facility.report.sheet.model import Ref, Sheet, Span, Validation
from facility.report.sheet.tables import PageSetup, fit_heights, shown, write_heading

CONSTANT = "constant"
DEMAND_RULES = (
    CONSTANT,
    "by load",
    "by load, per portion",
    "by quantity",
    "by quantity, per portion",
)
CLASS_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
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
)


@dataclass(frozen=True)
class DemandRule:
    """Rule for the demand factor of a load class."""

    # One of `DEMAND_RULES`. By load, connected VA selects the factor; by quantity, the number of
    # circuits. Per portion, each factor applies to its portion only; otherwise the factor of the
    # range of the total applies to all of it.
    kind: str = CONSTANT
    # Up to the first limit, up to the second one, above it.
    factors: tuple[float, float, float] = (1.0, 1.0, 1.0)
    # Limits [VA or circuits]; None for none.
    limits: tuple[float | None, float | None] = (None, None)

    def measure(self, connected_va: float, circuits: int) -> float:
        """Return the quantity compared with the limits: VA, or number of circuits."""
        return float(circuits) if self.kind.startswith("by quantity") else connected_va

    def factor(self, connected_va: float, circuits: int) -> float:
        """Return the demand factor of the class in one panel."""
        whole = self.measure(connected_va, circuits)
        first, second, third = self.factors
        if self.kind == CONSTANT or whole == 0.0:
            return first
        low, high = (math.inf if limit is None else limit for limit in self.limits)
        high = max(low, high)
        if not self.kind.endswith("portion"):
            return first if whole <= low else second if whole <= high else third
        middle, above = max(0.0, min(whole, high) - low), max(0.0, whole - high)
        return (min(whole, low) * first + middle * second + above * third) / whole


@dataclass(frozen=True)
class ClassCells:
    """Cells of a class on the Settings sheet.

    `limits` are the cells that formulas use: the typed limits, or a large number without one.
    """

    continuous: Ref
    kind: Ref
    factors: tuple[Ref, Ref, Ref]
    limits: tuple[Ref, Ref]


@dataclass(frozen=True)
class LoadClass:
    """A load class: its code, whether it is continuous, its demand rule, and its cells."""

    code: str
    continuous: bool
    demand: DemandRule
    cells: ClassCells

    def measure_formula(self, connected: str, circuits: str) -> str:
        """Return the formula of the quantity compared with the limits; `circuits` is a formula."""
        return f'IF(LEFT({self.cells.kind},11)="by quantity",{circuits},{connected})'

    def factor_formula(self, measure: str) -> str:
        """Return the formula of the demand factor on the cell of the measure."""
        low, high = self.cells.limits
        first, second, third = self.cells.factors
        portions = (
            f"(MIN({measure},{low})*{first}+MAX(0,MIN({measure},{high})-{low})*{second}"
            f"+MAX(0,{measure}-{high})*{third})/{measure}"
        )
        whole = f"IF({measure}<={low},{first},IF({measure}<={high},{second},{third}))"
        kind = self.cells.kind
        return (
            f'IF(OR({kind}="{CONSTANT}",{measure}=0),{first},'
            f'IF(RIGHT({kind},7)="portion",{portions},{whole}))'
        )


CONTINUOUS_NAME = "Continuous_Factor"
IMBALANCE_NAME = "Imbalance_Limit"
TRIPLEN_NAME = "Triplen_Share"
_CLASS_HEADS = (
    "Class",
    "Demand factor",
    "Continuous",
    "Meaning",
    "Basis",
    "Demand rule",
    "Up to VA or circuits",
    "Factor above limit",
    "Up to VA or circuits",
    "Factor above limit",
)
_PRINTED = len(_CLASS_HEADS)
_RULE_NOTE = (
    "Demand rule: constant uses the demand factor. By load, the connected VA of the class in the "
    "panel selects one of the three factors; by quantity, the number of its circuits does. Per "
    "portion, each factor applies only to its portion. A blank limit means no limit."
)
_NO_LIMIT = 1e15
_IDLE = ("SPARE", "SPACE")
_NOT_CONTINUOUS = ("REC", "MISC")


@dataclass(frozen=True)
class Setting:
    """One value of the sheet; `name` is the workbook name used in formulas, if any."""

    label: str
    value: float
    kind: str
    name: str
    basis: str


@dataclass(frozen=True)
class SettingsCells:
    """Cells of the settings: load classes and defined names of the workbook."""

    classes: tuple[LoadClass, ...]
    names: dict[str, str]


def settings_sheet(
    name: str,
    settings: Sequence[Setting],
    facts: Sequence[tuple[str, str]],
    trip_sizes_a: Sequence[float],
    page_setup: PageSetup,
) -> tuple[Sheet, SettingsCells]:
    """Return the sheet and the cells of its values.

    settings: Values in SI.
    facts: Text settings: code basis, voltage system, (str, str).
    trip_sizes_a: Standard trip ratings, rising [A].
    """
    sheet = Sheet(name, protected=True)
    write_heading(
        sheet, "Settings", "Inputs of the formulas of this workbook. Blue: may be changed."
    )
    names: dict[str, str] = {}
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
            names[setting.name] = str(cell)
        row += 1
    classes, class_list, last = _write_classes(sheet, row + 1)
    lists = {
        "Class_List": class_list,
        "Pole_List": _write_list(sheet, 14, "Poles", (1, 2, 3)),
        "Trip_List": _write_list(sheet, 15, "Trip A", trip_sizes_a or (1.0,)),
        "Yes_No_List": _write_list(sheet, 16, "Yes / no", ("yes", "no")),
        "Demand_Rule_List": _write_list(sheet, 17, "Demand rules", DEMAND_RULES),
    }
    sheet.set_widths(30, 18, 11, 20, 46, 22, 11, 9, 11, 9, 2, 12, 12, 7, 7, 8, 22)
    fit_heights(sheet, 4)
    sheet.page = page_setup.page(fit_height=1, area=Span(1, 1, last, _PRINTED))
    names |= {key: f"{sheet.quoted}!{span.fixed}" for key, span in lists.items()}
    return sheet, SettingsCells(classes, names)


def _write_classes(sheet: Sheet, row: int) -> tuple[tuple[LoadClass, ...], Span, int]:
    """Write the load classes; idle ones are codes only, without factors; return the last row."""
    sheet.put(row, 1, "Load classes", "section")
    sheet.row(row + 1, 1, _CLASS_HEADS, "head")
    sheet.row(row + 1, _PRINTED + 2, ("First limit used", "Second limit used"), "head")
    first = row + 2
    classes = []
    for row, code in enumerate(CLASS_CODES, start=first):
        sheet.put(row, 1, code, "cell")
        sheet.put(row, 4, CLASS_MEANINGS[code], "cell")
        if code in _IDLE:
            sheet.row(row, 2, (None, None), "pna")
            sheet.put(row, 5, "no load", "cell")
            sheet.row(row, 6, (None,) * 5, "pna")
        else:
            classes.append(_write_class(sheet, row, code))
    last = first + len(CLASS_CODES)
    sheet.merge(Span(last, 1, last, _PRINTED), _RULE_NOTE, "note")
    end = last - 1
    rules, minimum = f"One of: {'; '.join(DEMAND_RULES)}.", "A number of at least 0."
    sheet.validations += [
        Validation(Span(first, 3, end, 3), "Yes_No_List", stop=True, message="yes or no."),
        Validation(Span(first, 6, end, 6), "Demand_Rule_List", stop=True, message=rules),
        *(
            Validation(Span(first, column, end, column), minimum=0.0, stop=True, message=minimum)
            for column in (2, 7, 8, 9, 10)
        ),
    ]
    return tuple(classes), Span(first, 1, end, 1), last


def _write_class(sheet: Sheet, row: int, code: str) -> LoadClass:
    """Write one class at full connected load; return it with its cells."""
    continuous = code not in _NOT_CONTINUOUS
    flag = sheet.put(row, 3, "yes" if continuous else "no", "inputword")
    sheet.put(row, 5, _basis(code, continuous), "cell")
    kind = sheet.put(row, 6, CONSTANT, "inputword")
    rule = DemandRule()
    factors, typed = [], []
    for column, factor in zip((2, 8, 10), rule.factors, strict=True):
        factors.append(sheet.put(row, column, factor, "input.n2"))
    for column in (7, 9):
        typed.append(sheet.put(row, column, None, "input.n0").here)
    low = sheet.formula(
        row, _PRINTED + 2, f'IF({typed[0]}="",{_NO_LIMIT:.0E},{typed[0]})', _NO_LIMIT, "calc.sci"
    )
    high = sheet.formula(
        row,
        _PRINTED + 3,
        f'IF({typed[1]}="",{_NO_LIMIT:.0E},MAX({low.here},{typed[1]}))',
        _NO_LIMIT,
        "calc.sci",
    )
    cells = ClassCells(flag, kind, (factors[0], factors[1], factors[2]), (low, high))
    return LoadClass(code, continuous, rule, cells)


def _basis(code: str, continuous: bool) -> str:
    demand = "full connected load; IT demand factor and diversity are included in its loads"
    if not code.startswith("IT-"):
        demand = "full connected load"
    return f"{demand}; {'three hours or more at full load' if continuous else 'intermittent use'}"


def _write_list(sheet: Sheet, column: int, title: str, values: Sequence[float | str]) -> Span:
    """Write a list below its title, as a validation needs it; return its span."""
    sheet.put(4, column, title, "head")
    for row, value in enumerate(values, start=5):
        sheet.put(row, column, value, "listed" if isinstance(value, str) else "number.n0")
    return Span(5, column, 4 + len(values), column)
