"""Stated cords of racks: whether the racks, circuits and supplies they name exist."""

from __future__ import annotations

from facility.core.errors import FacilityError, near_matches
from facility.model.it import ItPlan, Rack
from facility.model.power.hall_distribution import PanelBasis
from facility.model.power.panels_as_built import StatedCords


def refuse_unknown_cords(plan: ItPlan, basis: PanelBasis) -> None:
    """Refuse stated cords of a rack, circuit or supply that does not exist.

    Raises
    ------
    FacilityError
        ``UNKNOWN_RACK``, ``UNKNOWN_CIRCUIT`` or ``PANEL_BANKS``, with the place in the project.
    """
    for index, cords in enumerate(basis.cords):
        where = f"panels.cords[{index}]"
        kinds = [rack for rack in plan.racks if rack.name == cords.rack]
        if not kinds:
            raise FacilityError(
                "UNKNOWN_RACK",
                f"{where}.rack",
                f"there is no kind of rack {cords.rack!r}.",
                f"{near_matches(cords.rack, dict.fromkeys(r.name for r in plan.racks))} Name the"
                " kind, not one rack; or remove the entry.".strip(),
            )
        for rack in kinds:
            _refuse_unlike_cords(cords, rack, where)


def _refuse_unlike_cords(cords: StatedCords, rack: Rack, where: str) -> None:
    on_feed = [n for n, circuit in enumerate(rack.circuits) if circuit.feed == cords.feed]
    if cords.number >= len(on_feed):
        feeds = ", ".join(dict.fromkeys(circuit.feed for circuit in rack.circuits))
        raise FacilityError(
            "UNKNOWN_CIRCUIT",
            where,
            f"rack {rack.name!r} has {len(on_feed)} circuits on feed {cords.feed!r}; got circuit"
            f" {cords.number + 1}.",
            f"Its feeds are {feeds}. Correct feed or circuit, or remove the entry.",
        )
    number = on_feed[cords.number]
    if rack.circuits[number].poles != 3:
        raise FacilityError(
            "PANEL_BANKS",
            f"{where}.banks",
            "the circuit has no outlet banks: it has not 3 poles.",
            "Remove the entry.",
        )
    supplies = [s for s in rack.supplies if s.circuit == number]
    if len(supplies) != len(cords.banks):
        raise FacilityError(
            "PANEL_BANKS",
            f"{where}.banks",
            f"{len(cords.banks)} banks are given; {len(supplies)} supplies of a rack hang on this"
            " circuit.",
            "Give one bank for each, in the order of the devices.",
        )
    for place, (supply, bank) in enumerate(zip(supplies, cords.banks, strict=True)):
        if (rack.device_phases[supply.device] == 3) != (bank < 0):
            sort, right = ("three-phase", "0") if bank >= 0 else ("single-phase", "1, 2 or 3")
            raise FacilityError(
                "PANEL_BANKS",
                f"{where}.banks[{place}]",
                f"the cord is {sort}; got bank {bank + 1}.",
                f"Write {right}.",
            )
