"""IEC tables: ampacities, factors, resistances and devices, always on the safe side.

Between two rows the row with the lower ampacity applies: the next higher ambient, the next
larger group, the next higher soil resistivity.
"""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
from facility.core.errors import FacilityError
from facility.core.rounding import within

GROUND_METHODS = ("D1", "D2")
_HARMONIC_NEUTRAL = "neutral current"
_TABULATED = {
    ("E", "XLPE", 3): "z_multicore_xlpe_3ph_mv_per_a_m",
    ("C", "XLPE", 3): "z_multicore_xlpe_3ph_mv_per_a_m",
    ("E", "XLPE", 2): "z_multicore_xlpe_1ph_mv_per_a_m",
    ("C", "XLPE", 2): "z_multicore_xlpe_1ph_mv_per_a_m",
    ("B1", "XLPE", 3): "z_single_conduit_xlpe_3ph_mv_per_a_m",
    ("B1", "PVC", 3): "z_single_conduit_pvc_3ph_mv_per_a_m",
}


@per_catalogue(64)
def capacities(metal: str, insulation: str, loaded: int, method: str) -> tuple[Row, ...]:
    """Return the rows of ampacity of one installation, rising in size.

    Two loaded conductors without a separate table use the lower values for three.

    Raises ``NO_AMPACITY`` if no such table is included.
    """
    rows = table("electrical/iec_60364_5_52")
    for conductors in dict.fromkeys((loaded, 3)):
        found = rows.select(
            conductor=metal, insulation=insulation, loaded_conductors=conductors, method=method
        )
        if found:
            return tuple(sorted(found, key=lambda row: row.si("size_mm2")))
    raise FacilityError(
        "NO_AMPACITY",
        "power.conductors.method",
        f"no ampacity table of {metal} {insulation} in method {method!r} is included.",
        "Methods: A1, A2, B1, B2, C, D1, D2 (copper), E, F; insulation PVC or XLPE.",
    )


def ambient_row(method: str, insulation: str, ambient_c: float) -> Row:
    """Return the row of the factor for the next listed ambient of at least `ambient_c`.

    Raises ``AMBIENT_TOO_HIGH`` above the table limit.
    """
    medium = "ground" if method in GROUND_METHODS else "air"
    factors = table("electrical/iec_60364_temperature")
    row = factors.above("ambient_c", ambient_c, medium=medium, insulation=insulation)
    if row is None:
        raise FacilityError(
            "AMBIENT_TOO_HIGH",
            "power.conductors.ambient",
            f"{ambient_c:g} degC is outside the correction factors of {insulation} in {medium}.",
            "Select an insulation with a higher temperature rating, or a cooler route.",
        )
    return row


def soil_row(resistivity_k_m_w: float) -> Row:
    """Return the row of the factor for the next listed resistivity of soil.

    Raises ``SOIL_TOO_DRY`` above the table limit.
    """
    row = table("electrical/iec_60364_soil").above("resistivity_k_m_per_w", resistivity_k_m_w)
    if row is None:
        raise FacilityError(
            "SOIL_TOO_DRY",
            "soil resistivity",
            f"{resistivity_k_m_w:g} K m/W exceeds the table limit of 3.",
            "Enter the ampacity from a study of the route.",
        )
    return row


def harmonic(third_harmonic: float) -> tuple[float, bool]:
    """Return the factor for a third harmonic of the line current, and whether the neutral governs.

    The limits belong to the lower row: at 33 % the line current still governs.
    """
    percent = 100.0 * third_harmonic
    rows = table("electrical/iec_60364_harmonics").rows
    for row in rows:
        upper = row["third_harmonic_max_pct"]
        if upper is None or within(percent, float(upper)):
            return float(row.require("factor")), row.text("size_by") == _HARMONIC_NEUTRAL
    raise AssertionError("the last row has no upper limit")


TABLE_HZ = 50.0
"""Frequency of the tabulated reactance."""


def cable_row(size_mm2: float) -> Row | None:
    """Return the row of resistance and reactance of a size; None if not listed."""
    return table("electrical/iec_cable_r_x").index.get((size_mm2,))


def adiabatic_k(material: str, insulation: str) -> float:
    """Return k of metal and insulation [A s^0.5/mm2]."""
    return float(table("electrical/iec_60364_adiabatic_k").get((material, insulation)).require("k"))


def tabulated_column(method: str, insulation: str, loaded: int) -> str:
    """Return the column of millivolts per ampere and metre of copper; empty if not listed."""
    return _TABULATED.get((method, insulation, loaded), "")


def device_row(rating_a: float) -> Row | None:
    """Return the row of a standard rating, a verified device type if several are listed.

    None if the rating is not standard.
    """
    rows = [
        row
        for row in table("electrical/iec_breaker_ratings").rows
        if row.si("rated_current_a") == rating_a
    ]
    return min(rows, key=lambda row: row.is_memory("rated_current_a"), default=None)
