"""The least trip of a circuit covers every state: any feed lost, any supply lost."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from facility.model.it import PsuSet, Rack
from facility.power.feeders.cords import receptacle_checks
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.design.halls import PanelSet
from facility.power.panels.design.rack_pdu_checks import rack_pdu_checks
from facility.report.book.panels.loads import HEAD_ROW, LoadsCells, ScheduledPanel, loads_sheet
from facility.report.book.panels.loads_rows import LoadsColumns, circuit_rows
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import DGX, MAKER, build, frame, rack

PHASE_V = 415.0 / math.sqrt(3.0)
PLAIN = PageSetup("", "", "", False)


def single_fed(breaker_a: float | None, rack_pdu: str = "") -> PanelSet:
    """Return the panels of one server of 4.5 kW, both supplies on one circuit of feed A.

    It draws 9.4 A on two legs; with a supply lost 18.8 A on one, which no lost feed covers.
    """
    psu = PsuSet(2, 1, 3000.0, 200.0, 240.0, 1, 1.0, (), MAKER)
    device = replace(DGX, model="R1", maximum_w=4500.0, psu=psu)
    kind: Rack = rack(1, "A", devices=1, device=device, breaker_a=breaker_a)
    (circuit,) = kind.circuits
    kind = replace(kind, circuits=(replace(circuit, rack_pdu=rack_pdu),))
    return build(kind, basis=frame(feeds="A"))


def loads(found: PanelSet) -> tuple[Sheet, LoadsCells]:
    """Return the Loads sheet of all panels."""
    scheduled = [
        ScheduledPanel(panel, panel_loads(panel), lost)
        for panel, lost in zip(found.panels, found.lost, strict=True)
    ]
    return loads_sheet("Loads", scheduled, 1.25, PLAIN)


def test_a_lost_supply_sets_the_least_trip() -> None:
    sheet, places = loads(single_fed(20.0))
    row = HEAD_ROW + 1
    assert sheet.cells[row, LoadsColumns.AMPS].value == pytest.approx(2250.0 / PHASE_V)
    assert sheet.cells[row, LoadsColumns.OTHER_AMPS].value == pytest.approx(4500.0 / PHASE_V)
    least = sheet.cells[row, LoadsColumns.MIN_TRIP]
    assert least.value == pytest.approx(1.25 * 4500.0 / PHASE_V)
    assert least.formula == f"L{row}*MAX(V{row}:W{row},Z{row})"
    assert sheet.cells[row, LoadsColumns.VERDICT].value == "LOW"
    assert len(places.low_trips) == 1
    formula, worst_a = places.worst_current(*next(iter(places.rows)))
    assert formula == f"MAX(Loads!$V{row}:$W{row},Loads!$Z{row})"
    assert worst_a == pytest.approx(4500.0 / PHASE_V)
    assert not loads(single_fed(None))[1].low_trips


def test_every_lost_feed_sets_the_least_trip() -> None:
    """Racks on two of three feeds: no one lost feed is the worst of all circuits of a panel."""
    kinds = [replace(rack(4, feeds, name=feeds), name=feeds) for feeds in ("AB", "BC", "CA")]
    found = build(*kinds, basis=frame())
    sheet, places = loads(found)
    others = 0
    for panel in found.panels:
        for circuit in panel.circuits:
            row = places.rows[panel.tag, circuit.id]
            worst_va = max(abs(leg) for state in circuit.power_va for leg in state)
            least_a = sheet.cells[row, LoadsColumns.MIN_TRIP].value
            assert least_a == pytest.approx(1.25 * worst_va / PHASE_V)
            others += sheet.cells[row, LoadsColumns.OTHER_AMPS].value is not None
    assert others > 0


def test_receptacles_and_rack_pdus_are_held_against_a_lost_supply() -> None:
    checks = list(receptacle_checks(single_fed(25.0), NEC))
    (load,) = (check for check in checks if check.rule == "RECEPTACLE-LOAD")
    assert load.value == pytest.approx(4500.0 / PHASE_V)
    checks = list(rack_pdu_checks(single_fed(25.0, "PX3-5878I2R-P1Q1R1A5D5")))
    assert [c.value for c in checks if c.rule == "RACK-PDU-LOAD"] == pytest.approx(
        [4500.0 / PHASE_V]
    )


def test_circuits_are_yielded_by_position() -> None:
    found = build(rack(5), basis=frame())
    (panel, *_), (lost, *_) = found.panels, found.lost
    rows = list(circuit_rows(panel, 1, lost))
    assert [row.circuit.position for row in rows] == sorted(c.position or 0 for c in panel.circuits)
