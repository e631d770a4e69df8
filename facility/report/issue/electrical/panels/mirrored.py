"""Panel schedule of a US panelboard: circuits in two columns, mirrored about the phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from facility.power.feeders.trip_units import TRIP_FUNCTIONS
from facility.power.panels.board.constraints import partner_ids
from facility.power.panels.board.model import Circuit
from facility.report.book.lists.circuits import ListedCircuit
from facility.report.book.panels.text_grid import occupants, row_positions
from facility.report.drawings.scene import Anchor
from facility.report.drawings.text import wrapped
from facility.report.issue.content import Paragraph, SheetContent, TableBlock
from facility.report.issue.electrical.facts import conductors
from facility.report.issue.electrical.panels.form import PanelForm
from facility.report.issue.layout import flowed
from facility.report.issue.paper import paper_of
from facility.report.issue.table import TABLE_MM
from facility.report.sheet.grid import TextTable

_SMALL_PANEL = 42
_SERIES = 600
_HEADS = ("Ckt", "Purpose", "Class", "P", "Trip A", "Type", "Other side")
_WIDTHS = (7.2, 36.0, 11.5, 4.0, 8.0, 8.2, 18.0)
_VA_WIDTHS, _FAILOVER_WIDTH, _PHASE_WIDTH = (8.6, 8.6, 8.6), 12.8, 4.4
_ANCHORS: tuple[Anchor, ...] = ("middle", "start", "start", "middle", "end", "middle", "start")
_LEGEND = (
    "VA: all feeds in service, under the phase of the pole; failover VA: the failed state with the "
    "largest line current. Other side: circuits of other feeds to the same rack. SPARE: breaker "
    "without load. SPACE: no breaker."
)
_PAD_MM = 2.0


def us_schedule(form: PanelForm) -> SheetContent:
    """Return the schedule of a panelboard on one Letter sheet, or Tabloid where it does not fit."""
    small = paper_of("NEC", large=False).area_mm[2:]
    content = _schedule(form, small[0], large=False)
    if form.panel.poles <= _SMALL_PANEL and len(flowed(content, *small).pages) == 1:
        return content
    return _schedule(form, paper_of("NEC", large=True).area_mm[2], large=True)


def _schedule(form: PanelForm, width_mm: float, *, large: bool) -> SheetContent:
    types: dict[str, str] = {}  # Mark of each type: breaker, conductors, receptacle
    for one in form.circuits:
        mark = f"{chr(ord('A') + len(types) % 26)}{len(types) // 26 or ''}"
        types.setdefault(type_words(one, form), mark)
    notes = [f"Type {mark}: {text}." for text, mark in types.items()]
    blocks = (
        *form.header(),
        _circuits(form, types, width_mm),
        Paragraph("\n".join((*notes, _LEGEND)), "note"),
        form.summary(),
        form.verdicts(),
    )
    return SheetContent("E", _SERIES, form.title, blocks, large)


def type_words(one: ListedCircuit, form: PanelForm) -> str:
    """Return breaker with its type, conductors with count, ground and conduit, receptacle."""
    plate = form.supply.plate
    breaker = [one.breaker]
    if one.feeder is not None and one.feeder.trip is not None:
        breaker.append(TRIP_FUNCTIONS[one.feeder.trip.functions])
    breaker.append(plate.breaker_type or "breaker type not stated")
    if form.supply.sccr_a:
        breaker.append(f"{form.supply.sccr_a / 1e3:g} kA")
    words = [", ".join(breaker)]
    if one.feeder is not None and one.feeder.choice is not None:
        words.append(conductors(one.feeder.choice, form.facts.code, one.circuit.poles))
    elif one.circuit.class_code != "SPARE":
        words.append("conductors not sized")
    if one.circuit.rack:
        words.append(f"receptacle {one.receptacle}")
    return "; ".join(words)


def purpose(one: ListedCircuit) -> str:
    """Return the clear and specific purpose of a circuit, NEC 408.4(A)."""
    circuit = one.circuit
    if not circuit.rack:
        return circuit.description
    named = circuit.description
    named = named if circuit.rack in named else f"{circuit.rack}: {named}"
    return f"{named}, input {one.panel.side}{one.input}"


@dataclass(frozen=True)
class _Poles:
    """Texts of the poles of a panel."""

    form: PanelForm
    lines: Mapping[str, tuple[str, ...]]  # Purpose of each circuit, a line for each pole
    marks: Mapping[str, str]  # Type of each circuit

    @cached_property
    def occupants(self) -> Mapping[int, tuple[Circuit, int]]:
        """Circuit and pole, from 0, at each occupied position."""
        return occupants(self.form.panel)

    def texts(self, position: int | None, phase: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the texts of one pole, and its VA under the three phases."""
        if position is None:
            return ("",) * (len(_HEADS) + 1), ("",) * 3
        label = self.form.panel.layout.label(position)
        if position not in self.occupants:
            return (label, "SPACE", *[""] * (len(_HEADS) - 1)), ("",) * 3
        circuit, pole = self.occupants[position]
        va, lost = ["", "", ""], ""
        if circuit.class_code != "SPARE":
            va[phase] = f"{circuit.pole_va()[pole]:,.0f}"
            lost = f"{circuit.pole_va(self.form.scheduled.failover)[pole]:,.0f}"
        text, others = self.lines[circuit.id], list(partner_ids(circuit))
        last = pole == circuit.poles - 1
        partner = ", ".join(others[pole:] if last else others[pole : pole + 1])
        if pole:
            more = text[pole] if pole < len(text) else ""
            empty = [""] * (len(_HEADS) - 3)
            return (label, f"| {more}".rstrip(), *empty, partner, lost), tuple(va)
        trip = "" if circuit.breaker_a is None else f"{circuit.breaker_a:g}"
        described = text[0] if text else circuit.class_code
        return (
            label,
            described,
            circuit.class_code,
            str(circuit.poles),
            trip,
            self.marks[circuit.id],
            partner,
            lost,
        ), tuple(va)


