"""Parts that several sections of the cooling share: redundancy, curves, fluids, pumps."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.errors import FacilityError, near_matches
from facility.core.parse import Measured
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling.units import Curve, Fluid, Pump, Spares
from facility.model.inputs.cooling.section import PumpSection
from facility.model.it import ItPlan
from facility.study.resolve.cooling.it import devices_of
from facility.study.resolve.criteria import UNSTATED, given_or_assumed

_EFFICIENCY = 0.68 * 0.941
_CHW_PUMP = Source("lbnl-dcpro-manual", "CHW pump head 75 ft; 68 %, motor 94.1 %", "", "secondary")
_CONDENSER_W_PER_M3_S = 301.2e3
_CONDENSER_HEAD_PA = 65.0 * 2989.07
_CW_PUMP = Source("lbnl-dcpro-manual", "90.1-2007 G3.1.3.11: 19 W/gpm, 65 ft", "", "secondary")
_PUMP_CURVE = "VSD no DP reset"


def resolve_spares(text: str | None, id: str, words: str, trace: Trace) -> Spares:
    """Return the redundancy of equal units; N+1 where nothing is stated."""
    name = text or trace.ledger.add_text(id, "N+1", f"one spare unit {words}", UNSTATED)
    if name == "2N":
        return Spares(name, 0, doubled=True)
    return Spares(name, int(name.partition("+")[2] or 0))


def curve(device: str, name: str, where: str) -> Curve:
    """Return a part-load curve of the catalogue.

    Raises
    ------
    FacilityError
        ``UNKNOWN_MODEL`` with the nearest names.
    """
    row = table("cooling/fan_pump_part_load").get((device, name), where)
    return row.si("c0"), row.si("c1"), row.si("c2"), row.si("c3")


def resolve_fluid(name: str | None, id: str, default: str, words: str, trace: Trace) -> Fluid:
    """Return a coolant with its properties.

    Raises
    ------
    FacilityError
        ``UNKNOWN_FLUID`` with the nearest names.
    """
    properties = table("cooling/fluid_properties")
    chosen = name or trace.ledger.add_text(id, default, words, UNSTATED)
    rows = sorted(properties.select(fluid=chosen), key=lambda row: row.si("t_c"))
    if len(rows) < 2:
        known = {str(row["fluid"]) for row in properties.rows}
        raise FacilityError(
            "UNKNOWN_FLUID",
            id,
            f"{chosen!r} is not a fluid of the catalogue.",
            near_matches(chosen, known),
        )
    return Fluid(
        chosen,
        tuple(row.si("t_c") for row in rows),
        tuple(row.si("rho_kg_m3") for row in rows),
        tuple(row.si("cp_j_kgk") for row in rows),
        tuple(row.si("mu_mpas") for row in rows),
        tuple(row.si("k_w_mk") for row in rows),
        rows[0].cite("rho_kg_m3"),
        table("cooling/fluid_freezing").get(chosen, id).si_or_none("freezing_c"),
    )


def resolve_pump(section: PumpSection | None, id: str, trace: Trace) -> Pump:
    """Return the pumps of a closed loop."""
    given = section or PumpSection()
    return Pump(
        _head(given, id, trace),
        given_or_assumed(
            trace,
            f"{id}.efficiency",
            given.efficiency,
            _EFFICIENCY,
            "fraction",
            "pump and motor, wire to water",
            _CHW_PUMP,
        ),
        curve("pump", _PUMP_CURVE, ""),
    )


def _head(given: PumpSection, id: str, trace: Trace) -> float | None:
    """Return the head of pumps as given; None for that of the loop as laid out."""
    if given.head is not None:
        return trace.given(f"{id}.head", given.head.si, "pressure", PROJECT)
    trace.ledger.add_text(
        f"{id}.head",
        "as laid out",
        "pipes, fittings and components of the loop at design flow",
        DERIVED,
    )
    return None


def resolve_condenser_pump(section: PumpSection | None, id: str, trace: Trace) -> Pump:
    """Return the pumps of a condenser-water loop."""
    given = section or PumpSection()
    efficiency = _CONDENSER_HEAD_PA / _CONDENSER_W_PER_M3_S
    return Pump(
        _head(given, id, trace),
        given_or_assumed(
            trace,
            f"{id}.efficiency",
            given.efficiency,
            efficiency,
            "fraction",
            "head over electrical power per flow",
            _CW_PUMP,
        ),
        curve("pump", _PUMP_CURVE, ""),
    )


def on_ups(
    given: tuple[str, ...] | None,
    name: str,
    default: bool,
    words: str,
    source: Source,
    trace: Trace,
) -> bool:
    """Return whether the UPS supplies a part of the cooling."""
    if given is not None:
        return name in given
    answer = "on the UPS" if default else "not on the UPS"
    trace.ledger.add_text(f"cooling.on_ups.{name}", answer, words, source)
    return default


def sizing_factor(
    plan: ItPlan, given: Measured | None, stream: str, default: float, source: Source, trace: Trace
) -> float:
    """Return the sizing heat over the heat of one stream, "air" or "liquid".

    Racks that are cooled by liquid and a little air divide their heat in proportions that vary;
    each side is sized for its own share, so that the two need not sum to the IT load.
    """
    split = [
        (
            count * input_w,
            1.0 - d.liquid_fraction if stream == "air" else d.liquid_fraction,
            d.liquid_only and 0.0 < d.liquid_fraction < 1.0,
        )
        for _, d, count, input_w in devices_of(plan)
    ]
    heat = sum(watts * fraction for watts, fraction, _ in split)
    if not any(varies for _, _, varies in split) or heat <= 0.0:
        return 1.0
    id = f"cooling.{stream}_design_fraction"
    if given is not None:
        least = trace.given(id, given.si, "fraction", PROJECT)
    else:
        words = f"share of the heat of liquid-cooled racks that the {stream} side is sized for"
        least = trace.assume(id, default, "fraction", words, source)
    sized = sum(
        watts * (max(fraction, least) if varies else fraction) for watts, fraction, varies in split
    )
    return sized / heat
