"""The panel before balancing: same breakers, same load, nothing gained."""

from __future__ import annotations

import pytest

from facility.power.panels.balance.positions import unbalanced
from facility.power.panels.board.currents import panel_loads
from facility.study.design.design import Design


def test_same_breakers_and_load_on_other_positions(designs: dict[str, Design]) -> None:
    for found in designs.values():
        for panel in found.panels.panels:
            before = unbalanced(panel)
            assert before.placed
            assert [c.id for c in before.circuits] == [c.id for c in panel.circuits]
            taken = [n for c in before.circuits for n in before.occupied(c)]
            assert len(taken) == len(set(taken)) == panel.poles_used
            own, new = panel_loads(panel)[0], panel_loads(before)[0]
            assert new.power_w == pytest.approx(own.power_w)
            assert new.reactive_var == pytest.approx(own.reactive_var)


def test_equal_whips_wired_alike_load_the_same_phases(designs: dict[str, Design]) -> None:
    """The largest leg of every three-phase whip stands on its first pole."""
    worse = 0
    for panel in designs["mixed-hall"].panels.panels:
        before = unbalanced(panel)
        for circuit in before.circuits:
            if circuit.connection == "L-N" and circuit.poles == 3:
                legs = [abs(power) for power in circuit.power_va[0]]
                assert legs[0] == max(legs)
        worse += panel_loads(before)[0].imbalance > panel_loads(panel)[0].imbalance + 1e-9
    assert worse > 0
