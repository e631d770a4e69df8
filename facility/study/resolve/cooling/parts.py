"""Parts shared by several cooling sections: redundancy, curves, fluids, pumps, CDUs."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
from facility.cooling.parts.fluids import (
    MIN_REYNOLDS,
    REYNOLDS_OF_WATER,
    film_properties,
    reynolds_ratio,
)
from facility.core.errors import FacilityError, unknown
from facility.core.sources import PROJECT, UNSTATED, Source
from facility.core.trace import Trace
from facility.model.cooling.units import CduUnit, Curve, Fluid, Pump, Spares
from facility.model.facility import Site
from facility.model.inputs.cooling.air import CrahSection
from facility.model.inputs.cooling.liquid import CduSection
from facility.model.inputs.cooling.machines import ChillerSection, PumpSection, RedundantSection
from facility.model.it import ItPlan
from facility.physics.liquids.coolant import film_coefficient_ratio
from facility.study.resolve.cooling.it import devices_of
from facility.study.resolve.reader import Reader

_EFFICIENCY = 0.68 * 0.941
_CHW_PUMP = Source("lbnl-dcpro-manual", "CHW pump head 75 ft; 68 %, motor 94.1 %", "", "secondary")
_CONDENSER_W_PER_M3_S = 301.2e3
_CONDENSER_HEAD_PA = 65.0 * 2989.07
_CW_PUMP = Source("lbnl-dcpro-manual", "90.1-2007 G3.1.3.11: 19 W/gpm, 65 ft", "", "secondary")
_PUMP_CURVE = "VSD no DP reset"
_RATED_SUPPLY_C = 32.0
"""Coolant of CDU ratings."""
_DEFAULT_CDU = "XDU1350"
_RATED_COOLANT = "PG25"
_CDU = Source("modelica-buildings-cdu")
_GLYCOLS = ("PG25", "PG30", "PG40", "PG50", "PG55", "PG60")
_THIN_GLYCOLS = ("EG30 mass", "EG40 mass", "EG50 mass")


def resolve_spares(
    section: RedundantSection, id: str, words: str, trace: Trace, count: int | None
) -> Spares:
    """Return the redundancy of equal units; N+1 by default."""
    text, field = section.redundancy, f"{id}.redundancy"
    name = text or trace.ledger.add_text(field, "N+1", f"one spare unit {words}", UNSTATED)
    given = ((field, text), (f"{id}.count", count))
    stated = " and ".join(f"{one} is {value}" for one, value in given if value is not None)
    spare = 0 if name == "2N" else int(name.partition("+")[2] or 0)
    return Spares(name, spare, doubled=name == "2N", stated=stated)


def curve(device: str, name: str, where: str) -> Curve:
    """Return a part-load curve of the catalogue.

    Raises ``UNKNOWN_MODEL`` with the nearest names.
    """
    row = table("cooling/fan_pump_part_load").get((device, name), where)
    return row.si("c0"), row.si("c1"), row.si("c2"), row.si("c3")


def resolve_fluid(name: str | None, id: str, default: str, words: str, trace: Trace) -> Fluid:
    """Return the named or default coolant, as `known_fluid`."""
    return known_fluid(name or trace.ledger.add_text(id, default, words, UNSTATED), id)


@per_catalogue(64)
def known_fluid(name: str, where: str = "") -> Fluid:
    """Return a coolant of the catalogue with its properties.

    Raises ``UNKNOWN_FLUID`` at `where` with the nearest names.
    """
    properties = table("cooling/fluid_properties")
    rows = sorted(properties.select(fluid=name), key=lambda row: row.si("t_c"))
    if len(rows) < 2:
        known = {str(row["fluid"]) for row in properties.rows}
        message = f"{name!r} is not a catalogue fluid."
        raise unknown("UNKNOWN_FLUID", where, message, name, known)
    return Fluid(
        name,
        tuple(row.si("t_c") for row in rows),
        tuple(row.si("rho_kg_m3") for row in rows),
        tuple(row.si("cp_j_kgk") for row in rows),
        tuple(row.si("mu_mpas") for row in rows),
        tuple(row.si("k_w_mk") for row in rows),
        rows[0].cite("rho_kg_m3"),
        table("cooling/fluid_freezing").get(name, where).si_or_none("freezing_c"),
    )


def outdoor_fluid(site: Site, warmest: str) -> str:
    """Return the fluid of a closed loop outdoors: the minimum glycol for the minimum dry bulb.

    `warmest` is the fluid without frost; if the minimum dry bulb is unknown it is the
    weakest glycol. If none is sufficient, it is the strongest; COOLANT-FREEZE then reports it.
    """
    coldest_c = site.coldest_c if site.coldest_c is not None else site.coldest_hour_c
    if coldest_c is None:
        return _GLYCOLS[0]
    freezing, fluids = table("cooling/fluid_freezing"), (warmest, *_GLYCOLS)
    bears = (name for name in fluids if freezing.get(name).si("freezing_c") <= coldest_c)
    return next(bears, _GLYCOLS[-1])


def thin_glycols(site: Site) -> list[str]:
    """Return the ethylene glycols with freeze protection for the site, the weakest first."""
    frost_c = site.coldest_c if site.coldest_c is not None else site.coldest_hour_c
    rows = table("cooling/fluid_freezing")
    return [
        name
        for name in _THIN_GLYCOLS
        if frost_c is not None and rows.get(name).si("freezing_c") <= frost_c
    ]


def coil_fluid(site: Site, coldest_c: float) -> str:
    """Return the fluid of a loop with coils indoors and evaporators outdoors.

    The first with freeze protection and turbulent coil flow at the coldest water:
    propylene glycol, else ethylene glycol, which is less viscous. If there is none, the fluid of
    `outdoor_fluid`; COIL-FILM then reports it.
    """
    usual, freezing = outdoor_fluid(site, "water"), table("cooling/fluid_freezing")
    frost_c = site.coldest_c if site.coldest_c is not None else site.coldest_hour_c
    if frost_c is None or usual == "water":
        return usual
    water = known_fluid("water")
    for name in (*_GLYCOLS, *_THIN_GLYCOLS):
        turbulent = REYNOLDS_OF_WATER * reynolds_ratio(known_fluid(name), water, coldest_c)
        if freezing.get(name).si("freezing_c") <= frost_c and turbulent >= MIN_REYNOLDS:
            return name
    return usual


def resolve_pump(section: PumpSection | None, id: str, trace: Trace) -> Pump:
    """Return the pumps of a closed loop."""
    return _pump(section, id, _EFFICIENCY, "pump and motor, wire to water", _CHW_PUMP, trace)


def resolve_condenser_pump(section: PumpSection | None, id: str, trace: Trace) -> Pump:
    """Return the pumps of a condenser-water loop."""
    efficiency = _CONDENSER_HEAD_PA / _CONDENSER_W_PER_M3_S
    words = "head over electrical power per flow"
    return _pump(section, id, efficiency, words, _CW_PUMP, trace)


def _pump(
    section: PumpSection | None, id: str, usual: float, words: str, source: Source, trace: Trace
) -> Pump:
    """Return pumps; head None for the calculated loop head."""
    read = Reader(section or PumpSection.unstated(), id, trace)
    head_pa = read.given("head")
    efficiency = read("efficiency", usual, words, source)
    return Pump(head_pa, efficiency, curve("pump", _PUMP_CURVE, ""))


def on_ups(
    given: tuple[str, ...] | None,
    name: str,
    default: bool,
    words: str,
    source: Source,
    trace: Trace,
) -> bool:
    """Return whether a part of the cooling is on UPS."""
    if given is not None:
        return name in given
    answer = "on the UPS" if default else "not on the UPS"
    trace.ledger.add_text(f"cooling.on_ups.{name}", answer, words, source)
    return default


def sizing_factor(
    plan: ItPlan, section: CrahSection | CduSection, stream: str, trace: Trace
) -> float:
    """Return the sizing heat over the heat of one stream, "air" or "liquid".

    Heat shares of liquid-cooled racks with some air cooling vary;
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
    unit = {"air": "crah", "liquid": "cdu"}[stream]
    minimum = Reader(section, f"cooling.{unit}", trace)("design_fraction")
    sized = sum(
        watts * (max(fraction, minimum) if varies else fraction)
        for watts, fraction, varies in split
    )
    return sized / heat


