"""One-line diagrams of the issued set: every device with its rating, cable and interlock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from facility.core.views import System, show
from facility.power.feeders.schedule import Feeder
from facility.power.network.build.plan import DEVICE_AT_END
from facility.power.network.graph.types import EquipmentKind
from facility.report.book.panels.supply import conductors_text
from facility.report.drawings.one_line.diagram import draw, lay_out
from facility.report.drawings.one_line.facts import DiagramFacts, facts_of
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.scene import legend_scene, one_line_scene
from facility.report.drawings.one_line.symbols import Neutral
from facility.report.drawings.one_line.tree import Detail
from facility.report.drawings.text import wrapped
from facility.report.issue.content import Block, Content, Figure, Paragraph
from facility.study.design.design import Design

SERIES = 100
_CONDUCTORS_MM, _CONDUCTOR_LINES = 42.0, 3
SPACE_MM = 397.0, 255.0
"""Space for the diagram: its letters are larger than 7 pt on Tabloid and A3."""
MAX_FULL = 120
"""PDUs and panels up to which each is drawn individually."""
_LEVELS: Mapping[str, str] = {"mv-switchgear": "service", "lv-board": "board"}
_DRAWN: tuple[EquipmentKind, ...] = ("pdu", "panel", "busway", "sts")


def one_line_contents(design: Design, system: System) -> tuple[Content, ...]:
    """Return the one-line diagrams of `design` in normal operation: legend and notes, then sheets.

    system: Unit system of lengths; sizes keep their trade units.
    """
    sheets, grounded = one_line_sheets(design, system), neutrals(design)
    notes = dict.fromkeys(note for sheet in sheets for note in sheet.notes)
    blocks: tuple[Block, ...] = (
        Paragraph(f"Symbols, {sheets[0].standard}", "heading"),
        Figure(legend_scene(sheets, SPACE_MM[0])),
        Paragraph("Notes", "heading"),
        *(Paragraph(f"{n}. {note}") for n, note in enumerate(notes, 1)),
        *(Figure(one_line_scene(sheet, grounded)) for sheet in sheets),
    )
    return (Content("E", SERIES, "One-line diagram", blocks, large=True),)


def one_line_sheets(design: Design, system: System) -> tuple[Drawing, ...]:
    """Return the diagrams in normal operation, one for each sheet."""
    network = design.distribution.plan.network
    drawn = sum(one.kind in _DRAWN for one in network.equipment)
    detail: Detail = "full" if drawn <= MAX_FULL else "grouped"
    facts = issued_facts(design, system)
    diagram = lay_out(network, facts, detail=detail, sheets=True, system=system, size_mm=SPACE_MM)
    return draw(diagram, design.distribution.normal)


def issued_facts(design: Design, system: System) -> DiagramFacts:
    """Return the data that the one-line diagrams of a set state."""
    found, nec = facts_of(design), design.facility.criteria.code == "NEC"
    feeders = design.distribution.feeders.feeders
    circuits = {one.circuit.tag: tuple(_device(one, design, system)) for one in feeders}
    for one in design.distribution.plan.network.equipment:
        sources = [design.distribution.plan.network[link.source].kind for link in one.links]
        if one.kind == "ups-output" and sources[0] == "ups":
            interlocked = "maintenance-bypass" in sources
            lines = ("device", "UOB"), ("interlock", "key interlock K")
            circuits[one.tag] = lines if interlocked else lines[:1]
    return replace(
        found,
        plates=dict(_plates(design, found, nec)),
        circuits=circuits,
        sheet_name=lambda number: f"E-{SERIES + 1 + number}",
        notes=tuple(_notes(design, nec)),
    )


def neutrals(design: Design) -> dict[str, Neutral]:
    """Return the neutral grounding of LV transformers and LV generators by tag."""
    transformer = design.chain.chain.transformer
    lv_v = design.chain.chain.wiring.lv_voltage_v
    grounded: Neutral = "solid" if transformer.grounding_a is None else "resistor"
    return {
        one.tag: grounded
        for one in design.distribution.plan.network.equipment
        if one.voltage_v == lv_v
        and (
            one.kind == "generator-plant"
            or (one.kind == "transformer" and "yn" in transformer.vector_group)
        )
    }


def conductor_words(feeder: Feeder, design: Design, system: System) -> Iterator[tuple[str, str]]:
    """Yield conductors with their number, and raceway with length, of each run of a feeder."""
    one = feeder.choice
    if one is None:
        return
    text = conductors_text(one, design.facility.criteria.code, feeder.circuit.poles)
    for n, line in enumerate(wrapped(text, _CONDUCTORS_MM, _CONDUCTOR_LINES)):
        yield f"conductors.{n}" if n else "conductors", line
    way = f"{one.trade_size} in. {one.raceway}" if one.trade_size else one.raceway
    length = "" if feeder.length_m is None else show(feeder.length_m, "length", system, digits=0)
    if found := ", ".join(part for part in (way, length) if part):
        yield "length", found


def _device(feeder: Feeder, design: Design, system: System) -> Iterator[tuple[str, str]]:
    """Yield the lines at the device of a circuit: rating, interrupting rating, tag, conductors."""
    circuit, one = feeder.circuit, feeder.choice
    if one is None:
        yield "tag", circuit.tag
        yield "device", "not sized"
        return
    nec = design.facility.criteria.code == "NEC"
    network = design.distribution.plan.network
    at = circuit.target if circuit.stage in DEVICE_AT_END else circuit.source
    if at in network.index and network[at].kind == "utility":
        at = circuit.target
    kind = network[at].kind if at in network.index else "panel"
    count = f"{circuit.runs} x " if circuit.runs > 1 else ""
    rating = design.distribution.results.get(f"fault.{_key(kind)}.rating")
    capacity = "not stated" if rating is None else show(float(rating.si), "current", digits=0)
    if rating is not None:
        capacity = f"{float(rating.si) / 1e3:g} kA"
    if circuit.stage == "mv":
        pickup = f"{one.ocpd_a:,.0f} A"
        yield (
            "device",
            f"{count}52, {capacity}; 51: {pickup}" if nec else f"{count}{capacity}; I> {pickup}",
        )
    else:
        functions = f" {feeder.trip.functions}" if feeder.trip is not None else ""
        yield "device", f"{count}{one.ocpd_a:,.0f} A {circuit.poles}P{functions}, {capacity}"
    yield "tag", circuit.tag
    yield from conductor_words(feeder, design, system)
    target = circuit.target
    if target in network.index and network[target].kind == "maintenance-bypass":
        yield "interlock", "key interlock K"


def _key(kind: str) -> str:
    return _LEVELS.get(kind, kind).replace("-", "_")


def _plates(design: Design, found: DiagramFacts, nec: bool) -> Iterator[tuple[str, str]]:
    """Yield what stands at equipment besides its ratings: winding, neutral, assembly rating."""
    results, grounded = design.distribution.results, neutrals(design)
    current_a = design.chain.chain.transformer.grounding_a
    for one in design.distribution.plan.network.equipment:
        text = found.plates.get(one.tag, "")
        parts = [text.split(", neutral")[0]]
        if one.kind == "pdu" and one.delta_wye:
            parts.append("delta-wye, neutral solidly grounded" if nec else "Dyn, neutral earthed")
        if (neutral := grounded.get(one.tag)) is not None:
            words = (
                ("solidly grounded" if nec else "solidly earthed")
                if neutral == "solid"
                else (f"{'HRG' if nec else 'resistor'} {current_a:g} A")
            )
            parts.append(f"neutral {words}")
        rating = results.get(f"fault.{_key(one.kind)}.rating")
        if rating is not None and one.kind not in ("pdu", "generator-plant", "rack-pdu"):
            parts.append(f"rated {float(rating.si) / 1e3:g} kA")
        yield one.tag, ", ".join(part for part in parts if part)


def _notes(design: Design, nec: bool) -> Iterator[str]:
    network = design.distribution.plan.network
    kinds = {one.kind for one in network.equipment}
    yield "Dashed: normally open, or from a source on standby. Symbols with a second edge: several."
    yield (
        "Interrupting ratings: as stated in the project, otherwise the lowest standard rating not "
        "below the available fault current. Frame sizes, CT and VT ratios, relay functions other "
        f"than {'51' if nec else 'I>'} and meters: not stated."
    )
    if "maintenance-bypass" in kinds:
        yield (
            "K: key interlock. The maintenance bypass closes only while the UPS is on static "
            "bypass; the UPS output breaker (UOB) opens only while the maintenance bypass is "
            "closed. UOB is part of the UPS; its trip is not stated."
        )
    if kinds & {"ats", "tie"}:
        yield "Transfer switches and ties: mechanically and electrically interlocked."
    if any(one.kind == "generator-plant" for one in network.equipment) and not any(
        network[tag].kind == "generator-plant" for tag in neutrals(design)
    ):
        yield "Neutral grounding of the medium-voltage generators: not stated."
