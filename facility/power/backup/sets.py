"""Generator sets to choose from: those of the catalogue, or the one the project gives."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.rounding import rounded, within
from facility.core.sources import DERIVED, PROJECT
from facility.core.trace import SILENT, Trace
from facility.model.facility import Site
from facility.model.power.chain import NAMEPLATE_POWER_FACTOR, GeneratorBasis
from facility.physics.circuits.distribution import shared_apparent, shared_power
from facility.physics.machines.generator import sets_needed
from facility.power.train.types import GeneratorSet

OWN_SET = "own set"
MOST_SETS = 8
"""Sets on one bus beyond which the design prefers larger ones."""

MOST_INSTALLED = 1.25
"""Installed kW over the least that fewer, larger sets may have: switchgear and maintenance go by
the number of sets."""

CHOICE_RULE = (
    f"fewest sets of at most {MOST_INSTALLED:g} times the least installed kW, then least installed"
    " kW, among catalogue sets of the site's frequency with kW and kVA rating of which a bus needs"
    f" {MOST_SETS} at most, or no more than are stated, and whose load without recharge is not"
    " below the least that sets are to run at, where there are such; where all need more, fewest"
    " sets"
)
_MISSION_CRITICAL_LIMIT = 0.85
_STANDBY_LIMIT = 0.70


def candidates(basis: GeneratorBasis, site: Site) -> list[GeneratorSet]:
    """Return the sets the design may choose from, or the one that the project names.

    Raises ``NO_GENERATOR`` (exit code 4) when the catalogue has no set of the frequency, or none as
    small as is asked for; ``UNKNOWN_MODEL`` for the set named.
    """
    if basis.set_w is not None and basis.set_va is not None:
        limit = basis.max_loading if basis.max_loading is not None else _STANDBY_LIMIT
        own = GeneratorSet(
            model=OWN_SET,
            rating_w=basis.set_w,
            rating_va=basis.set_va,
            rating_basis="as given",
            max_loading=limit,
            frequency_hz=site.frequency_hz,
            source=PROJECT,
            memory=(),
        )
        return [own]
    if basis.model:
        return [
            _from_row(
                table("equipment/generators").get(basis.model, "power.generator.model"),
                basis.max_loading,
            )
        ]
    rows = _listed(site.frequency_hz, basis.max_loading)
    small = [each for standby_va, each in rows if standby_va <= basis.most_va]
    if not rows:
        raise FacilityError(
            "NO_GENERATOR",
            "power.generator",
            f"the catalogue has no {site.frequency_hz:.0f} Hz generator set with a kVA rating.",
            "Give power.generator.rating and rating_kva.",
        )
    if not small:
        raise FacilityError(
            "NO_GENERATOR",
            "power.generator.connection",
            f"no {site.frequency_hz:.0f} Hz generator set of the catalogue is as small as"
            f" {basis.most_va / 1e3:,.0f} kVA: more give, with their spare ones, a fault current"
            " that no low-voltage board is made for.",
            "Give power.generator.connection MV, or rating and rating_kva of smaller sets.",
        )
    return small


@lru_cache(maxsize=16)
def _listed(
    frequency_hz: float, max_loading: float | None
) -> tuple[tuple[float, GeneratorSet], ...]:
    """Return the sets of the catalogue of a frequency, each with its standby rating [VA]."""
    return tuple(
        (row.si("standby_kva"), _from_row(row, max_loading))
        for row in table("equipment/generators").rows
        if row.si("frequency_hz") == frequency_hz and row["standby_kva"] is not None
    )


def smaller_set(basis: GeneratorBasis, plant: GeneratorSet) -> bool:
    """Return whether the project states sets that the catalogue has smaller ones than."""
    return not basis.is_open and any(
        row.si("standby_kw") < plant.rating_w
        for row in table("equipment/generators").rows
        if row.si("frequency_hz") == plant.frequency_hz and row["standby_kw"] is not None
    )


def _from_row(row: Row, max_loading: float | None) -> GeneratorSet:
    critical = row["mission_critical_kw"] is not None
    column = "mission_critical_kw" if critical else "standby_kw"
    rating_w = row.si(column, "power.generator.rating")
    known_va = row.si_or_none("standby_kva")
    limit = _MISSION_CRITICAL_LIMIT if critical else _STANDBY_LIMIT
    memory = [column] if row.is_memory(column) else []
    return GeneratorSet(
        model=row.text("model"),
        rating_w=rating_w,
        rating_va=rating_w / NAMEPLATE_POWER_FACTOR if known_va is None else known_va,
        rating_basis="mission critical" if critical else "standby",
        max_loading=max_loading if max_loading is not None else limit,
        frequency_hz=row.si("frequency_hz"),
        source=row.cite(column),
        memory=tuple(memory + (["standby_kva"] if known_va is None else [])),
    )


def with_duty(
    one: GeneratorSet,
    basis: GeneratorBasis,
    load_w: float,
    load_va: float,
    derate: float,
    trace: Trace = SILENT,
) -> GeneratorSet:
    """Return the set with the number of them that carries the load on the site, all sections.

    Recorded is the fullest section, from ``generator.design_load`` and the ratings.
    """
    parts = basis.section_parts

    def of_section(part: float, steps: Trace) -> int:
        at, design = "generator.section", "generator.design_load"
        w, va = steps.link(design, load_w), steps.link(f"{design}_va", load_va)
        if len(parts) == 1:
            return _needed("generator.count.duty", one, w, va, derate, steps)
        why = "panels of the lineups of the fullest section over all"
        steps.given(f"{at}.share", part, "fraction", DERIVED, why)
        share = steps.link(f"{at}.share", part)
        w = steps.do(f"{at}.load", shared_power, load_w=w, share=share)
        va = steps.do(f"{at}.load_va", shared_apparent, load_va=va, share=share)
        w, va = steps.link(f"{at}.load", w), steps.link(f"{at}.load_va", va)
        return _needed(f"{at}.duty", one, w, va, derate, steps)

    fullest = parts.index(max(parts))
    each = tuple(of_section(p, trace if n == fullest else SILENT) for n, p in enumerate(parts))
    duty = sum(each)
    if len(parts) > 1:
        words = "sections with buses of their own: " + " + ".join(f"{duty}" for duty in each)
        at, section = "generator.count.duty", "generator.section.duty"
        trace.choose(at, duty, "count", words, DERIVED, fullest=section)
    return replace(one, duty=duty, section_duty=each)


def _needed(
    at: str,
    one: GeneratorSet,
    load_w: float | str,
    load_va: float | str,
    derate: float,
    trace: Trace,
) -> int:
    """Return the sets that carry a load, or the load of the step named; at least one."""
    found = trace.do(
        at,
        sets_needed,
        load_w=load_w,
        load_va=load_va,
        set_w=trace.link("generator.rating", one.rating_w),
        set_va=trace.link("generator.rating_kva", one.rating_va),
        derate=trace.link("generator.derate", derate),
        max_loading=trace.link("power.generator.max_loading", one.max_loading),
    )
    return max(1, int(found))


def ranked(
    sets: list[GeneratorSet], spare: int, count: int | None = None, most_w: float = math.inf
) -> list[GeneratorSet]:
    """Return the candidates, the one that `CHOICE_RULE` names first.

    sets: Each with its duty; a section has a bus of its own.
    spare: Spare sets of all sections.
    count: Sets as built, of which no more are needed than there are.
    most_w: Installed rating at which the load without recharge is the least that sets are to run
        at [W].
    """

    def installed(one: GeneratorSet) -> float:
        return rounded((count or one.duty + spare) * one.rating_w)

    def is_few(one: GeneratorSet) -> bool:
        if count is not None:
            return one.duty + spare <= count
        return max(one.section_duty) + spare // len(one.section_duty) <= MOST_SETS

    few = [one for one in sets if is_few(one)]
    few = [one for one in few if within(installed(one), most_w)] or few
    if few:
        near_w = MOST_INSTALLED * min(installed(one) for one in few)
        near = [one for one in few if within(installed(one), near_w)]
        first = min(near, key=lambda one: (one.duty, installed(one)))
    else:
        first = min(sets, key=lambda one: (one.duty, installed(one)))
    return [first, *sorted((s for s in sets if s is not first), key=installed)]
