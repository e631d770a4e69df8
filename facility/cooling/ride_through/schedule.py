"""Operating units after a failure: losses, power supply, restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from facility.model.cooling.thermal import Restart

Knots = tuple[tuple[float, float], ...]
"""Times [s] and values, linear between them; constant after the last."""

Part = Literal["fans", "cdus", "fws_pumps", "chw_pumps", "chillers", "rejection", "fws_rejection"]
PARTS: tuple[Part, ...] = (
    "fans",
    "cdus",
    "fws_pumps",
    "chw_pumps",
    "chillers",
    "rejection",
    "fws_rejection",
)
ON_UPS: tuple[Part, ...] = ("fans", "cdus", "fws_pumps", "chw_pumps")
"""Parts that a UPS may supply."""
LOOPS: tuple[Part, ...] = ("cdus", "fws_pumps", "chw_pumps", "rejection", "fws_rejection")
"""Parts whose water flows in a loop with pumps; the first three have headers."""
COAST_S = 1.0
"""Time in which machines without power, and isolated flows, stop."""


@dataclass(frozen=True)
class PowerState:
    """Served shares of the power network, before and after generators supply the cooling.

    Without restoration the second share is that with empty batteries.
    """

    # Served share of UPS cooling for air heat.
    on_ups: tuple[float, float] = (1.0, 1.0)
    # Served share of board cooling for air heat.
    on_board: tuple[float, float] = (1.0, 1.0)
    # Share for coolant heat; None if equal to air.
    on_ups_coolant: tuple[float, float] | None = None
    on_board_coolant: tuple[float, float] | None = None
    it_air: tuple[float, float] = (1.0, 1.0)  # Served share of IT heat in air
    it_liquid: tuple[float, float] = (1.0, 1.0)  # Served share of IT heat in coolant
    # Time from failure to power on the boards; infinite without generators.
    restored_s: float = float("inf")
    # Time from failure to empty batteries; None if not relevant or not
    # known.
    battery_s: float | None = None

    def cooling(self, on_ups: bool, coolant: float) -> tuple[float, float]:
        """Return the served share of units with heat share `coolant` in coolant.

        Units are on the bus of the racks they cool.
        """
        air, wet = (
            (self.on_ups, self.on_ups_coolant) if on_ups else (self.on_board, self.on_board_coolant)
        )
        before, after = (a + coolant * (c - a) for a, c in zip(air, wet or air, strict=True))
        return before, after

    @property
    def min_cooling(self) -> float:
        """Minimum served share of any cooling."""
        return min(min(self.cooling(ups, part)) for ups in (False, True) for part in (0.0, 1.0))

    @property
    def exhausted(self) -> bool:
        """Whether the batteries are empty before, or without, generators supplying the cooling."""
        return self.battery_s is not None and self.battery_s < self.restored_s

    def on_empty(self, after: float) -> float:
        """Return the served share with empty batteries: none until the boards have power again."""
        return after if self.restored_s == float("inf") else 0.0


@dataclass(frozen=True)
class RideCase:
    """One failure."""

    id: str  # Key of the results
    title: str  # Text of the failure
    power: PowerState = field(default_factory=PowerState)  # State of the power network
    supplied: frozenset[Part] = frozenset()  # Parts on UPS
    lost: Mapping[Part, int] = field(default_factory=dict)  # Failed units, by part
    # Remaining flow of loops with an isolated header section, by pumps.
    headers: Mapping[Part, float] = field(default_factory=dict)
    # Remaining flow of loops with a failed pump, by served part.
    pumps: Mapping[Part, float] = field(default_factory=dict)
    standby_s: float | None = None  # Start time of the standby pump; None without one
    stopped: frozenset[Part] = frozenset()  # Machines stopped until flow is restored
    racks: int = 0  # Racks without coolant with a header section isolated
    doors: int = 0  # Rear doors without water
    back_s: float | None = None  # Restoration time; None if not restored
    dry: bool = False  # Whether the pads of dry coolers for the facility water have no water


@dataclass(frozen=True)
class Bank:
    """Equal units: installed, running before the failure, and duty.

    `coolant` is the coolant share of their heat.
    """

    installed: int
    running: int
    duty: int = 0
    coolant: float = 0.0


def units_at_work(part: Part, bank: Bank, case: RideCase, restart: Restart) -> Knots:
    """Return the number of operating units of a part over time.

    Units lose their power in proportion to the power that their part loses. All intact
    units with power, including standby, start after the restart time of the part along its ramp;
    they remove at most the existing heat.
    """
    delay_s, ramp_s = _times(part, restart)
    power, whole = case.power, float(bank.running)
    on_ups = part in case.supplied
    before, after = power.cooling(on_ups, bank.coolant)
    lost = min(case.lost.get(part, 0), bank.installed)
    sound = bank.installed - lost
    curve = _Curve(whole)
    if lost or before < 1.0:
        curve.go(0.0, max(bank.running - lost, 0) * before, COAST_S)
        curve.go(max(delay_s, COAST_S), sound * before, ramp_s)
    if on_ups and power.exhausted and power.battery_s is not None:
        curve.go(power.battery_s, sound * power.on_empty(after), COAST_S)
    if power.restored_s < float("inf") and (after != before or power.exhausted):
        curve.go(power.restored_s + delay_s, sound * after, ramp_s)
    if lost and case.back_s is not None:
        curve.go(case.back_s, whole, 2.0 * COAST_S)
    if part in case.stopped:
        curve.go(0.0, 0.0, COAST_S)
        if case.standby_s is not None:
            curve.go(case.standby_s + restart.ramp_s + delay_s, whole, ramp_s)
    return curve.knots


def loop_flow(loop: Part, case: RideCase, restart: Restart) -> Knots:
    """Return the flow in a loop over its design flow, over time, while its pumps have power.

    An isolated header section remains isolated; a standby pump reaches its speed along the
    pump ramp.
    """
    curve = _Curve(1.0)
    curve.go(0.0, case.headers.get(loop, 1.0) * case.pumps.get(loop, 1.0), COAST_S)
    if loop in case.pumps and case.standby_s is not None:
        curve.go(max(case.standby_s, COAST_S), case.headers.get(loop, 1.0), restart.ramp_s)
    return curve.knots


def it_fraction(before: float, after: float, power: PowerState) -> Knots:
    """Return the share of IT heat over time; empty batteries end it until power is restored."""
    curve = _Curve(1.0)
    curve.go(0.0, before, COAST_S)
    if power.exhausted and power.battery_s is not None:
        curve.go(power.battery_s, power.on_empty(after), COAST_S)
    if power.restored_s < float("inf"):
        curve.go(power.restored_s, after, COAST_S)
    return curve.knots


def _times(part: Part, restart: Restart) -> tuple[float, float]:
    if part == "chillers":
        return restart.chiller_s, restart.chiller_ramp_s
    if part in ("rejection", "fws_rejection"):
        return restart.rejection_s, restart.ramp_s
    return 0.0, restart.ramp_s


class _Curve:
    """Builds knots in the order of time; a change in the middle of a ramp ends that ramp."""

    def __init__(self, value: float) -> None:
        self.points = [(0.0, value)]

    def go(self, time_s: float, value: float, within_s: float) -> None:
        """Change from the value at `time_s` to `value`, reached `within_s` later."""
        times, values = zip(*self.points, strict=True)
        current = float(np.interp(time_s, times, values))
        if current == value and self.points[-1][1] == value:
            return
        self.points = [p for p in self.points if p[0] < time_s] or self.points[:1]
        if self.points[-1][0] < time_s:
            self.points.append((time_s, current))
        self.points.append((time_s + within_s, value))

    @property
    def knots(self) -> Knots:
        return tuple(self.points)
