"""From the reliability section of the project to its basis in SI."""

from __future__ import annotations

from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.reliability import ReliabilitySection
from facility.model.power.chain import PowerChain
from facility.model.power.reliability import ReliabilityBasis

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
