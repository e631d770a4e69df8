"""Checks of the cooling as designed: capacity after a loss, temperatures, density, data."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import table
from facility.cooling.air.rack_limits import AIR_DENSITY_W
from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.parts.cdu import MIN_PLATE_FLOW, CduDesign
from facility.cooling.parts.fluids import MIN_REYNOLDS, REYNOLDS_OF_WATER, reynolds_ratio
from facility.cooling.plant.chillers import catalogue_chillers
from facility.cooling.plant.sinks import MAX_DRY_FAN_SHARE, MIN_DRY_APPROACH_K, MIN_TOWER_W, Sink
from facility.cooling.rules import RULES
from facility.core.check import Check
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain

MIN_CDU_APPROACH_K = 2.0
MIN_CYCLES = 2.0
"""Cycles of concentration at which blowdown equals evaporation."""
_MAX_FOR_RISE = 2.0
"""Maximum air handler count over the count at rated rise; above it, flow savings do not pay."""
_MAX_OVERSIZE = 4.0
"""Above it, a single unit runs below its minimum part load (25 %) even at full load."""
_WARM_LOOP_K = 10.0
"""Temperature difference above which warmer chilled water is possible."""
_MAX_UNITS = {"chillers": 150, "towers or dry coolers": 600}
"""Maximum per plant; 150 MW correspond to about 100 air-cooled chillers or 300 dry coolers."""


def design_checks(design: CoolingDesign) -> tuple[Check, ...]:
    """Return the checks independent of weather."""
    return (
        *RULES.checks(design),
        *_rise_check(design),
        *_electrical_room_checks(design),
        *(_plate_checks(design.cdus, design) if design.cdus is not None else ()),
        *_plant_checks(design),
        *_cycles_checks(design.chain),
        *_water_checks(design),
        *_density_checks(design.chain),
        *_size_checks(design),
        *_memory_checks(design),
    )


def _rise_check(design: CoolingDesign) -> Iterator[Check]:
    crah, water, rise = design.crah, design.chilled.plan, "temperature_difference"
    if design.usual_crahs and not water.direct:
        yield RULES["CRAH-RISE"].at_most(
            design.chain.crah.path.unit_name,
            float(crah.duty),
            _MAX_FOR_RISE * design.usual_crahs,
            "count",
            f"{crah.duty} on duty at a rise of {show(water.rise_k, rise)} "
            f"(cooling.plant.delta_t), {design.usual_crahs} at "
            f"{show(min(water.usual_rise_k, water.rise_k), rise)}",
        )


def _electrical_room_checks(design: CoolingDesign) -> Iterator[Check]:
    crah, plan = design.crah, design.chain.crah
    if crah.electrical_duty:
        left = plan.spares.remaining(crah.electrical_installed, crah.electrical_duty)
        name = "CRAC" if plan.path.refrigerant is not None else "CRAH"
        yield RULES["CRAH-CAPACITY"].at_most(
            f"{name} of the electrical rooms, {left} of {crah.electrical_installed} running",
            float(crah.electrical_duty),
            float(left),
            "count",
            f"remaining after a loss: {left}; required: {crah.electrical_duty}",
        )


def _plate_checks(cdus: CduDesign, design: CoolingDesign) -> Iterator[Check]:
    """Yield the checks of the CDU approach and of the heat exchanger flow at design."""
    plan, water, found_k = cdus.plan, design.water, design.cdu_approach_available_k
    if water is None or found_k is None or not cdus.installed:
        return
    kind = "temperature_difference"
    sensible = show(water.plan.supply_c + MIN_CDU_APPROACH_K, "temperature")
    yield RULES["CDU-LEAST-APPROACH"].at_least(
        f"CDU {plan.unit.model}",
        found_k,
        MIN_CDU_APPROACH_K,
        kind,
        f"{show(found_k, kind)} required; recommended coolant supply: {sensible} or higher",
    )
    part = plan.tcs_flow_m3_s / (cdus.installed * plan.unit.tcs_flow_m3_s)
    sensible = show(plan.tcs_flow_m3_s / cdus.installed / MIN_PLATE_FLOW, "liquid_flow")
    yield RULES["CDU-PLATE-FLOW"].at_least(
        f"CDU, {cdus.installed} running",
        part,
        MIN_PLATE_FLOW,
        "fraction",
        f"{part:.0%} of rated flow; recommended rating: {sensible} or less",
    )


def _cycles_checks(chain: CoolingChain) -> Iterator[Check]:
    """Yield the checks of the cycles of concentration of towers and pads.

    Blowdown is the evaporation over the cycles less one: below two cycles, blowdown exceeds
    evaporation.
    """
    used = [
        ("towers", sink.cycles) if sink.pads is None else ("pads of dry coolers", sink.pads.cycles)
        for sink in chain.wetted_sinks
    ]
    if chain.economizer.pad_effectiveness > 0.0:
        used.append(("pads of the economizer", chain.economizer.pad_cycles))
    for subject, cycles in dict.fromkeys(used):
        why = f"blowdown is {show(1.0 / (cycles - 1.0), 'fraction')} of the evaporation"
        yield RULES["CYCLES-MINIMUM"].at_least(subject, cycles, MIN_CYCLES, "ratio", why)


def _plant_checks(design: CoolingDesign) -> Iterator[Check]:
    chilled = design.chilled
    chiller = chilled.plan.chiller
    if design.water is not None and design.water.sink is not None:
        yield from _sink_checks("facility water heat rejection", design.water.sink)
    if chilled.plan.direct:
        return
    yield from RULES.checks(chilled)
    # The lift model uses a curve set at its rating only: its range does not apply.
    if chiller.curves is not None and chiller.warmest_chw_c is not None:
        supply_c, warmest_c = chilled.plan.supply_c, chiller.warmest_chw_c
        words = "within the range" if supply_c <= warmest_c else "lift model used above it"
        yield RULES["CURVE-BOX-WATER"].at_most(
            "chillers",
            supply_c,
            warmest_c,
            "temperature",
            f"{supply_c:.1f} degC, curves of {chiller.model} to {warmest_c:.1f} degC: {words}",
        )
    yield from _film_check(design)
    yield from _sink_checks("chiller heat rejection", chilled.sink)


def _film_check(design: CoolingDesign) -> Iterator[Check]:
    """Yield whether glycol flow in the coils is turbulent, as the film coefficient assumes."""
    loop, water = design.chilled.plan, design.chain.hydraulics.water
    if loop.fluid.name == water.name:
        return
    mean_c = loop.supply_c + 0.5 * loop.rise_k
    found = REYNOLDS_OF_WATER * reynolds_ratio(loop.fluid, water, mean_c)
    why = f"Reynolds number about {found:,.0f}, with water {REYNOLDS_OF_WATER:,.0f} (unverified)"
    if found < MIN_REYNOLDS:
        why += ": laminar; coil capacity below the calculated one"
    subject = f"coils, {loop.fluid.name} at {mean_c:.1f} degC"
    yield RULES["COIL-FILM"].at_least(subject, found, MIN_REYNOLDS, "ratio", why)


def _sink_checks(subject: str, sink: Sink) -> Iterator[Check]:
    yield from RULES.checks(sink, subject)
    if sink.duty and sink.plan.kind == "dry_cooler":
        yield from _dry_checks(subject, sink)
    pads = sink.plan.pads
    if sink.duty and pads is not None:
        words = "included in the fan power" if pads.in_fans else "unknown for the stated rating"
        yield RULES["PAD-FANS"].verdict(subject, pads.in_fans, f"pad pressure drop {words}")
    if sink.duty and sink.plan.kind == "tower":
        yield RULES["TOWER-SIZE"].at_least(
            subject,
            sink.heat_w,
            MIN_TOWER_W,
            "heat_flow",
            f"{sink.duty} on duty reject {show(sink.heat_w, 'heat_flow')} at design",
        )


def _dry_checks(subject: str, sink: Sink) -> Iterator[Check]:
    """Yield the checks of practical dry cooler size, with the recommended fluid temperature."""
    leaving_c, kind = sink.air_c + sink.approach_k, "temperature_difference"
    sensible_k = max(MIN_DRY_APPROACH_K, sink.min_approach_k)
    advice = (
        f"recommended: {sink.air_c + sensible_k:.1f} degC or higher ({sensible_k:.1f} K approach)"
    )
    yield RULES["DRY-COOLER-APPROACH"].at_least(
        subject,
        sink.approach_k,
        MIN_DRY_APPROACH_K,
        kind,
        f"{leaving_c:.1f} degC at {sink.air_c:.1f} degC air, approach {sink.approach_k:.1f} K; "
        f"{advice}",
    )
    share = sink.fan_w / sink.heat_w
    yield RULES["DRY-COOLER-FANS"].at_most(
        subject,
        share,
        MAX_DRY_FAN_SHARE,
        "fraction",
        f"{share:.1%} of the heat at full speed for {leaving_c:.1f} degC; {advice}",
    )


def _water_checks(design: CoolingDesign) -> Iterator[Check]:
    """Yield whether the chilled water is colder than its loops require."""
    loop, water = design.chilled.plan, design.water
    if loop.direct or water is None:
        return
    if not (water.plan.trim or water.plan.source == "chilled_water"):
        return
    over_k = water.plan.supply_c - water.plan.exchanger_approach_k - loop.supply_c
    if water.chilled_w > design.crah.taken_w:
        yield RULES["CHW-COLDER-THAN-NEEDED"].at_most(
            "chilled water for facility water",
            over_k,
            _WARM_LOOP_K,
            "temperature_difference",
            f"{show(loop.supply_c, 'temperature')} chilled water for "
            f"{show(water.plan.supply_c, 'temperature')} facility water, with "
            f"{show(water.chilled_w, 'heat_flow')}, more than the air handlers",
        )


def _density_checks(chain: CoolingChain) -> Iterator[Check]:
    for rack in chain.racks:
        yield from RULES.checks(rack)
    if chain.crah.path.door is not None:
        return
    for rack in chain.racks:
        if rack.air_w > 0.0:
            why = f"{show(rack.air_w, 'heat_flow')} in air, {show(rack.airflow_m3_s, 'air_flow')}"
            yield RULES["AIR-DENSITY-LIMIT"].at_most(
                f"rack {rack.name}", rack.air_w, AIR_DENSITY_W, "heat_flow", f"{why} per rack"
            )


def _size_checks(design: CoolingDesign) -> Iterator[Check]:
    """Yield the oversizing of the smallest units for a small room; none with two loaded units."""
    crah, chilled, plan = design.crah, design.chilled, design.chain.crah
    if crah.duty == 1:
        unit_w, name = plan.unit.net_sensible_w, plan.unit.model
        if plan.path.terminal == "crah":
            unit_w, name = min((unit_w, name), *_air_handlers())
        yield _size(f"{plan.path.unit_name} of the halls", crah.coils_w, unit_w, name)
    if not chilled.plan.direct and chilled.plan.chiller.capacity_w is None:
        unit_w, name = catalogue_chillers(chilled.plan.sink.kind)[0]
        yield _size("chillers", chilled.load_w / max(chilled.duty, 1), unit_w, name)
    yield from _number_checks(design)


def _number_checks(design: CoolingDesign) -> Iterator[Check]:
    """Yield whether the number of units of one type is practical for one plant."""
    counts, chilled, water = design.counts, design.chilled, design.water
    found = []
    if counts.chillers:
        found.append(("chillers", "chillers", counts.chillers, chilled.capacity_w))
    kind = "towers or dry coolers"
    if counts.rejection and chilled.plan.sink.kind != "air_cooled":
        sink = chilled.sink
        found.append((kind, f"{kind}, chillers", sink.installed, sink.heat_w / sink.duty))
    if water is not None and water.sink is not None and water.sink.duty:
        sink = water.sink
        subject = f"{kind}, facility water"
        found.append((kind, subject, sink.installed, sink.heat_w / sink.duty))
    for limit, subject, count, each_w in found:
        why = f"{count:,} {subject}, each of {show(each_w, 'heat_flow')}"
        yield RULES["UNIT-NUMBER"].compare(
            subject, float(count), "<=", float(_MAX_UNITS[limit]), "count", why
        )


def _air_handlers() -> list[tuple[float, str]]:
    """Return capacity and name of the air handlers with a water temperature at their rating."""
    return [
        (row.si("net_sensible_kw"), str(row["model"]))
        for row in table("equipment/crah_crac").rows
        if row["water_in_c"] is not None and row["net_sensible_kw"] is not None
    ]


def _size(subject: str, load_w: float, unit_w: float, name: str) -> Check:
    ratio = unit_w / load_w
    words = f"smallest catalogue unit {name}: {show(unit_w, 'heat_flow')}"
    return RULES["UNIT-SIZE"].at_most(
        subject,
        ratio,
        _MAX_OVERSIZE,
        "ratio",
        f"{words}, {ratio:.1f} x the required {show(load_w, 'heat_flow')}",
    )


def _memory_checks(design: CoolingDesign) -> Iterator[Check]:
    chain = design.chain
    path = chain.crah.path
    parts = [(path.unit_name, chain.crah.unit.model, chain.crah.unit.from_memory)]
    if path.electrical_unit is not chain.crah.unit:
        parts.append(("CRAH", path.electrical_unit.model, path.electrical_unit.from_memory))
    if path.door is not None:
        parts.append(("rear door", path.door.model, path.door.from_memory))
    if chain.cdu is not None:
        parts.append(("CDU", chain.cdu.unit.model, chain.cdu.unit.from_memory))
    chiller = chain.chilled_water.chiller
    compressor = "compressor" if chain.chilled_water.direct else "chiller"
    parts.append((compressor, chiller.model, chiller.from_memory))
    for family, model, recalled in parts:
        yield RULES["MEMORY-DATA"].verdict(
            model if model.startswith(family) else f"{family} {model}",
            not recalled,
            f"unverified: data of the {family}" if recalled else "all data read from sources",
        )
