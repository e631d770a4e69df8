"""Stated cooling inputs without effect: equipment that the halls do not have."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check
from facility.model.cooling.chain import CoolingChain, FacilityWaterPlan
from facility.model.facility import Facility
from facility.model.inputs.document import Project
from facility.model.inputs.scalars import Section
from facility.power.rules import RULES

_PIPES = "cooling.hydraulics"
_THERMAL = "cooling.thermal"
_Fields = tuple[str, tuple[str, ...]]
"""Path of a section and its fields; empty for all fields."""
_OF_CHILLED: tuple[_Fields, ...] = (
    ("cooling.crah", ("film_ratio",)),
    (_THERMAL, ("chilled_water_volume", "tank_kind", "tank_usable")),
)
_OF_COOLANT: tuple[_Fields, ...] = (
    ("cooling.cdu", ()),
    ("cooling.facility_water", ()),
    ("cooling.liquid", ()),
    ("cooling.crah", ("design_fraction",)),
    (_PIPES, ("tcs_route", "hose", "tcs_header")),
    (
        _THERMAL,
        (
            "plate_mass",
            "plate_rise",
            "plate_limit",
            "tcs_volume",
            "facility_water_volume",
            "facility_water_tank",
            "standby_pump",
            "pump_changeover",
        ),
    ),
)
_HEADERS: tuple[_Fields, ...] = ((_PIPES, ("tcs_route", "tcs_header")),)
_OUTDOORS: tuple[_Fields, ...] = (
    (_PIPES, ("rejection_route",)),
    (_THERMAL, ("rejection_restart", "standby_rejection")),
)
_EXCHANGED: tuple[_Fields, ...] = (("cooling.facility_water", ("exchanger_approach",)),)
_REJECTED: tuple[_Fields, ...] = (("cooling.facility_water.rejection", ()),)
_OWN_PUMP: tuple[_Fields, ...] = (("cooling.facility_water.rejection", ("pump",)),)
_OF_WATER: tuple[_Fields, ...] = (
    (_PIPES, ()),
    (_THERMAL, ("header_flow", "standby_water_pumps", "water_pump_start")),
)
_MIXED: tuple[_Fields, ...] = (
    ("cooling", ("recirculation", "worst_recirculation")),
    ("cooling.air", ("blanking",)),
)
_VENTILATED: tuple[_Fields, ...] = (("cooling.air", ("ventilation_fan",)),)


def unused_cooling(project: Project, facility: Facility) -> Iterator[Check]:
    """Yield a finding for each stated field of absent equipment."""
    reported: set[str] = set()
    for fields, why in _absent(facility):
        for path, names in fields:
            for name in _stated(project, path):
                id = f"{path}.{name}"
                if (not names or name in names) and id not in reported:
                    reported.add(id)
                    yield RULES["INPUT-UNUSED"].verdict(id, False, why)


def _stated(project: Project, path: str) -> tuple[str, ...]:
    """Return the stated fields of a section."""
    section: Section | None = project
    for part in path.split("."):
        section = getattr(section, part, None)
    if section is None:
        return ()
    return tuple(n for n in type(section).model_fields if getattr(section, n) is not None)


def _absent(facility: Facility) -> Iterator[tuple[tuple[_Fields, ...], str]]:
    """Yield the fields of equipment absent from the halls, and the reason."""
    chain = facility.cooling
    direct, coolant = chain.chilled_water.direct, chain.cdu is not None
    if chain.crah.path.room.ventilation_m3_s <= 0.0:
        yield _VENTILATED, "no outdoor air is supplied to the halls (cooling.air.ventilation)"
    if chain.crah.path.door is not None:
        yield (
            _MIXED,
            "halls with rear doors use cooling.air.room_rise instead (cooling.air.terminal)",
        )
    if direct and not coolant:
        yield _OF_WATER, "halls with CRACs (cooling.air.terminal) have no water"
    if direct:
        yield _OF_CHILLED, "CRACs (cooling.air.terminal) have no chilled water"
    if not coolant:
        yield _OF_COOLANT, "no equipment rejects heat to coolant (cooling.method)"
    if _in_racks(chain):
        yield _HEADERS, "CDUs in the racks have no coolant headers (cooling.cdu.model)"
    if (water := chain.facility_water) is not None:
        yield from _absent_of(water)
    if not chain.rejects_outdoors:
        yield _OUTDOORS, "no towers and no dry coolers (cooling.plant.heat_rejection)"


def _in_racks(chain: CoolingChain) -> bool:
    """Return whether the CDUs are installed in the racks that they cool."""
    if chain.cdu is None or chain.liquid is None:
        return False
    model = chain.cdu.unit.model
    return any(one.model == model and one.mount == "in-rack" for one in chain.liquid.candidates)


def _absent_of(water: FacilityWaterPlan) -> Iterator[tuple[tuple[_Fields, ...], str]]:
    """Yield the fields of equipment absent from the facility-water loop, and the reason."""
    source = "(cooling.facility_water.source)"
    if water.sink is None:
        yield _REJECTED, f"chilled water removes all of its heat {source}"
    if water.source == "dry_cooler":
        yield _OWN_PUMP, f"the loop pumps supply the dry coolers directly {source}"
        if not water.trim:
            yield _EXCHANGED, f"dry-cooler water has no heat exchanger {source}"
