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
            f"{worst_a:,.1f} A in the worst state of {allowed_a:,g} A continuous",
        )
        yield _voltage(row, subject, poles, panels)
    yield from _banks(panels)


def _banks(panels: PanelSet) -> Iterator[Check]:
    """Yield the check of the outlet banks of each model that states banks and their breakers.

    The load of a phase, or pair, is spread evenly over its banks: a bank carries at least this. A
    breaker carries its rating as continuous load as far as the whole rack PDU does.
    """
    rows = table("equipment/rack_pdus")
    worst: dict[str, float] = {}
    for panel, lost in zip(panels.panels, panels.lost, strict=True):
        for number, circuit in enumerate(panel.circuits):
            row = rows.index.get((circuit.receptacle,))
            if row is None or _of_banks(row) is None:
                continue
            leg_va = max(abs(leg) for legs in circuit.power_va for leg in legs)
            if lost is not None:
                leg_va = max(leg_va, lost.bank_va[number])
            # As the line currents: of a leg to neutral, at the line voltage over the root of three
            leg_a = leg_va / panel.v_ll * (1.0 if circuit.connection == "L-L" else 3.0**0.5)
            worst[circuit.receptacle] = max(worst.get(circuit.receptacle, 0.0), leg_a)
    for model, leg_a in sorted(worst.items()):
        row = rows.get(model)
        count, breaker_a = _of_banks(row) or (1, 0.0)
        phases = row.integer("phases")
        each = max(1, count // phases)
        limit_a = breaker_a * row.si("continuous_derated_a") / row.si("rated_a")
        yield _cited(RULES["RACK-PDU-BANK"], row, "bank_breaker_a").at_most(
            f"{model}, {count} banks of {breaker_a:g} A",
            leg_a / each,
            limit_a,
            "current",
            f"{leg_a:,.1f} A per {'phase' if phases == 3 else 'circuit'}, divided equally among "
            f"{each} banks; {limit_a:,g} A continuous",
        )


def _of_banks(row: Row) -> tuple[int, float] | None:
    """Return outlet banks and their breaker rating [A]; None where not stated."""
    breaker_a = row.si_or_none("bank_breaker_a")
    return None if row["banks"] is None or breaker_a is None else (row.integer("banks"), breaker_a)


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
