"""Receptacles of the rack circuits and the cords that plug into them."""

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
"""Highest voltage of the outlets C13 and C19 of rack PDUs [V]."""

CORD_MAX_M = 4.5
"""Longest supply cord of IT equipment, 645.5(B) [m]."""


def receptacle_checks(panels: PanelSet, criteria: Criteria) -> Iterator[Check]:
    """Yield the checks of every kind of receptacle in use, each at its worst circuit.

    Rack PDUs of the catalogue have checks of their own. A receptacle carries its rating over the
    continuous factor: 80 % in the NEC, all of it in the IEC. A listing for 100 % is that of the
    panel and its breakers, not of the receptacle.
    """
    rows = table("electrical/receptacles").index
    without = 0
    own = table("equipment/rack_pdus").index
    plugged = panels.worst_by_inlet(lambda c: bool(c.rack) and (c.receptacle,) not in own)
    kinds = sorted(plugged.items())
    for (designation, poles, breaker_a), worst_a in kinds:
        row = rows.get((designation,))
        if row is None:
            without += designation == ""
            continue
        subject = f"{designation}, {poles}-pole {breaker_a:g} A"
        yield from _of_kind(row, subject, breaker_a, worst_a, criteria)
    if without:
        why = f"{without} kind(s) of rack circuit fit no receptacle of the table"
        yield RULES["RECEPTACLE-KNOWN"].verdict("rack circuits", False, why)
    yield from neutral_checks(panels)
    if criteria.code == "NEC" and kinds:
        yield cord_length(None, "rack cords", criteria)


def neutral_checks(panels: PanelSet) -> Iterator[Check]:
    """Yield whether receptacle, or rack PDU, and cable agree about the neutral, once for each kind.

    Of a rack PDU only the neutral that its outlets need is known: those of C13 and C19 are for
    250 V, so that one of a higher voltage between lines has them from line to neutral.
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
        f"{worst_a:.1f} A in the worst state of {allowed_a:g} A continuous "
        f"({1.0 / criteria.continuous_factor:.0%} of {rated_a:g} A)",
    )
    recalled = row.is_memory("amps_a")
    why = "recalled, not read" if recalled else "read"
    yield _cited(RULES["RECEPTACLE-UNVERIFIED"], row).verdict(subject, not recalled, why)


def continuous_current(row: Row, criteria: Criteria) -> float:
    """Return the continuous current of a receptacle: its rating over the continuous factor [A]."""
    return float(continuous_limit.si(row.si("amps_a"), criteria.continuous_factor))


def cord_length(length_m: float | None, subject: str, criteria: Criteria) -> Check:
    """Return the check of a supply cord; without a length it is not evaluated."""
    rule = RULES["CORD-LENGTH"].by(article("cords", criteria.edition))
    if criteria.code != "NEC":
        return rule.not_evaluated(subject, "the IEC sets no length of supply cords")
    if length_m is None:
        return rule.not_evaluated(
            subject, "lengths of rack cords are not in the project; in an IT room at most 4.5 m"
        )
    return rule.at_most(subject, length_m, CORD_MAX_M, "length")


def _cited(rule: Rule, row: Row) -> Rule:
    return rule.by_table(row.cite("amps_a"))
