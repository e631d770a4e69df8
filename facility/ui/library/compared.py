"""Two revisions beside each other: the inputs and the results that differ."""

from __future__ import annotations

from facility.core.table import Results
from facility.core.views import System
from facility.files.project.differences import FieldChange
from facility.report.sheet.grid import TextTable
from facility.report.tables.verdict import key_figures
from facility.study.design.design import Design
from facility.ui.session.opened import shown

_ABSENT = "none"


def input_table(found: tuple[FieldChange, ...], names: tuple[str, str]) -> TextTable:
    """Return the inputs that differ."""
    rows = [(one.path, shown(one.before), shown(one.after)) for one in found]
    return TextTable("Inputs", ("input", *names), rows)


def figure_table(
    before: Design, after: Design, names: tuple[str, str], system: System
) -> TextTable:
    """Return the figures that people ask for first, those that are equal too."""
    was, now = (dict(key_figures(_all(one), system)) for one in (before, after))
    rows = [
        (label, was.get(label, _ABSENT), now.get(label, _ABSENT), _change(was, now, label))
        for label in {**was, **now}
    ]
    return TextTable("Key figures", ("figure", *names, ""), rows)


def result_table(
    before: Design, after: Design, names: tuple[str, str], system: System
) -> TextTable:
    """Return every result that differs as it is shown."""
    was, now = (_shown(_all(one), system) for one in (before, after))
    rows = [
        (key, was.get(key, _ABSENT), now.get(key, _ABSENT))
        for key in {**was, **now}
        if was.get(key) != now.get(key)
    ]
    return TextTable(f"Results that differ ({len(rows)})", ("result", *names), rows)


def _all(design: Design) -> Results:
    year = {} if design.year is None else design.year.results
    return Results({**design.results.values_by_key, **year})


def _shown(results: Results, system: System) -> dict[str, str]:
    return {key: results[key].shown(system) for key in results}


def _change(was: dict[str, str], now: dict[str, str], label: str) -> str:
    return "" if was.get(label) == now.get(label) else "changed"
