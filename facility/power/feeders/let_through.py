"""Let-through energy of small overcurrent devices, and conductor protection.

Below 0.1 s the clearing time is not sufficient: a miniature breaker or a fuse limits the current in
its first half cycle. Its Joule integral heats the conductors (IEC 60364-4-43, 434.5.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.catalogue import Row, table
from facility.core.rounding import reaches, within
from facility.model.power.faults import MINIATURE, Clearing
from facility.physics.circuits.conductors import let_through_duration, offset_duration
from facility.power.feeders.types import let_through_words

MINIATURE_TO_A = 63.0
"""Largest common rating of modular final-circuit breakers, EN 60898-1 [A]."""


@dataclass(frozen=True)
class Protection:
    """Equivalent duration of the prospective fault current in the conductors of a circuit."""

    # Let-through energy / current squared, or the clearing time [s]; None if both are unknown.
    duration_s: float | None
    # Source of the let-through energy, or why it is unknown; empty for the clearing time.
    words: str
    # Whether it is a listed breaker, which protects its rated conductor (UL 489).
    listed: bool = False
    # Whether the let-through energy of the device is known; otherwise it is an upper bound for
    # which conductors are not enlarged.
    known: bool = True


def protection(
    clearing: Clearing,
    device_a: float,
    fault_a: float | None,
    v_ll: float,
    earth_fault_a: float | None = None,
) -> Protection | None:
    """Return the let-through of a device to its downstream conductors; None if unknown.

    The lowest energy from the manufacturer's curve, the back-up device and the class of the device
    applies, each an upper limit; otherwise the clearing time. An assumed clearing time includes the
    DC offset if its time constant is known.

    fault_a: Maximum prospective fault current at the supply end [A].
    v_ll: Line-to-line voltage [V].
    earth_fault_a: Earth-fault current there, for a conductor that carries only this current [A].
    """
    flowing_a = fault_a if earth_fault_a is None else earth_fault_a
    if flowing_a is None:
        return None
    fault_a = max(fault_a or 0.0, flowing_a)
    small = device_a <= clearing.molded_to_a
    time_s, limits = clearing.of(device_a), clearing.limits
    energies = list(_energies(clearing, device_a, fault_a, v_ll)) if small else []
    if energies:
        energy_a2s, words = min(energies)
        duration_s = float(let_through_duration.si(energy_a2s, flowing_a))
        return Protection(duration_s, f"{let_through_words(energy_a2s)} let-through, {words}")
    if small and limits.device == "listed breaker":
        return Protection(time_s, "a listed breaker", listed=True, known=False)
    if limits.device in MINIATURE and device_a <= MINIATURE_TO_A:
        above = not within(fault_a, limits.breaking_a)
        why = f"above Icn of {limits.breaking_a / 1e3:g} kA" if above else "outside class 3"
        return Protection(time_s, f"{limits.device} {device_a:,g} A, {why}", known=False)
    if not clearing.assumed or time_s is None:
        return Protection(time_s, "")
    heats_s, device = time_s, "molded-case breaker" if small else "power circuit-breaker"
    if clearing.offset_s > 0.0:
        heats_s = float(offset_duration.si(time_s, clearing.offset_s))
    words = f"a {device} with {time_s * 1e3:g} ms clearing time"
    return Protection(heats_s, words, known=not small)


def _energies(
    clearing: Clearing, device_a: float, fault_a: float, v_ll: float
) -> Iterator[tuple[float, str]]:
    """Yield the known let-through energies of a device and its back-up, with source."""
    limits = clearing.limits
    points = [p for p in limits.points if p.rating_a == device_a and reaches(p.fault_a, fault_a)]
    if points:
        point = min(points, key=lambda p: p.fault_a)
        yield point.energy_a2s, f"power.faults.let_through at {point.fault_a / 1e3:g} kA"
    pairs = [(limits.device, device_a, "")]
    if limits.backup is not None:
        pairs.append((limits.backup, limits.backup_a, "back-up "))
    for device, rating_a, role in pairs:
        breaking_a = limits.breaking_a if device in MINIATURE else 0.0
        row = limit_row(device, rating_a, max(fault_a, breaking_a), v_ll)
        if row is not None and not (breaking_a and not within(fault_a, breaking_a)):
            recalled = ", recalled" if row.is_memory("energy_a2s") else ""
            up_to = f"up to {row.si('fault_max_ka') / 1e3:g} kA"
            yield row.si("energy_a2s"), f"{role}{device} {rating_a:,g} A {up_to}{recalled}"


def limit_row(device: str, rating_a: float, fault_a: float, v_ll: float) -> Row | None:
    """Return the row with the highest energy permitted by a device class; None outside its table.

    The next higher voltage, rating and fault current apply.
    """
    rows = [
        row
        for row in table("electrical/let_through").select(device=device)
        if reaches(row.si("voltage_max_v"), v_ll)
        and reaches(row.si("rating_max_a"), rating_a)
        and reaches(row.si("fault_max_ka"), fault_a)
    ]
    keys = ("voltage_max_v", "rating_max_a", "fault_max_ka")
    return min(rows, key=lambda row: tuple(row.si(key) for key in keys), default=None)
