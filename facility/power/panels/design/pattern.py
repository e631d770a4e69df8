"""Panel pattern calculated once for all identically filled groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from facility.core.errors import FacilityError
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.balance.arrange import start_phases
from facility.power.panels.balance.units import loads_of
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import Circuit, Panel, turned_banks
from facility.power.panels.board.pack import ANY
from facility.power.panels.design.fill import Assigned, Filling
from facility.power.panels.design.lost_states import with_lost_rows

KICKS = 8


@dataclass(frozen=True, eq=False)
class _Request:
    """Request for a pattern; equal if all properties that affect it are equal."""

    assigned: Sequence[Assigned]
    filling: Filling
    basis: PanelBasis

    @cached_property
    def key(self) -> tuple[object, ...]:
        """All properties that affect the pattern: panel data, circuits in order, lost supplies."""
        return (framed(self.basis, ()), *(one.sort for one in self.assigned))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Request) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def panel_pattern(
    assigned: Sequence[Assigned], filling: Filling, basis: PanelBasis
) -> tuple[Circuit, ...]:
    """Return the placed circuits of a panel with `assigned`, balanced over all its states.

    A lost supply of a rack is a further state if no other covers it. Patterns are cached across
    designs.

    Raises ``PANEL_FULL`` if a single circuit does not fit the poles of a panel.
    """
    return _pattern(_Request(assigned, filling, basis))


@lru_cache(maxsize=512)
def _pattern(request: _Request) -> tuple[Circuit, ...]:
    assigned, filling, basis = request.assigned, request.filling, request.basis
    parts = np.stack([filling.parts(h.tap_off) for h in assigned])
    parts = with_lost_rows(parts, assigned, basis.v_ll)
    poles = np.array([h.tap_off.circuit.poles for h in assigned], dtype=np.int64)
    turns = np.array([h.tap_off.turns for h in assigned], dtype=np.bool_)
    required = [(int(k), ANY if turn else 0) for k, turn in zip(poles, turns, strict=True)]
    circuits = tuple(h.tap_off.circuit for h in assigned)
    units = loads_of(
        framed(basis, circuits), parts, required, np.zeros(parts.shape[2:], dtype=np.complex128), ()
    )
    starts = start_phases(units, KICKS, filling.packer)
    if starts is None:
        raise FacilityError(
            "PANEL_FULL",
            "power.distribution.panel_poles",
            f"{int(poles.sum())} poles do not fit a panel of {basis.poles}.",
            "Use panels with more poles.",
        )
    wants = [
        (int(k), ANY if turn else int(start))
        for k, turn, start in zip(poles, turns, starts, strict=True)
    ]
    slots = filling.packer.pack(Counter(wants)) or {}
    free = {want: iter(positions) for want, positions in slots.items()}
    return tuple(
        _placed(h.tap_off.circuit, next(free[want]), int(start), h.tap_off.turns, basis)
        for h, want, start in zip(assigned, wants, starts, strict=True)
    )


def framed(
    basis: PanelBasis,
    circuits: tuple[Circuit, ...],
    states: tuple[str, ...] = ("normal",),
    *,
    tag: str = "",
    side: str = "",
    hall: str = "",
) -> Panel:
    """Return a panel with the standard panel data of a project and `circuits`."""
    return Panel(
        tag=tag,
        side=side,
        hall=hall,
        system=basis.system,
        v_ll=basis.v_ll,
        poles=basis.poles,
        bus_a=basis.bus_a,
        main_a=basis.main_a,
        listed_100=basis.listed_100,
        fed_from=basis.fed_from[basis.feeds.index(side)] if side in basis.feeds else "",
        paired=(),
        numbering=basis.numbering,
        states=states,
        circuits=circuits,
    )


def turned(circuits: Sequence[Circuit], steps: int) -> tuple[Circuit, ...]:
    """Return `circuits` with the outlet banks of every tap-off rotated by `steps` phases."""
    return tuple(turned_banks(circuit, -steps) for circuit in circuits)


def _placed(circuit: Circuit, position: int, start: int, turns: bool, basis: PanelBasis) -> Circuit:
    """Return `circuit` at `position`, its outlet banks rotated so that bank 1 is on `start`."""
    if not turns:
        return replace(circuit, position=position)
    shift = LAYOUTS[basis.numbering].phase(position) - start
    return turned_banks(replace(circuit, position=position), shift)
