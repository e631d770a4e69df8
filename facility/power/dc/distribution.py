"""Direct-current distribution as an option: current, drop, loss and checks of one circuit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from facility.catalogue import Row, table
from facility.catalogue.articles import article
from facility.core.check import Check, Rule
from facility.core.sources import PROJECT, RULE, Source
from facility.core.table import Value
from facility.core.trace import Findings, Trace
from facility.model.facility import Criteria
from facility.model.power.electrical import BUSBAR, DcBasis
from facility.physics.circuits.conductor_metals import PER_KELVIN_20, PER_KELVIN_75
from facility.physics.circuits.conductors import resistance_at
from facility.physics.circuits.dc import (
    bar_resistance,
    constant_power_current,
    maximum_power,
    resistance_of_sets,
    section_for_loss,
    two_wire_loss,
)
from facility.physics.circuits.voltage_drop import voltage_drop_two_wire
from facility.power.rules import RULES


@dataclass(frozen=True)
class DcCircuit:
    """Solved circuit; `current_a` is None if the load exceeds the maximum power transfer."""

    basis: DcBasis
    load_w: float
    limit_w: float
    resistance_ohm: float
    current_a: float | None

    @property
    def drop_v(self) -> float:
        """Voltage drop, out and return [V]."""
        return 2.0 * (self.current_a or 0.0) * self.resistance_ohm

    @property
    def at_load_v(self) -> float:
        """Voltage at the load [V]."""
        return self.basis.voltage_v - self.drop_v


def dc_checks(circuit: DcCircuit, criteria: Criteria) -> Iterator[Check]:
    """Yield every check of the circuit; not evaluated where no solution exists."""
    subject = circuit.basis.architecture
    yield from RULES.checks(circuit)
    drop = RULES["DC-VOLTAGE-DROP"].by(article("voltage drop", criteria.edition, criteria.code))
    source = article("conductor load", criteria.edition, criteria.code)
    ampacity = RULES["DC-AMPACITY"].by(source)
    if circuit.current_a is None:
        for rule in (drop, ampacity, RULES["DC-VOLTAGE-LOW"]):
            yield rule.not_evaluated(
                subject, "the load exceeds the maximum power transfer of the circuit"
            )
    else:
        limit = criteria.voltage_drop_branch if subject == BUSBAR else criteria.voltage_drop_feeder
        part = circuit.drop_v / circuit.basis.voltage_v
        yield drop.at_most(subject, part, limit, "fraction")
        yield _ampacity(ampacity, circuit, circuit.current_a, criteria)
        yield _low(circuit)
    yield _converter(circuit.basis)


def _ampacity(rule: Rule, circuit: DcCircuit, current_a: float, criteria: Criteria) -> Check:
    basis = circuit.basis
    if basis.architecture == BUSBAR:
        why = "the manufacturer sets the continuous rating of a bar; no table of bars is included"
        return rule.not_evaluated(basis.architecture, why)
    if criteria.code != "NEC":
        why = "sizes in AWG and kcmil have no ampacity in IEC 60364-5-52"
        return rule.not_evaluated(basis.architecture, why)
    row = table("electrical/nec_310_16_ampacity").index.get((basis.size,))
    listed_a = None if row is None else row.si_or_none(f"{basis.metal}_75c_a")
    if listed_a is None:
        why = f"Table 310.16 has no 75 degC ampacity of {basis.metal} {basis.size}"
        return rule.not_evaluated(basis.architecture, why)
    needed_a, allowed_a = criteria.continuous_factor * current_a, basis.sets * listed_a
    return rule.at_most(
        basis.architecture,
        needed_a,
        allowed_a,
        "current",
        f"{criteria.continuous_factor:g} x {current_a:,.1f} A continuous; ampacity {basis.sets} x "
        f"{listed_a:,g} A in the 75 degC column, 30 degC ambient, each pair in a separate raceway",
    )


def _low(circuit: DcCircuit) -> Check:
    rule = RULES["DC-VOLTAGE-LOW"]
    basis = circuit.basis
    if basis.voltage_min_v is None:
        return rule.not_evaluated(
            basis.architecture,
            f"{circuit.at_load_v:.1f} V at the load; its minimum voltage is not specified "
            "(power.dc.voltage_min), and no published range is included",
        )
    return rule.at_least(basis.architecture, circuit.at_load_v, basis.voltage_min_v, "dc_voltage")


def _converter(basis: DcBasis) -> Check:
    rule = RULES["DC-CONVERTER-LOSS"]
    if basis.converter_efficiency is None:
        why = "the converter efficiency is not specified; none is assumed"
        return rule.not_evaluated(basis.architecture, why)
    why = f"{basis.converter_efficiency:.1%} as stated"
    return rule.verdict(basis.architecture, True, why)


COMPARED_V = (54.0, 400.0, 800.0)
"""Voltages compared at the load of the study [V]."""

_METALS = Source("busbar-metals", "copper 100 % IACS, aluminium 60 % IACS, at 20 degC")
_RESISTIVITY_20_OHM_M = {"cu": 1e-6 / 58.0, "al": 1e-6 / 34.8}
_R_COLUMN = {"cu": "dc_r_cu_uncoated_ohm_per_kft", "al": "dc_r_al_ohm_per_kft"}
_KFT_M = 304.8


def design_dc(basis: DcBasis, rack_w: float, criteria: Criteria, trace: Trace) -> Findings:
    """Return the study of one busbar or feeder; empty without an architecture.

    It is an option next to the AC design, whose losses it does not change.

    rack_w: Input of the largest rack, the default load [W].
    """
    found = Findings(trace)
    if basis.architecture == "none":
        return found
    load_w = _load(basis, rack_w, trace)
    resistance_ohm = _resistance(basis, trace)
    limit_w = float(
        trace.do(
            "dc.maximum_power",
            maximum_power,
            "no steady state above this power",
            source_v="power.dc.voltage",
            resistance_ohm="dc.resistance",
        )
    )
    current_a = _solve(trace) if load_w <= limit_w else None
    circuit = DcCircuit(basis, load_w, limit_w, resistance_ohm, current_a)
    _results(circuit, found)
    # Current and section at each compared voltage, for the same load, length and loss
    for volts in COMPARED_V:
        key = f"dc.at_{volts:.0f}v"
        trace.do(f"{key}.section", section_for_loss, "of one pole, for the stated loss",
                 source_v=volts, load_w="dc.load", length_m="power.dc.length",
                 resistivity_ohm_m="dc.resistivity",
                 loss_fraction="power.dc.compared_loss")  # fmt: skip
        found.show(f"{key}.section", f"{basis.compared_loss:.1%} loss, {basis.metal}")
        if load_w > float(maximum_power.si(volts, resistance_ohm)):
            continue
        found.do(f"{key}.current", constant_power_current, "with this conductor",
                 source_v=volts, load_w="dc.load", resistance_ohm="dc.resistance")  # fmt: skip
        loss_w = trace.do(f"{key}.loss_power", two_wire_loss, "with this conductor",
                          current_a=f"{key}.current", resistance_ohm="dc.resistance")  # fmt: skip
        trace.derive(f"{key}.loss", float(loss_w / load_w), "fraction", "loss divided by load",
                     loss=f"{key}.loss_power", load="dc.load")  # fmt: skip
        found.show(f"{key}.loss", "of the load")
    found.checks += dc_checks(circuit, criteria)
    return found


def _load(basis: DcBasis, rack_w: float, trace: Trace) -> float:
    if basis.load_w is not None:
        return trace.given("dc.load", basis.load_w, "active_power", PROJECT)
    trace.ledger.add(
        "power.dc.load",
        rack_w,
        "active_power",
        "one circuit for the largest rack at its AC input: losses of the AC supplies that direct"
        " current eliminates are not deducted",
        RULE,
    )
    return trace.given("dc.load", rack_w, "active_power", RULE, "AC input of the largest rack")


def _resistance(basis: DcBasis, trace: Trace) -> float:
    """Record the resistance of one pole at the conductor temperature and return it [ohm]."""
    if basis.architecture == BUSBAR:
        _record_resistivity(basis, trace)
        trace.given("dc.section", basis.section_m2 or math.nan, "cross_section", PROJECT)
        return float(
            trace.do("dc.resistance", bar_resistance, "one bar; joints and taps excluded",
                     length_m="power.dc.length", area_m2="dc.section",
                     resistivity_ohm_m="dc.resistivity")
        )  # fmt: skip
    row, column = feeder_row(basis), _R_COLUMN[basis.metal]
    listed_ohm = float(row.require(column))
    trace.given("dc.resistance_listed", listed_ohm, "resistance", row.cite(column),
                "per 1000 ft at 75 degC")  # fmt: skip
    trace.given("dc.section", basis.sets * row.si("conductor_area_mm2"), "cross_section",
                row.cite("conductor_area_mm2"), f"{basis.sets} x {basis.size} a pole")  # fmt: skip
    trace.do("dc.resistance_75", resistance_of_sets, "one pole at 75 degC",
             listed_ohm="dc.resistance_listed", listed_length_m=_KFT_M,
             length_m="power.dc.length", sets=float(basis.sets))  # fmt: skip
    _record_resistivity(basis, trace)
    return float(
        trace.do("dc.resistance", resistance_at, resistance_ohm="dc.resistance_75",
                 per_kelvin=PER_KELVIN_75[basis.metal], from_c=75.0,
                 to_c="power.dc.conductor_temperature")
    )  # fmt: skip


def feeder_row(basis: DcBasis) -> Row:
    """Return the row of chapter 9, table 8 of the feeder: stranded if both are listed."""
    rows = table("electrical/nec_ch9_table8").select(size=basis.size)
    return max(rows, key=lambda row: row.integer("strands"))


def _record_resistivity(basis: DcBasis, trace: Trace) -> None:
    rise = 1.0 + PER_KELVIN_20[basis.metal] * (basis.conductor_c - 20.0)
    trace.given(
        "dc.resistivity",
        _RESISTIVITY_20_OHM_M[basis.metal] * rise,
        "resistivity",
        _METALS,
        f"{basis.metal} at {basis.conductor_c:g} degC",
    )


def _solve(trace: Trace) -> float:
    trace.do(
        "dc.current",
        constant_power_current,
        source_v="power.dc.voltage",
        load_w="dc.load",
        resistance_ohm="dc.resistance",
    )
    trace.do(
        "dc.voltage_drop",
        voltage_drop_two_wire,
        "out and return; direct current: R only",
        current_a="dc.current",
        impedance_ohm="dc.resistance",
    )
    trace.do(
        "dc.loss",
        two_wire_loss,
        "of one circuit",
        current_a="dc.current",
        resistance_ohm="dc.resistance",
    )
    trace.sum("dc.source_power", "active_power", "delivered by the source", "dc.load", "dc.loss")
    return trace.value("dc.current")


def _results(circuit: DcCircuit, found: Findings) -> None:
    basis, trace = circuit.basis, found.trace
    label = f"{basis.architecture}, one circuit, compared with the AC design"
    count, words = 2 * basis.sets, "positive and negative"
    trace.choose("dc.conductors", count, "count", words, RULE)
    found.text("dc.architecture", basis.architecture)
    found.show("dc.load", label)
    found.show("dc.section", "of one pole")
    found.results["dc.conductors"] = Value(count, "count", words)
    found.show("dc.resistance", "one pole")
    found.show("dc.maximum_power")
    if circuit.current_a is None:
        return
    fraction = circuit.drop_v / basis.voltage_v
    trace.derive("dc.voltage_at_load", circuit.at_load_v, "dc_voltage", "source voltage minus drop",
                 source="power.dc.voltage", drop="dc.voltage_drop")  # fmt: skip
    trace.derive("dc.voltage_drop_fraction", fraction, "fraction", "of the source voltage",
                 drop="dc.voltage_drop")  # fmt: skip
    found.show("dc.current", label)
    found.results["dc.voltage_drop"] = Value(circuit.drop_v, "dc_voltage", label)
    found.results["dc.voltage_drop_fraction"] = Value(fraction, "fraction")
    found.show("dc.voltage_at_load", label)
    found.show("dc.loss", label)
    found.show("dc.source_power", label)
    if basis.converter_efficiency is not None:
        trace.given("dc.converter_efficiency", basis.converter_efficiency, "fraction", PROJECT)
        trace.derive(
            "dc.input_power", trace.value("dc.source_power") / basis.converter_efficiency,
            "active_power", "source power divided by converter efficiency",
            source_power="dc.source_power", efficiency="dc.converter_efficiency",
        )  # fmt: skip
        found.show("dc.input_power", "AC input of the converter")
