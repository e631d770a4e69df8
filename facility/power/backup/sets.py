"""Candidate generator sets, from the catalogue or from the project."""

from __future__ import annotations

import math
from dataclasses import replace

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
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
MAX_SETS = 8
"""Number of sets on one bus above which the design prefers larger sets."""

MAX_INSTALLED = 1.25
"""Limit of installed kW relative to the minimum, for fewer, larger sets: switchgear and
maintenance cost depend on the number of sets."""

CHOICE_RULE = (
    f"fewest sets with at most {MAX_INSTALLED:g} times the minimum installed kW, then minimum"
    " installed kW, among catalogue sets at the site frequency with kW and kVA ratings of which a"
    f" bus needs at most {MAX_SETS}, or no more than are specified, and whose load without"
    " recharge is at least the minimum operating load, where such sets exist; if all need more,"
    " fewest sets"
)
_MISSION_CRITICAL_LIMIT = 0.85
_STANDBY_LIMIT = 0.70
"""Average load limits of mission-critical and standby ratings (manufacturer sheet LEHE1351-04)."""


def candidates(basis: GeneratorBasis, site: Site) -> list[GeneratorSet]:
    """Return the candidate sets, or the set specified in the project.

    Raises ``NO_GENERATOR`` (exit code 4) if the catalogue has no set for the frequency or none
    small enough; ``UNKNOWN_MODEL`` for an unknown model.
    """
    if basis.set_w is not None and basis.set_va is not None:
        limit = basis.max_loading if basis.max_loading is not None else _STANDBY_LIMIT
        own = GeneratorSet(
            model=OWN_SET,
            rating_w=basis.set_w,
            rating_va=basis.set_va,
            rating_basis="as stated",
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
    small = [each for standby_va, each in rows if standby_va <= basis.max_va]
    if not rows:
        raise FacilityError(
            "NO_GENERATOR",
            "power.generator",
            f"the catalogue has no {site.frequency_hz:.0f} Hz generator set with a kVA rating.",
            "Enter power.generator.rating and rating_kva.",
        )
    if not small:
        raise FacilityError(
            "NO_GENERATOR",
            "power.generator.connection",
            f"the catalogue has no {site.frequency_hz:.0f} Hz generator set of"
            f" {basis.max_va / 1e3:,.0f} kVA or less: the fault current of larger ones, with"
            " their spare sets, exceeds every low-voltage board rating.",
            "Enter power.generator.connection MV, or rating and rating_kva of smaller sets.",
        )
    return small


@per_catalogue(16)
def _listed(
    frequency_hz: float, max_loading: float | None
) -> tuple[tuple[float, GeneratorSet], ...]:
    """Return the catalogue sets for a frequency, each with its standby rating [VA]."""
    return tuple(
        (row.si("standby_kva"), _from_row(row, max_loading))
        for row in table("equipment/generators").rows
        if row.si("frequency_hz") == frequency_hz and row["standby_kva"] is not None
    )


def smaller_set(basis: GeneratorBasis, plant: GeneratorSet) -> bool:
    """Return whether the catalogue has smaller sets than the project specifies."""
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
    """Return the set and the number of sets for the site load, all sections.

    Records the most loaded section, from ``generator.design_load`` and the ratings.
    """
    parts = basis.section_parts

    def of_section(part: float, steps: Trace) -> int:
        at, design = "generator.section", "generator.design_load"
        w, va = steps.link(design, load_w), steps.link(f"{design}_va", load_va)
        if len(parts) == 1:
            return _needed("generator.count.duty", one, w, va, derate, steps)
        why = "panels on the lineups of the most loaded section, share of all panels"
        steps.given(f"{at}.share", part, "fraction", DERIVED, why)
        share = steps.link(f"{at}.share", part)
        w = steps.do(f"{at}.load", shared_power, load_w=w, share=share)
        va = steps.do(f"{at}.load_va", shared_apparent, load_va=va, share=share)
        w, va = steps.link(f"{at}.load", w), steps.link(f"{at}.load_va", va)
        return _needed(f"{at}.duty", one, w, va, derate, steps)

    worst = parts.index(max(parts))
    each = tuple(of_section(p, trace if n == worst else SILENT) for n, p in enumerate(parts))
    duty = sum(each)
    if len(parts) > 1:
        words = "sections with separate buses: " + " + ".join(f"{duty}" for duty in each)
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
    """Return the number of sets for a load, or for the load of a trace step; at least one."""
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
    sets: list[GeneratorSet], spare: int, count: int | None = None, max_w: float = math.inf
) -> list[GeneratorSet]:
    """Return the candidates ranked by `CHOICE_RULE`.

    sets: Each with its duty number; each section has a separate bus.
    spare: Spare sets of all sections.
    count: As-built number of sets, an upper limit.
    max_w: Installed rating at which the load without recharge equals the minimum operating load
        [W].
    """

    def installed(one: GeneratorSet) -> float:
        return rounded((count or one.duty + spare) * one.rating_w)

    def is_few(one: GeneratorSet) -> bool:
        if count is not None:
            return one.duty + spare <= count
        return max(one.section_duty) + spare // len(one.section_duty) <= MAX_SETS

    few = [one for one in sets if is_few(one)]
    few = [one for one in few if within(installed(one), max_w)] or few
    if few:
        near_w = MAX_INSTALLED * min(installed(one) for one in few)
        near = [one for one in few if within(installed(one), near_w)]
        first = min(near, key=lambda one: (one.duty, installed(one)))
    else:
        first = min(sets, key=lambda one: (one.duty, installed(one)))
    return [first, *sorted((s for s in sets if s is not first), key=installed)]
