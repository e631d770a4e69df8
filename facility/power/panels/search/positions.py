"""Positions for circuits whose phases are decided, moving no breaker that need not move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from facility.core.errors import FacilityError
from facility.power.panels.board.model import Panel
from facility.power.panels.board.pack import ANY, Packer, Slots


def place(panel: Panel, starts: Mapping[int, int], known: Slots | None = None) -> Panel:
    """Return `panel` with a position for every circuit.

    Parameters
    ----------
    panel : Panel
        Panel; fixed circuits keep their position.
    starts : mapping of int to int
        Start phase (0, 1, 2 or `ANY`) of each movable circuit, by its index in the panel.
    known : dict of (poles, start phase) to list of int, optional
        Positions that hold these circuits, should no packing be found.

    Raises
    ------
    FacilityError
        ``PANEL_FULL`` when the breakers do not fit.
    """
    keep = [
        index
        for index, start in starts.items()
        if (now := panel.circuits[index].position) is not None
        and start in (ANY, panel.layout.phase(now))
    ]
    pinnings = [[i for i in keep if panel.circuits[i].poles >= least] for least in (1, 2, 3)]
    for pinned in (*pinnings, []):
        slots = _packed(panel, starts, pinned)
        if slots is not None:
            return _assigned(panel, starts, pinned, slots)
    if known is not None:
        return _assigned(panel, starts, [], known)
    raise FacilityError(
        "PANEL_FULL",
        panel.tag,
        f"no arrangement of {panel.poles_used} poles in {panel.poles} was found.",
        "Use a larger panel.",
        exit_code=4,
    )


def _packed(panel: Panel, starts: Mapping[int, int], pinned: list[int]) -> Slots | None:
    staying = set(pinned) | set(range(len(panel.circuits))).difference(starts)
    taken = [n for index in staying for n in panel.occupied(panel.circuits[index])]
    wants = Counter(
        (panel.circuits[index].poles, start)
        for index, start in starts.items()
        if index not in staying
    )
    return Packer(panel.layout, panel.poles, taken).pack(wants)


def _assigned(panel: Panel, starts: Mapping[int, int], pinned: list[int], slots: Slots) -> Panel:
    positions: dict[int, int] = {}
    free = {want: sorted(found) for want, found in slots.items()}
    moving = [index for index in starts if index not in set(pinned)]
    for index in moving:
        now = panel.circuits[index].position
        found = free[panel.circuits[index].poles, starts[index]]
        if now in found:
            found.remove(now)
            positions[index] = now
    for index in moving:
        if index not in positions:
            positions[index] = free[panel.circuits[index].poles, starts[index]].pop(0)
    circuits = tuple(
        replace(circuit, position=positions[index]) if index in positions else circuit
        for index, circuit in enumerate(panel.circuits)
    )
    return replace(panel, circuits=circuits)
