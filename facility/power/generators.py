"""The generator plant: which set, what the site leaves of its rating, and how many."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Site
from facility.model.power_chain import GeneratorBasis
from facility.physics.generator import between, between_two, sets_needed, site_derate
from facility.power.chain_types import ChainCounts, GeneratorDesign
from facility.power.trace_links import step_or_value

OWN_SET = "own set"
NAMEPLATE_POWER_FACTOR = 0.8
MOST_SETS = 8
"""Sets on one bus beyond which the design prefers larger ones."""

CHOICE_RULE = (
    "least installed kW, then fewest sets, among catalogue sets of the site's frequency with kW"
    f" and kVA rating of which at most {MOST_SETS} are needed; where all need more, fewest sets"
)
_RULE = Source("planning-rule", "choice of the generator set", verified="computed")
_LOAD_LIMITS = Source("annex-manufacturer-sheets", "average load limits of LEHE1351-04")
_MISSION_CRITICAL_LIMIT = 0.85
_STANDBY_LIMIT = 0.70
_DERATE = "electrical/generator_derate"


@dataclass(frozen=True)
class _Set:
    model: str
    rating_w: float
    rating_va: float
    basis: str
    max_loading: float
    frequency_hz: float
    source: Source
    memory: tuple[str, ...]
    duty: int = 0


def derating(altitude_m: float, ambient_c: float) -> tuple[float, float, float]:
    """Return the site factors: engine; alternator for altitude; alternator for ambient.

    Tables are interpolated linearly; below their range a set delivers its rating.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` above the altitude or the temperature that the tables reach.
    """
    engine = table(_DERATE).select(kind="altitude_and_ambient")
    altitudes = np.unique([row.si("altitude_m") for row in engine])
    ambients = np.unique([row.si("ambient_c") for row in engine])
    factors = np.empty((altitudes.size, ambients.size))
    for row in engine:
        at = np.searchsorted(altitudes, row.si("altitude_m"))
        factors[at, np.searchsorted(ambients, row.si("ambient_c"))] = row["multiplier"]
    _within(altitude_m, float(altitudes[-1]), "site.elevation", "m")
    _within(ambient_c, float(ambients[-1]), "site.design_weather", "°C")
    alternator = [row for row in table(_DERATE).rows if row.text("model").startswith("alternator")]
    by_altitude = [row for row in alternator if row["kind"] == "altitude_m"]
    by_ambient = [row for row in alternator if row["kind"] == "ambient_c"]
    return (
        between_two(altitude_m, ambient_c, altitudes, ambients, factors),
        _factor(altitude_m, by_altitude, "altitude_m"),
        _factor(ambient_c, by_ambient, "ambient_c"),
    )


def _factor(x: float, rows: list[Row], column: str) -> float:
    xs = np.array([row.si(column) for row in rows])
    return between(x, xs, np.array([row.si("multiplier") for row in rows]))


def _within(value: float, limit: float, where: str, unit: str) -> None:
    if value > limit:
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"the derating tables of generators end at {limit:.0f} {unit}; the site has"
            f" {value:.0f} {unit}.",
            "Give power.generator.derate from the maker.",
        )


def size_generators(
    basis: GeneratorBasis,
    site: Site,
    load_w: float,
    load_va: float,
    floor: ChainCounts | None,
    trace: Trace,
) -> GeneratorDesign:
    """Return the sets that carry a load on the site, spare sets included.

    Parameters
    ----------
    basis : GeneratorBasis
        What is given of the plant.
    site : Site
        Elevation, design dry bulb and frequency.
    load_w, load_va : float
        Load of the plant: UPS input with recharge, cooling, house, board losses [W], [VA].
    floor : ChainCounts or None
        Set and count of an earlier pass, kept and not lowered.
    trace : Trace
        Takes ``generator.rating``, ``generator.count`` and what they rest on.

    Raises
    ------
    FacilityError
        ``NO_GENERATOR`` (exit code 4) when the catalogue has no set of the frequency;
        ``UNKNOWN_MODEL`` for the set named; ``OUT_OF_RANGE`` for a site beyond the tables.
    """
    derate = _derate(basis, site, trace)
    ranked = _ranked(
        [_with_duty(s, load_w, load_va, derate) for s in _candidates(basis, site)], basis.spare
    )
    chosen = next((s for s in ranked if floor and s.model == floor.generator_model), ranked[0])
    count = chosen.duty + basis.spare
    if floor is not None:
        count = max(count, floor.generators)
    design = GeneratorDesign(
        model=chosen.model,
        rating_w=chosen.rating_w,
        rating_va=chosen.rating_va,
        rating_basis=chosen.basis,
        frequency_hz=chosen.frequency_hz,
        derate=derate,
        max_loading=chosen.max_loading,
        duty=chosen.duty,
        count=count if basis.count is None else basis.count,
        spare=basis.spare,
        source=chosen.source,
        memory=chosen.memory,
    )
    _record(basis, design, [s.model for s in ranked if s is not chosen], trace)
    return design


def _derate(basis: GeneratorBasis, site: Site, trace: Trace) -> float:
    if basis.derate is not None:
        return trace.given("generator.derate", basis.derate, "ratio", PROJECT)
    engine, by_altitude, by_ambient = derating(site.elevation_m, site.design.dry_bulb_c)
    why = f"at {site.elevation_m:.0f} m and {site.design.dry_bulb_c:.1f} °C"
    source = Source("generator-derate-manuals", "engine table of one maker")
    trace.given("generator.derate.engine", engine, "ratio", source, why)
    return float(
        trace.do(
            "generator.derate", site_derate, why, engine="generator.derate.engine",
            alternator_altitude=by_altitude, alternator_ambient=by_ambient,
        )
    )  # fmt: skip


def _candidates(basis: GeneratorBasis, site: Site) -> list[_Set]:
    if basis.set_w is not None and basis.set_va is not None:
        limit = basis.max_loading if basis.max_loading is not None else _STANDBY_LIMIT
        own = _Set(OWN_SET, basis.set_w, basis.set_va, "as given", limit, site.frequency_hz,
                   PROJECT, ())  # fmt: skip
        return [own]
    if basis.model:
        return [_from_row(table("equipment/generators").get(basis.model, "power.generator.model"),
                          basis)]  # fmt: skip
    rows = [
        row
        for row in table("equipment/generators").rows
        if row.si("frequency_hz") == site.frequency_hz and row["standby_kva"] is not None
    ]
    if not rows:
        raise FacilityError(
            "NO_GENERATOR",
            "power.generator",
            f"the catalogue has no {site.frequency_hz:.0f} Hz generator set with a kVA rating.",
            "Give power.generator.rating and rating_kva.",
            exit_code=4,
        )
    return [_from_row(row, basis) for row in rows]


def _from_row(row: Row, basis: GeneratorBasis) -> _Set:
    critical = row["mission_critical_kw"] is not None
    column = "mission_critical_kw" if critical else "standby_kw"
    rating_w = row.si(column, "power.generator.rating")
    known_va = row.si_or_none("standby_kva")
    limit = _MISSION_CRITICAL_LIMIT if critical else _STANDBY_LIMIT
    memory = [column] if row.is_memory(column) else []
    return _Set(
        model=row.text("model"),
        rating_w=rating_w,
        rating_va=rating_w / NAMEPLATE_POWER_FACTOR if known_va is None else known_va,
        basis="mission critical" if critical else "standby",
        max_loading=basis.max_loading if basis.max_loading is not None else limit,
        frequency_hz=row.si("frequency_hz"),
        source=row.cite(column),
        memory=tuple(memory + (["standby_kva"] if known_va is None else [])),
    )


def _with_duty(one: _Set, load_w: float, load_va: float, derate: float) -> _Set:
    duty = sets_needed.si(load_w, load_va, one.rating_w, one.rating_va, one.max_loading, derate)
    return replace(one, duty=max(1, duty))


def _ranked(sets: list[_Set], spare: int) -> list[_Set]:
    """Return the candidates, the one that `CHOICE_RULE` names first."""

    def installed(one: _Set) -> float:
        return (one.duty + spare) * one.rating_w

    few = [one for one in sets if one.duty + spare <= MOST_SETS]
    if few:
        first = min(few, key=lambda one: (installed(one), one.duty))
    else:
        first = min(sets, key=lambda one: (one.duty, installed(one)))
    return [first, *sorted((s for s in sets if s is not first), key=installed)]


def _record(
    basis: GeneratorBasis, design: GeneratorDesign, others: list[str], trace: Trace
) -> None:
    why = f"{design.model}, {design.rating_basis} rating"
    if basis.model or design.model == OWN_SET:
        trace.given("generator.rating", design.rating_w, "active_power", design.source, why)
    else:
        because = f"{why}: {CHOICE_RULE}. Next: {', '.join(others[:2]) or 'none'}"
        trace.choose("generator.rating", design.rating_w, "active_power", because, _RULE)
        trace.ledger.add_text("power.generator.model", design.model, CHOICE_RULE, _RULE)
    trace.given("generator.rating_kva", design.rating_va, "apparent_power", design.source)
    if basis.max_loading is None:
        words = (
            "average load limit of the rating (mission critical 85 %, standby 70 %), taken on the"
            " design load because synchronous training can hold it for days"
        )
        trace.assume(
            "power.generator.max_loading", design.max_loading, "fraction", words, _LOAD_LIMITS
        )
    trace.do(
        "generator.count.duty", sets_needed, load_w="generator.design_load",
        load_va="generator.design_load_va", set_w="generator.rating",
        set_va="generator.rating_kva", derate="generator.derate",
        max_loading=step_or_value(trace, "power.generator.max_loading", design.max_loading),
    )  # fmt: skip
    given = basis.count is not None
    why = "as built" if given else f"duty sets and {design.spare} spare"
    trace.choose(
        "generator.count", design.count, "count", why, PROJECT if given else DERIVED,
        duty="generator.count.duty",
    )  # fmt: skip
