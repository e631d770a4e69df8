"""Breaker ratings for a fault current."""

from __future__ import annotations

from typing import NamedTuple

from facility.catalogue import table
from facility.catalogue.loader import per_catalogue
from facility.core.sources import Source


class RatingStep(NamedTuple):
    """Standard interrupting rating [A], its test X/R, and the source."""

    rating_a: float
    x_over_r: float
    source: Source


@per_catalogue(1)
def rating_steps() -> tuple[RatingStep, ...]:
    """Return the standard ratings of breakers, the lowest first."""
    rows = table("electrical/interrupting_ratings").rows
    return tuple(
        RatingStep(row.si("rating_ka"), row.si("test_x_over_r"), row.cite("rating_ka"))
        for row in rows
    )


def lowest_rating(current_a: float) -> RatingStep | None:
    """Return the lowest standard interrupting rating of at least `current_a`.

    None above the largest rating of the table.

    current_a: Symmetrical fault current [A].
    """
    return next((step for step in rating_steps() if step.rating_a >= current_a), None)


def step_of(rating_a: float) -> RatingStep:
    """Return the test circuit of a breaker with the interrupting rating `rating_a` [A]."""
    return next((step for step in rating_steps() if step.rating_a >= rating_a), rating_steps()[-1])


def making_capacity(breaking_a: float) -> tuple[float, Source]:
    """Return the minimum making capacity, peak, of an IEC breaker, and its source.

    breaking_a: Ultimate breaking capacity [A].
    """
    factors = table("electrical/iec_making_capacity")
    row = factors.above("breaking_up_to_ka", breaking_a) or factors.rows[-1]
    return breaking_a * row.si("making_factor"), row.cite("making_factor")


class StandardRating(NamedTuple):
    """Standard short-circuit rating [A], largest main bus [A] (0 for a breaker), and source."""

    rating_a: float
    bus_max_a: float
    source: Source


def breaker_ratings() -> tuple[StandardRating, ...]:
    """Return the standard interrupting ratings of low-voltage breakers, rising."""
    return tuple(StandardRating(step.rating_a, 0.0, step.source) for step in rating_steps())


@per_catalogue(64)
def assembly_ratings(assembly: str, code: str, voltage_v: float) -> tuple[StandardRating, ...]:
    """Return the standard ratings of an assembly for a voltage, rising.

    Empty above the highest voltage of the table.

    assembly: ``"lv-board"`` or ``"mv-switchgear"``.
    voltage_v: Nominal line-to-line voltage [V].
    """
    rows = [
        row
        for row in table("electrical/switchgear_ratings").rows
        if (row["assembly"], row["code"]) == (assembly, code)
        and row.si("voltage_max_v") >= voltage_v
    ]
    class_v = min((row.si("voltage_max_v") for row in rows), default=0.0)
    return tuple(
        StandardRating(row.si("rating_ka"), row.si("bus_max_a"), row.cite("rating_ka"))
        for row in sorted(rows, key=lambda one: one.si("rating_ka"))
        if row.si("voltage_max_v") == class_v
    )


def design_fault_current(country: str, voltage_v: float) -> StandardRating | None:
    """Return the design fault current of the utilities of a country; None if unknown.

    country: Code of the country; empty if not specified.
    voltage_v: Nominal line-to-line voltage of the utility [V].
    """
    row = table("electrical/utility_fault_levels").index.get((country, voltage_v))
    return None if row is None else StandardRating(row.si("fault_ka"), 0.0, row.cite("fault_ka"))
