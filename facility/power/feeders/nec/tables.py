"""Conductors and conduits of the NEC tables, in SI."""

from __future__ import annotations

from dataclasses import dataclass

from facility.catalogue import table
from facility.catalogue.loader import per_catalogue
from facility.core.errors import unknown
from facility.core.kinds import KINDS
from facility.core.rounding import reaches

_PER_KFT = 1.0 / (1000.0 * KINDS["length"].units["ft"][0])
_KCMIL_M2 = KINDS["area"].units["kcmil"][0]
_TABLE_5 = {"THHN/THWN-2": "THHN/THWN-2", "THWN": "THHN/THWN-2", "XHHW-2": "XHHW-2"}
_STEEL = ("EMT", "RMC", "IMC")


@dataclass(frozen=True)
class WireSize:
    """One size of conductor."""

    name: str  # E.g. "4/0" or "500"
    unit: str  # "AWG" or "kcmil"
    rank: int  # Index among all sizes, rising
    area_m2: float  # Metal area [m2]

    @property
    def label(self) -> str:
        """Size with its unit."""
        return f"{self.name} {self.unit}"


@per_catalogue(1)
def wire_sizes() -> dict[str, WireSize]:
    """Return all sizes of Table 310.16 by name, rising."""
    area = {
        row.text("size"): row.si("circular_mils") for row in table("electrical/nec_ch9_table8").rows
    }
    rows = table("electrical/nec_310_16_ampacity").rows
    return {
        row.text("size"): WireSize(
            row.text("size"), row.text("size_unit"), rank, area[row.text("size")]
        )
        for rank, row in enumerate(rows)
    }


def wire_size(name: str, where: str = "") -> WireSize:
    """Return the size `name`, with or without its unit.

    Raises ``UNKNOWN_SIZE`` at `where`, with near matches.
    """
    bare = name.removesuffix("kcmil").removesuffix("AWG").strip()
    found = wire_sizes().get(bare)
    if found is None:
        raise unknown(
            "UNKNOWN_SIZE",
            where,
            f"{name!r} is not a conductor size of Table 310.16.",
            bare,
            wire_sizes(),
        )
    return found


@per_catalogue(1024)
def table_ampacity(size: str, material: str, column_c: float) -> float | None:
    """Return the ampacity of one conductor [A]; None if not listed.

    column_c: Column of the table: 60, 75 or 90 [degC].
    """
    row = table("electrical/nec_310_16_ampacity").get(size)
    return row.si_or_none(f"{material}_{column_c:.0f}c_a")


def small_conductor_limit(size: str, material: str) -> float | None:
    """Return the largest overcurrent device of a small conductor by 240.4(D) [A], or None."""
    row = table("electrical/nec_310_16_ampacity").get(size)
    return row.si_or_none(f"max_ocpd_240_4_d_{material}_a")


TABLE_HZ = 60.0
"""Frequency of chapter 9, table 9."""


@per_catalogue(1024)
def impedance_per_metre(size: str, material: str, raceway: str) -> tuple[float, float] | None:
    """Return AC resistance at 75 degC and reactance at 60 Hz of one conductor [ohm/m].

    None if chapter 9, table 9 has no row for the size, or no value for the metal.
    """
    row = table("electrical/nec_ch9_table9").index.get((size,))
    if row is None:
        return None
    steel = raceway in _STEEL
    resistance = row[f"r_{material}_{'steel' if steel else 'pvc'}_ohm_per_kft"]
    reactance = row["x_steel_ohm_per_kft" if steel else "x_pvc_al_ohm_per_kft"]
    if resistance is None or reactance is None:
        return None
    return float(resistance) * _PER_KFT, float(reactance) * _PER_KFT


@per_catalogue(1024)
def insulated_area(size: str, insulation: str) -> float | None:
    """Return the area of an insulated conductor [m2]; None if not tabulated."""
    rows = table("electrical/nec_ch9_table5_thhn").index
    row = rows.get((_TABLE_5.get(insulation, ""), size))
    return None if row is None else row.si("approx_area_in2")


@per_catalogue(16)
def conduits(raceway: str) -> tuple[tuple[str, float], ...]:
    """Return trade size and inner area [m2] of a conduit type, rising."""
    rows = table("electrical/nec_ch9_table4_conduit").select(conduit_type=raceway)
    return tuple(
        sorted(
            ((row.text("trade_size_in"), row.si("total_area_in2")) for row in rows),
            key=lambda size: size[1],
        )
    )


def size_of_area(area_m2: float, material: str) -> WireSize | None:
    """Return the smallest size of at least `area_m2` [m2]; None if none is large enough."""
    return next(
        (
            size
            for size in wire_sizes().values()
            if table_ampacity(size.name, material, 75.0) is not None
            and reaches(size.area_m2, area_m2)
        ),
        None,
    )


def area_named(size: str) -> float:
    """Return the metal area [m2] of a size, including kcmil sizes outside the tables."""
    known = wire_sizes().get(size)
    return known.area_m2 if known is not None else float(size) * _KCMIL_M2
