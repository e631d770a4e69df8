"""Balance a hall on three levels at once: cords on outlet banks, racks on panels, turns of phases.

What is least, in this order: the largest phasor line current of a panel over the states (normal,
each feed lost), the largest neutral current, the largest imbalance of a panel in the normal state,
the largest imbalance of the total of a feed, and the number of circuits that move. Figures that
differ by less than 0.1 % (currents of the limit of a panel, imbalances in points) count as equal.
The loss of a single supply is not among the states; the checks of the panels look at it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from facility.core.errors import FacilityError, unknown
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.it import ItPlan
from facility.model.power.hall_distribution import AsBuiltCords, AsBuiltPanel
from facility.power.panels.balance.effort import CancelCall, Watch
from facility.power.panels.balance.positions import place, unbalanced
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.moves import moves_between
from facility.power.panels.board.pack import ANY
from facility.power.panels.design.as_built import as_built_of
from facility.power.panels.design.halls import PanelSet, build_panels
from facility.power.panels.design.racks import outlet_banks
from facility.power.panels.hall.bound import HallBound, least_current
from facility.power.panels.hall.decode import Arrangement, given_arrangement
from facility.power.panels.hall.result import HallBalance, hall_figures
from facility.power.panels.hall.solve import Solver
from facility.power.panels.hall.tables import Meter, bank_order
from facility.power.panels.hall.turnings import KnownTurnings
from facility.power.panels.hall.units import HallUnits, refuse_busways, take_apart


def as_built_cords(hall: HallUnits, at: Arrangement) -> tuple[AsBuiltCords, ...]:
    """Return the cords of an arrangement: those the project states, and those plugged anew.

    What is left out is plugged as the design does it.
    """
    already = {(c.rack, c.feed, c.number) for c in hall.found.basis.cords}
    stated = {}
    for key, cords in sorted(hall.cords.items()):
        designed = outlet_banks(cords.power_va, cords.banks < 0)
        if cords.key in already or not np.array_equal(at.banks[key], designed):
            banks = tuple(int(bank) for bank in at.banks[key])
            stated[cords.key] = AsBuiltCords(*cords.key, banks)
    return tuple(stated.values())


def as_built_boards(hall: HallUnits, at: Arrangement) -> tuple[AsBuiltPanel, ...]:
    """Return the boards of an arrangement, circuits that keep panel and phase where they stand.

    Raises ``PANEL_FULL`` when the breakers do not fit.
    """
    held: dict[int, list[int]] = defaultdict(list)
    for number in range(len(hall.members)):
        held[int(at.panels[number])].append(number)
    sides = {panel.tag: panel.side for panel in hall.found.panels}
    said = {
        (sides.get(board.tag, ""), circuit.rack, circuit.number): circuit.description
        for board in hall.found.basis.stated
        for circuit in board.circuits
    }
    boards = as_built_of(_arranged(hall, at, number, held[number]) for number in hall.panels)
    return tuple(
        replace(
            board,
            circuits=tuple(
                replace(c, description=said.get((sides[board.tag], c.rack, c.number), ""))
                for c in board.circuits
            ),
        )
        for board in boards
    )


def _arranged(hall: HallUnits, at: Arrangement, number: int, members: list[int]) -> Panel:
    """Return a panel with its circuits placed, banks named; legs stay those of the given banks."""
    panel = hall.found.panels[number]
    gone = {m.index for m in hall.members if m.panel == number}
    circuits = [c for index, c in enumerate(panel.circuits) if index not in gone]
    starts: dict[int, int] = {}
    first = len(circuits)
    for m in members:
        circuit = hall.circuit(m)
        if at.panels[m] != hall.members[m].panel:
            circuit = replace(circuit, position=None)
        if not hall.members[m].pinned:
            starts[len(circuits)] = ANY if circuit.poles == 3 else int(at.starts[m])
        circuits.append(circuit)
    stood = place(replace(panel, circuits=tuple(circuits)), starts).circuits
    turned = (
        _turned(hall, at, m, circuit) for m, circuit in zip(members, stood[first:], strict=True)
    )
    placed = sorted((*stood[:first], *turned), key=lambda c: c.position or 0)
    return replace(panel, circuits=tuple(placed))


def _turned(hall: HallUnits, at: Arrangement, m: int, circuit: Circuit) -> Circuit:
    """Return a placed member with its banks on the poles where its start asks for them."""
    if circuit.poles != 3 or circuit.position is None:
        return circuit
    order = bank_order(hall.members[m].sort)
    behind = int(at.starts[m]) - hall.panel(m).layout.phase(circuit.position)
    first, second, third = ((pole - behind) % 3 for pole in range(3))
    return replace(circuit, banks=(order[first], order[second], order[third]))


EFFORT = 10
"""Seeded disturbances that every search over the sites of racks is started from again."""

_MOST_TURNINGS = 1000

HallProgressCall = Callable[[str, int, int], None]
"""Called with the step, the panels worked out so far, and the most there may be."""


def balance_hall(  # noqa: PLR0913 - options of the search
    plan: ItPlan,
    found: PanelSet,
    criteria: Criteria,
    hall: str | None = None,
    *,
    racks_stay: bool = False,
    keep_pairs: bool = True,
    recable: bool = True,
    fixed: Collection[str] = (),
    effort: int = EFFORT,
    seconds: float | None = None,
    progress: HallProgressCall | None = None,
    cancel: CancelCall | None = None,
) -> HallBalance:
    """Return the panels of a hall balanced, with what was gained.

    All racks of a kind have their cords plugged alike. No bank, and no line of a circuit, is
    loaded above its most loaded one as given, so that breakers and rack PDUs go on to fit. The
    panels stay as many as they are, with their tags; racks stay in their hall, circuits on their
    feed. Circuits that are fixed, or stand together or apart, keep panel, position, banks and
    cords, and their rack its panels. Effort is counted: the same input gives the same answer,
    unless a time limit is asked for and reached. Balancing a balanced hall again moves nothing,
    unless the effort ran out.

    plan: Racks, as `found` was built from.
    found: Panels as designed or stated.
    criteria: Code; the circuits of cords plugged anew get their breakers by it.
    hall: Hall to balance; None for all of them.
    racks_stay: Whether every rack keeps its panels; cords, turns and positions are decided alone.
    keep_pairs: Whether circuits of a rack that share a group of panels go on to share one.
        Otherwise its feeds move on their own.
    recable: Whether cords may change their outlet banks.
    fixed: Ids of circuits that keep panel, position, banks and cords, beside those marked fixed.
    effort: Seeded disturbances that the search over the panels of racks is started from again.
    seconds: Time by the clock. A run that ends by it says so, and is not reproducible.
    progress, cancel: Called with step, panels worked out and their most; asked whether to end with
        what there is.

    Raises ``UNKNOWN_HALL``, ``UNKNOWN_CIRCUIT``, ``BALANCE_LIMIT``, ``HALL_OPTIONS``,
    ``HALL_BUSWAY``, or ``PANEL_FULL``.
    """
    halls = _halls(plan, hall)
    _refuse_options(found, fixed, effort, seconds, racks_stay, keep_pairs)
    taken = take_apart(plan, found, halls, fixed, racks_stay=racks_stay, keep_pairs=keep_pairs)
    refuse_busways(taken)
    pluggable = _pluggable(plan, taken, halls) if recable else ()
    watch = Watch(seconds, cancel)
    meter = Meter(KnownTurnings(), _MOST_TURNINGS * (effort + 2), watch, progress)
    for keys in (pluggable, ()):
        solver = Solver(taken, meter, keys, effort)
        best = solver.solved()
        after, boards, cords = _rebuilt(plan, taken, criteria, best)
        if after is not None:
            break
    assert after is not None, "cords as given fill the same panels"
    given = [p for p in found.panels if p.hall in halls]
    figures = hall_figures([p for p in after.panels if p.hall in halls])
    bound_a = least_current(taken, racks_stay=racks_stay, pluggable=pluggable)
    status = watch.reason or ("effort" if meter.spent() else "settled")
    if not watch.stopped():
        bound_a = HallBound(solver.search(best.banks), pluggable).proven(bound_a, figures.current_a)
    return HallBalance(
        halls=halls,
        given=found,
        found=after,
        before=hall_figures(given),
        after=figures,
        wired_alike=hall_figures([unbalanced(p) for p in given]),
        objective="current",
        reached=figures.current_a,
        bound=bound_a,
        boards=boards,
        cords=cords,
        moves=moves_between(found.panels, after.panels, by_rack=True),
        status=status,
    )


def _halls(plan: ItPlan, hall: str | None) -> tuple[str, ...]:
    names = [each.name for each in plan.halls]
    if hall is None:
        return tuple(names)
    if hall not in names:
        raise unknown("UNKNOWN_HALL", "hall", f"there is no hall {hall!r}.", hall, names)
    return (hall,)


def _refuse_options(
    found: PanelSet,
    fixed: Collection[str],
    effort: int,
    seconds: float | None,
    racks_stay: bool,
    keep_pairs: bool,
) -> None:
    known = dict.fromkeys(c.id for panel in found.panels for c in panel.circuits)
    for id in fixed:
        if id not in known:
            raise unknown("UNKNOWN_CIRCUIT", "fixed", f"there is no circuit {id!r}.", id, known)
    for name, value in (("effort", effort), ("seconds", seconds)):
        if value is not None and not 0.0 <= value < float("inf"):
            raise FacilityError(
                "BALANCE_LIMIT",
                name,
                f"got {value}, expected a number from 0 on.",
                "Give the effort as a count, the time in seconds.",
            )
    if racks_stay and not keep_pairs:
        raise FacilityError(
            "HALL_OPTIONS",
            "keep_pairs",
            "racks that stay on their panels keep their pairs.",
            "Leave one of the two out.",
        )


def _pluggable(
    plan: ItPlan, taken: HallUnits, halls: Collection[str]
) -> tuple[tuple[int, int], ...]:
    """Return the circuits, by (kind, circuit), whose cords may be plugged anew.

    Cords are said by the name of the kind of rack: those of a kind that stands in another hall
    too, or that is not the same in all of them, stay, and so do those with a pinned circuit.
    """
    used = {key[:2] for key in taken.template}
    pinned = {member.sort[:2] for member in taken.members if member.pinned}
    elsewhere = {rack.name for rack in plan.racks if rack.hall not in halls}
    found = []
    for key, cords in taken.cords.items():
        alike = [k for k, other in taken.cords.items() if other.key == cords.key]
        same = all(
            taken.cords[k].power_va.tolist() == cords.power_va.tolist()
            and taken.cords[k].banks.tolist() == cords.banks.tolist()
            for k in alike
        )
        free = not any(k in pinned or k not in used for k in alike)
        if same and free and cords.key[0] not in elsewhere:
            found.append(key)
    return tuple(found)


def _rebuilt(
    plan: ItPlan, taken: HallUnits, criteria: Criteria, at: Arrangement
) -> tuple[PanelSet | None, tuple[AsBuiltPanel, ...], tuple[AsBuiltCords, ...]]:
    """Return the panels that a project with the arrangement designs to, and what it states.

    None for the panels where other cords would fill other panels, so that the tags do not exist.
    """
    given = given_arrangement(taken)
    if _same(given, at):
        return taken.found, (), ()
    basis = taken.found.basis
    boards, cords = as_built_boards(taken, at), as_built_cords(taken, at)
    stated = {board.tag: board for board in (*basis.stated, *boards)}
    plugged = {(c.rack, c.feed, c.number): c for c in (*basis.cords, *cords)}
    basis = replace(basis, stated=tuple(stated.values()), cords=tuple(plugged.values()))
    recabled = any((at.banks[key] != given.banks[key]).any() for key in at.banks)
    try:
        after = build_panels(plan, basis, criteria, Trace())
    except FacilityError:
        if not recabled:
            raise
        return None, (), ()
    if [p.tag for p in after.panels] != [p.tag for p in taken.found.panels]:
        return None, (), ()
    return after, boards, cords


def _same(given: Arrangement, at: Arrangement) -> bool:
    plugged = all((at.banks[key] == given.banks[key]).all() for key in at.banks)
    stands = (at.panels == given.panels).all() and (at.starts == given.starts).all()
    return bool(plugged and stands)
