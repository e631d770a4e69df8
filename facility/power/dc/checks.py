"""Checks of the direct-current option: transferable power, drop, window, ampacity, converter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.catalogue import table
from facility.catalogue.articles import article
from facility.core.check import Check, Rule
from facility.model.facility import Criteria
from facility.model.power.dc import BUSBAR, DcBasis
from facility.power.rules import RULES


@dataclass(frozen=True)
class DcCircuit:
    """One solved circuit; `current_a` is None where the load exceeds what it can transfer."""

    basis: DcBasis
    load_w: float
    limit_w: float
    resistance_ohm: float
    current_a: float | None

    @property
    def drop_v(self) -> float:
        """Voltage drop out and back [V]."""
        return 2.0 * (self.current_a or 0.0) * self.resistance_ohm

    @property
    def at_load_v(self) -> float:
        """Voltage at the load [V]."""
        return self.basis.voltage_v - self.drop_v


def dc_checks(circuit: DcCircuit, criteria: Criteria) -> Iterator[Check]:
    """Yield every check of the circuit; without a solution those of its current are open."""
    subject = circuit.basis.architecture
    yield RULES["DC-MAXIMUM-POWER"].compare(
        subject, circuit.load_w, "<=", circuit.limit_w, "active_power"
    )
    drop = RULES["DC-VOLTAGE-DROP"].by(article("voltage drop", criteria.edition, criteria.code))
    source = article("conductor load", criteria.edition, criteria.code)
    ampacity = RULES["DC-AMPACITY"].by(source)
    if circuit.current_a is None:
        for rule in (drop, ampacity, RULES["DC-VOLTAGE-LOW"]):
            yield rule.not_evaluated(subject, "the load exceeds what the circuit can transfer")
    else:
        limit = criteria.voltage_drop_branch if subject == BUSBAR else criteria.voltage_drop_feeder
        part = circuit.drop_v / circuit.basis.voltage_v
        yield drop.compare(subject, part, "<=", limit, "fraction")
        yield _ampacity(ampacity, circuit, circuit.current_a, criteria)
        yield _low(circuit)
    yield _high(circuit.basis)
    yield _converter(circuit.basis)


def _ampacity(rule: Rule, circuit: DcCircuit, current_a: float, criteria: Criteria) -> Check:
    basis = circuit.basis
    if basis.architecture == BUSBAR:
        why = "the continuous rating of a bar is its maker's: no table of bars is carried"
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
    return rule.compare(
        basis.architecture,
        needed_a,
        "<=",
        allowed_a,
        "current",
        f"{criteria.continuous_factor:g} x {current_a:.1f} A continuous against {basis.sets} x "
        f"{listed_a:g} A in the 75 degC column, 30 degC ambient, each pair in its own raceway",
    )


def _low(circuit: DcCircuit) -> Check:
    basis = circuit.basis
    if basis.voltage_min_v is None:
        return RULES["DC-VOLTAGE-LOW"].not_evaluated(
            basis.architecture,
            f"{circuit.at_load_v:.1f} V at the load; its least voltage is not given "
            "(power.dc.voltage_min), and no published window is carried",
        )
    return RULES["DC-VOLTAGE-LOW"].compare(
        basis.architecture, circuit.at_load_v, ">=", basis.voltage_min_v, "dc_voltage"
    )


def _high(basis: DcBasis) -> Check:
    if basis.voltage_max_v is None:
        why = "the highest voltage of the load is not given (power.dc.voltage_max)"
        return RULES["DC-VOLTAGE-HIGH"].not_evaluated(basis.architecture, why)
    return RULES["DC-VOLTAGE-HIGH"].compare(
        basis.architecture, basis.voltage_v, "<=", basis.voltage_max_v, "dc_voltage"
    )


def _converter(basis: DcBasis) -> Check:
    rule = RULES["DC-CONVERTER-LOSS"]
    if basis.converter_efficiency is None:
        why = "no efficiency of the converter is given; none is assumed"
        return rule.not_evaluated(basis.architecture, why)
    why = f"{basis.converter_efficiency:.1%} as given"
    return rule.verdict(basis.architecture, True, why)
