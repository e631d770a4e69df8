"""Partners: circuits that feed the same rack from different feeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from facility.core.errors import FacilityError
from facility.power.panels.board.model import Circuit


def partners_within(circuits: Iterable[Circuit]) -> tuple[tuple[Circuit, Circuit], ...]:
    """Return the pairs of partners among `circuits` whose sides are not told apart."""
    known = list(circuits)
    if not any(circuit.partner for circuit in known):
        return ()
    return tuple(
        (first, second)
        for first, second in combinations(known, 2)
        if first.side == second.side and are_partners(first, second)
    )


def are_partners(first: Circuit, second: Circuit) -> bool:
    """Return whether one of two circuits names the other as its partner."""
    return any(
        other.id == circuit.partner or other.id in partner_ids(circuit)
        for circuit, other in ((first, second), (second, first))
    )


def partner_ids(circuit: Circuit) -> tuple[str, ...]:
    """Return the ids of the partners that `circuit` names, separated by strokes."""
    return tuple(name.strip() for name in circuit.partner.split("/") if name.strip())


def check_partners(circuits: Sequence[Circuit], wheres: Sequence[str]) -> None:
    """Refuse partners in one panelboard whose sides are not told apart.

    circuits: Circuits of one panelboard.
    wheres: Place of each circuit in the user's file, for the message.

    Raises ``PANEL_PARTNER``.
    """
    places = {circuit.id: where for circuit, where in zip(circuits, wheres, strict=True)}
    for first, second in partners_within(circuits):
        raise FacilityError(
            "PANEL_PARTNER",
            places[second.id],
            f"{first.id!r} and {second.id!r} feed the same rack from the same panelboard, "
            f"both on side {second.side!r}.",
            "Tell their sides apart in the column side, or move one to another panelboard.",
        )
