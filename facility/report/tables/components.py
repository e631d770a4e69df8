"""Columns of the load and loss components: the load points, and the limits beside them."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.views import System
from facility.report.sheet.grid import Column, SheetTable, TextTable
from facility.study.annual.components import KnownLimit, LoadComponents, LoadPoint

NOTE = (
    "MLC: energy of the cooling over that of the IT, the load held all year; ELC: what is lost of "
    "the power that enters, over its segments, all in service. The definitions were read at second "
    "hand; house loads count in neither. Only limits stated by the project are checked."
)
_POINTS = (
    Column[LoadPoint]("load", "IT load", 9, "fraction", of=lambda point: point.load),
    Column[LoadPoint]("mlc", "MLC", 9, "ratio", of=lambda point: point.mlc),
    Column[LoadPoint](
        "incoming", "Loss, incoming", 12, "fraction", of=lambda point: point.incoming
    ),
    Column[LoadPoint]("ups", "Loss, UPS", 11, "fraction", of=lambda point: point.ups),
    Column[LoadPoint](
        "distribution", "Loss, distribution", 13, "fraction", of=lambda point: point.distribution
    ),
    Column[LoadPoint](
        "elc",
        "ELC",
        9,
        "ratio",
        "1-(1-{incoming})*(1-{ups})*(1-{distribution})",
        of=lambda point: point.elc,
    ),
    Column[LoadPoint](
        "inside",
        "ELC, no incoming",
        13,
        "ratio",
        "1-(1-{ups})*(1-{distribution})",
        of=lambda point: point.elc_inside,
    ),
)
POINTS = SheetTable("Mechanical load and electrical loss components, after ASHRAE 90.4", _POINTS)
_LIMITS = (
    Column[KnownLimit]("quantity", "Quantity", 26, of=lambda limit: limit.quantity),
    Column[KnownLimit]("edition", "Edition", 14, of=lambda limit: limit.edition),
    Column[KnownLimit]("place", "For", 12, of=lambda limit: limit.place),
    Column[KnownLimit]("limit", "Limit", 9, "ratio", of=lambda limit: limit.limit),
    Column[KnownLimit]("mark", "Mark", 11, of=lambda limit: limit.mark),
)
LIMITS = SheetTable("Limits beside them: not a statement of compliance", _LIMITS)


def component_tables(found: LoadComponents, system: System) -> Iterator[TextTable]:
    """Return the load points, and the limits beside them where any is known."""
    yield POINTS.text(found.points, system)
    if found.limits:
        yield LIMITS.text(found.limits, system)
