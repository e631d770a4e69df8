"""Heat rejection, resolved with its named defaults: towers, dry coolers, condenser coils."""

from __future__ import annotations

import math
from dataclasses import replace

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.sources import PRACTICE, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling.chain import SinkPlan
from facility.model.cooling.units import DryCoolerUnit, Fluid, Pads, Pump, SinkKind
from facility.model.inputs.cooling.ratings import DryCoolerRatingSection
from facility.model.inputs.cooling.section import RejectionSection
from facility.study.resolve.cooling.parts import curve, resolve_spares
from facility.study.resolve.reader import Reader

_TEMPLATES = Source("modelica-buildings-templates")
_BAC = Source("modelica-buildings-drycooler", "BAC TDFS1238N-C60ET40B")
_COIL = Source("modelica-buildings-heat-exchangers", "HADryCoil: r_nominal")
_TOWER_FAN_W_PER_KG_S = 340.0
_LEAST_WATER_C = 13.0
_AIR_COOLED_APPROACH_K = 15.0
_FILM_RATIO = 0.5
_CELL = "open tower 1017 kW"
_BAC_UNIT = ("BAC TDFS1238N-C60ET40B", 2931e3, 35.0, 46.11, 40.55, 117.68e3)


def resolve_sink(
    kind: SinkKind,
    section: RejectionSection | None,
    id: str,
    fluid: Fluid,
    pump: Pump | None,
    trace: Trace,
    least_water: Measured | None = None,
) -> SinkPlan:
    """Return heat rejection of one kind.

    Parameters
    ----------
    kind : SinkKind
        What it is.
    section : RejectionSection or None
        What the project says of it.
    id : str
        Prefix of its assumptions.
    fluid, pump : Fluid, Pump or None
        What circulates, and its own pumps.
    trace : Trace
        Where givens and assumptions go.
    least_water : Measured or None
        Coldest water or air that condensers are given.
    """
    given = section or RejectionSection()
    unit = _dry_cooler(given.dry_cooler, id, kind == "dry_cooler", trace)
    cell_w, fan_w_per_kg_s, cycles, drift = 1.0, 0.0, math.inf, 0.0
    read = Reader(given, id, trace)
    pads = _pads(given, kind, read, id)
    if kind == "tower":
        cell_w, fan_w_per_kg_s = _tower(id, trace)
        cycles, drift = read("cycles"), read("drift")
    name = {"tower": "towers", "dry_cooler": "dry coolers", "air_cooled": "condensers"}[kind]
    return SinkPlan(
        kind=kind,
        fluid=fluid,
        pump=pump,
        count=given.count,
        spares=resolve_spares(given.redundancy, f"{id}.redundancy", f"among the {name}", trace),
        unit=unit,
        cell_w=cell_w,
        fan_w_per_kg_s=fan_w_per_kg_s,
        least_water_c=_least_water(least_water, f"{id}.least_water", trace),
        approach_k=_approach(kind, unit, id, trace),
        fan_curve=curve("tower fan", "variable speed", ""),
        cycles=cycles,
        drift=drift,
        pads=pads,
    )


def given_pads(section: RejectionSection) -> Pads | None:
    """Return the pads that the project asks for, None without; their cycles stay open."""
    effectiveness, above = section.pad_effectiveness, section.pad_wet_above
    if effectiveness is None:
        return None
    return Pads(effectiveness.si, above.si if above is not None else None, math.inf)


def _pads(section: RejectionSection, kind: SinkKind, read: Reader, id: str) -> Pads | None:
    """Return the pads ahead of dry coolers, recorded.

    Raises
    ------
    FacilityError
        ``COOLING_CONTRADICTION`` where there are no dry coolers.
    """
    pads = given_pads(section)
    if pads is None:
        return None
    if kind != "dry_cooler":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            f"{id}.pad_effectiveness",
            f"pads are wetted ahead of dry coolers, the heat rejection is {kind!r}.",
            "Leave it out, or choose dry coolers.",
        )
    read("pad_effectiveness")
    read.given("pad_wet_above")
    return replace(pads, cycles=read("cycles"))


def _least_water(given: Measured | None, id: str, trace: Trace) -> float:
    if given is not None:
        return trace.given(id, given.si, "temperature", PROJECT)
    return trace.assume(
        id,
        _LEAST_WATER_C,
        "temperature",
        "coldest water or air condensers may be given",
        _TEMPLATES,
    )


def _approach(kind: SinkKind, unit: DryCoolerUnit, id: str, trace: Trace) -> float:
    if kind == "air_cooled":
        return trace.assume(
            f"{id}.condenser_approach",
            _AIR_COOLED_APPROACH_K,
            "temperature_difference",
            "condensing temperature above the ambient air",
            PRACTICE,
        )
    if kind == "dry_cooler":
        return trace.assume(
            f"{id}.approach",
            unit.fluid_out_c - unit.air_in_c,
            "temperature_difference",
            "leaving fluid above the entering air, as at the rating of the dry cooler",
            unit.source,
        )
    return 0.0


def _tower(id: str, trace: Trace) -> tuple[float, float]:
    row = table("equipment/towers_drycoolers").get(_CELL)
    cell_w = trace.assume(
        f"{id}.largest_cell",
        row.si("heat_rejected_kw"),
        "heat_flow",
        "size of one tower cell of a built plant",
        row.cite("heat_rejected_kw"),
    )
    trace.ledger.add_text(
        f"{id}.tower_model",
        "YorkCalc",
        "approach varies with wet bulb, range and air flow; rated at 25.6 degC, 3.9 K, 5.6 K",
        Source("energyplus-towers"),
    )
    fan_w = trace.assume(
        f"{id}.tower_fan",
        _TOWER_FAN_W_PER_KG_S,
        "ratio",
        "fan power at full speed, W for each kg/s of water",
        _TEMPLATES,
    )
    return cell_w, fan_w


def _dry_cooler(
    rating: DryCoolerRatingSection | None, id: str, used: bool, trace: Trace
) -> DryCoolerUnit:
    if rating is not None:
        figures = (
            rating.heat.si,
            rating.air_in.si,
            rating.fluid_in.si,
            rating.fluid_out.si,
            rating.fan_power.si,
        )
        unit = DryCoolerUnit(
            rating.model or "dry cooler as given", *figures, _FILM_RATIO, False, PROJECT
        )
    else:
        unit = DryCoolerUnit(*_BAC_UNIT, _FILM_RATIO, True, _BAC)
        if used:
            trace.ledger.add_text(
                f"{id}.dry_cooler",
                unit.model,
                "coolers in the proportions of this rating, as large as the heat asks for",
                _BAC,
            )
    if used:
        trace.assume(
            f"{id}.film_ratio",
            _FILM_RATIO,
            "ratio",
            "air-side over fluid-side hA of the coil at its rating; equal capacity rates there",
            _COIL,
        )
    return unit
