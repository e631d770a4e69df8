"""Equipment grounding, grounding electrode and bonding conductors by the NEC."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.rounding import reaches
from facility.physics.circuits.conductors import upsized_egc
from facility.power.feeders.nec.steps import QUIET, CircuitSteps
from facility.power.feeders.nec.tables import (
    WireSize,
    area_named,
    size_of_area,
    wire_size,
    wire_sizes,
)

_JUMPER_SHARE = 0.125


def table_egc(ocpd_a: float, material: str, edition: str, where: str = "") -> WireSize:
    """Return the minimum equipment grounding conductor of an overcurrent device, Table 250.122.

    The aluminum sizes for 5000 and 6000 A differ between 2017 and 2023; the 1200 kcmil of 2017 is
    not in the conductor tables and is replaced by the next listed size.

    Raises ``NO_GROUNDING_SIZE`` above the last row.
    """
    column = f"{material}_size"
    if material == "al" and edition < "2020":
        column = "al_size_2017"
    row = table("electrical/nec_250_122_egc").above("ocpd_max_a", ocpd_a)
    if row is None:
        raise FacilityError(
            "NO_GROUNDING_SIZE",
            where,
            f"Table 250.122 ends below an overcurrent device of {ocpd_a:,.0f} A.",
            "Divide the circuit.",
        )
    size = row.text(column)
    if size in wire_sizes():
        return wire_size(size)
    area_m2 = area_named(size)
    larger = size_of_area(area_m2, material)
    assert larger is not None
    return WireSize(size, "kcmil", larger.rank, area_m2)


def installed_egc(
    minimum: WireSize,
    line: WireSize,
    material: str,
    sets: int,
    installed_m2: float,
    min_m2: float,
    steps: CircuitSteps = QUIET,
    because: str = "",
) -> WireSize | None:
    """Return the equipment grounding conductor of each raceway, 250.122(B) and (F).

    None if no single conductor has the area.

    minimum: Size required by Table 250.122.
    line: Line conductor of one set.
    sets: Parallel sets, each in a separate raceway with a full-size conductor.
    installed_m2, min_m2: Area of all line conductors of one phase: installed, and minimum for
        ampacity [m2].
    steps, because: Record the required area, with this note.

    Notes
    -----
    It need not be larger than the line conductor; with parallel sets this relief is not used.
    """
    needed_m2 = steps.do(
        "egc_area",
        upsized_egc,
        because,
        table_m2=minimum.area_m2,
        installed_m2=installed_m2,
        least_m2=min(min_m2, installed_m2),
    )
    found = size_of_area(needed_m2, material)
    if sets == 1 and (found is None or found.rank > line.rank):
        return line
    return found


def grounding_electrode(line_m2: float, material: str) -> WireSize:
    """Return the grounding electrode conductor, of copper, Table 250.66.

    line_m2: Area of the largest ungrounded conductor, of all parallel sets together [m2].
    material: Metal of the line conductors, {"cu", "al"}.
    """
    return wire_size(_row_66(line_m2, material).text("gec_cu"))


def bonding_jumper(line_m2: float, material: str, where: str = "") -> WireSize:
    """Return the main, system or supply-side bonding jumper, Table 250.102(C)(1), same metal.

    Above the last row it has 12.5 % of the line conductor area.

    line_m2: Area of the largest ungrounded conductor, of all parallel sets together [m2].
    material: Metal of line conductors and jumper, {"cu", "al"}.

    Raises ``NO_GROUNDING_SIZE`` if no conductor has 12.5 % of the area.
    """
    row = _row_66(line_m2, material)
    if row[f"largest_ungrounded_{material}_max"] is not None:
        return wire_size(row.text(f"bonding_jumper_{material}"))
    found = size_of_area(_JUMPER_SHARE * line_m2, material)
    if found is None:
        raise FacilityError(
            "NO_GROUNDING_SIZE",
            where,
            "no single conductor has 12.5 % of the area of the line conductors.",
            "Use a jumper in each raceway, sized by the conductors in it.",
        )
    return found


def _row_66(line_m2: float, material: str) -> Row:
    rows = table("electrical/nec_250_66_gec").rows
    for row in rows:
        largest = row.text(f"largest_ungrounded_{material}_max")
        if not largest or reaches(area_named(largest), line_m2):
            return row
    raise AssertionError("the last row has no upper end")
