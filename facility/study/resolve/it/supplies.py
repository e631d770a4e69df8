"""Power supplies of a device: from the catalogue, as specified, or an assumed redundant set."""

from __future__ import annotations

import math
from dataclasses import replace

from facility.catalogue import Row, table
from facility.core.errors import FacilityError, unknown
from facility.core.rounding import reaches, whole_units, within
from facility.core.sources import PROJECT, RECALLED, Source
from facility.core.trace import Trace
from facility.model.inputs.it import SuppliesSection
from facility.model.it import MAX_CORDS, CappedMode, Device, PsuSet
from facility.power.it.reconcile import slug
from facility.study.resolve.reader import Reader

_DATA_CENTRE_TEST = "230 V internal redundant"
_SHELF_OF = 6
_SHELF_SOURCE = Source("nvidia-dgx-gb-user-guide", "Power", verified="secondary")
_ONE_PHASE = (3300.0, 200.0, 240.0)
_SHELF = (33000.0, 346.0, 480.0)  # Supplies of 200 to 277 V to neutral, as of GB300 NVL72
_SHELVES_W = (33000.0, 72000.0)
"""Usual ratings of a power shelf: six supplies of 5.5 or 12 kW."""


def efficiency_curve(psu_class: str, where: str = "") -> tuple[tuple[float, float], ...]:
    """Return the (load fraction, efficiency) points of a class of supplies.

    A certification level uses its data-center test, 230 V internal redundant.

    Raises ``UNKNOWN_MODEL`` with near matches.
    """
    rows = table("equipment/psu_efficiency").select(psu_class=psu_class)
    if not rows:
        known = {str(row["psu_class"]) for row in table("equipment/psu_efficiency").rows}
        raise unknown(
            "UNKNOWN_MODEL", where, f"{psu_class!r} is not a class of supplies.", psu_class, known
        )
    tests = [str(row["supply"]) for row in rows]
    test = _DATA_CENTRE_TEST if _DATA_CENTRE_TEST in tests else tests[0]
    points = [
        (row.si("load_pct"), row.si("efficiency_pct")) for row in rows if row["supply"] == test
    ]
    return tuple(sorted(points))


def catalogue_supplies(row: Row, device: Device, it: Reader) -> PsuSet:
    """Return the supplies of a catalogue row; for a row with power shelves, its shelves.

    A shelf has one three-phase cord, so it counts as one supply. An unpublished required number
    follows from rating and maximum power. `it` reads the power factor of supplies.
    """
    trace = it.trace
    id = f"it.device.{slug(device.model)}"
    server = "input_phases" in row.schema.columns
    shelved = server and (row["psu_shelves"] is not None or row["input_phases"] == 3)
    found = _shelves(row, id, trace) if shelved else _corded(row, device, id, trace)
    if found is None:
        return _assumed(device, 3 if device.rack_units >= 40 else 1, id, it)
    supplies, needed, rating_w = found
    phases = 3 if shelved else 1
    low_v, high_v = _published_volts(row, phases, id, trace)
    derived = needed is None
    if needed is None:
        needed = _needed(device, supplies, rating_w, id, trace)
    psu_class = row.text("psu_efficiency_class") if server else ""
    return PsuSet(
        count=supplies,
        needed=needed,
        rating_w=rating_w,
        voltage_min_v=low_v,
        voltage_max_v=high_v,
        phases=phases,
        power_factor=_power_factor(row.si_or_none("power_factor") if server else None, it),
        efficiency=efficiency_curve(psu_class) if psu_class else (),
        source=row.cite("psu_count"),
        capped=_published_mode(device),
        derived=derived,
    )


