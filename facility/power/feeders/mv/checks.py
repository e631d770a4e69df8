"""Short-circuit withstand of the medium-voltage cables of the network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from facility.core.check import Check
from facility.core.sources import Source
from facility.model.power.mv_cables import MvCableBasis
from facility.power.feeders.mv.choice import mv_withstand_current
from facility.power.feeders.schedule import Feeder, max_upstream_fault
from facility.power.rules import RULES

_BY_CODE = {
    "NEC": Source("nec-240-92", "equation of ICEA P-32-382"),
    "IEC": Source("iec-60364-4-43", "434.5.2, as IEC 60949 without heat loss"),
}


def mv_withstand(
    feeders: Iterable[Feeder], available_a: Mapping[str, float], mv: MvCableBasis, code: str
) -> Iterator[Check]:
    """Yield whether each group of identical MV circuits withstands the maximum fault.

    available_a: Maximum fault current by equipment tag, if known [A].
    """
    circuits = [one for one in feeders if one.circuit.stage == "mv" and one.choice is not None]
    upstream_a, rule = (
        max_upstream_fault(circuits, available_a),
        RULES["MV-WITHSTAND"].by(_BY_CODE[code]),
    )
    for one in circuits:
        choice, tag, fault_a = one.choice, one.circuit.tag, upstream_a.get(one.group)
        if choice is None or tag != one.heaviest:
            continue
        one_a = mv_withstand_current(choice.area_m2, choice.insulation, mv)
        words = f"{choice.label}, {choice.insulation}, {mv.clearing_s:g} s"
        if fault_a is None:
            yield rule.not_evaluated(
                tag,
                f"{words}: withstand {choice.sets * one_a / 1e3:,.1f} kA; the utility fault"
                " level is not specified (site.fault_level)",
            )
        else:
            yield rule.at_most(tag, fault_a, choice.sets * one_a, "current", words)
