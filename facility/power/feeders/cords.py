"""Receptacles of the rack circuits and their cords."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import Row, table
from facility.catalogue.articles import article
from facility.core.check import Check, Rule
from facility.model.facility import Criteria
from facility.physics.circuits.currents import continuous_limit
from facility.power.panels.design.halls import PanelSet
from facility.power.rules import RULES

_WITH_NEUTRAL = ("4P5W", "3P+N+E")
_OUTLET_V = 250.0
"""Maximum voltage of C13 and C19 rack PDU outlets [V]."""

CORD_MAX_M = 4.5
"""Maximum supply-cord length of IT equipment, 645.5(B) [m]."""


def receptacle_checks(panels: PanelSet, criteria: Criteria) -> Iterator[Check]:
    """Yield the checks of every receptacle type in use, each at its worst circuit.

    Catalogue rack PDUs have separate checks. A receptacle carries its rating divided by the
    continuous factor: 80 % in the NEC, 100 % in the IEC. A 100 % listing applies to the panel and
    its breakers, not to the receptacle.
    """
    rows = table("electrical/receptacles").index
    without = 0
    own = table("equipment/rack_pdus").index
    plugged = panels.worst_by_inlet(lambda c: bool(c.rack) and (c.receptacle,) not in own)
    kinds = sorted(plugged.items())
    for (designation, poles, breaker_a), worst_a in kinds:
        row = rows.get((designation,))
        subject = f"{designation}, {poles}-pole {breaker_a:g} A"
        if row is None:
            without += designation == ""
            if designation:
                yield RULES["RECEPTACLE-KNOWN"].not_evaluated(
                    subject, "the stated connector is not in the table of receptacles"
                )
            continue
        yield from _of_kind(row, subject, breaker_a, worst_a, criteria)
    if without:
        why = f"{without} rack circuit type(s) without a matching receptacle in the table"
        yield RULES["RECEPTACLE-KNOWN"].verdict("rack circuits", False, why)
    yield from neutral_checks(panels)
    if criteria.code == "NEC" and kinds:
        yield cord_length(None, "rack cords", criteria)


def neutral_checks(panels: PanelSet) -> Iterator[Check]:
    """Yield whether receptacle or rack PDU and cable agree on the neutral, once per type.

    For a rack PDU only the neutral required by its outlets is known: C13 and C19 outlets are rated
    250 V; with a higher line-to-line voltage they are connected line to neutral.
    """
    receptacles = table("electrical/receptacles").index
    rack_pdus = table("equipment/rack_pdus").index
    kinds = {
        (circuit.receptacle, circuit.connection)
        for panel in panels.panels
        for circuit in panel.circuits
        if circuit.rack and circuit.poles == 3
    }
    for name, connection in sorted(kinds):
        cable = connection == "L-N"
        rule = RULES["RECEPTACLE-NEUTRAL"]
        on = f"on a cable of three lines {'and a neutral' if cable else 'without a neutral'}"
        if (name,) in rack_pdus:
            row = rack_pdus[name,]
            needed = row.si("voltage_v") > _OUTLET_V
            why = f"rack PDU of {row.si('voltage_v'):g} V {on}"
            yield rule.by_table(row.cite("voltage_v")).verdict(name, cable or not needed, why)
        elif (name,) in receptacles:
            row = receptacles[name,]
            wires = row.text("poles_wires")
            why = f"{wires} {on}"
            agrees = (wires in _WITH_NEUTRAL) is cable
            yield rule.by_table(row.cite("poles_wires")).verdict(name, agrees, why)


def _of_kind(
    row: Row, subject: str, breaker_a: float, worst_a: float, criteria: Criteria
) -> Iterator[Check]:
    rated_a = row.si("amps_a")
    allowed_a = continuous_current(row, criteria)
    yield _cited(RULES["RECEPTACLE-RATING"], row).at_most(subject, breaker_a, rated_a, "current")
    yield _cited(RULES["RECEPTACLE-LOAD"], row).at_most(
        subject,
        worst_a,
        allowed_a,
        "current",
        f"{worst_a:,.1f} A in the worst state, {allowed_a:,g} A continuous "
        f"({1.0 / criteria.continuous_factor:.0%} of {rated_a:,g} A)",
    )
    recalled = row.is_memory("amps_a")
    why = "unverified, no source read" if recalled else "read"
    yield _cited(RULES["RECEPTACLE-UNVERIFIED"], row).verdict(subject, not recalled, why)


def continuous_current(row: Row, criteria: Criteria) -> float:
    """Return the continuous current of a receptacle: rating / continuous factor [A]."""
    return float(continuous_limit.si(row.si("amps_a"), criteria.continuous_factor))


def cord_length(length_m: float | None, subject: str, criteria: Criteria) -> Check:
    """Return the check of a supply cord; not evaluated without a length."""
    rule = RULES["CORD-LENGTH"].by(article("cords", criteria.edition))
    if criteria.code != "NEC":
        return rule.not_evaluated(subject, "the IEC sets no length limit for supply cords")
    if length_m is None:
        return rule.not_evaluated(
            subject, "rack cord lengths are not in the project; maximum 4.5 m in an IT room"
        )
    return rule.at_most(subject, length_m, CORD_MAX_M, "length")


def _cited(rule: Rule, row: Row) -> Rule:
    return rule.by_table(row.cite("amps_a"))
