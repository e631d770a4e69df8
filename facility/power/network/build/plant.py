"""Network from the utility to the UPS outputs: boards, transformers, generators, converters."""

from __future__ import annotations

from dataclasses import dataclass

from facility.physics.faults.impedances import transformer_impedance
from facility.power.backup.sections import section_of
from facility.power.backup.voltages import LOW_VOLTAGE_V
from facility.power.network.build.plan import PlannedCircuit, SetTerminals, Stage
from facility.power.network.graph.types import Converter, Equipment, EquipmentKind, Link
from facility.power.train.types import ChainDesign, TransformerUnit

UTILITY = "UTIL"
PLANT = "GEN"
STEP_UP = "GSU"
SET_BUS = "GPB"
"""Tags of the utility, the generator sets, their step-up transformers, and their bus."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """Output bus of a UPS system with its upstream equipment."""

    name: str  # E.g. "A1": system and bus number
    system: str
    bus: int  # Bus number within the system, from 0

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
    """Return whether LV boards and UPS have a neutral for racks without transformers."""
    return design.pdus is None and design.chain.panels.single_phase == "L-N"


class Plant:
    """Collector of equipment and circuits between utility and UPS outputs."""

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
        self,
        stage: Stage,
        source: str,
        target: str,
        voltage_v: float,
        units: tuple[int, int] = (1, 0),
        terminals: SetTerminals | None = None,
    ) -> Link:
        """Add identical circuits, one per unit; the last ones are spare.

        A step-up transformer is a delta on the set side: no neutral runs to it.
        """
        bare = stage == "mv" or target.startswith(STEP_UP)
        tag, (runs, spare) = f"{source}>{target}", units
        self.circuits[tag] = PlannedCircuit(
            tag,
            source,
            target,
            stage,
            voltage_v,
            neutral=not bare and four_wire(self.design),
            breaker_a=None if terminals is None else self.design.chain.generator.breaker_a,
            runs=runs,
            spare_runs=min(spare, runs - 1),
            terminals=terminals,
        )
        return Link(source, tag)

    def _section(self, lineup: Lineup) -> int:
        return section_of(lineup.bus, self.design.ups.buses, self.design.chain.generator.sections)

    def _switchgear_tag(self, system: str, section: int) -> str:
        several = self.design.chain.generator.sections > 1
        return f"MVS-{system}-{section + 1}" if several else f"MVS-{system}"

    def _generators(self, section: int) -> str:
        """Add the sets of a section and their bus; return the tag that feeds the loads.

        Each set has a circuit to the bus, or to a separate step-up transformer and from there; all
        sets of a section are one piece of equipment with several units. A single set for one
        lineup, and sets of the MV switchgear, need no bus.
        """
        plant = self.design.generators
        count = plant.section_sets(section)
        if not count:
            return ""
        suffix = f"-S{section + 1}" if plant.sections > 1 else ""
        bus_v = self.design.utility_voltage_v if self.generators_mv else self._lv_v
        tag = f"{PLANT}{suffix}"
        self.equipment.append(
            Equipment(
                tag,
                "generator-plant",
                bus_v if plant.step_up is None else plant.voltage_v,
                units=_units(tag, count),
                rating_w=plant.rating_w * plant.derate,
                rating_va=plant.rating_va * plant.derate,
            )
        )
        units = count, plant.spare // plant.sections
        if plant.step_up is not None:
            tag = self._step_up(tag, f"{STEP_UP}{suffix}", plant.step_up, units, bus_v)
        if self.generators_mv or self._feeds_alone(section):
            return tag
        bus, terminals = f"{SET_BUS}{suffix}", self._terminals(tag, alone=count == 1)
        link = self._circuit("set", tag, bus, self._lv_v, units, terminals)
        self._add("generator-bus", bus, self._lv_v, links=(link,))
        return bus

    def _step_up(
        self, plant: str, tag: str, unit: TransformerUnit, units: tuple[int, int], bus_v: float
    ) -> str:
        """Add the step-up transformers of the sets of a plant; return their tag."""
        terminals, voltage_v = self._terminals(plant, alone=True), self.design.generators.voltage_v
        link = Link(plant)
        if terminals is not None:
            link = self._circuit("set", plant, tag, voltage_v, units, terminals)
        self.equipment.append(transformer(tag, unit, units[0], bus_v, (link,), "transformer"))
        return tag

    def _feeds_alone(self, section: int) -> bool:
        """Return whether a section has one set and one lineup."""
        fed = [one for one in lineups(self.design) if self._section(one) == section]
        return self.design.generators.section_sets(section) == 1 and len(fed) == 1

    def _terminals(self, source: str, *, alone: bool) -> SetTerminals | None:
        """Return the low-voltage set at the supply end of circuits from `source`; None if none.

        alone: Whether no other set is on its circuit: its device is then at the set, as under the
            IEC. Parallel sets under the NEC have their devices at the bus.
        """
        plant, basis = self.design.generators, self.design.chain.generator
        usual = "set" if alone or self.design.chain.ups.code == "IEC" else "bus"
        if not source.startswith(PLANT) or plant.voltage_v > LOW_VOLTAGE_V:
            return None
        return SetTerminals(
            plant.rating_va,
            plant.voltage_v,
            (basis.breaker or usual) == "set",
            basis.overload_prevented,
        )

    def _switchgear(self, system: str, section: int) -> None:
        tag, voltage_v = self._switchgear_tag(system, section), self.design.utility_voltage_v
        links = [self._circuit("mv", UTILITY, tag, voltage_v)]
        plant = self.plants[section]
        if self.generators_mv and plant:
            links.append(self._circuit("mv", plant, tag, voltage_v))
        self._add("mv-switchgear", tag, voltage_v, links=tuple(links))

    def _incomer(self, lineup: Lineup) -> str:
        """Add transformers and transfer switch of a lineup; return the tag that feeds its board."""
        source = self._transformers(lineup)
        if not self.design.generators.count or self.generators_mv:
            return source
        tag = f"ATS-{lineup.name}"
        normal = self._from_incomer(source, tag)
        plant = self.plants[self._section(lineup)]
        stage: Stage = "generator" if plant.startswith(SET_BUS) else "set"
        terminals = self._terminals(plant, alone=True)
        generator = self._circuit(stage, plant, tag, self._lv_v, terminals=terminals)
        self._add("ats", tag, self._lv_v, links=(normal, generator))
        return tag

    def _board(self, lineup: Lineup, source: str, sources: list[str]) -> None:
        """Add the LV board; with ties the incomer of the next board can supply it too."""
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
        return self._from_incomer(source, board)

    def _from_incomer(self, source: str, target: str) -> Link:
        """Add the circuit upstream of board or transfer switch: from transformers or service.

        Each of several parallel transformers has a secondary circuit with a separate main.
        """
        if not self.design.transformers.present:
            return self._circuit("service", source, target, self._lv_v)
        units = next(len(one.unit_tags) for one in self.equipment if one.tag == source)
        spare = self.design.chain.transformer.spare
        return self._circuit("transformer", source, target, self._lv_v, (units, spare))

    def _transformers(self, lineup: Lineup) -> str:
        transformers, buses = self.design.transformers, self.design.ups.buses
        if not transformers.present:
            return UTILITY
        each, odd = divmod(transformers.per_carrier, buses)
        count = max(1, each + (lineup.bus < odd))
        tag = f"TX-{lineup.name}"
        mvs = self._switchgear_tag(lineup.system, self._section(lineup))
        units = count, self.design.chain.transformer.spare
        cable = self._circuit("mv", mvs, tag, self.design.utility_voltage_v, units)
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
        spare = self.design.chain.scheme.spare_modules
        tags = {kind: f"{kind}-{lineup.name}" for kind in ("UPS", "SBP", "MBP")}
        self.equipment.append(
            Equipment(
                tags["UPS"],
                "ups",
                self._lv_v,
                links=(self._circuit("ups-input", board, tags["UPS"], self._lv_v, (count, spare)),),
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
        over = self.design.chain.ups.factors["bypass_rating"]
        for name, kind, runs in bypasses:
            self.equipment.append(
                Equipment(
                    tags[name],
                    kind,
                    self._lv_v,
                    links=(self._circuit("bypass", board, tags[name], self._lv_v, (runs, spare)),),
                    rating_va=self.design.bus_rating_va * over,
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
    """Return `count` identical transformers in parallel; `voltage_v` is the secondary."""
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
