"""Devices in racks once more: how many fit by height and by power, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from facility.power.it.racking import _positions, max_per_rack, pack

Stood = tuple[tuple[int, ...], ...]
"""Lowest unit of each device, by rack."""


def devices_in_racks() -> Iterator[str]:
    """Whole devices by the tighter limit; the rest in one more rack."""
    for high, watts, height, most_w, wanted in (
        (8, 10.2e3, 48, 45e3, 4), (8, 10.2e3, 48, 40.8e3, 4), (8, 10.2e3, 48, 40.7e3, 3),
        (8, 10.2e3, 48, None, 6), (10, 1e3, 42, 40e3, 4), (0, 2e3, 42, 50e3, 25),
        (4, 0.0, 9, 1.0, 2),
    ):  # fmt: skip
        found, _ = max_per_rack(high, watts, height, most_w, "")
        if found != wanted:
            yield f"{high}U of {watts:g} W in {height}U, {most_w}: {found}, by hand {wanted}"
        for count in (1, wanted, 7, 2 * wanted):
            packed = pack(count, found, "")
            racks = next(n for n in range(count + 1) if n * wanted >= count)
            if (packed.racks, packed.full * wanted + packed.last) != (racks, count):
                yield f"{count} devices, {wanted} in each: {packed}"


def _rack(stood: Stood, height: int = 12, *, one_free: bool = False) -> Any:
    """Return racks of devices of three units; the first kind stands where it is told."""
    per_rack = len(stood[0])
    flat = tuple(at for rack in stood for at in rack)

    def placed(positions: tuple[int, ...], of: Stood) -> Any:
        return SimpleNamespace(
            count=per_rack, u_positions=positions,
            device=SimpleNamespace(model="D", rack_units=3),
            positions=lambda rack: of[rack if len(of) > 1 else 0] if positions else (),
        )  # fmt: skip

    kinds = (placed(flat, stood), *((placed((), ()),) if one_free else ()))
    return SimpleNamespace(name="R", count=max(len(stood), 2), rack_units=height, placed=kinds)


def places_in_racks() -> Iterator[str]:
    """Devices of three units stand apart and within the rack, in each rack that is told."""
    cases: tuple[tuple[Stood, bool], ...] = (
        (((1, 4, 7),), True), (((1, 3, 7),), False), (((1, 4, 10),), True), (((1, 4, 11),), False),
        (((1, 4), (1, 4)), True), (((1, 4), (1, 2)), False), (((1, 4), (9, 11)), False),
    )  # fmt: skip
    for stood, fits in cases:
        for one_free in (False, True):
            (check,) = _positions(_rack(stood, one_free=one_free))
            if check.failed == fits:
                yield f"devices at {stood}: {check.why}"
            if not fits and (len(stood) > 1) != check.why.startswith("rack "):
                yield f"devices at {stood}: {check.why}"
    if list(_positions(_rack(((),)))):
        yield "places where none are told"