def sized_at_site(section: ChillerSection | None) -> bool:
    """Return whether the project states chiller capacity or its maximum, at site conditions."""
    return section is not None and (section.capacity is not None or section.largest is not None)


def resolve_cdu(section: CduSection, fluid: Fluid, trace: Trace) -> CduUnit:
    """Return the CDU of the project at its rating: user, catalogue, or default."""
    given = section.rating.fws_fluid if section.rating is not None else None
    words = "facility water at the rating"
    water = resolve_fluid(given, "cooling.cdu.rating.fws_fluid", "water", words, trace)
    if section.rating is not None:
        rating = section.rating
        tcs_flow = rating.tcs_flow.si
        fws_flow = primary_flow(rating.fws_flow.si if rating.fws_flow else None, tcs_flow, trace)
        pump_w = rating.pump_power.si if rating.pump_power is not None else None
        return CduUnit(
            rating.model or "CDU as given", rating.capacity.si, rating.approach.si, tcs_flow,
            fws_flow, fluid, water, _RATED_SUPPLY_C, cdu_pump_w(pump_w, tcs_flow, trace), PROJECT,
            False, rating.head.si if rating.head is not None else None,
        )  # fmt: skip
    cdus = table("equipment/cdu")
    if section.model is not None:
        row = cdus.get(section.model, "cooling.cdu.model")
    else:
        row = cdus.get(_DEFAULT_CDU)
        trace.ledger.add_text(
            "cooling.cdu.model", _DEFAULT_CDU,
            "rated with flow and approach; N+1 pumps inside", row.cite("capacity_kw"),
        )  # fmt: skip
    return catalogue_unit(row, water, trace)


