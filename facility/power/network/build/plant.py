"""From the utility to the outputs of the UPS: boards, transformers, generators, converters."""

from __future__ import annotations

from dataclasses import dataclass

from facility.physics.faults.impedances import transformer_impedance
from facility.power.backup.sections import section_of
from facility.power.network.build.plan import PlannedCircuit, Stage
from facility.power.network.graph.types import Converter, Equipment, EquipmentKind, Link
from facility.power.train.types import ChainDesign, TransformerUnit

UTILITY = "UTIL"
PLANT = "GEN"
STEP_UP = "GSU"


@dataclass(frozen=True, slots=True)
class Lineup:
    """One output bus of one UPS system, with all that stands above it."""

    name: str  # E.g. "A1": system and number of the bus
    system: str
    bus: int  # Number of the bus within the system, from 0

    @property
    def board(self) -> str:
        """Tag of its LV board."""
        return f"LVB-{self.name}"

    @property
    def output(self) -> str:
        """Tag of its UPS output."""
        return f"UPO-{self.name}"


def lineups(design: ChainDesign) -> tuple[Lineup, ...]:
    """Return the lineups of all systems, system by system."""
    buses = design.ups.buses
    return tuple(
        Lineup(f"{system}{bus + 1}" if buses > 1 else system, system, bus)
        for system in design.ups.systems
        for bus in range(buses)
    )


def four_wire(design: ChainDesign) -> bool:
    """Return whether LV boards and UPS carry a neutral: racks hang on it without transformers."""
    return design.pdus is None and design.chain.panels.single_phase == "L-N"


