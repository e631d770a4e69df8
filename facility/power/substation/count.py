"""Transformer count: MV/LV on each UPS system, PDU transformers on each feed."""

from __future__ import annotations

from collections.abc import Sequence

from facility.core.errors import FacilityError
from facility.core.rounding import whole_units
from facility.core.sources import Source
from facility.power.train.types import TransformerDesign, TransformerUnit

CHOICE_RULE = "fewest units of the largest permitted rating, then the smallest sufficient rating"


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
    """Return identical transformers for the worst-state load of a carrier (system or feed).

    units: Candidate ratings, rising.
    carriers: Systems or feeds, each with separate transformers.
    carrying: Carriers that suffice for the whole load.
    load_va: Largest load of one carrier over all designed states [VA].
    max_loading: Permitted loading.
    spare: Spare transformers of a carrier.
    parts: Separate groups of the load of a carrier, e.g. blocks or output buses; each has identical
        transformers, and `spare` is the total of all groups.
    as_built: As-built total; used unchanged.
    floor: Units per carrier and rating of a previous pass, a lower limit.
    where: Path of the count, for the error.

    Raises ``COUNT_NOT_EVEN`` if the as-built total does not divide by carriers and parts.
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
    """Return the circuits of a low-voltage service, one per part, without transformers.

    `rating_va` is the load of the main breaker of one circuit.
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
            f"Enter a multiple of {groups}.",
        )
    return as_built // len(carriers)
