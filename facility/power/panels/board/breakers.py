"""Branch breakers and their receptacles, from the reference tables."""

from __future__ import annotations

from collections.abc import Sequence

from facility.catalogue import Row, row_above, table
from facility.catalogue.loader import per_catalogue
from facility.core.errors import FacilityError
from facility.core.rounding import reaches
from facility.model.power.hall_distribution import Connection, PanelBasis

_FUSE_ONLY = "additional fuse rating"
_FROM_2023 = "2023"


@per_catalogue(16)
def standard_breakers(code: str, edition: str) -> tuple[float, ...]:
    """Return the standard ratings of circuit breakers, rising [A].

    code: ``"NEC"`` (240.6(A), without fuse-only ratings) or ``"IEC"`` (miniature and
        moulded-case circuit breakers).
    edition: Year of the code; 10 A is a standard rating of the NEC since 2023.
    """
    if code == "IEC":
        rows = table("electrical/iec_breaker_ratings").rows
        return tuple(sorted({row.si("rated_current_a") for row in rows}))
    ratings = []
    for row in table("electrical/nec_240_6_standard_ocpd").rows:
        since = row.text("since_edition")
        if since == _FUSE_ONLY or (since == _FROM_2023 and edition < _FROM_2023):
            continue
        ratings.append(row.si("rating_a"))
    return tuple(sorted(ratings))


def next_breaker(sizes_a: Sequence[float], min_a: float, where: str) -> float:
    """Return the smallest of `sizes_a` of at least `min_a` [A].

    Raises ``NO_BREAKER`` (no feasible solution) if none is large enough.
    """
    for size_a in sizes_a:
        if reaches(size_a, min_a):
            return size_a
    raise FacilityError(
        "NO_BREAKER",
        where,
        f"the circuit requires a breaker of {min_a:,.1f} A; the largest is "
        f"{max(sizes_a, default=0.0):,g} A.",
        "Add circuits to the rack, or permit larger breakers.",
    )


_INTERNATIONAL = "IEC 60309"
"""Standard of the plugs with IEC ratings only."""

_BLUE_V, _RED_V = (200.0, 250.0), (346.0, 415.0)
"""Voltages of IEC 60309-2 plugs at 6 h: two-pole, and line-to-line of three-line plugs."""


def receptacle(basis: PanelBasis, poles: int, connection: Connection, breaker_a: float) -> str:
    """Return the smallest suitable receptacle of the table for a circuit; empty if none."""
    row = receptacle_row(basis, poles, connection, breaker_a)
    return "" if row is None else row.text("designation")


def receptacle_named(text: str) -> str:
    """Return the designation of a receptacle of the table as in the table, or the text."""
    names = (row.text("designation") for row in table("electrical/receptacles").rows)
    return next((name for name in names if name.casefold() == text.casefold()), text)


def receptacle_row(
    basis: PanelBasis, poles: int, connection: Connection, breaker_a: float
) -> Row | None:
    """Return the row of the smallest receptacle for the voltage and poles of a circuit, or None.

    Its rating is at least the breaker rating. Under the IEC an IEC 60309-2 plug is used, which is
    rated for a range, 200-250 V (blue) or 346-415 V (red), both at 6 h: it suits 230/400 V and
    240/415 V. The table has no other hours.
    """
    international = basis.numbering == "IEC"
    line, _, phase = basis.system.partition("Y/")
    if international:
        min_v, max_v = _RED_V if poles == 3 else _BLUE_V
        between_lines = poles == 3 or connection != "L-N"
        if not min_v <= (basis.v_ll if between_lines else basis.v_ln) <= max_v:
            return None
        line, phase = ("400", "230") if poles == 3 else ("230", "230")
    if poles == 3:
        # A five-wire receptacle requires a neutral, which a three-line circuit does not have.
        service = f"{phase}/{line}" if connection == "L-N" else line
    else:
        service = phase if connection == "L-N" else line
    fitting = [
        row
        for row in table("electrical/receptacles").rows
        if row["phases"] == (3 if poles == 3 else 1)
        and (row.text("standard") == _INTERNATIONAL) is international
        and row.text("service_v") == service
    ]
    return row_above(fitting, "amps_a", breaker_a)
