"""One-line diagrams of the issued set: every device with its rating, cable and interlock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from facility.core.rounding import within
from facility.core.views import System, show
from facility.model.inputs.power.nameplates import EquipmentNameplateSection
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import ConductorChoice
from facility.power.network.build.plan import DEVICE_AT_END
from facility.power.network.graph.types import Equipment, EquipmentKind, Network
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.report.book.panels.supply import conductors_text
from facility.report.drawings.one_line.diagram import draw, lay_out
from facility.report.drawings.one_line.facts import DiagramFacts, facts_of
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.place import place_block
from facility.report.drawings.one_line.scene import legend_scene, one_line_scene
from facility.report.drawings.one_line.symbols import Neutral
from facility.report.drawings.one_line.tree import Detail
from facility.report.drawings.text import wrapped
from facility.report.issue.content import Block, DrawingBlock, Paragraph, SheetContent
from facility.study.design.design import Design

SERIES = 100
SPACE_MM = 397.0, 255.0
"""Space for the diagram: its letters are larger than 7 pt on Tabloid and A3."""
_BELOW_LEGEND_MM = 125.0
"""Height of a diagram that is on the sheet of the legend."""
MAX_FULL = 120
"""PDUs and panels up to which each is drawn individually."""
_CONDUCTORS_MM, _CONDUCTOR_LINES = 42.0, 3
_LEVELS: Mapping[str, str] = {"mv-switchgear": "service", "lv-board": "board"}
_DRAWN: tuple[EquipmentKind, ...] = ("pdu", "panel", "busway", "sts")
_LOW_VOLTAGE_V = 1000.0
_PHASE_V: Mapping[float, float] = dict(RACK_SYSTEMS.values())
"""Nominal line-to-neutral voltage of a line-to-line voltage [V]."""
_UNRATED: tuple[EquipmentKind, ...] = ("pdu", "generator-plant", "rack-pdu")
"""Equipment without an assembly rating."""
_BUSES: tuple[EquipmentKind, ...] = ("lv-board", "generator-bus", "ups-output")
Lines = Iterator[tuple[str, str]]


def one_line_contents(design: Design, system: System) -> tuple[SheetContent, ...]:
    """Return the one-line diagrams of `design` in normal operation: legend and notes, then sheets.

    system: Unit system of lengths; sizes keep their trade units.
    """
    sheets, grounded = one_line_sheets(design, system), neutrals(design)
    notes = dict.fromkeys(note for sheet in sheets for note in sheet.notes)
    blocks: tuple[Block, ...] = (
        Paragraph(f"Symbols, {sheets[0].standard}", "heading"),
        DrawingBlock(legend_scene(sheets, SPACE_MM[0])),
        Paragraph("Notes", "heading"),
        *(Paragraph(f"{n}. {note}") for n, note in enumerate(notes, 1)),
        *(DrawingBlock(one_line_scene(sheet, grounded)) for sheet in sheets),
    )
    return (SheetContent("E", SERIES, "One-line diagram", blocks, large=True),)


def one_line_sheets(design: Design, system: System) -> tuple[Drawing, ...]:
    """Return the diagrams in normal operation, one for each sheet.

    A first diagram with space for the legend shares its sheet; each other diagram has a separate
    sheet.
    """
    network = design.distribution.plan.network
    drawn = sum(one.kind in _DRAWN for one in network.equipment)
    detail: Detail = "full" if drawn <= MAX_FULL else "grouped"
    facts = IssuedWords(design, system).facts()
    diagram = lay_out(network, facts, detail=detail, sheets=True, system=system, size_mm=SPACE_MM)
    (first, *more), *pages = diagram.plan.sheets
    dense = replace(first.block, drop_mm=0.0)
    placed = place_block(diagram.scene, dense)
    height = placed.height_mm
    if more or height > _BELOW_LEGEND_MM:
        return draw(diagram, design.distribution.normal)
    plan = replace(
        diagram.plan, sheets=((replace(first, placed=placed, block=dense, y_mm=0.0),), *pages)
    )
    diagram.scene.facts = replace(facts, sheet_name=lambda number: f"E-{SERIES + number}")
    one, *others = draw(replace(diagram, plan=plan), design.distribution.normal)
    return (replace(one, height_mm=height), *others)


def neutrals(design: Design) -> dict[str, Neutral]:
    """Return the neutral grounding of transformers and generators by tag, where known."""
    transformer = design.chain.chain.transformer
    lv_v = design.chain.chain.wiring.lv_voltage_v
    grounded: Neutral = "solid" if transformer.grounding_a is None else "resistor"
    found: dict[str, Neutral] = {}
    for one in design.distribution.plan.network.equipment:
        has_neutral = one.kind == "transformer" and "yn" in transformer.vector_group
        if one.voltage_v == lv_v and (has_neutral or one.kind == "generator-plant"):
            found[one.tag] = grounded
        elif one.kind == "generator-plant":
            stated = next((p for p in _plates(design) if p.equipment == "generator"), None)
            if stated is not None and stated.neutral in ("solid", "resistor"):
                found[one.tag] = "solid" if stated.neutral == "solid" else "resistor"
    return found


def transfer_poles(design: Design) -> dict[str, str]:
    """Return poles and neutral of each transfer switch by tag.

    A system with a neutral whose generators have a separate grounded neutral is separately
    derived: the neutral is switched, so that each state has one grounded point. Without a neutral
    conductor there is nothing to switch.
    """
    plan, grounded = design.distribution.plan, neutrals(design)
    with_neutral = {
        tag for c in plan.circuits.values() if c.neutral for tag in (c.source, c.target)
    }
    plants = [one.tag for one in plan.network.equipment if one.kind == "generator-plant"]
    separate = any(tag in grounded for tag in plants)
    found: dict[str, str] = {}
    for one in plan.network.equipment:
        if one.kind == "ats" and one.tag not in with_neutral:
            found[one.tag] = "3-pole, no neutral"
        elif one.kind == "ats":
            found[one.tag] = "4-pole, neutral switched" if separate else "3-pole, solid neutral"
    return found


def _plates(design: Design) -> tuple[EquipmentNameplateSection, ...]:
    return design.project.power.nameplates or ()


def parallel_switchgear(network: Network) -> list[str]:
    """Return the MV switchgear with mains from the utility and from generators."""
    found = []
    for one in network.equipment:
        sources = [network[link.source] for link in one.links]
        behind = {
            network[x.links[0].source].kind if x.kind == "transformer" and x.links else x.kind
            for x in sources
        }
        if one.kind == "mv-switchgear" and {"utility", "generator-plant"} <= behind:
            found.append(one.tag)
    return found


@dataclass(frozen=True, eq=False)
class IssuedWords:
    """What the one-line diagrams of a set state, in words of the code."""

    design: Design
    system: System

    @cached_property
    def nec(self) -> bool:
        """Whether the code is the NEC."""
        return self.design.facility.criteria.code == "NEC"

    @property
    def network(self) -> Network:
        """The network drawn."""
        return self.design.distribution.plan.network

    @cached_property
    def plates(self) -> dict[str, EquipmentNameplateSection]:
        """Nameplates as stated, by equipment type."""
        found = {one.equipment: one for one in _plates(self.design)}
        return {("generator-plant" if k == "generator" else k): one for k, one in found.items()}

    @cached_property
    def neutrals(self) -> dict[str, Neutral]:
        """Neutral grounding by tag."""
        return neutrals(self.design)

    @cached_property
    def transfer_poles(self) -> dict[str, str]:
        """Poles and neutral of each transfer switch by tag."""
        return transfer_poles(self.design)

    def facts(self) -> DiagramFacts:
        """Return all of it as the data of a diagram."""
        found = facts_of(self.design)
        feeders = self.design.distribution.feeders.feeders
        circuits = {one.circuit.tag: tuple(self.device(one)) for one in feeders}
        for one in self.network.equipment:
            sources = [self.network[link.source].kind for link in one.links]
            if one.kind == "ups-output" and sources[0] == "ups":
                circuits[one.tag] = tuple(self.output_breaker("maintenance-bypass" in sources))
        plates = {
            one.tag: ", ".join(part for part in self.plate(one, found.plates.get(one.tag, "")))
            for one in self.network.equipment
        }
        return replace(
            found,
            plates=plates,
            circuits=circuits,
            voltages=dict(self.voltages()),
            sheet_name=lambda number: f"E-{SERIES + 1 + number}",
            notes=tuple(self.notes()),
        )

    def voltages(self) -> Lines:
        """Yield tag and voltage of low-voltage equipment, with the wires of its outgoing circuits.

        A system of three wires has no neutral, neither in its supply nor in the circuits from it.
        """
        circuits = self.design.distribution.plan.circuits.values()
        feeding = {circuit.source for circuit in circuits}
        with_neutral = {tag for c in circuits if c.neutral for tag in (c.source, c.target)}
        for one in self.network.equipment:
            if one.tag in feeding and one.voltage_v <= _LOW_VOLTAGE_V:
                line_v = one.voltage_v
                phase_v = _PHASE_V.get(line_v, line_v / 3.0**0.5)
                if one.tag not in with_neutral:
                    yield one.tag, f"{line_v:,.0f} V, {'3W' if self.nec else '3P'}"
                elif self.nec:
                    yield one.tag, f"{line_v:.0f}Y/{phase_v:.0f} V, 4W"
                else:
                    yield one.tag, f"{line_v:.0f}/{phase_v:.0f} V, 3P+N"

    def device(self, feeder: Feeder) -> Lines:
        """Yield device and cable of a circuit; the device last if at the load end."""
        if feeder.choice is None:
            yield "tag", feeder.circuit.tag
            yield "device", "not sized"
            return
        device, cable = self._device(feeder, feeder.choice), self._cable(feeder, feeder.choice)
        at_end = feeder.circuit.stage in DEVICE_AT_END
        yield from (*cable, *device) if at_end else (*device, *cable)

    def _device(self, feeder: Feeder, one: ConductorChoice) -> Lines:
        circuit = feeder.circuit
        count = f"{circuit.runs} x " if circuit.runs > 1 else ""
        capacity = self.capacity_at(feeder)
        if circuit.stage == "mv":
            parts = (f"{count}52" if self.nec else f"{count}CB", capacity)
            pickup = f"{'51' if self.nec else 'I>'}: {one.ocpd_a:,.0f} A"
            yield "device", "; ".join((", ".join(part for part in parts if part), pickup))
            yield from self.relays()
        else:
            functions = f" {feeder.trip.functions}" if feeder.trip is not None else ""
            parts = (f"{count}{one.ocpd_a:,.0f} A {circuit.poles}P{functions}", capacity)
            yield "device", ", ".join(part for part in parts if part)

    def _cable(self, feeder: Feeder, one: ConductorChoice) -> Lines:
        circuit = feeder.circuit
        yield "tag", circuit.tag
        text = conductors_text(one, self.design.facility.criteria.code, circuit.poles)
        for n, line in enumerate(wrapped(text, _CONDUCTORS_MM, _CONDUCTOR_LINES)):
            yield f"conductors.{n}" if n else "conductors", line
        way = f"{one.trade_size} in. {one.raceway}" if one.trade_size else one.raceway
        length_m = feeder.length_m
        length = "" if length_m is None else show(length_m, "length", self.system, digits=0)
        if found := ", ".join(part for part in (way, length) if part):
            yield "length", found
        target = circuit.target
        if target in self.network.index and self.network[target].kind == "maintenance-bypass":
            yield "interlock", "key interlock K"

    def capacity_at(self, feeder: Feeder) -> str:
        """Return the interrupting rating of a device, that of its assembly; empty if unknown."""
        circuit, network = feeder.circuit, self.network
        at = circuit.target if circuit.stage in DEVICE_AT_END else circuit.source
        if at in network.index and network[at].kind == "utility":
            at = circuit.target
        return self.rating(network[at].kind if at in network.index else "panel")

    def rating(self, kind: EquipmentKind) -> str:
        """Return the short-circuit rating of an equipment type; empty if unknown."""
        key = _LEVELS.get(kind, kind).replace("-", "_")
        found = self.design.distribution.results.get(f"fault.{key}.rating")
        return "" if found is None else f"{float(found.si) / 1e3:g} kA"

    def relays(self) -> Lines:
        """Yield relays and instrument transformers of the medium-voltage breakers, if stated."""
        plate = self.plates.get("mv-switchgear")
        if plate is not None:
            for name, text in (
                ("relays", plate.relays),
                ("ct", f"CT {plate.current_transformers}" if plate.current_transformers else None),
            ):
                for n, line in enumerate(wrapped(text or "", _CONDUCTORS_MM, _CONDUCTOR_LINES)):
                    yield f"{name}.{n}" if n else name, line

    def output_breaker(self, interlocked: bool) -> Lines:
        """Yield the lines at the output breaker of a UPS."""
        stated = self.plates["ups"].output_breaker if "ups" in self.plates else None
        rating = "" if stated is None else f" {show(float(stated.si), 'current', digits=0)}"
        yield "output_breaker", f"UOB{rating}"
        if interlocked:
            yield "interlock", "key interlock K"

    def plate(self, one: Equipment, text: str) -> Iterator[str]:
        """Yield further text at equipment: winding, neutral, meters."""
        if text:
            yield text.split(", neutral")[0]
        sets = self.design.chain.generators
        if one.kind == "generator-plant" and not within(sets.rating_va, one.rating_va or 0.0):
            yield f"derated to site; nameplate {show(sets.rating_va, 'apparent_power', digits=0)}"
        if one.tag in self.transfer_poles:
            yield self.transfer_poles[one.tag]
        if one.kind == "pdu" and one.delta_wye:
            yield "delta-wye, neutral solidly grounded" if self.nec else "Dyn, neutral earthed"
        current_a = self.design.chain.chain.transformer.grounding_a
        if (neutral := self.neutrals.get(one.tag)) is not None:
            solid = "solidly grounded" if self.nec else "solidly earthed"
            resistor = "HRG" if self.nec else "resistor"
            ohmic = resistor if current_a is None else f"{resistor} {current_a:,g} A"
            yield f"neutral {solid if neutral == 'solid' else ohmic}"
        elif one.kind == "generator-plant" and one.kind in self.plates:
            stated = self.plates[one.kind].neutral
            if stated is not None:
                yield f"neutral {stated}"
        if one.kind not in _UNRATED and (rating := self.rating(one.kind)):
            yield f"rated {rating}"
        plate = self.plates.get(one.kind)
        if plate is not None:
            if plate.voltage_transformers:
                yield f"VT {plate.voltage_transformers}"
            if plate.meters:
                yield f"meter: {plate.meters}"

    def buses_over_the_largest(self) -> str:
        """Return the interlock of low-voltage buses whose sources exceed the largest assembly."""
        lv_v = self.design.chain.chain.wiring.lv_voltage_v
        ratings = assembly_ratings("lv-board", self.design.facility.criteria.code, lv_v)
        max_a = ratings[-1].bus_max_a if ratings else None
        over = [
            one.tag
            for one in self.network.equipment
            if one.kind in _BUSES and max_a is not None and (one.rating_a or 0.0) > max_a
        ]
        if not over or max_a is None:
            return ""
        tags = over[0] if len(over) == 1 else f"{over[0]} to {over[-1]} ({len(over)} buses)"
        return (
            f"{tags}: the source devices exceed the largest assembly, {max_a:,.0f} A. Key "
            "interlock: close only as many of them as the rating of the bus permits."
        )

    def notes(self) -> Iterator[str]:
        """Yield the notes of the diagram; each missing input is named once."""
        kinds = {one.kind for one in self.network.equipment}
        yield (
            "Dashed: normally open, or from a source on standby. Symbols with a second edge: "
            "several."
        )
        switchgear, missing = self.plates.get("mv-switchgear"), ["frame sizes"]
        if switchgear is None or not switchgear.relays:
            missing.append(f"relay functions other than {'51' if self.nec else 'I>'}")
        if switchgear is None or not switchgear.current_transformers:
            missing.append("current transformer ratios")
        if not any(one.meters for one in self.plates.values()):
            missing.append("meters")
        if "ups" in kinds and ("ups" not in self.plates or not self.plates["ups"].output_breaker):
            missing.append("trip of the UPS output breakers")
        plants = [one.tag for one in self.network.equipment if one.kind == "generator-plant"]
        plant = self.plates.get("generator-plant")
        known = plant is not None and plant.neutral is not None
        if not known and any(tag not in self.neutrals for tag in plants):
            missing.append("neutral grounding of the generators")
        yield (
            "Interrupting ratings: as stated in the project, otherwise the lowest standard rating "
            "not below the available fault current."
        )
        yield f"Not stated in the nameplates of the project: {', '.join(missing)}."
        if "maintenance-bypass" in kinds:
            yield (
                "K: key interlock. The maintenance bypass closes only while the UPS is on static "
                "bypass; the UPS output breaker (UOB) opens only while the maintenance bypass is "
                "closed."
            )
        yield ("Buses: rated for all their source devices closed in parallel, spare ones included.")
        if over := self.buses_over_the_largest():
            yield over
        if kinds & {"ats", "tie"}:
            yield "Transfer switches and ties: mechanically and electrically interlocked."
        yield from self.earthing()
        if shared := parallel_switchgear(self.network):
            yield (
                f"{', '.join(shared[:4])}{' ...' if len(shared) > 4 else ''}: utility and "
                "generator mains mechanically and electrically interlocked, no parallel operation."
                " Each generator set has its own breaker and cable on paralleling switchgear, not "
                "drawn and not sized in this set; the generator main carries all sets of its plant."
            )

    def earthing(self) -> Iterator[str]:
        """Yield the earthing system, and how transfer switches treat two earthed neutrals."""
        if self.nec:
            if "4-pole, neutral switched" in self.transfer_poles.values():
                yield (
                    "Generators are separately derived systems with a grounded neutral (NEC "
                    "250.30): transfer switches are 4-pole and switch the neutral, so that each "
                    "state has one grounding point of the neutral."
                )
            return
        if self.design.chain.chain.transformer.grounding_a is not None:
            return
        yield "Earthing system: TN-S, neutral and protective conductor separate from each source."
        kinds = {self.network[tag].kind for tag in self.neutrals}
        if {"transformer", "generator-plant"} <= kinds and any(
            one.kind == "ats" for one in self.network.equipment
        ):
            yield (
                "Transformers and generators each have an earthed neutral: transfer switches are "
                "4-pole and switch the neutral (IEC 60364-4-44, 444.4.7), so that each state has "
                "one connection of neutral and protective conductor."
            )