class Plant:
    """Collects equipment and circuits between the utility and the UPS outputs."""

    def __init__(self, design: ChainDesign, generators_mv: bool) -> None:
        self.design = design
        self.generators_mv = generators_mv
        self.equipment: list[Equipment] = []
        self.circuits: dict[str, PlannedCircuit] = {}
        self._add("utility", UTILITY, design.utility_voltage_v, maintainable=False)
        sections = range(design.chain.generator.sections)
        plants = [self._generators(section) for section in sections]
        self.plants = dict(zip(sections, plants, strict=True))
        for system in design.ups.systems if design.transformers.present else ():
            for section in sections:
                self._switchgear(system, section)
        sources = [self._incomer(lineup) for lineup in lineups(design)]
        for lineup, source in zip(lineups(design), sources, strict=True):
            self._board(lineup, source, sources)
            self._converters(lineup)

    @property
    def _lv_v(self) -> float:
        return self.design.chain.wiring.lv_voltage_v

    def _add(
        self,
        kind: EquipmentKind,
        tag: str,
        voltage_v: float,
        *,
        maintainable: bool = True,
        links: tuple[Link, ...] = (),
    ) -> None:
        self.equipment.append(Equipment(tag, kind, voltage_v, links, maintainable=maintainable))

    def _circuit(
        self, stage: Stage, source: str, target: str, voltage_v: float, runs: int = 1
    ) -> Link:
        tag = f"{source}>{target}"
        neutral = stage != "mv" and four_wire(self.design)
        self.circuits[tag] = PlannedCircuit(
            tag, source, target, stage, voltage_v, neutral=neutral, runs=runs
        )
        return Link(source, tag)

    def _section(self, lineup: Lineup) -> int:
        return section_of(lineup.bus, self.design.ups.buses, self.design.chain.generator.sections)

    def _switchgear_tag(self, system: str, section: int) -> str:
        several = self.design.chain.generator.sections > 1
        return f"MVS-{system}-{section + 1}" if several else f"MVS-{system}"

    def _generators(self, section: int) -> str:
        """Add the sets of a section, and their step-up transformers; return the tag they feed by.

        Each set has a transformer of its own; they stand as one piece with as many units.
        """
        plant = self.design.generators
        count = plant.section_sets(section)
        if not count:
            return ""
        suffix = f"-S{section + 1}" if plant.sections > 1 else ""
        tag = f"{PLANT}{suffix}"
        self.equipment.append(
            Equipment(
                tag,
                "generator-plant",
                plant.voltage_v,
                units=_units(tag, count),
                rating_w=plant.rating_w * plant.derate,
                rating_va=plant.rating_va * plant.derate,
            )
        )
        if plant.step_up is None:
            return tag
        raised = f"{STEP_UP}{suffix}"
        bus_v = self.design.utility_voltage_v if self.generators_mv else self._lv_v
        self.equipment.append(
            transformer(raised, plant.step_up, count, bus_v, (Link(tag),), "transformer")
        )
        return raised

    def _switchgear(self, system: str, section: int) -> None:
        tag, voltage_v = self._switchgear_tag(system, section), self.design.utility_voltage_v
        links = [self._circuit("mv", UTILITY, tag, voltage_v)]
        plant = self.plants[section]
        if self.generators_mv and plant:
            links.append(self._circuit("mv", plant, tag, voltage_v))
        self._add("mv-switchgear", tag, voltage_v, links=tuple(links))

    def _incomer(self, lineup: Lineup) -> str:
        """Add transformers and transfer switch of a lineup; return what feeds its board."""
        source = self._transformers(lineup)
        if not self.design.generators.count or self.generators_mv:
            return source
        tag = f"ATS-{lineup.name}"
        normal = self._circuit(self._above_board, source, tag, self._lv_v)
        generator = self._circuit("generator", self.plants[self._section(lineup)], tag, self._lv_v)
        self._add("ats", tag, self._lv_v, links=(normal, generator))
        return tag

    def _board(self, lineup: Lineup, source: str, sources: list[str]) -> None:
        """Add the LV board; with ties it can take the incomer of the next board instead."""
        links = [self._into_board(source, lineup.board)]
        if self.design.chain.wiring.ties and len(sources) > 1:
            step = self.design.ups.buses if len(self.design.ups.systems) > 1 else 1
            other = sources[(sources.index(source) + step) % len(sources)]
            if other != source:
                links.append(self._circuit("board", other, lineup.board, self._lv_v))
        self._add("lv-board", lineup.board, self._lv_v, links=tuple(links))

    def _into_board(self, source: str, board: str) -> Link:
        if source.startswith("ATS-"):
            return Link(source)
        return self._circuit(self._above_board, source, board, self._lv_v)

    @property
    def _above_board(self) -> Stage:
        """The circuit ahead of board or transfer switch: of a transformer, or of the service."""
        return "transformer" if self.design.transformers.present else "service"

    def _transformers(self, lineup: Lineup) -> str:
        transformers, buses = self.design.transformers, self.design.ups.buses
        if not transformers.present:
            return UTILITY
        each, odd = divmod(transformers.per_carrier, buses)
        count = max(1, each + (lineup.bus < odd))
        tag = f"TX-{lineup.name}"
        mvs = self._switchgear_tag(lineup.system, self._section(lineup))
        cable = self._circuit("mv", mvs, tag, self.design.utility_voltage_v)
        self.equipment.append(
            transformer(
                tag,
                transformers.unit,
                count,
                self._lv_v,
                (cable,),
                "transformer",
                delta=self.design.chain.transformer.vector_group.startswith("D"),
                rating_left=self.design.chain.transformer.rating_left,
            )
        )
        return tag

    def _converters(self, lineup: Lineup) -> None:
        ups, board = self.design.ups, lineup.board
        module = ups.module
        count = ups.modules_per_system // ups.buses
        tags = {kind: f"{kind}-{lineup.name}" for kind in ("UPS", "SBP", "MBP")}
        self.equipment.append(
            Equipment(
                tags["UPS"],
                "ups",
                self._lv_v,
                links=(self._circuit("ups-input", board, tags["UPS"], self._lv_v, count),),
                units=_units(tags["UPS"], count),
                rating_va=module.rating_va,
                rating_w=module.rating_w,
                rating_left=self.design.chain.ups.rating_left,
                converter=Converter(
                    module.constant, module.linear, module.quadratic, module.input_power_factor
                ),
            )
        )
        bypasses: tuple[tuple[str, EquipmentKind, int], ...] = (
            ("SBP", "static-bypass", count),
            ("MBP", "maintenance-bypass", 1),
        )
        for name, kind, runs in bypasses:
            self.equipment.append(
                Equipment(
                    tags[name],
                    kind,
                    self._lv_v,
                    links=(self._circuit("bypass", board, tags[name], self._lv_v, runs),),
                    rating_va=self.design.bus_rating_va * self.design.chain.ups.bypass_rating,
                )
            )
        ways = tuple(Link(tags[name]) for name in ("UPS", "SBP", "MBP"))
        self._add("ups-output", lineup.output, self._lv_v, links=ways)


def transformer(
    tag: str,
    unit: TransformerUnit,
    count: int,
    voltage_v: float,
    links: tuple[Link, ...],
    kind: EquipmentKind,
    delta: bool = True,
    rating_left: float = 1.0,
) -> Equipment:
    """Return `count` equal transformers in parallel; `voltage_v` is the secondary."""
    resistance_ohm, reactance_ohm = transformer_impedance.si(
        unit.rating_va, voltage_v, unit.impedance, unit.load_loss_w
    )
    return Equipment(
        tag,
        kind,
        voltage_v,
        links,
        _units(tag, count),
        rating_va=unit.rating_va,
        resistance_ohm=float(resistance_ohm),
        reactance_ohm=float(reactance_ohm),
        no_load_w=unit.no_load_w,
        delta_wye=delta,
        rating_left=rating_left,
    )


def _units(tag: str, count: int) -> tuple[str, ...]:
    return tuple(f"{tag}-{n + 1}" for n in range(count)) if count > 1 else ()
