"""Air delivery to the racks: floor, leakage, blanking, outdoor air, with named defaults."""

from __future__ import annotations

from facility.core.errors import FacilityError
from facility.core.sources import PRACTICE, PROJECT, UNSTATED
from facility.core.trace import Trace
from facility.model.cooling.air import Humidifier, RoomPlan, Supply, TerminalKind
from facility.model.inputs.cooling.air import AirPathSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import ItPlan, Rack
from facility.physics.air.distribution import tile_flow, tile_loss_coefficient
from facility.study.resolve.reader import Reader

_GRATE = 0.56
_TILE_M2 = 0.6 * 0.6
_PLENUM_PA = 12.5
_HALF_AISLE_M = 0.9
_VENTILATION_M_S = 0.3e-3
_OPEN_SLOTS = 0.05
_MIN_RISE_K = 10.0
"""Reserve over server air flow for rack bypass, in floor selection."""
_AIR_KG_M3, _AIR_J_KGK = 1.2, 1006.0
_THROUGH_FLOOR = ("crah", "crac")


def with_floor_leakage(section: AirPathSection | None, bypass: float, trace: Trace) -> float:
    """Return the bypass including leakage through seams and cut-outs of a raised floor."""
    if section is None or section.floor_leakage is None:
        return bypass
    leak = trace.given("cooling.air.floor_leakage", section.floor_leakage.si, "fraction", PROJECT)
    return trace.derive(
        "cooling.bypass_with_floor",
        1.0 - (1.0 - bypass) * (1.0 - leak),
        "fraction",
        "floor leakage, plus rack bypass of the remaining air",
        leak="cooling.air.floor_leakage",
        bypass="cooling.bypass",
    )


def without_blanking(
    section: CoolingSection, recirculation: float, words: str
) -> tuple[float, str]:
    """Return the default recirculation and its description, with open slots if stated.

    Raises ``AIR_CONTRADICTION`` if recirculation is also stated.
    """
    if section.air is None or section.air.blanking is None:
        return recirculation, words
    if section.recirculation is not None:
        raise FacilityError(
            "AIR_CONTRADICTION",
            "cooling.air.blanking",
            "blanking and cooling.recirculation are both specified.",
            "Enter one; blanking only selects the default recirculation.",
        )
    if section.air.blanking == "full":
        return recirculation, f"{words}, blanking panels in all open slots"
    return recirculation + _OPEN_SLOTS, f"{words}, open slots without blanking panels"


def resolve_room(
    kind: TerminalKind,
    section: AirPathSection,
    room: tuple[str, float | None],
    plan: ItPlan,
    trace: Trace,
) -> RoomPlan:
    """Return floor, outdoor air and humidity control of the halls.

    By default, supply is direct with hot-aisle containment, from
    in-room units, and if the tiles in front of a rack do not pass its air
    flow; else through a raised floor.
    """
    read = Reader(section, "cooling.air", trace)
    containment, driest_c = room
    supply = section.supply or _usual_supply(kind, containment, plan, trace)
    open_fraction, plenum_pa = _GRATE, _PLENUM_PA
    if supply == "raised-floor":
        open_fraction = read("tile_open_area")
        plenum_pa = read("plenum_pressure")
        trace.assume(
            "cooling.air.tile_depth",
            _HALF_AISLE_M,
            "length",
            "half of a 1.8 m cold aisle, with the tiles in front of a rack",
            PRACTICE,
        )
    area_m2 = sum(hall.floor_area_m2 for hall in plan.halls)
    fresh = read("ventilation", _VENTILATION_M_S * area_m2)
    humidifier: Humidifier = read.word("humidifier", section.humidifier)
    floor = (supply, open_fraction, _TILE_M2, _HALF_AISLE_M, plenum_pa)
    return RoomPlan(*floor, fresh, humidifier, read("ventilation_fan"), driest_c)


def _usual_supply(kind: TerminalKind, containment: str, plan: ItPlan, trace: Trace) -> Supply:
    raised = kind in _THROUGH_FLOOR and containment != "hot-aisle"
    because = "the room is the cold aisle, or the units are next to the racks"
    if raised:
        loss = tile_loss_coefficient.si(_GRATE)
        tile_m3_s = float(tile_flow.si(_TILE_M2, _PLENUM_PA, loss, _AIR_KG_M3))
        pitches_m = {hall.name: hall.rack_pitch_m for hall in plan.halls}
        raised = all(
            _air_of(rack) <= tile_m3_s * pitches_m[rack.hall] * _HALF_AISLE_M / _TILE_M2
            for rack in plan.racks
        )
        because = (
            "cold air is supplied to the rack fronts"
            if raised
            else "the tiles do not pass the air flow of the densest rack"
        )
    supply: Supply = "raised-floor" if raised else "direct"
    trace.ledger.add_text("cooling.air.supply", supply, because, UNSTATED)
    return supply


def _air_of(rack: Rack) -> float:
    """Return the maximum of published flow plus 10 % and heat-based flow [m3/s]."""
    published = sum(p.count * (p.device.airflow_m3_s or 0.0) for p in rack.placed)
    heat_w = rack.input_w - rack.liquid_w
    return max(1.1 * published, heat_w / (_AIR_KG_M3 * _AIR_J_KGK * _MIN_RISE_K))
