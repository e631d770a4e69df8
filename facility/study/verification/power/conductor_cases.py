"""Cases of conductors by NEC and IEC: sizes, ampacities, grounding, conduits, protection."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from facility.core.errors import FacilityError
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import conduit_fill, upsized_egc
from facility.physics.circuits.iec_conductors import equivalent_current, third_harmonic_neutral
from facility.physics.circuits.voltage_drop import effective_impedance
from facility.power.feeders.iec.choice import choose_iec
from facility.power.feeders.iec.tables import harmonic
from facility.power.feeders.nec.ampacity import ampacities, derating
from facility.power.feeders.nec.candidate import fill_limit, voltage_drop
from facility.power.feeders.nec.choice import choose_nec
from facility.power.feeders.nec.equipment import ground_fault_check
from facility.power.feeders.nec.grounding import installed_egc, table_egc
from facility.power.feeders.nec.tables import (
    conduits,
    impedance_per_metre,
    insulated_area,
    wire_size,
)
from facility.power.feeders.nec.transformer import TransformerProtection, protect_transformer
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.study.verification.inputs import CaseFunctions
from facility.study.verification.power.panel_cases import NEC

_SQRT3 = 3.0**0.5
_INSULATION = "THHN/THWN-2"
COPPER = ConductorBasis(
    material="cu",
    insulation=_INSULATION,
    insulation_c=90.0,
    termination_c=75.0,
    ambient_c=30.0,
    raceway="EMT",
    method="",
    largest_size="600",
    neutral_counted=True,
    grouped_circuits=1,
    transformer_length_m=25.0,
    set_length_m=15.0,
    generator_length_m=40.0,
    ups_length_m=20.0,
    feeder_length_m=45.0,
    panel_length_m=15.0,
    mechanical_length_m=60.0,
    branch_length_m=None,
    unit_length_m=20.0,
    mechanical_device_a=800.0,
    largest_pump_w=110e3,
)
PVC = replace(
    COPPER, insulation="PVC", insulation_c=70.0, termination_c=70.0, raceway="", largest_size="300"
)
IEC = replace(
    NEC,
    code="IEC",
    edition="2009",
    continuous_factor=1.0,
    voltage_drop_branch=0.05,
    voltage_drop_feeder=0.05,
)
_LENGTH_M, _POWER_FACTOR = 10.0, 0.95
_PROTECTION = "NEC-CONDUCTOR-PROTECTION"

Size = str | float
"""A size of conductor: a case reads ``4/0`` as text and ``250`` as a number."""


def _name(size: Size) -> str:
    return size if isinstance(size, str) else f"{size:g}"


def feeder(continuous_a: float, line_voltage_v: float = 480.0, **changes: Any) -> CircuitDemand:
    """Return a three-phase feeder of 10 m without a neutral, with changes."""
    demand = CircuitDemand(
        continuous_a,
        0.0,
        3,
        line_voltage_v,
        line_voltage_v / _SQRT3,
        "none",
        _LENGTH_M,
        _POWER_FACTOR,
    )
    return replace(demand, **changes)


def _chosen(continuous_a: float, neutral_a: float) -> ConductorChoice:
    demand = feeder(continuous_a, neutral="not counted", neutral_a=neutral_a)
    return choose_nec(demand, COPPER, NEC)


def _two_wire_size(continuous_va: float, other_va: float, line_voltage_v: float) -> str:
    """Return the size of a single-phase line-to-line feeder."""
    demand = feeder(
        continuous_va / line_voltage_v,
        other_a=other_va / line_voltage_v,
        poles=2,
        voltage_v=line_voltage_v,
        v_ln=line_voltage_v / 2.0,
    )
    return choose_nec(demand, COPPER, NEC).size


def _built(continuous_a: float, ocpd_a: float, size: Size, sets: float) -> ConductorChoice:
    demand = feeder(continuous_a, ocpd_a=ocpd_a, size=_name(size), sets=int(sets))
    return choose_nec(demand, COPPER, NEC)


def _built_protected(**inputs: Any) -> str:
    """Return whether the device protects the conductors as built."""
    (check,) = (check for check in _built(**inputs).checks if check.rule == _PROTECTION)
    return "no" if check.failed else "yes"


def _bundling(circuits: float) -> float:
    return derating(feeder(1.0, grouped_circuits=int(circuits)), COPPER).bundling


def _bundled_ampacity(size: Size, circuits: float) -> float:
    factors = derating(feeder(1.0, grouped_circuits=int(circuits)), COPPER)
    return ampacities(_name(size), 1, "cu", 90.0, 75.0, factors)[1]


def _egc_ratio(base: Size, installed: Size) -> float:
    return wire_size(_name(installed)).area_m2 / wire_size(_name(base)).area_m2


def _egc_area(ocpd_a: float, base: Size, installed: Size) -> float:
    minimum, small, large = _egc_sizes(ocpd_a, base, installed)
    return float(upsized_egc.si(minimum.area_m2, large.area_m2, small.area_m2))


def _egc_size(ocpd_a: float, base: Size, installed: Size) -> str:
    minimum, small, large = _egc_sizes(ocpd_a, base, installed)
    found = installed_egc(minimum, large, "cu", 1, large.area_m2, small.area_m2)
    return found.name if found else ""


def _egc_sizes(ocpd_a: float, base: Size, installed: Size) -> Any:
    minimum = table_egc(ocpd_a, "cu", NEC.edition)
    return minimum, wire_size(_name(base)), wire_size(_name(installed))


def _wires_area(size: Size, wires: float) -> float:
    one_m2 = insulated_area(_name(size), _INSULATION)
    if one_m2 is None:
        raise FacilityError("UNKNOWN_SIZE", "verification", f"the area of {size} is not known.", "")
    return wires * one_m2


def _fill(size: Size, wires: float, raceway: str, trade_size: Size) -> float:
    inner_m2 = dict(conduits(raceway))[_name(trade_size)]
    return float(conduit_fill.si(_wires_area(size, wires), inner_m2))


def _fits(wires: float, **inputs: Any) -> str:
    return "yes" if _fill(wires=wires, **inputs) <= fill_limit(int(wires)) else "no"


def _effective(size: Size, raceway: str, power_factor: float, length_m: float) -> float:
    per_metre = impedance_per_metre(_name(size), "cu", raceway)
    if per_metre is None:
        raise FacilityError(
            "UNKNOWN_SIZE", "verification", f"the impedance of {size} is not known.", ""
        )
    return float(effective_impedance.si(*per_metre, power_factor)) * length_m


def _drop(
    size: Size,
    raceway: str,
    length_m: float,
    current_a: float,
    power_factor: float,
    line_voltage_v: float,
) -> float:
    demand = feeder(current_a, line_voltage_v, length_m=length_m, power_factor=power_factor)
    drop = voltage_drop(demand, wire_size(_name(size)), 1, replace(COPPER, raceway=raceway))
    if drop is None:
        raise FacilityError(
            "UNKNOWN_SIZE", "verification", f"the impedance of {size} is not known.", ""
        )
    return drop.drop_v


def _drop_part(line_voltage_v: float, **inputs: Any) -> float:
    return _drop(line_voltage_v=line_voltage_v, **inputs) / line_voltage_v


def _transformer(rating_va: float, primary_v: float, secondary_v: float) -> TransformerProtection:
    return protect_transformer(rating_va, primary_v, secondary_v, NEC.edition)


def _of_transformer(key: str, **inputs: float) -> float:
    return float(cast("float", getattr(_transformer(**inputs), key)))


def _ground_fault(line_voltage_v: float, rating_a: float) -> str:
    """Return whether a service of this rating needs ground-fault protection (2017)."""
    check = ground_fault_check(
        "service", line_voltage_v, rating_a, "service", "2017", provided=False
    )
    return "yes" if check.failed else "no"


def _harmonic_current(line_a: float, third_harmonic: float) -> float:
    """Return the selection current of a cable with a loaded neutral."""
    factor, by_neutral = harmonic(third_harmonic)
    neutral_a = third_harmonic_neutral.si(line_a, third_harmonic)
    return float(equivalent_current.si(neutral_a if by_neutral else line_a, factor))


def _harmonic_size(line_a: float, third_harmonic: float) -> float:
    """Return the cross-section of a PVC copper cable, method C [m2]."""
    demand = feeder(line_a, 400.0, neutral="not counted", third_harmonic=third_harmonic)
    return choose_iec(demand, replace(PVC, method="C"), IEC).area_m2


def _iec_grouping(
    method: str, arrangement: str, circuits: float, sets: float = 1.0, trays: float = 1.0
) -> float:
    """Return the grouping factor of circuits, as used for a circuit of the design."""
    demand = feeder(
        1.0, 400.0, ocpd_a=10.0, size="70", sets=int(sets), grouped_circuits=int(circuits)
    )
    basis = replace(PVC, method=method, arrangement=arrangement, trays=int(trays))
    return choose_iec(demand, basis, IEC).bundling_factor


FUNCTIONS: CaseFunctions = {
    "conductor.feeder_size": ("text", lambda **inputs: _chosen(**inputs).size),
    "conductor.feeder_ampacity": ("current", lambda **inputs: _chosen(**inputs).ampacity_a),
    "conductor.feeder_device": ("current", lambda **inputs: _chosen(**inputs).ocpd_a),
    "conductor.neutral_size": ("text", lambda **inputs: _chosen(**inputs).neutral_size),
    "conductor.two_wire_size": ("text", _two_wire_size),
    "conductor.built_ampacity": ("current", lambda **inputs: _built(**inputs).ampacity_term_a),
    "conductor.built_protected": ("text", _built_protected),
    "conductor.bundling": ("ratio", _bundling),
    "conductor.bundled_ampacity": ("current", _bundled_ampacity),
    "conductor.egc_table": ("text", lambda ocpd_a: table_egc(ocpd_a, "cu", NEC.edition).name),
    "conductor.egc_ratio": ("ratio", _egc_ratio),
    "conductor.egc_area": ("cross_section", _egc_area),
    "conductor.egc_size": ("text", _egc_size),
    "conductor.effective_impedance": ("resistance", _effective),
    "conductor.drop": ("line_voltage", _drop),
    "conductor.drop_part": ("fraction", _drop_part),
    "conductor.harmonic_current": ("current", _harmonic_current),
    "conductor.harmonic_size": ("cross_section", _harmonic_size),
    "conductor.iec_grouping": ("ratio", _iec_grouping),
    "conduit.wires_area": ("area", _wires_area),
    "conduit.fill": ("fraction", _fill),
    "conduit.fits": ("text", _fits),
    "protection.of_transformer": ("current", _of_transformer),
    "protection.ground_fault": ("text", _ground_fault),
}