def _circuits(form: PanelForm, types: Mapping[str, str], width_mm: float) -> TableBlock:
    panel, side = form.panel, (*_WIDTHS, _FAILOVER_WIDTH, *_VA_WIDTHS)
    widths = (*side, _PHASE_WIDTH, *reversed(side))
    purpose_mm = _WIDTHS[1] * width_mm / sum(widths) - _PAD_MM
    circuits = {one.circuit.id: one for one in form.circuits}
    poles = _Poles(
        form,
        {
            id: wrapped(purpose(one), purpose_mm, one.circuit.poles, size_mm=TABLE_MM)
            for id, one in circuits.items()
        },
        {id: types[type_words(one, form)] for id, one in circuits.items()},
    )
    va, heads = tuple(f"{name} VA" for name in form.phases), (*_HEADS, "Failover VA")
    left_heads = (*heads, *va)
    right_heads = tuple(f"{head} " for head in (*va, *reversed(heads)))  # All are unique
    rows, keys = [], []
    for left, right in row_positions(panel):
        phase = panel.layout.phase(left or right or 1)
        (before, before_va), (after, after_va) = poles.texts(left, phase), poles.texts(right, phase)
        middle = form.phases[phase]
        rows.append((*before, *before_va, middle, *after_va, *reversed(after)))
        at = ((left_heads, before[0]), (right_heads, after[0]))
        keys.append({h: form.key(f"ckt {ckt}:{h.strip()}") for of, ckt in at if ckt for h in of})
    ends: tuple[Anchor, ...] = ("end",) * 3
    anchors: tuple[Anchor, ...] = (*_ANCHORS, "end")
    table = TextTable("", (*left_heads, "Ø", *right_heads), rows, keys=keys)
    both = (*anchors, *ends, "middle", *ends, *reversed(anchors))
    return TableBlock(table, widths, both, dense=True)
