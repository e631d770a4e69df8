"""Default main of the panelboards, limited by the upstream device."""

from __future__ import annotations

from dataclasses import replace

from facility.core.rounding import reaches, within
from facility.model.facility import Criteria
from facility.model.power.hall_distribution import PanelBasis
from facility.physics.circuits.currents import sizing_factor, three_phase_current
from facility.power.feeders.mains import FULL
from facility.power.panels.board.breakers import next_breaker, standard_breakers
from facility.power.panels.design.halls import PanelSet
from facility.power.train.types import ChainDesign


def fitting_panels(
    panels: PanelSet, design: ChainDesign, criteria: Criteria
) -> tuple[PanelBasis, str] | None:
    """Return panelboards with a default main, and the reason; None if the main is specified.

    Upstream is the maintenance bypass of the UPS, or the PDU transformer at its highest loading.
    A main is never below the panel load or its branch breakers.
    """
    basis = panels.basis
    if not basis.main_open or not panels.panels:
        return None
    max_a, words = _permitted(basis, design, criteria)
    if within(basis.main_a, max_a):
        return None
    standard = standard_breakers(criteria.code, criteria.edition)
    factor = 1.0 if basis.listed_100 else criteria.continuous_factor
    carried_a = float(panels.current_max_a.max()) * float(
        sizing_factor.si(factor, criteria.sized_drop)
    )
    branches = (c.breaker_a or 0.0 for panel in panels.panels for c in panel.circuits)
    min_a = next_breaker(standard, max(carried_a, *branches), "power.distribution.panel_main")
    main_a = max(min_a, *(a for a in standard if within(a, max_a)))
    if reaches(main_a, basis.main_a):
        return None
    sizes = tuple(a for a in basis.breaker_sizes_a if a <= main_a)
    return replace(basis, main_a=main_a, breaker_sizes_a=sizes), f"largest standard rating {words}"


def _permitted(basis: PanelBasis, design: ChainDesign, criteria: Criteria) -> tuple[float, str]:
    """Return the largest permitted upstream device of a panel at its voltage [A], and its name."""
    standard = standard_breakers(criteria.code, criteria.edition)
    wiring, where = design.chain.wiring, "power.distribution.panel_main"
    if design.pdus is not None:
        rated_a = three_phase_current.si(design.pdus.unit.rating_va, basis.v_ll)
        rated_a = FULL * wiring.pdu_max_loading * float(rated_a)
        return next_breaker(standard, rated_a, where), "downstream of the PDU transformer"
    factor = 1.0 if basis.listed_100 else criteria.continuous_factor
    bus_a = float(three_phase_current.si(design.bus_rating_va, wiring.lv_voltage_v))
    device_a = next_breaker(standard, min(factor * bus_a, standard[-1]), where)
    return device_a, "up to the maintenance-bypass rating of the UPS"