def catalogue_unit(row: Row, water: Fluid, trace: Trace) -> CduUnit:
    """Return a CDU of the catalogue at its rating; with coolant `_RATED_COOLANT`.

    Raises ``CDU_TO_AIR`` for a liquid-to-air unit, ``UNKNOWN_VALUE`` for a row without
    capacity, approach or flow.
    """
    if str(row["rejects_to"]) != "water":
        raise FacilityError(
            "CDU_TO_AIR",
            "cooling.cdu.model",
            f"{row['model']!s} rejects its heat to the room air, not to facility water.",
            "Select a liquid-to-liquid CDU.",
        )
    give = "cooling.cdu.rating"
    tcs_flow = row.si("secondary_flow_l_min", give)
    columns = ("capacity_kw", "atd_k", "secondary_flow_l_min")
    words = "rating coolant, unless the data sheet states another"
    coolant = resolve_fluid(None, "cooling.cdu.rating.coolant", _RATED_COOLANT, words, trace)
    unit = CduUnit(
        str(row["model"]), row.si("capacity_kw", give), row.si("atd_k", give), tcs_flow,
        primary_flow(row.si_or_none("primary_flow_l_min"), tcs_flow, trace), coolant, water,
        _RATED_SUPPLY_C, cdu_pump_w(row.si_or_none("pump_input_kw"), tcs_flow, trace),
        row.cite("capacity_kw"), any(row.is_memory(c) for c in columns),
        row.si_or_none("external_head_kpa"),
    )  # fmt: skip
    trace.given("cooling.cdu.rating.capacity", unit.capacity_w, "heat_flow", unit.source)
    trace.given(
        "cooling.cdu.rating.approach", unit.approach_k, "temperature_difference", unit.source
    )
    trace.given("cooling.cdu.rating.tcs_flow", tcs_flow, "liquid_flow", unit.source)
    return unit


def primary_flow(given: float | None, tcs_flow: float, trace: Trace) -> float:
    """Return the facility water of a CDU at its rating; by default its coolant flow."""
    if given is not None:
        return given
    return trace.assume(
        "cooling.cdu.rating.fws_flow", tcs_flow, "liquid_flow",
        "equal to the coolant flow at the rating", _CDU,
    )  # fmt: skip


def cdu_pump_w(given: float | None, tcs_flow: float, trace: Trace) -> float:
    """Return the power of the pumps of a CDU; from their flow if not specified."""
    if given is not None:
        return given
    row = table("equipment/pumps").get(("system benchmark", "CDU pump power XDU1350"))
    specific = float(row.require("w_per_l_s")) * 1e3
    return trace.assume(
        "cooling.cdu.rating.pump_power", specific * tcs_flow, "active_power",
        f"{specific / 1e3:g} W per L/s, same as the XDU1350", row.cite("w_per_l_s"),
    )  # fmt: skip


def film_of(fluid: Fluid, mean_c: float, id: str, trace: Trace) -> float:
    """Return the film of a fluid over the film of water, the rating fluid."""
    water = known_fluid("water")
    if fluid.name == water.name:
        return 1.0
    known = film_properties(fluid, water, mean_c)
    return float(trace.do(id, film_coefficient_ratio, f"{fluid.name} relative to water", **known))


def refuse_compressors(chiller: ChillerSection) -> None:
    """Reject inputs not applicable to CRACs: number, size and curves of compressors."""
    for name in ("capacity", "largest", "count", "redundancy"):
        if getattr(chiller, name) is not None:
            raise FacilityError(
                "AIR_CONTRADICTION",
                f"cooling.plant.chiller.{name}",
                "CRACs include their compressors, which match the units in number and size.",
                "Omit it; enter cooling.crah.count, cooling.crah.rating or their redundancy.",
            )
    if chiller.performance == "curves":
        raise FacilityError(
            "CHILLER_CURVES",
            "cooling.plant.chiller.performance",
            "CRAC compressors have no curve set.",
            "Omit it, or select another cooling.air.terminal.",
        )
