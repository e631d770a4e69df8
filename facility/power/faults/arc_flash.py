"""Short-circuit data for an arc-flash study. Incident energy is not calculated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from facility.power.faults.device_checks import StateCurrents


@dataclass(frozen=True)
class ArcFlashInput:
    """Arc-flash input of one bus in one source state."""

    bus: str
    state: str  # Source state
    voltage_v: float  # Nominal line-to-line voltage [V]
    # Bolted three-phase currents [A]; None if unknown.
    bolted_max_a: float | None
    bolted_min_a: float | None
    x_over_r: float | None  # Of the highest current
    clearing_s: float | None  # Clearing time of the device upstream [s]; None if unknown
    # Electrode gap, enclosure and configuration: entered by the user.
    gap: None = None
    enclosure: None = None


def arc_flash_inputs(
    states: Mapping[str, StateCurrents], clearing_s: Mapping[str, float]
) -> tuple[ArcFlashInput, ...]:
    """Return the inputs of an arc-flash study, by state and bus.

    states: Currents by source state.
    clearing_s: Clearing time by bus, if known [s].
    """
    return tuple(
        ArcFlashInput(
            tag,
            name,
            float(state.highest.voltage_v[row]),
            _known(state.highest.three_phase_a[row]),
            _known(state.lowest.three_phase_a[state.lowest.index(tag)]),
            _known(state.highest.x_over_r[row]),
            clearing_s.get(tag),
        )
        for name, state in states.items()
        for row, tag in enumerate(state.highest.tags)
    )


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
