"""The Failure matrix sheet: loading of the power train in every outage shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.power.network.outages.grouping import Grouping
from facility.report.book.distribution.failures import mark_loading, shown_states
from facility.report.sheet.cells import Span
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.failures.study import FailureStudy

MAX_COLUMNS = 24
_END_KINDS = {"panel": "Panels, worst", "busway": "Busways, worst", "rack-pdu": "Rack PDUs, worst"}


@dataclass(frozen=True)
class _Group:
    """Components shown in one column: its heading, and their rows in the study."""

    head: str
    rows: tuple[int, ...]


def failure_matrix_sheet(name: str, study: FailureStudy, page_setup: PageSetup) -> Sheet:
    """Return the loading of each group of components in each state, in blocks of columns.

    study: The study; one state stands for all outages that are like it.
    """
    sheet = Sheet(name, page=page_setup.page(large=True), freeze=(5, 2))
    write_heading(
        sheet,
        "Failure matrix",
        "Load over rating in each outage, the highest of the components alike; grey: not energised "
        "or no rating. Above 80 % amber, above the rating red. What carries nothing is left out.",
    )
    number = {id(s): n for n, s in enumerate(study.single)}
    states = [number[id(state)] for state in shown_states(study) if id(state) in number]
    groups = [g for g in _groups(study) if np.nan_to_num(_highest(study, g)[states]).any()]
    row = 4
    for first in range(0, max(1, len(groups)), MAX_COLUMNS):
        row = _write_block(sheet, study, groups[first : first + MAX_COLUMNS], states, row) + 1
    if len(groups) <= MAX_COLUMNS:
        sheet.page = page_setup.page(large=True, repeat_rows=(4, 4))
    sheet.set_widths(32, *[9.5] * min(len(groups), MAX_COLUMNS))
    fit_heights(sheet, 5)
    return sheet


def _write_block(
    sheet: Sheet, study: FailureStudy, block: Sequence[_Group], states: Sequence[int], top: int
) -> int:
    """Write the columns of some groups and return the row after them."""
    sheet.row(top, 1, ("Outage", *(group.head for group in block)), "head")
    sheet.heights[top] = 54
    highest = [_highest(study, group)[list(states)] for group in block]
    for offset, state in enumerate(states):
        row = top + 1 + offset
        sheet.put(row, 1, study.states[state].case.outage.id, "listed")
        for place, column in enumerate(highest, start=2):
            value = float(column[offset])
            if np.isnan(value):
                sheet.put(row, place, None, "pna")
            else:
                sheet.put(row, place, value, "given.pct")
    last = top + len(states)
    if block:
        mark_loading(sheet, Span(top + 1, 2, last, len(block) + 1))
    return last + 1


def _highest(study: FailureStudy, group: _Group) -> NDArray[np.float64]:
    """Return the highest loading of a group by state, NaN where none of it carries load."""
    rows = study.loading[list(group.rows)]
    known = np.where(np.isnan(rows), -np.inf, rows).max(axis=0)
    return np.where(np.isnan(rows).all(axis=0), np.nan, known)


def _groups(study: FailureStudy) -> Iterator[_Group]:
    """Yield the columns: components alike of the power train, then the worst of each end."""
    network = study.network
    train: dict[str, list[_Group]] = {}
    ends: dict[str, list[int]] = {}
    for alike in Grouping(network).alike(network.equipment):
        rows = [network.index[one.tag] for one in alike]
        if alike[0].kind in _END_KINDS:
            ends.setdefault(alike[0].kind, []).extend(rows)
            continue
        more = f" and {len(alike) - 1} alike" if len(alike) > 1 else ""
        train.setdefault(alike[0].kind, []).append(_Group(alike[0].tag + more, tuple(rows)))
    for groups in train.values():
        yield from groups
    for kind, head in _END_KINDS.items():
        if kind in ends:
            yield _Group(head, tuple(ends[kind]))
