"""Failures: every single failure and maintenance outage of the power network, worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from facility.core.check import Check, Outcome
from facility.core.views import System, show
from facility.power.network.outages.states import OutageState
from facility.report.book.distribution.failures import STATES, effects
from facility.report.book.record import check_table
from facility.report.sheet.grid import Column, SheetTable
from facility.report.studies.failures import Failures
from facility.report.tables.states import case_title, load_words, worst_first
from facility.study.design.design import Design
from facility.study.failures.study import FailureStudy
from facility.ui.blocks.blocks import (
    Block,
    DisplayTable,
    Look,
    NumberCell,
    Numbers,
    Tabs,
    TextBlock,
    cell,
    loading,
    look_of,
)
from facility.ui.session import outages, state
from facility.ui.studies import lines
from facility.ui.studies.frame import StudyView
from facility.ui.work.ready import ready

_LOADING = ("Outages simulated", "Outages that drop IT load", "Highest loading", "Lowest voltage")
_SETTINGS = (
    ("Power redundancy", "power.redundancy"),
    ("UPS modules per system", "power.ups.modules_per_system"),
    ("Battery autonomy", "power.battery.autonomy"),
    ("Availability goal", "criteria.availability_goal"),
    ("Redundancy goal", "criteria.redundancy_goal"),
    ("Generator start time", "power.generator.start_time"),
)
_IN_SHEET = ("dropped", "capped", "racks", "loading", "where", "voltage", "at", "battery")
_COLUMNS: tuple[Column[OutageState], ...] = (
    Column("outage", "Outage", 0, of=lambda s: case_title(s.case)),
    *(
        replace(column, of=lambda s: load_words((s.lowest_voltage or ("", 0.0))[0]))
        if column.key == "at"
        else column
        for column in STATES.columns
        if column.key in _IN_SHEET
    ),
    Column("effects", "Effect", 0, of=lambda s: "; ".join(effects(s))),
    Column("transfers", "Transfers", 0, of=lambda s: "; ".join(s.transfers)),
)
_SHOWN = 60
_OPENED = "failure-opened"


def _blocks(design: Design, system: System) -> Iterator[Block]:
    """Yield the outages tried, the worst effects and the states, worst first."""
    if st.session_state.pop(_OPENED, False):
        state.go_to("design", "one-line")
    if not ready("outages"):
        yield loading(_LOADING, "failure-loading")
        return
    study = outages.study()
    shown = Failures(design, study, _SHOWN)
    yield Numbers(_cells(study, system), "failure-numbers", outages.known())
    yield TextBlock("\n".join(shown.opening()).strip())
    worst = worst_first(study.states)[:_SHOWN]
    title = f"{len(worst)} worst of {len(study.states):,} states. Select one to show it in Design."
    yield TextBlock(title)
    columns = [one for one in _COLUMNS if any(one.value(found) for found in worst)]
    table = SheetTable(STATES.title, tuple(columns)).text(worst, system)
    yield DisplayTable(table, "failure-states", chosen=lambda row: _open(worst[row]))
    _, *others = shown.tables(system)
    yield Tabs([*others, check_table(shown.checks, system)], "failures")
    yield TextBlock("\n".join(shown.left_out))


def _cells(study: FailureStudy, system: System) -> list[NumberCell]:
    found = study.results
    dropping = int(found["states.dropping"].si)
    dropped = found["load_dropped.max"]
    cells = [
        cell(
            "Outages simulated",
            f"{study.outages:,}",
            f"{len(study.states):,} different states",
            why="states.outages",
        ),
        cell(
            "Outages that drop IT load",
            f"{dropping:,}" if dropping else "None",
            f"Most {dropped.short(system)}" if dropping else "All IT load is served",
            look="over" if dropping else "ok",
            why="states.dropping",
        ),
    ]
    if "loading.max" in found:
        loading = float(found["loading.max"].si)
        cells.append(
            _extreme("Highest loading", "loading.max", study, system, look_of(1 - loading))
        )
    if "voltage.min" in found:
        cells.append(_extreme("Lowest voltage", "voltage.min", study, system))
    if "battery.least" in found:
        cells.append(_extreme("Shortest battery time", "battery.least", study, system))
    points = int(found["single_points"].si)
    cells.append(
        cell(
            "Single points of failure",
            f"{points:,}" if points else "None",
            "Components whose loss stops IT load",
            look="over" if points else "ok",
            why="single_points",
        )
    )
    return cells


def _extreme(
    label: str, key: str, study: FailureStudy, system: System, look: Look = ""
) -> NumberCell:
    value = study.results[key]
    text = show(float(value.si), value.kind, system)
    return cell(label, text, value.basis, look=look, why=key)


def _open(chosen: OutageState) -> None:
    """Show a state in Design."""
    outages.select_case(chosen.case.outage.id)
    st.session_state[_OPENED] = True


def _verdict(checks: Sequence[Check]) -> str:
    passed = {check.rule for check in checks if check.outcome is Outcome.PASS}
    if "FAULT-TOLERANT" in passed:
        return "Fault tolerant"
    is_maintainable = "CONCURRENTLY-MAINTAINABLE" in passed
    return "Concurrently maintainable" if is_maintainable else "Not concurrently maintainable"


def _line(design: Design) -> str:
    study = outages.study()
    dropping = int(study.results["states.dropping"].si)
    effect = f"{dropping:,} drop load" if dropping else "none drops load"
    return f"{study.outages:,} outages, {effect}"


FAILURES = StudyView(
    "failures",
    "Failures",
    _blocks,
    lambda: lines.of_part("outages", _line, from_checks=_verdict),
    _SETTINGS,
)
