"""Check of panel neutrals with the harmonics of the racks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facility.catalogue.articles import article
from facility.core.check import Check, Rule
from facility.core.rounding import argmax_within_rounding
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.physics.circuits.currents import continuous_limit
from facility.power.panels.board.harmonics import panel_harmonics, rack_spectrum
from facility.power.panels.design.halls import PanelSet
from facility.power.rules import RULES

_FULL = Source("design practice", "neutral bar equal to the bus, 100 %", verified="memory")
_WHERE = "power.transformer.it_harmonics"


def neutral_rule(code: str, edition: str) -> Rule:
    """Return the rule for panel neutral current vs. neutral bar."""
    return RULES["PANEL-NEUTRAL"].by(article("neutral of harmonics", edition, code))


def harmonic_checks(
    panels: PanelSet, given: Sequence[tuple[int, float]], criteria: Criteria, trace: Trace
) -> Iterator[Check]:
    """Yield the neutral check of the panels, by hall and feed, each for its worst panel.

    Normal state and each feed lost. Panels with only line-to-line loads have no neutral current and
    no check.

    given: Order and current / fundamental of the rack supplies; empty if not specified,
        (int, float).
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for index, panel in enumerate(panels.panels):
        if any(c.connection == "L-N" and abs(c.total_va()) > 0.0 for c in panel.circuits):
            groups.setdefault((panel.hall, panel.side), []).append(index)
    id, stated_a = "panels.neutral_rating", panels.basis.neutral_a
    if not groups:
        if stated_a is not None:
            why = "every load of the panels is connected line to line: no neutral current"
            yield RULES["INPUT-UNUSED"].verdict(id, False, why)
        return
    racks = rack_spectrum(given)
    if stated_a is None:
        words = "neutral bar equal to the bus"
        rating_a = trace.assume(id, panels.basis.bus_a, "current", words, _FULL)
    else:
        rating_a = trace.given(id, stated_a, "current", PROJECT)
    rule = neutral_rule(criteria.code, criteria.edition)
    factor = 1.0 if panels.basis.listed_100 else criteria.continuous_factor
    limit_a = float(continuous_limit.si(rating_a, factor))
    for (hall, feed), rows in groups.items():
        subject = f"{hall}, feed {feed}"
        if racks is None:
            yield rule.not_evaluated(
                subject,
                f"no harmonic spectrum of the racks is specified ({_WHERE}); without triplen"
                " harmonics the neutral of a panel carries at most"
                f" {panels.line_a[rows, :, 3].max():,.1f} A",
            )
        else:
            every = [
                (panel_harmonics(panel, racks, state), f"{panel.tag}, {name}")
                for panel in [panels.panels[row] for row in rows]
                for state, name in enumerate(panel.states)
            ]
            load, where = every[
                argmax_within_rounding([found.neutral_a or 0.0 for found, _ in every])
            ]
            neutral_a = load.neutral_a or 0.0
            text = (
                f"{where}: {neutral_a:,.1f} A, limit {limit_a:,.0f} A; {load.phasor_a:,.1f} A"
                f" without triplen harmonics; {load.note}"
            )
            yield rule.at_most(subject, neutral_a, limit_a, "current", text)
