"""Halls: geometry given, or by named rules from the number of racks."""

from __future__ import annotations

import math

from facility.core.errors import FacilityError
from facility.core.sources import PROJECT, RECALLED, Source
from facility.core.trace import Trace
from facility.model.inputs.it import HallSection
from facility.model.it import Hall
from facility.physics.facility.hall import hall_area, route_longest, route_mean
from facility.study.resolve.reader import Reader

_RACKS_PER_ROW = 20
_ROW_PITCH_M = 2.7
_CIRCULATION = 1.3
_DROPS_M = 5.0


def resolve_hall(
    section: HallSection, index: int, racks: int, pitch: tuple[float, Source], trace: Trace
) -> Hall:
    """Return the hall of `section`, with `racks` racks.

    section: What the project says of the hall.
    index: Its place in the list, for result ids.
    racks: Racks in it.
    pitch: Rack pitch [m] where the hall states none, and where it is from.
    trace: Receives the rules used.

    Raises ``CONTRADICTION`` when the mean route is longer than the longest.
    """
    id = f"it.hall.{index + 1}"
    read = Reader(section, id, trace)
    read("rack_pitch", pitch[0], source=pitch[1])
    aisles = "rack 1.2 m deep, half of a 1.8 m cold and of a 1.2 m hot aisle"
    trace.assume(f"{id}.row_pitch", _ROW_PITCH_M, "length", aisles, RECALLED)
    rows = read.count(
        "rows", max(1, math.ceil(racks / _RACKS_PER_ROW)), f"{_RACKS_PER_ROW} racks per row"
    )
    trace.given(f"{id}.racks", racks, "count", Source("roll-up"))
    if section.floor_area is not None:
        area_m2 = trace.given(f"{id}.floor_area", section.floor_area.si, "area", PROJECT)
    else:
        trace.assume(
            f"{id}.circulation",
            _CIRCULATION,
            "ratio",
            "cross aisles and perimeter over the area of the rows",
            RECALLED,
        )
        area_m2 = trace.do(
            f"{id}.floor_area",
            hall_area,
            racks=f"{id}.racks",
            rack_pitch_m=f"{id}.rack_pitch",
            row_pitch_m=f"{id}.row_pitch",
            circulation=f"{id}.circulation",
        )
    mean_m, longest_m = _routes(section, id, racks, rows, trace)
    return Hall(section.name, area_m2, rows, trace.value(f"{id}.rack_pitch"), mean_m, longest_m)


def _routes(
    section: HallSection, id: str, racks: int, rows: int, trace: Trace
) -> tuple[float, float]:
    where = f"it.halls[{int(id.rsplit('.', 1)[1]) - 1}]"
    lengths = {"route_mean": section.route_mean, "route_max": section.route_max}
    if section.route_mean is None or section.route_max is None:
        rule = Reader(section, id, trace).word("route_rule", section.route_rule)
        trace.assume(
            f"{id}.drops", _DROPS_M, "length", "2.5 m down at the panel and at the rack", RECALLED
        )
        trace.given(f"{id}.racks_per_row", racks / rows, "ratio", Source("roll-up"))
    found: dict[str, float] = {}
    for (name, given), equation in zip(lengths.items(), (route_mean, route_longest), strict=True):
        if given is not None:
            found[name] = trace.given(f"{id}.{name}", given.si, "length", PROJECT)
        else:
            found[name] = trace.do(
                f"{id}.{name}",
                equation,
                rule,
                racks_per_row=f"{id}.racks_per_row",
                rack_pitch_m=f"{id}.rack_pitch",
                drops_m=f"{id}.drops",
                rows_crossed=float(rows if rule == "wall" else 0),
                row_pitch_m=f"{id}.row_pitch",
            )
    if found["route_mean"] > found["route_max"]:
        raise FacilityError(
            "CONTRADICTION",
            f"{where}.route_mean",
            f"the mean route of {found['route_mean']:g} m is longer than the longest, "
            f"{found['route_max']:g} m.",
            "Give both, or neither.",
        )
    return found["route_mean"], found["route_max"]
