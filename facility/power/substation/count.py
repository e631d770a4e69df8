"""How many transformers: MV/LV on each UPS system, PDU transformers on each feed."""

from __future__ import annotations

from collections.abc import Sequence

from facility.core.errors import FacilityError
from facility.core.rounding import whole_units
from facility.core.sources import Source
from facility.power.train.types import TransformerDesign, TransformerUnit

CHOICE_RULE = "fewest units of the largest rating permitted, then the least rating that suffices"


def size_transformers(  # noqa: PLR0913 - load, limits and what is as built
    units: Sequence[TransformerUnit],
    carriers: tuple[str, ...],
    carrying: int,
    load_va: float,
    max_loading: float,
    spare: int,
    parts: int = 1,
    as_built: int | None = None,
    floor: tuple[int, float] = (0, 0.0),
    where: str = "power.transformer.count",
) -> TransformerDesign:
    """Return equal transformers for carriers (systems or feeds) of which the worst has a load.

    units: Ratings to choose from, rising.
    carriers: Systems or feeds, each with its own transformers.
    carrying: Carriers that suffice for the whole load.
    load_va: Largest load of one carrier over all designed states [VA].
    max_loading: Part of the rating that may be used.
    spare: Transformers of a carrier beyond its duty.
    parts: Separate groups that the load of a carrier is split into, e.g. blocks or output buses;
        each has equal transformers, and `spare` counts those of all of them.
    as_built: Total as built; used as it is.
    floor: Units per carrier and rating of an earlier pass, not lowered.
    where: Path of the count, for the error.

    Raises ``COUNT_NOT_EVEN`` when the total as built cannot be shared by the carriers and parts.
    """
    fixed = _per_carrier(as_built, carriers, parts, where)
    allowed = [unit for unit in units if unit.rating_va >= floor[1]] or [units[-1]]
    if fixed is None:
        duty = _units(load_va, max_loading, allowed[-1], parts)
        count = max(duty, floor[0] - spare, parts)
    else:
        count = max(fixed - spare, parts)
    unit = next(
        (u for u in allowed if _units(load_va, max_loading, u, parts) <= count), allowed[-1]
    )
    duty = max(parts, _units(load_va, max_loading, unit, parts))
    return TransformerDesign(unit, carriers, carrying, duty, fixed or count + spare)


def service_ways(
    carriers: tuple[str, ...], carrying: int, parts: int, rating_va: float
) -> TransformerDesign:
    """Return the ways of a service at low voltage, one for each part: no transformers.

    `rating_va` is what the main breaker of one way carries.
    """
    source = Source("project", "site.utility_voltage")
    way = TransformerUnit(rating_va, 0.0, 0.0, 0.0, source, ())
    return TransformerDesign(way, carriers, carrying, parts, parts, present=False)


def _units(load_va: float, max_loading: float, unit: TransformerUnit, parts: int) -> int:
    return parts * whole_units(load_va / (parts * max_loading * unit.rating_va))


def _per_carrier(
    as_built: int | None, carriers: tuple[str, ...], parts: int, where: str
) -> int | None:
    if as_built is None:
        return None
    groups = len(carriers) * parts
    if as_built % groups:
        each = f" of {parts} parts each" if parts > 1 else ""
        raise FacilityError(
            "COUNT_NOT_EVEN",
            where,
            f"{as_built} transformers cannot be shared by {len(carriers)} systems or feeds{each}.",
            f"Give a multiple of {groups}.",
        )
    return as_built // len(carriers)
