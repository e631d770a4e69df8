"""From the power section to what the electrical studies rest on."""

from __future__ import annotations

from dataclasses import replace

from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.battery import BatterySection
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.inputs.power.dc import DcSection
from facility.model.inputs.power.faults import FaultSection
from facility.model.inputs.power.reliability import ReliabilitySection
from facility.model.inputs.power.section import PowerSection
from facility.model.power.chain import PowerChain
from facility.model.power.electrical import Electrical
from facility.model.power.reliability import ReliabilityBasis
from facility.study.resolve.power.battery import resolve_battery
from facility.study.resolve.power.conductors import resolve_conductors
from facility.study.resolve.power.dc import resolve_dc
from facility.study.resolve.power.faults import resolve_faults

_KINDS = {"generator": "generator-plant"}


def resolve_reliability(
    section: ReliabilitySection, power: PowerChain, criteria: Criteria, trace: Trace
) -> ReliabilityBasis:
    """Return failure and repair times by kind of component; nothing is assumed for the others."""
    times = {}
    for name in type(section).model_fields:
        given = getattr(section, name)
        if given is None:
            continue
        for field in ("mtbf", "mttr"):
            value = getattr(given, field).si
            trace.given(f"reliability.{name}.{field}", value, "time", PROJECT)
        kind = _KINDS.get(name, name.replace("_", "-"))
        times[kind] = (given.mtbf.si, given.mttr.si)
    return ReliabilityBasis(times)


def resolve_electrical(
    section: PowerSection,
    power: PowerChain,
    criteria: Criteria,
    frequency_hz: float,
    trace: Trace,
) -> Electrical:
    """Return the bases of all electrical studies; what is left open is assumed."""
    conductors = resolve_conductors(
        section.conductors or ConductorSection(), power, criteria, trace
    )
    return Electrical(
        battery=resolve_battery(section.battery or BatterySection(), power, criteria, trace),
        conductors=replace(conductors, frequency_hz=frequency_hz),
        faults=resolve_faults(section.faults or FaultSection(), power, criteria, trace),
        dc=resolve_dc(section.dc or DcSection(), power, criteria, trace),
        reliability=resolve_reliability(
            section.reliability or ReliabilitySection(), power, criteria, trace
        ),
    )
