"""Ratings and impedances of medium-voltage cables by NEC and IEC 60502-2, in SI."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.catalogue import table
from facility.catalogue.articles import article
from facility.core.kinds import KINDS
from facility.core.rounding import reaches, within
from facility.core.sources import Source
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.model.power.mv_cables import MvCableBasis, MvInstallation
from facility.power.feeders.nec.tables import wire_size

MV_CLASS_C = {"MV-90": 90.0, "MV-105": 105.0}
"""Conductor temperature at the ampacity of each type [degC]."""

RESISTANCE_C = 90.0
"""Conductor temperature of the tabulated resistances [degC]."""

_EARTH_C, _AIR_C = 20.0, {"NEC": 40.0, "IEC": 30.0}
_NEC_V = 2001.0, 35000.0
_HIGHEST = 1.09
_IEC_MIN_V = 3000.0
_MAX_TOGETHER = {"NEC": 6, "IEC": 12}
_PER_KFT = 1.0 / (1000.0 * KINDS["length"].units["ft"][0])
_PER_KM = 1e-3
_MM2 = KINDS["cross_section"].units["mm2"][0]
_TABLE_HZ = {"NEC": 60.0, "IEC": 50.0}


@dataclass(frozen=True)
class MvCable:
    """One size of single-core cable in one installation, three in a circuit."""

    size: str
    unit: str  # "AWG", "kcmil" or "mm2"
    area_m2: float  # Metal area of one conductor [m2]
    tabulated_a: float  # Ampacity at the reference conditions [A]
    source: Source  # Source of the ampacity
    grouping: float  # Grouping factor; 1 if the table includes it
    resistance_ohm_m: float  # At 90 degC [ohm/m]
    reactance_ohm_m: float  # At the frequency of the site [ohm/m]


def reference_c(code: str, installation: MvInstallation) -> float:
    """Return the reference ambient of the ampacity tables [degC]."""
    return _AIR_C[code] if installation == "air" else _EARTH_C


def insulation_class(voltage_v: float, code: str, conductor_c: float) -> str | None:
    """Return type (NEC) or insulation and rated voltage (IEC); None outside the tables.

    IEC 60038: the highest voltage of a network is about 9 % above the nominal one.
    """
    if code == "NEC":
        return f"MV-{conductor_c:.0f}" if _NEC_V[0] <= voltage_v <= _NEC_V[1] else None
    row = table("electrical/iec_mv_voltages").above("highest_kv", _HIGHEST * voltage_v)
    return None if row is None or voltage_v < _IEC_MIN_V else f"XLPE {row.text('rated')} kV"


def outside_words(voltage_v: float, code: str) -> str:
    """Return why no table covers a voltage."""
    covered = (
        "NEC, 2,001 to 35,000 V"
        if code == "NEC"
        else "IEC 60502-2, annex B, nominal voltages of 3 to 33 kV (Um 7.2 to 36 kV)"
    )
    return f"{voltage_v / 1e3:g} kV is outside the ampacity tables of MV cables: {covered}."


def together(circuits: int, mv: MvCableBasis, code: str) -> int:
    """Return the number of circuits that heat each other in one duct bank or trench.

    More than six, or more than the table limit, are laid in several banks or trenches.
    """
    stated = mv.grouped_circuits is not None
    return min(circuits, _MAX_TOGETHER[code] if stated else min(_MAX_TOGETHER.values()))


def cables(
    basis: ConductorBasis, mv: MvCableBasis, criteria: Criteria, voltage_v: float, circuits: int
) -> Iterator[MvCable]:
    """Yield the candidate sizes, rising.

    circuits: Circuits together, parallel sets included.
    """
    found = _nec if criteria.code == "NEC" else _iec
    hertz = basis.reactance_factor(_TABLE_HZ[criteria.code])
    size = mv.largest_size
    largest_m2 = wire_size(size).area_m2 if criteria.code == "NEC" else float(size) * _MM2
    for cable in found(mv, criteria, voltage_v, circuits, hertz):
        if within(cable.area_m2, largest_m2):
            yield cable


def _nec(
    mv: MvCableBasis, criteria: Criteria, voltage_v: float, circuits: int, hertz: float
) -> Iterator[MvCable]:
    minimum = table("electrical/nec_315_12_minimum").above("voltage_max_v", voltage_v)
    assert minimum is not None
    min_rank = wire_size(minimum.text("size")).rank
    rows = table("electrical/nec_315_60_ampacity").select(
        conductor=mv.material, installation=mv.installation
    )
    top_v = min(r.si("voltage_max_v") for r in rows if reaches(r.si("voltage_max_v"), voltage_v))
    columns = {int(r.si("circuits")) for r in rows}
    column = min((c for c in columns if c >= circuits), default=max(columns))
    if mv.installation == "air":
        column = 1
    source = article(f"mv {mv.installation} {mv.material}", criteria.edition)
    name = "mv105_a" if mv.conductor_c > RESISTANCE_C else "mv90_a"
    for row in rows:
        size = wire_size(row.text("size"))
        if row.si("circuits") != column or row.si("voltage_max_v") != top_v or size.rank < min_rank:
            continue
        impedance = table("electrical/nec_mv_cable_r_x").get(row.text("size"))
        suffix = "_calc" if mv.material == "al" else ""
        yield MvCable(
            size.name,
            size.unit,
            size.area_m2,
            row.si(name),
            source,
            1.0,
            float(impedance.require(f"r90_{mv.material}_ohm_per_kft{suffix}")) * _PER_KFT,
            float(impedance.require("x_ohm_per_kft")) * _PER_KFT * hertz,
        )


def _iec(
    mv: MvCableBasis, criteria: Criteria, voltage_v: float, circuits: int, hertz: float
) -> Iterator[MvCable]:
    grouping = 1.0
    if mv.installation != "air":
        row = table("electrical/iec_60502_2_grouping").get((mv.installation, circuits))
        grouping = row.si("factor")
    rated = table("electrical/iec_mv_voltages").above("highest_kv", _HIGHEST * voltage_v)
    least_mm2 = 0.0 if rated is None else float(rated.require("min_size_mm2"))
    for row in table("electrical/iec_60502_2_ampacity").select(
        conductor=mv.material, installation=mv.installation
    ):
        size_mm2 = float(row.require("size_mm2"))
        if size_mm2 < least_mm2:
            continue
        metal = table("electrical/iec_cable_r_x").get((size_mm2,))
        reactance = table("electrical/iec_mv_cable_x").get((size_mm2,))
        yield MvCable(
            f"{size_mm2:g}",
            "mm2",
            size_mm2 * _MM2,
            row.si("ampacity_a"),
            row.cite("ampacity_a"),
            grouping,
            float(metal.require(f"r90_{mv.material}_ohm_per_km_calc")) * _PER_KM,
            float(reactance.require("x_ohm_per_km")) * _PER_KM * hertz,
        )
