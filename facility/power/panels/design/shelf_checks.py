"""Checks of the specified power-shelf circuits vs. the rated input of their shelves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from facility.catalogue.articles import article
from facility.core.check import Check
from facility.model.facility import Criteria
from facility.model.it import Rack
from facility.model.power.hall_distribution import PanelBasis
from facility.physics.circuits.currents import continuous_limit
from facility.power.panels.design.racks import shelf_currents
from facility.power.rules import RULES


def shelf_checks(racks: Sequence[Rack], basis: PanelBasis, criteria: Criteria) -> Iterator[Check]:
    """Yield the checks of circuit devices vs. the rated current of their power shelves.

    A shelf takes over load from others that are lost or out of service, up to its rating; breakers
    that are not specified are selected for it.
    """
    rule = RULES["SHELF-CIRCUIT"].by(article("branch load", criteria.edition, criteria.code))
    factor = 1.0 if basis.listed_100 else criteria.continuous_factor
    for rack in racks:
        models = " + ".join(p.device.model for p in rack.placed if p.device.psu)
        seen: Counter[str] = Counter()
        for circuit, shelf_a in zip(rack.circuits, shelf_currents(rack, basis), strict=True):
            seen[circuit.feed] += 1
            if circuit.breaker_a is None or not shelf_a:
                continue
            limit_a = float(continuous_limit.si(circuit.breaker_a, factor))
            why = (
                f"the power shelf of {models} draws {shelf_a:,.1f} A at its rating; the circuit of"
                f" {circuit.breaker_a:,g} A permits {limit_a:,.1f} A continuously"
            )
            subject = f"{rack.name}, input {seen[circuit.feed]} of feed {circuit.feed}"
            yield rule.at_most(subject, shelf_a, limit_a, "current", why)
