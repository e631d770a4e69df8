"""Designs that recall parts of earlier ones, against designs whose parts are all worked out."""

from __future__ import annotations

import pytest

from facility.files.project.file import apply_sets, parse_project
from facility.power.panels.design.halls import build_panels
from facility.study.design import lineups
from facility.study.design.design import Design, design
from tests.study.helpers import SHORTEST

SITED = f"{SHORTEST}site: {{station: phoenix, tariff: 0.08 USD/kWh}}\n"
SAME_PANELS = (
    "cooling.supply_air=23 degC",
    "criteria.growth=0.1",
    "site.station=ashburn",
    "site.tariff=0.11 USD/kWh",
)
OTHER_PANELS = ("it.demand_factor=0.9", "it.gpus=72", "power.redundancy=2N")


def _designed(*sets: str) -> Design:
    return design(apply_sets(parse_project(SITED), sets))


@pytest.mark.parametrize("change", [*SAME_PANELS, *OTHER_PANELS])
def test_a_design_that_recalls_its_panels_is_the_one_worked_out(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures, checks, assumptions and derivations, to the bit and in their order."""
    first, found = _designed(), _designed(change)
    assert (found.panels is first.panels) == (change in SAME_PANELS)
    monkeypatch.setattr(lineups, "build_panels", build_panels.__wrapped__)  # type: ignore[attr-defined]
    fresh = _designed(change)
    assert fresh.panels is not found.panels
    assert list(found.trace) == list(fresh.trace)
    assert list(found.ledger) == list(fresh.ledger)
    assert list(found.results.values_by_key.items()) == list(fresh.results.values_by_key.items())
    assert found.sizing_checks == fresh.sizing_checks
    assert found.year is not None
    assert fresh.year is not None
    assert list(found.year.trace) == list(fresh.year.trace)
    assert found.year.checks == fresh.year.checks