def given_supplies(
    section: SuppliesSection | None, device: Device, where: str, it: Reader
) -> PsuSet:
    """Return the supplies specified for `device`, completed with defaults.

    it: Reads the power factor of supplies.
    """
    id, trace = f"it.device.{slug(device.model)}", it.trace
    if section is None:
        return _assumed(device, 1, id, it)
    phases = section.phases or (1 if section.shelves is None else 3)
    _, low_v, high_v = _SHELF if phases == 3 else _ONE_PHASE
    rating = section.rating
    if rating is None:
        needed = section.needed or max(1, section.count // 2)
        rating_w = trace.assume(
            f"{id}.supply_rating",
            device.maximum_w / needed,
            "active_power",
            f"{needed} supplies carry the maximum power",
            RECALLED,
        )
    else:
        needed = section.needed or _needed(device, section.count, rating.si, id, trace)
        rating_w = rating.si
    if section.voltage_min is None or section.voltage_max is None:
        _assume_volts(low_v, high_v, id, trace)
    psu_class = section.efficiency_class
    supplies = PsuSet(
        count=section.count,
        needed=needed,
        rating_w=rating_w,
        voltage_min_v=section.voltage_min.si if section.voltage_min else low_v,
        voltage_max_v=section.voltage_max.si if section.voltage_max else high_v,
        phases=phases,
        power_factor=_power_factor(section.power_factor.si if section.power_factor else None, it),
        efficiency=efficiency_curve(psu_class, f"{where}.supplies.efficiency_class")
        if psu_class
        else (),
        source=PROJECT,
    )
    mode = _stated_mode(section, supplies, device, where) or _published_mode(device)
    supplies = replace(supplies, capped=mode)
    shelves = section.shelves or _usual_shelves(supplies, id, trace)
    return supplies if shelves is None else _in_shelves(supplies, supplies.count // shelves)


def _usual_shelves(supplies: PsuSet, id: str, trace: Trace) -> int | None:
    """Return the power shelves of supplies too many and too small for individual inlets."""
    shelved = supplies.phases == 3 and supplies.count > MAX_CORDS
    if not shelved or supplies.count % _SHELF_OF or reaches(supplies.rating_w, _SHELF[0]):
        return None
    return supplies.count // _per_shelf(id, trace)


def _in_shelves(supplies: PsuSet, each: int) -> PsuSet:
    """Return the shelves of `supplies`, `each` per shelf, with one inlet per shelf."""
    mode = supplies.capped
    if mode is not None:
        mode = replace(mode, supplies=math.ceil(mode.supplies / each))
    return replace(
        supplies,
        count=supplies.count // each,
        needed=math.ceil(supplies.needed / each),
        rating_w=supplies.rating_w * each,
        capped=mode,
    )


def _corded(
    row: Row, device: Device, id: str, trace: Trace
) -> tuple[int, int | None, float] | None:
    """Return count, required number and rating of corded supplies; None if unknown."""
    server = "psu_rating_w" in row.schema.columns
    count, needed = row["psu_count"], row["psu_needed"]
    rating_w = row.si_or_none("psu_rating_w") if server else None
    if count is None or (server and rating_w is None) or row["input_voltage_min_v"] is None:
        return None
    if rating_w is None:
        rating_w = trace.assume(
            f"{id}.supply_rating",
            device.maximum_w / int(needed or 1),
            "active_power",
            "rating not published: maximum power shared by the required supplies",
            row.cite("psu_count"),
        )
    return int(count), None if needed is None else int(needed), rating_w


def _shelves(row: Row, id: str, trace: Trace) -> tuple[int, int | None, float] | None:
    """Return count, required number and rating of the power shelves; None if unknown."""
    count, rating_w, needed = row["psu_count"], row.si_or_none("psu_rating_w"), row["psu_needed"]
    shelves, shelf_w = row["psu_shelves"], row.si_or_none("shelf_rating_kw")
    if shelves is not None and shelf_w is not None and needed is None:
        return int(shelves), None, shelf_w
    if count is None or rating_w is None:
        return None
    each = row["psu_per_shelf"]
    size = _per_shelf(id, trace) if each is None else int(each)
    return (
        int(count) // size,
        None if needed is None else math.ceil(int(needed) / size),
        rating_w * size,
    )


def _per_shelf(id: str, trace: Trace) -> int:
    return int(
        trace.assume(
            f"{id}.supplies_per_shelf",
            _SHELF_OF,
            "count",
            "a 33 kW shelf contains 6 supplies of 5.5 kW",
            _SHELF_SOURCE,
        )
    )


def _published_volts(row: Row, phases: int, id: str, trace: Trace) -> tuple[float, float]:
    low_v, high_v = row.si_or_none("input_voltage_min_v"), row.si_or_none("input_voltage_max_v")
    if low_v is not None and high_v is not None:
        return low_v, high_v
    _, low_v, high_v = _SHELF if phases == 3 else _ONE_PHASE
    _assume_volts(low_v, high_v, id, trace)
    return low_v, high_v


def _assume_volts(low_v: float, high_v: float, id: str, trace: Trace) -> None:
    trace.ledger.add_text(
        f"{id}.supply_voltage", f"{low_v:g}-{high_v:g} V", "usual range for such supplies", RECALLED
    )


def _needed(device: Device, count: int, rating_w: float, id: str, trace: Trace) -> int:
    needed = min(count, whole_units(device.maximum_w / rating_w))
    return int(
        trace.assume(
            f"{id}.supplies_needed",
            needed,
            "count",
            "redundancy not stated: maximum power over the rating of one supply",
            device.source,
        )
    )


def _assumed(device: Device, phases: int, id: str, it: Reader) -> PsuSet:
    rating_w, low_v, high_v = _SHELF if phases == 3 else _ONE_PHASE
    if phases == 3:
        ratings_w = (w for w in _SHELVES_W if 2 * whole_units(device.maximum_w / w) <= MAX_CORDS)
        rating_w = next(ratings_w, _SHELVES_W[-1])
    needed = whole_units(device.maximum_w / rating_w, 1)
    it.trace.ledger.add_text(
        f"{id}.supplies",
        f"{needed}+{needed} x {rating_w / 1e3:g} kW, {low_v:g}-{high_v:g} V",
        "supplies not published: a fully redundant set (N+N) of the usual rating",
        RECALLED,
    )
    return PsuSet(
        2 * needed,
        needed,
        rating_w,
        low_v,
        high_v,
        phases,
        _power_factor(None, it),
        (),
        RECALLED,
        assumed=True,
    )


def _power_factor(known: float | None, it: Reader) -> float:
    return it("power_factor") if known is None else known


def _published_mode(device: Device) -> CappedMode | None:
    """Return the capped mode published by the manufacturer, from the cap of its GPUs."""
    for row in table("equipment/design_guide").select(system=device.model):
        cap_w = row.si_or_none("gpu_cap_w")
        if cap_w is not None and device.gpu_power_w is not None:
            input_w = device.maximum_w - device.gpus * max(0.0, device.gpu_power_w - cap_w)
            return CappedMode(
                row.integer("supplies_alive"), max(0.0, input_w), cap_w, row.cite("gpu_cap_w")
            )
    return None


def _stated_mode(
    section: SuppliesSection, supplies: PsuSet, device: Device, where_device: str
) -> CappedMode | None:
    """Return the capped mode stated in the project; otherwise too few supplies stop the device.

    Raises ``CONTRADICTION`` if it contradicts the supplies or the input of the device.
    """
    stated = section.capped
    if stated is None:
        return None
    needed, rating_w = supplies.needed, supplies.rating_w
    where = f"{where_device}.supplies.capped"
    input_w, count = stated.power.si, stated.supplies
    if count >= needed:
        raise FacilityError(
            "CONTRADICTION",
            f"{where}.supplies",
            f"capped with {count} supplies, but {needed} carry the full load of {device.model}.",
            f"Enter fewer than {needed}, the number of supplies needed for full load.",
        )
    if not within(input_w, count * rating_w):
        raise FacilityError(
            "CONTRADICTION",
            f"{where}.power",
            f"{input_w / 1e3:g} kW capped is above the {count} x {rating_w / 1e3:g} kW ="
            f" {count * rating_w / 1e3:g} kW that {count} supplies deliver.",
            "Enter a capped power that they deliver, or more supplies.",
        )
    if not within(input_w, device.maximum_w):
        raise FacilityError(
            "CONTRADICTION",
            f"{where}.power",
            f"{input_w / 1e3:g} kW capped is above the maximum of {device.model},"
            f" {device.maximum_w / 1e3:g} kW.",
            "Enter the input of the capped device.",
        )
    return CappedMode(count, input_w, None, PROJECT)
