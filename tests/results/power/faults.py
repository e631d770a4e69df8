"""Fault currents of a design once more: a bus impedance matrix of every source state.

The program carries admittances up and down a tree. Here every bus, cable, transformer and source
is a row of an admittance matrix, which is inverted: its diagonal is the impedance seen from a bus,
a column the division of the current. Conductors are heated and cooled by the temperature
coefficients of NEC chapter 9 table 8 and IEC 60228.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from facility.power.faults.of_network import source_loops
from facility.power.faults.types import FaultCurrents
from facility.power.feeders.schedule import Feeder
from facility.power.network.graph.types import Equipment, Link
from facility.study.design.design import Design

SQRT3 = math.sqrt(3.0)
CLOSE = 3e-6
_PER_KELVIN_75 = {"cu": 0.00323, "al": 0.00330}
"""NEC chapter 9 table 8, note 2."""
_PER_KELVIN_20 = {"cu": 0.00393, "al": 0.00403}
"""IEC 60228, IEC 60287-1-1 table 1."""
_COLD_C = 25.0
_GROUNDED, _THROUGH, _OPEN = ("Dyn", "Yyn"), ("YNyn",), ("Dd",)


def _same(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if math.isnan(found) and math.isnan(wanted):
        return
    if not abs(found - wanted) <= part * max(abs(found), abs(wanted), 1e-6):
        yield f"{name}: {found!r}, by hand {wanted!r}"


@dataclass
class Buses:
    """Branches and sources of one state, impedances over the square of the voltage [1/VA]."""

    volts: dict[str, float] = field(default_factory=dict)
    positive: list[tuple[str, str, complex]] = field(default_factory=list)
    zero: list[tuple[str, str, complex]] = field(default_factory=list)
    ground: list[tuple[str, complex]] = field(default_factory=list)
    sources: list[tuple[str, str, complex, complex, float]] = field(default_factory=list)
    """Bus, kind, impedance, impedance for the peak by IEC 60909, sustained current [A]."""


class _State:
    """One source state of the network, for the highest or the lowest currents."""

    def __init__(self, found: Design, root: Equipment, highest: bool) -> None:
        self.found, self.root, self.highest = found, root, highest
        self.network = found.distribution.plan.network
        self.basis = found.facility.electrical.faults
        self.chain = found.chain
        self.feeders: dict[str, Feeder] = {
            f.circuit.tag: f for f in found.distribution.feeders.feeders
        }
        self.iec = self.basis.method == "iec-60909"
        self.buses = Buses()
        self._grow()

    # --- factors ------------------------------------------------------------------------------

    def c(self, volts: float, highest: bool) -> float:
        """IEC 60909-0 table 1."""
        if volts > 1000.0:
            return 1.10 if highest else 1.00
        narrow = self.basis.voltage.low_voltage_tolerance <= 0.06
        return {(True, True): 1.05, (True, False): 0.95, (False, True): 1.10,
                (False, False): 0.90}[narrow, highest]  # fmt: skip

    def drive(self, volts: float) -> float:
        """Return the voltage before the fault over the nominal one."""
        if self.iec:
            return self.c(volts, self.highest)
        return self.basis.voltage.highest if self.highest else self.basis.voltage.lowest

    # --- buses --------------------------------------------------------------------------------

    def _grow(self) -> None:
        root, network = self.root, self.network
        self.buses.volts[root.tag] = root.voltage_v
        for one in network.equipment:
            if one.tag == root.tag:
                continue
            ways = [
                link
                for link in one.links
                if network[link.source].kind not in ("ups", "maintenance-bypass")
                and link.source in self.buses.volts
            ]
            if ways:
                self._add(one, ways[0])
        for load in network.loads:
            if load.kind.critical:
                continue
            for cord in load.cords:
                source = cord.link.source
                if source in self.buses.volts:
                    tag = f"{load.tag} on {source}"
                    self._cable(tag, network[source].voltage_v, cord.link)
        self._sources()

    def _add(self, one: Equipment, link: Link) -> None:
        above_v = self.network[link.source].voltage_v
        if one.kind not in ("transformer", "pdu"):
            self._cable(one.tag, one.voltage_v, link)
            return
        primary = link.source
        if link.circuit:
            primary = f"{one.tag} primary"
            self._cable(primary, above_v, link)
        self._transformer(one, primary, link)

    def _cable(self, tag: str, volts: float, link: Link) -> None:
        feeder = self.feeders.get(link.circuit)
        self.buses.volts[tag] = volts
        choice = None if feeder is None else feeder.choice
        ohm = 0j
        infinite = self.root.kind == "utility" and self.found.facility.site.fault_level_va is None
        mv = feeder is not None and feeder.circuit.stage == "mv"
        if choice is not None and feeder is not None and not (infinite and mv):
            resistance = choice.resistance_ohm or 0.0
            if self.highest:
                resistance = self._cold(resistance, choice.material, mv)
            runs = 1 if feeder.circuit.stage == "mechanical" else feeder.circuit.runs
            ohm = complex(resistance, choice.reactance_ohm or 0.0) / (choice.sets * runs)
        zero = complex(
            ohm.real * self.basis.cable_zero_resistance, ohm.imag * self.basis.cable_zero_reactance
        )
        self.buses.positive.append((link.source, tag, ohm / volts**2))
        self.buses.zero.append((link.source, tag, zero / volts**2))

    def _cold(self, resistance: float, material: str, mv: bool) -> float:
        nec = self.found.facility.criteria.code == "NEC"
        of_c = 75.0 if nec else self.found.facility.electrical.conductors.insulation_c
        of_c = 90.0 if mv else of_c
        if of_c == 75.0:
            return resistance * (1.0 + _PER_KELVIN_75[material] * (_COLD_C - 75.0))
        per_20 = _PER_KELVIN_20[material]
        return resistance * (1.0 + per_20 * (_COLD_C - 20.0)) / (1.0 + per_20 * (of_c - 20.0))

    def _transformer(self, one: Equipment, primary: str, link: Link) -> None:
        chain, basis = self.chain, self.basis
        step_up = self.network[link.source].kind == "generator-plant"
        group, tolerance = chain.chain.transformer.vector_group, chain.chain.transformer.tolerance
        unit = chain.transformers.unit
        if one.kind == "pdu":
            assert chain.pdus is not None
            unit, group, tolerance = chain.pdus.unit, "Dyn11", basis.dry_transformer_tolerance
        elif step_up:
            assert chain.generators.step_up is not None
            unit, group = chain.generators.step_up, "Dyn11"
        units = float(len(one.unit_tags))
        if not self.highest and one.kind == "transformer" and not step_up:
            units = min(units, max(1, chain.transformers.duty_per_carrier // chain.ups.buses))
        resistance = unit.load_loss_w / unit.rating_va
        reactance = math.sqrt(unit.impedance**2 - resistance**2)
        z = complex(resistance, reactance) / unit.rating_va / units
        if self.iec:
            own = 0.95 * self.c(one.voltage_v, True) / (1.0 + 0.6 * reactance)
            factor = own if self.highest else 1.0
        else:
            factor = 1.0 - tolerance if self.highest else 1.0 + tolerance
        z *= factor
        resistor = 0.0 if one.kind == "pdu" else self._resistor_ohm(one.voltage_v) / units
        zero = basis.transformer_zero * z + 3.0 * resistor / one.voltage_v**2
        self.buses.volts[one.tag] = one.voltage_v
        self.buses.positive.append((primary, one.tag, z))
        if group.startswith(_THROUGH):
            self.buses.zero.append((primary, one.tag, zero))
        elif group.startswith(_GROUNDED) and not math.isinf(basis.transformer_zero):
            self.buses.ground.append((one.tag, zero))

    def _resistor_ohm(self, volts: float) -> float:
        limit_a = self.chain.chain.transformer.grounding_a
        if limit_a is None or volts != self.chain.chain.wiring.lv_voltage_v:
            return 0.0
        return volts / SQRT3 / limit_a

    # --- sources ------------------------------------------------------------------------------

    def _sources(self) -> None:
        root, data = self.root, self.basis.sources
        if root.kind == "utility":
            self._utility()
        elif root.kind == "generator-plant":
            self._sets()
        else:
            module, ups = self.chain.ups.module, self.chain.ups
            rated_a = module.rating_va * (ups.modules_per_system // ups.buses)
            rated_a /= SQRT3 * root.voltage_v
            stiff = 1e-15
            self.buses.sources.append((root.tag, "ups", stiff, stiff, data.ups_multiple * rated_a))
            self.buses.ground.append(
                (root.tag, stiff + 3.0 * self._resistor_ohm(root.voltage_v) / root.voltage_v**2)
            )
            return
        if data.motor_share * data.motor_multiple > 0.0 and self.highest:
            self._motors()

    def _utility(self) -> None:
        site, data = self.found.facility.site, self.basis.sources
        level = site.fault_level_va if self.highest else data.utility_minimum_va
        if level is None:
            level = 1e15 if self.highest else math.nan
        ratio = data.utility_x_over_r if site.x_over_r is None else site.x_over_r
        c = self.c(self.root.voltage_v, self.highest) if self.iec else 1.0
        z = c / level * complex(1.0, ratio) / math.hypot(1.0, ratio)
        self.buses.sources.append((self.root.tag, "utility", z, z, math.inf))
        self.buses.ground.append((self.root.tag, data.utility_zero * z))

    def _sets(self) -> None:
        plant, data, root = self.chain.generators, self.basis.sources, self.root
        sets = len(root.unit_tags)
        if not self.highest:
            sets = max(1, sets - self.chain.chain.generator.spare)
        x = data.generator_reactance
        z = complex(x / data.generator_x_over_r, x)
        if self.iec:
            sine = math.sqrt(1.0 - (plant.rating_w / plant.rating_va) ** 2)
            z *= self.c(root.voltage_v, True) / (1.0 + x * sine)
        z /= plant.rating_va * sets
        part = 0.15 if root.voltage_v <= 1000.0 else 0.07 if plant.rating_va < 100e6 else 0.05
        peak = complex(part * z.imag, z.imag)
        rated_a = plant.rating_va / (SQRT3 * root.voltage_v)
        held_a = data.generator_sustained * rated_a * sets
        self.buses.sources.append((root.tag, "generator", z, peak, held_a))
        resistor = 0.0 if plant.step_up is not None else self._resistor_ohm(root.voltage_v) / sets
        self.buses.ground.append(
            (root.tag, data.generator_zero * z + 3.0 * resistor / root.voltage_v**2)
        )

    def _motors(self) -> None:
        data = self.basis.sources
        for load in self.network.loads:
            if load.kind.critical or not load.tag.startswith("MECH"):
                continue
            for cord in load.cords:
                board = cord.link.source
                if board in self.buses.volts and self.network[board].kind == "lv-board":
                    whole_va = abs(complex(load.kind.neutral_va[-1].sum())) / len(load.cords)
                    ratio = data.motor_x_over_r
                    z = complex(1.0, ratio) / math.hypot(1.0, ratio)
                    z /= whole_va * data.motor_share * data.motor_multiple
                    self.buses.sources.append((board, "motor", z, z, math.inf))

    # --- matrices -----------------------------------------------------------------------------

    def seen(self, peak: bool = False) -> tuple[dict[str, int], np.ndarray]:
        """Return the bus impedance matrix of the positive sequence [1/VA]."""
        branches = self.buses.positive
        sources = [(bus, at if peak else z) for bus, _, z, at, _ in self.buses.sources]
        if peak:
            branches = [(a, b, _slow(z)) for a, b, z in branches]
            sources = [(bus, _slow(z)) for bus, z in sources]
        return self._matrix(branches, sources)

    def seen_zero(self) -> tuple[dict[str, int], np.ndarray]:
        """Return the diagonal part of interest of the zero sequence; infinite where open."""
        return self._matrix(self.buses.zero, self.buses.ground)

    def _matrix(
        self, branches: list[tuple[str, str, complex]], shunts: list[tuple[str, complex]]
    ) -> tuple[dict[str, int], np.ndarray]:
        rows: dict[str, int] = {tag: n for n, tag in enumerate(self.buses.volts)}
        size = 3e-14  # A joint of no impedance, as a branch
        y = np.zeros((len(rows), len(rows)), dtype=np.complex128)
        for a, b, z in branches:
            own = 1.0 / (z or size * 1j)
            i, k = rows[a], rows[b]
            y[i, i] += own
            y[k, k] += own
            y[i, k] -= own
            y[k, i] -= own
        for bus, z in shunts:
            y[rows[bus], rows[bus]] += 1.0 / z
        y[np.diag_indices(len(rows))] += 1e-9  # No bus is quite open
        return rows, np.linalg.inv(y)


def _slow(z: complex) -> complex:
    return complex(z.real, 0.4 * z.imag)


def _root_name(one: Equipment) -> str:
    if one.kind == "utility":
        return "utility"
    if one.kind == "generator-plant":
        return f"generator {one.tag.partition('-')[2]}".rstrip()
    return f"inverter {one.tag}"


def _of_bus(state: _State, faults: FaultCurrents, name: str) -> Iterator[str]:
    rows, z1 = state.seen()
    _, z0 = state.seen_zero()
    _, slow = state.seen(peak=True)
    kinds = [kind for _, kind, _, _, _ in state.buses.sources]
    limits = [limit for *_, limit in state.buses.sources]
    inverter = kinds[0] == "ups"
    for n, tag in enumerate(faults.tags):
        volts, at, i = state.buses.volts[tag], f"{tag} on {name}", rows[tag]
        drive_v = state.drive(volts) * volts
        three_a = drive_v / (SQRT3 * abs(z1[i, i]) * volts**2)
        ohm0 = z0[i, i] * volts**2
        ground_a = SQRT3 * drive_v / abs(2.0 * z1[i, i] * volts**2 + ohm0)
        if abs(ohm0) > 1e5:
            ground_a = 0.0
        line_a = three_a * SQRT3 / 2.0
        ratio = z1[i, i].imag / z1[i, i].real
        limit_a = limits[0] * state.root.voltage_v / volts if inverter else math.inf
        held = three_a > limit_a
        if three_a > 1e8 and not inverter:
            if not math.isinf(faults.three_phase_a[n]):
                yield f"three-phase at {at}: {faults.three_phase_a[n]!r} on an infinite bus"
            continue
        if inverter:
            line_limit_a = limit_a * (1.0 if state.highest else SQRT3 / 2.0)
            three_a, line_a = min(three_a, limit_a), min(line_a, line_limit_a)
            ground_a = min(ground_a, limit_a)
        yield from _same(f"three-phase at {at}", float(faults.three_phase_a[n]), three_a)
        yield from _same(f"line to line at {at}", float(faults.line_line_a[n]), line_a)
        yield from _same(f"to ground at {at}", float(faults.line_ground_a[n]), ground_a, 1e-5)
        if held:
            continue
        yield from _same(f"X/R at {at}", float(faults.x_over_r[n]), ratio)
        whole = 1.0 + 2.0 * math.exp(-2.0 * math.pi / ratio)
        yield from _same(
            f"asymmetrical at {at}", float(faults.asymmetrical_a[n]), three_a * math.sqrt(whole)
        )
        part = math.exp(-math.pi / ratio)
        crest = math.sqrt(2.0) * three_a * (1.0 + part)
        if state.iec:
            kappa = 1.02 + 0.98 * math.exp(-3.0 * 0.4 * slow[i, i].real / slow[i, i].imag)
            crest = kappa * math.sqrt(2.0) * three_a
        yield from _same(f"peak at {at}", float(faults.peak_a[n]), crest)
        left, total = 0j, 0j
        given_a = faults.contribution_a[n][: len(kinds)]  # Motors last: none for the lowest
        for (bus, kind, z, _, _), found_a in zip(state.buses.sources, given_a, strict=True):
            given = z1[rows[bus], i] / z
            total += given
            left += given * (kind != "motor")
            if abs(float(found_a) / three_a - abs(given)) > 1e-5:
                yield f"{kind} at {at}: {found_a / three_a!r}, by hand {abs(given)!r}"
        lasting_a = abs(left / total) * three_a
        most_a = sum(m for k, m in zip(kinds, limits, strict=True) if k != "motor")
        most_a *= state.root.voltage_v / volts
        yield from _same(f"sustained at {at}", float(faults.sustained_a[n]), min(lasting_a, most_a))


def fault_currents(found: Design) -> Iterator[str]:
    """Currents of all faults at every bus, in every source state, highest and lowest."""
    if found.facility.electrical.faults.method == "point-to-point":
        return
    faults = found.distribution.faults
    for one in found.distribution.plan.network.equipment:
        if one.kind not in ("utility", "generator-plant", "ups-output"):
            continue
        name = _root_name(one)
        states = faults.states[name]
        for highest, currents in ((True, states.highest), (False, states.lowest)):
            unknown = found.facility.electrical.faults.sources.utility_minimum_va is None
            if one.kind == "utility" and not highest and unknown:
                continue
            state = _State(found, one, highest)
            which = "highest" if highest else "lowest"
            yield from _of_bus(state, currents, f"{name}, {which}")


def earth_fault_loops(found: Design) -> Iterator[str]:
    """(2 Z1 + Z0) / 3 of the lowest currents at every bus, the larger of utility and generators."""
    sources = found.facility.electrical.faults.sources
    if found.facility.electrical.faults.method == "point-to-point":
        return
    distribution = found.distribution
    roots = [
        one
        for one in distribution.plan.network.equipment
        if one.kind in ("utility", "generator-plant")
    ]
    if any(one.kind == "utility" for one in roots) and sources.utility_minimum_va is None:
        return
    wanted: dict[str, float] = {}
    for root in roots:
        state = _State(found, root, False)
        rows, z1 = state.seen()
        _, z0 = state.seen_zero()
        for tag, i in rows.items():
            ohm = abs(2.0 * z1[i, i] + z0[i, i]) / 3.0 * state.buses.volts[tag] ** 2
            wanted[tag] = max(wanted.get(tag, 0.0), ohm)
    loops = source_loops(distribution.faults)
    for tag, bus in distribution.faults.bus_of.items():
        if bus in wanted and wanted[bus] < 1e5:
            yield from _same(f"loop at {tag}", loops[tag], wanted[bus], 1e-5)
