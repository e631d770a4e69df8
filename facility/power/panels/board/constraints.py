"""Circuit groups and partners, and their violations.

Circuits of a `together` group are in the same panelboard, adjacent without a gap in one column, in
any order; on a busway at adjacent tap-offs. Single-pole line-to-neutral circuits of an `apart`
group never share a phase of their panelboard (a multiwire branch circuit); with several
panelboards, no two circuits of the group are in the same one. Partners feed the same rack: they
may be in the same panelboard only if their sides are distinguished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from typing import Literal

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.rules import RULES


def partners_within(circuits: Iterable[Circuit]) -> tuple[tuple[Circuit, Circuit], ...]:
    """Return the pairs of partners among `circuits` without distinguished sides."""
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
    """Return the ids of the partners of `circuit`, separated by slashes."""
    return tuple(name.strip() for name in circuit.partner.split("/") if name.strip())


def check_partners(circuits: Sequence[Circuit], wheres: Sequence[str]) -> None:
    """Reject partners in one panelboard without distinguished sides.

    circuits: Circuits of one panelboard.
    wheres: Location of each circuit in the user's file, for the message.

    Raises ``PANEL_PARTNER``.
    """
    locations = {circuit.id: where for circuit, where in zip(circuits, wheres, strict=True)}
    for first, second in partners_within(circuits):
        raise FacilityError(
            "PANEL_PARTNER",
            locations[second.id],
            f"{first.id!r} and {second.id!r} feed the same rack from the same panelboard, "
            f"both on side {second.side!r}.",
            "Assign the circuits different sides (column side), or move one to another panelboard.",
        )


Kind = Literal["together", "apart", "partner"]
_KINDS: tuple[Literal["together", "apart"], ...] = ("together", "apart")


@dataclass(frozen=True)
class Broken:
    """Violated constraint."""

    kind: Kind  # Type of constraint
    group: str  # Name of the group; for partners, their rack or the first circuit
    circuits: tuple[str, ...]  # Ids of its circuits
    text: str  # Description of the violation


def groups(circuits: Sequence[Circuit], kind: Literal["together", "apart"]) -> dict[str, list[int]]:
    """Return the indices of the circuits of each group of two or more, in order of appearance."""
    found: dict[str, list[int]] = {}
    for index, circuit in enumerate(circuits):
        name = circuit.together if kind == "together" else circuit.apart
        if name:
            found.setdefault(name, []).append(index)
    return {name: members for name, members in found.items() if len(members) > 1}


def has_groups(circuits: Sequence[Circuit]) -> bool:
    """Return whether any circuits have a `together` or `apart` group."""
    return bool(groups(circuits, "together") or groups(circuits, "apart"))


def keeps_phase(circuit: Circuit) -> bool:
    """Return whether an `apart` group constrains the phase of `circuit`."""
    return circuit.poles == 1 and circuit.connection == "L-N"


def broken_groups(panel: Panel) -> tuple[Broken, ...]:
    """Return the violated groups of one panel in its present arrangement.

    Circuits without a position violate nothing yet.
    """
    return tuple(_broken((panel,), partial(_sharing, panel)))


def broken_across(panels: Sequence[Panel]) -> tuple[Broken, ...]:
    """Return the violated groups and partners of several panelboards as arranged."""
    found = list(_broken(panels, partial(_housed_together, _homes(panels))))
    for panel in panels:
        for first, second in partners_within(panel.circuits):
            group = first.rack or first.id
            text = f"{first.id!r} and {second.id!r} are both in {panel.tag}, on the same side."
            found.append(Broken("partner", group, (first.id, second.id), text))
    return tuple(found)


def impossible(where: str, kind: str, name: str, message: str) -> FacilityError:
    """Return the error for a group without a feasible arrangement."""
    return FacilityError(
        "PANEL_GROUP",
        where,
        f"{kind} {name!r}: {message}",
        "Take a circuit out of the group, free a fixed one, or use a larger panel.",
    )


def _homes(panels: Sequence[Panel]) -> dict[str, Panel]:
    return {circuit.id: panel for panel in panels for circuit in panel.circuits}


def _broken(panels: Sequence[Panel], near: Callable[[Sequence[Circuit]], str]) -> Iterator[Broken]:
    """Yield the violated groups; `near` describes the conflict of an `apart` group."""
    where = _homes(panels)
    circuits = [circuit for panel in panels for circuit in panel.circuits]
    for kind in _KINDS:
        for name, indices in groups(circuits, kind).items():
            members = [circuits[index] for index in indices]
            text = _torn(where, members) if kind == "together" else near(members)
            if text:
                yield Broken(kind, name, tuple(circuit.id for circuit in members), text)


def _torn(where: dict[str, Panel], members: Sequence[Circuit]) -> str:
    """Return the reason why `members` are not adjacent; empty if they are."""
    homes = dict.fromkeys(where[circuit.id].tag for circuit in members)
    if len(homes) > 1:
        return f"the group is split between {', '.join(homes)}."
    panel = where[members[0].id]
    placed = [circuit for circuit in members if circuit.position is not None]
    if len(placed) < len(members):
        return ""
    placed.sort(key=lambda circuit: circuit.position or 0)
    step = panel.layout.stride
    for upper, lower in pairwise(placed):
        rows = 1 if panel.is_busway else upper.poles
        if lower.position != (upper.position or 0) + step * rows:
            label = panel.layout.label
            return (
                f"{lower.id!r} at {label(lower.position or 0)} is not adjacent to "
                f"{upper.id!r} at {label(upper.position or 0)}."
            )
    return ""


def _sharing(panel: Panel, members: Sequence[Circuit]) -> str:
    """Return which single-pole circuits share a phase; empty if none do."""
    seen: dict[int, str] = {}
    for circuit in members:
        start = panel.start(circuit)
        if start is None or not keeps_phase(circuit):
            continue
        if start in seen:
            return f"{seen[start]!r} and {circuit.id!r} share phase {PHASES[start]}."
        seen[start] = circuit.id
    return ""


def _housed_together(where: dict[str, Panel], members: Sequence[Circuit]) -> str:
    seen: dict[str, str] = {}
    for circuit in members:
        tag = where[circuit.id].tag
        if tag in seen:
            return f"{seen[tag]!r} and {circuit.id!r} are both in {tag}."
        seen[tag] = circuit.id
    return ""


def group_checks(panels: Iterable[Panel]) -> Iterator[Check]:
    """Yield a check for each circuit group specified for a panel."""
    for panel in panels:
        named = [(kind, name) for kind in _KINDS for name in groups(panel.circuits, kind)]
        broken = {(one.kind, one.group): one.text for one in broken_groups(panel)} if named else {}
        for kind, name in named:
            text = broken.get((kind, name), "")
            yield RULES["PANEL-GROUP"].verdict(
                f"{panel.tag}, {kind} {name}", not text, text or "arranged as specified"
            )
