"""Currents along a busway that is fed at one end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.core.kinds import ComplexArray
from facility.core.rounding import within
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.model import Panel


def section_currents(busway: Panel) -> NDArray[np.float64]:
    """Return the current of every section of a busway in each of its states.

    Section n lies between tap-off n - 1, or the feed end, and tap-off n; it carries the phasor sum
    of the tap-offs from n on. The first section carries the whole.

    Parameters
    ----------
    busway : Panel
        Busway with every circuit placed.

    Returns
    -------
    ndarray, shape (states, tap-offs, 4)
        Magnitude of I_A, I_B, I_C, I_N [A], the neutral of the fundamental.

    Raises
    ------
    FacilityError
        ``BUSWAY_ONLY`` for a panelboard, ``PANEL_NOT_PLACED``.
    """
    if not busway.is_busway:
        raise FacilityError(
            "BUSWAY_ONLY",
            busway.tag,
            "a panelboard has no sections.",
            "Ask for the currents of the panel instead.",
        )
    if not busway.placed:
        raise FacilityError(
            "PANEL_NOT_PLACED",
            busway.tag,
            "a circuit has no tap-off, or no phases.",
            "Balance the busway first.",
        )
    tapped: ComplexArray = np.zeros((len(busway.states), busway.poles, 6), dtype=np.complex128)
    for circuit in busway.circuits:
        start = busway.start(circuit) or 0
        tapped[:, (circuit.position or 1) - 1] += class_power(circuit, start, len(busway.states))
    carried = np.flip(np.cumsum(np.flip(tapped, axis=1), axis=1), axis=1)
    return np.asarray(np.abs(currents(carried, busway.v_ll)))


def check_rating(busway: Panel, least_a: float) -> None:
    """Refuse a busway whose feed end is overloaded however its phases are chosen.

    Parameters
    ----------
    busway : Panel
        Busway.
    least_a : float
        Current that its largest line carries in any case [A].

    Raises
    ------
    FacilityError
        ``BUSWAY_RATING`` (exit code 4).
    """
    if busway.bus_a is not None and not within(least_a, busway.bus_a):
        raise FacilityError(
            "BUSWAY_RATING",
            busway.tag,
            f"its feed end carries at least {least_a:.1f} A, whatever the phases; "
            f"the bus is rated {busway.bus_a:g} A.",
            "Move tap-offs to another busway, or use a larger one.",
            exit_code=4,
        )
