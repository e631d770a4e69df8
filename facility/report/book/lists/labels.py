"""Labels of the installation: panels, service equipment, circuits, cords, UPS inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from facility.core.views import show
from facility.power.ups.input_limit import LIMIT
from facility.report.book.lists.circuits import ListedCircuit, listing_sheet
from facility.report.book.panels.supply import (
    available_fault,
    panel_supplies,
    short_circuit_term,
    system_text,
)
from facility.report.sheet.grid import Column, SheetTable
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design


class LabelText(NamedTuple):
    """Label: object, location and lines of text."""

    kind: str
    id: str
    place: str
    line1: str
    line2: str
    line3: str
    line4: str


LABELS: SheetTable[LabelText] = SheetTable(
    "Labels",
    (
        Column("kind", "Label", 10),
        Column("id", "Circuit", 16),
        Column("place", "Fix at", 24),
        Column("line1", "Line 1", 26),
        Column("line2", "Line 2", 34),
        Column("line3", "Line 3", 34),
        Column("line4", "Line 4", 30),
    ),
)


def labels_sheet(
    name: str, rows: Sequence[ListedCircuit], design: Design, page_setup: PageSetup
) -> Sheet:
    """Return the labels, one per row."""
    labels = design_labels(design, rows)
    return listing_sheet(name, LABELS.columns, labels, page_setup, large=False)[0]


def design_labels(design: Design, rows: Iterable[ListedCircuit]) -> Iterator[LabelText]:
    """Yield the labels: panels, service equipment, circuits and cords, limited UPS inputs."""
    yield from _panels(design)
    yield from _service(design)
    yield from _circuits(rows)
    yield from _ups_inputs(design)


def _panels(design: Design) -> Iterator[LabelText]:
    """Yield the label of each panel: source (NEC 408.4(B)), rating, fault current (408.6)."""
    supplies, dated = panel_supplies(design), calculation_date(design)
    for panel in design.panels.panels:
        supply = supplies[panel.tag]
        bus = "" if panel.bus_a is None else f" · {panel.bus_a:,g} A"
        rating = "not stated" if supply.sccr_a is None else f"{supply.sccr_a / 1e3:.0f} kA"
        yield LabelText(
            "panel",
            panel.tag,
            panel.tag,
            f"PANEL {panel.tag}",
            f"FED FROM {supply.source or panel.fed_from}",
            f"{system_text(panel)} V{bus} · {short_circuit_term(panel)} {rating}",
            f"AVAILABLE FAULT {_fault_words(supply.fault_a)} · {dated}",
        )


def _service(design: Design) -> Iterator[LabelText]:
    """Yield the labels of the fault current on service equipment and boards, where it is known."""
    if design.facility.criteria.code != "NEC":
        return
    found, dated = design.distribution, calculation_date(design)
    network = found.plan.network
    for one in network.equipment:
        if any(network[link.source].kind == "utility" for link in one.links):
            kind, name = "110.24", "SERVICE EQUIPMENT"
        elif one.kind in ("lv-board", "ups-output"):
            kind, name = "408.6", "SWITCHBOARD"
        else:
            continue
        fault_a, source = available_fault(found.faults, one.tag)
        if fault_a is None:
            continue
        yield LabelText(
            kind,
            one.tag,
            one.tag,
            f"{name} {one.tag}",
            f"AVAILABLE FAULT CURRENT {_fault_words(fault_a)}",
            f"{one.voltage_v:,.0f} V{f' · {source}' if source else ''}",
            f"CALCULATED {dated} · NEC {kind}",
        )


def calculation_date(design: Design) -> str:
    """Return the date of the latest revision, which dates the calculation."""
    revisions = design.facility.identity.revisions
    return revisions[-1][1] if revisions else "no dated revision"


def _fault_words(current_a: float | None) -> str:
    return "not known" if current_a is None else f"{current_a / 1e3:.1f} kA"


def _circuits(rows: Iterable[ListedCircuit]) -> Iterator[LabelText]:
    """Yield two labels per circuit: at its breaker, and on the cord with the source circuit."""
    for one in rows:
        panel, circuit = one.panel, one.circuit
        rating, purpose = f"{one.breaker} · {system_text(panel)} V", _purpose(one)
        lines = (one.source, f"TO {purpose}", rating, one.receptacle)
        yield LabelText("circuit", circuit.id, panel.tag, *lines)
        if circuit.rack:
            location = f"{circuit.rack}, input {circuit.ordinal + 1} of feed {panel.side}"
            partner = f"PARTNER {circuit.partner or 'none'}"
            lines = (f"FED FROM {one.source}", purpose, rating, partner)
            yield LabelText("cord", circuit.id, location, *lines)


def _purpose(one: ListedCircuit) -> str:
    """Return the load text of a circuit, unique within a rack."""
    circuit = one.circuit
    if not circuit.rack:
        return circuit.description
    return f"{circuit.rack} input {one.panel.side}{circuit.ordinal + 1}"


def _ups_inputs(design: Design) -> Iterator[LabelText]:
    """Yield the label of the input of each UPS with a current-limited rectifier."""
    limit = design.electrical.results.get(LIMIT)
    if limit is None:
        return
    limited = f"INPUT LIMIT {show(float(limit.si), 'current', digits=0)}, BYPASS NOT LIMITED"
    for feeder in design.distribution.feeders.feeders:
        circuit = feeder.circuit
        if circuit.stage == "ups-input" and feeder.choice is not None:
            rating = f"{feeder.choice.ocpd_a:,g} A {circuit.poles}P · {circuit.voltage_v:g} V"
            lines = (f"FED FROM {circuit.source}", circuit.target, rating, limited)
            yield LabelText("UPS input", circuit.tag, circuit.source, *lines)
