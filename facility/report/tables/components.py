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
POINTS: SheetTable[LoadPoint] = SheetTable(
    "Mechanical load and electrical loss components, after ASHRAE 90.4",
    (
        Column("load", "IT load", 9, "fraction", of=lambda p: p.load),
        Column("mlc", "MLC", 9, "ratio", of=lambda p: p.mlc),
        Column("incoming", "Loss, incoming", 12, "fraction", of=lambda p: p.incoming),
        Column("ups", "Loss, UPS", 11, "fraction", of=lambda p: p.ups),
        Column("distribution", "Loss, distribution", 13, "fraction", of=lambda p: p.distribution),
        Column(
            "elc",
            "ELC",
            9,
            "ratio",
            "1-(1-{incoming})*(1-{ups})*(1-{distribution})",
            of=lambda p: p.elc,
        ),
        Column(
            "inside",
            "ELC, no incoming",
            13,
            "ratio",
            "1-(1-{ups})*(1-{distribution})",
            of=lambda p: p.elc_inside,
        ),
    ),
)
LIMITS: SheetTable[KnownLimit] = SheetTable(
    "Limits beside them: not a statement of compliance",
    (
        Column("quantity", "Quantity", 26, of=lambda r: r.quantity),
        Column("edition", "Edition", 14, of=lambda r: r.edition),
        Column("place", "For", 12, of=lambda r: r.place),
        Column("limit", "Limit", 9, "ratio", of=lambda r: r.limit),
        Column("mark", "Mark", 11, of=lambda r: r.mark),
    ),
)


def component_tables(found: LoadComponents, system: System) -> Iterator[TextTable]:
    """Return the load points, and the limits beside them where any is known."""
    yield POINTS.text(found.points, system)
    if found.limits:
        yield LIMITS.text(found.limits, system)
