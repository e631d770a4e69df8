"""Checks of the rack PDUs named in the project vs. their circuits."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import table
from facility.catalogue.table import Row
from facility.core.check import Check, Rule
from facility.power.panels.design.halls import PanelSet
from facility.power.rules import RULES

_VOLTAGE_MARGIN = 0.1


def rack_pdu_checks(panels: PanelSet) -> Iterator[Check]:
    """Yield the checks of every named rack PDU, once for each breaker rating."""
    rows = table("equipment/rack_pdus")
    named = panels.worst_by_inlet(lambda circuit: (circuit.receptacle,) in rows.index)
    for (model, poles, breaker_a), worst_a in sorted(named.items()):
        row = rows.get(model)
        subject = f"{model}, {poles}-pole {breaker_a:g} A"
        rated_a, allowed_a = row.si("rated_a"), row.si("continuous_derated_a")
        yield _cited(RULES["RACK-PDU-RATING"], row, "rated_a").at_most(
            subject, breaker_a, rated_a, "current"
        )
        yield _cited(RULES["RACK-PDU-LOAD"], row, "continuous_derated_a").at_most(
            subject,
            worst_a,
            allowed_a,
            "current",
            f"{worst_a:.1f} A in the worst state of {allowed_a:g} A continuous",
        )
        yield _voltage(row, subject, poles, panels)


def _voltage(row: Row, subject: str, poles: int, panels: PanelSet) -> Check:
    rated_v, phases, basis = row.si("voltage_v"), row.integer("phases"), panels.basis
    supplied_v = basis.v_ln if poles == 1 else basis.v_ll
    fits = abs(supplied_v / rated_v - 1.0) <= _VOLTAGE_MARGIN and (phases == 3) == (poles == 3)
    return _cited(RULES["RACK-PDU-VOLTAGE"], row, "voltage_v").verdict(
        subject,
        fits,
        f"{phases}-phase rack PDU for {rated_v:.0f} V on a {poles}-pole circuit of "
        f"{supplied_v:.0f} V ({basis.system})",
    )


def _cited(rule: Rule, row: Row, column: str) -> Rule:
    return rule.by(row.cite(column))
