"""Plant options with named defaults: economizer, pumping, heat reuse, spares of a goal."""

from __future__ import annotations

import math
from dataclasses import replace

from facility.catalogue import Row
from facility.cooling.air.crah import crah_coil
from facility.core.errors import FacilityError
from facility.core.sources import PRACTICE, RULE, Source
from facility.core.trace import Trace
from facility.model.cooling.air import TerminalKind
from facility.model.cooling.chain import (
    TOLERANT_STORAGE_S,
    CduPlan,
    ChilledWaterPlan,
    ChillerPlan,
    CoolingChain,
    CrahPlan,
    SinkPlan,
)
from facility.model.cooling.economizer import NO_ECONOMIZER, EconomizerPlan
from facility.model.cooling.plant import HeatPumpPlan, HeatReusePlan, PumpingPlan, PumpingScheme
from facility.model.cooling.units import Fluid, Spares
from facility.model.facility import Goal
from facility.model.inputs.cooling.economizer import EconomizerSection
from facility.model.inputs.cooling.machines import ChillerSection
from facility.model.inputs.cooling.plant import HeatReuseSection, MakeupWaterSection, PumpingSection
from facility.physics.elementwise import crossing
from facility.study.resolve.cooling.parts import film_of, sized_at_site
from facility.study.resolve.reader import Reader

_BAC = Source("modelica-buildings-drycooler", "BAC TDFS1238N-C60ET40B")
_PLATE, _COIL, _AIR_TO_AIR = 0.8, 0.7, 0.65
_MIN_WATER_C = 5.0
_MIN_AIR = 0.1
"""Minimum fraction of rated air of a coil with glycol."""
_GLYCOL = Source("jci-150-26-eg1", "", "", "secondary")
_CAPACITY_PER_K = 0.026
"""Chiller capacity loss per kelvin of colder evaporator, from that guide."""
_COIL_FAN_RATIO = 117.68 / 2931.0
_PRIMARY_PART = 0.3
_IN_THE_ROWS: tuple[TerminalKind, ...] = ("in-row", "rear-door", "active-rear-door")

Humidity = tuple[Row, float, str]
"""Recommended envelope of the class; resulting maximum supply air dew point, and reason."""


def resolve_economizer(
    section: EconomizerSection,
    chilled: ChilledWaterPlan,
    terminal: TerminalKind,
    humidity: Humidity,
    trace: Trace,
) -> tuple[EconomizerPlan, ChilledWaterPlan]:
    """Return the economizer, and the chilled-water plant including the exchanger pressure drop.

    humidity: Limits of default outdoor-air dew points.

    Raises ``ECONOMIZER_CONTRADICTION`` for a type incompatible with the terminal units.
    """
    read = Reader(section, "cooling.economizer", trace)
    read.word("kind", section.kind)
    if section.kind in (None, "none"):
        return NO_ECONOMIZER, chilled
    if section.kind == "integrated-water-side":
        return _on_water(read, chilled)
    if terminal in _IN_THE_ROWS:
        raise FacilityError(
            "ECONOMIZER_CONTRADICTION",
            "cooling.economizer.kind",
            f"an air-side economizer cannot supply units of the type {terminal!r} in the rows.",
            "Select integrated-water-side, or another cooling.air.terminal.",
        )
    return _on_air(section, humidity, read), chilled


def _on_water(read: Reader, chilled: ChilledWaterPlan) -> tuple[EconomizerPlan, ChilledWaterPlan]:
    if chilled.direct:
        raise FacilityError(
            "ECONOMIZER_CONTRADICTION",
            "cooling.economizer.kind",
            "a water-side economizer requires chilled water; CRACs have none.",
            "Select an air-side economizer, or another cooling.air.terminal.",
        )
    air_cooled = chilled.sink.kind == "air_cooled"
    words = "plate exchanger upstream of the chillers, in the chilled water"
    if air_cooled:
        words = "free-cooling coil upstream of the evaporator, water to entering air"
    effectiveness = read("effectiveness", _COIL if air_cooled else _PLATE, words)
    drop_pa = read("pressure_drop")
    min_c, fans = 0.0, 0.0
    if air_cooled:
        fans = read.trace.assume(
            "cooling.economizer.coil_fans", _COIL_FAN_RATIO, "ratio",
            "fan power over heat of the free-cooling coil: dry cooler rating",
            _BAC,
        )  # fmt: skip
    else:
        min_c = read.trace.assume(
            "cooling.economizer.least_water", _MIN_WATER_C, "temperature",
            "minimum water temperature of the heat rejection: tower freeze protection", PRACTICE,
        )  # fmt: skip
    plan = EconomizerPlan("integrated-water-side", effectiveness, min_c, fans)
    given_pa = chilled.pump.head_pa
    head_pa = None if given_pa is None else given_pa + drop_pa
    pump = replace(chilled.pump, head_pa=head_pa, extra_pa=drop_pa)
    return plan, replace(chilled, pump=pump)


def _on_air(section: EconomizerSection, humidity: Humidity, read: Reader) -> EconomizerPlan:
    direct = section.kind == "air-side-direct"
    effectiveness, low_c, high_c = 1.0, -40.0, 40.0
    if direct:
        row, dampest_c, words = humidity
        low_c = read("dew_point_min", row.si("dp_min_c"), source=row.cite("dp_min_c"))
        words = words and f"admitted outdoor air: {words}"
        high_c = read("dew_point_max", dampest_c, words, row.cite("dp_max_c"))
        if low_c >= high_c:
            raise FacilityError(
                "OUT_OF_RANGE",
                "cooling.economizer.dew_point_min",
                f"the dew point range of {low_c:g} to {high_c:g} degC for outdoor air is empty.",
                "Enter dew_point_min below dew_point_max, or raise the supply air temperature.",
            )
    else:
        words = "air-to-air exchanger, on the return air"
        effectiveness = read("effectiveness", _AIR_TO_AIR, words)
    pads = read.given("evaporative_effectiveness") or 0.0
    cycles = read("pad_cycles") if pads > 0.0 else math.inf
    words = "relief, filters and dampers" if direct else "scavenger fans, equal to hall air flow"
    fans = read("fan_power", basis=words)
    return EconomizerPlan(
        "air-side-direct" if direct else "air-side-indirect",
        effectiveness,
        pad_effectiveness=pads,
        pad_cycles=cycles,
        fan_w_per_m3_s=fans,
        dew_point_min_c=low_c,
        dew_point_max_c=high_c,
    )


def with_pumping(
    chilled: ChilledWaterPlan, section: PumpingSection, trace: Trace
) -> ChilledWaterPlan:
    """Return the plant with its pumping and staging.

    Raises ``PUMPING_CONTRADICTION`` for pumping without chilled water, or primary head above
    loop head.
    """
    if chilled.direct:
        if section != PumpingSection():
            raise FacilityError(
                "PUMPING_CONTRADICTION",
                "cooling.plant.pumping",
                "CRACs have no chilled water to pump.",
                "Omit it.",
            )
        return chilled
    read = Reader(section, "cooling.plant.pumping", trace)
    scheme: PumpingScheme = read.word("scheme", section.scheme)
    minimum, head_pa, part = _flow_and_head(read, scheme, chilled)
    up, down = read("stage_up"), read("stage_down")
    if down >= up:
        raise FacilityError(
            "OUT_OF_RANGE",
            "cooling.plant.pumping.stage_down",
            "chillers would stop above their start threshold.",
            "Enter stage_down below stage_up.",
        )
    return replace(chilled, pumping=PumpingPlan(scheme, minimum, head_pa, part, up, down))


def _flow_and_head(
    read: Reader, scheme: str, chilled: ChilledWaterPlan
) -> tuple[float, float | None, float]:
    """Return the minimum flow of a running chiller; the head of primary pumps, or its share."""
    if scheme == "variable-primary":
        return read("minimum_flow"), None, 0.0
    if scheme != "primary-secondary":
        return 0.0, None, 0.0
    head_pa = read.given("primary_head")
    if head_pa is None:
        part = read.trace.assume(
            "cooling.plant.pumping.primary_part",
            _PRIMARY_PART,
            "fraction",
            "share of the loop head: chillers and their valves",
            PRACTICE,
        )
        return 0.0, None, part
    if chilled.pump.head_pa is not None and head_pa >= chilled.pump.head_pa:
        raise FacilityError(
            "PUMPING_CONTRADICTION",
            "cooling.plant.pumping.primary_head",
            "the primary pump head is not below the loop head.",
            "Enter less than cooling.plant.pump.head.",
        )
    return 0.0, head_pa, 0.0


def resolve_heat_reuse(section: HeatReuseSection | None, trace: Trace) -> HeatReusePlan | None:
    """Return the heat reuse, None without a heat user."""
    if section is None or section.fraction is None or section.temperature is None:
        return None
    read = Reader(section, "cooling.heat_reuse", trace)
    fraction, needed_c = read("fraction"), read("temperature")
    if section.heat_pump is None:
        return HeatReusePlan(fraction, needed_c, needed_c)
    of_pump = Reader(section.heat_pump, "cooling.heat_reuse.heat_pump", trace)
    min_c = of_pump("source_min")
    if min_c >= needed_c:
        raise FacilityError(
            "REUSE_HEAT_PUMP",
            "cooling.heat_reuse.heat_pump.source_min",
            f"source water of {min_c:g} degC requires no heat pump for a heat user at "
            f"{needed_c:g} degC.",
            "Lower source_min, raise cooling.heat_reuse.temperature, or remove the heat pump.",
        )
    pump = HeatPumpPlan(of_pump("carnot_fraction"), of_pump("approach"))
    return HeatReusePlan(fraction, needed_c, min_c, pump)


def with_spares_of_goal(chain: CoolingChain, goal: Goal, trace: Trace) -> CoolingChain:
    """Return the chain with the spares of one mechanical board, if the goal requires them.

    Units with stated redundancy or count are unchanged.
    """
    if not (goal.maintainable and goal.cooling):
        return chain

    def spares(plan: CrahPlan | CduPlan | ChillerPlan | SinkPlan, id: str) -> Spares:
        if plan.spares.stated or (isinstance(plan, SinkPlan) and plan.kind == "air_cooled"):
            return plan.spares
        if id in trace.ledger:
            words = (
                "criteria.availability_goal includes the cooling: spare units for one"
                " mechanical board, minimum total of spare units and boards"
            )
            trace.ledger.add_text(id, "N+k, k = sqrt(N) rounded down", words, RULE)
        return replace(plan.spares, of_board=True)

    def sink(plan: SinkPlan, id: str) -> SinkPlan:
        return replace(plan, spares=spares(plan, f"{id}.redundancy"))

    chilled, water, cdu = chain.chilled_water, chain.facility_water, chain.cdu
    chiller = spares(chilled.chiller, "cooling.plant.chiller.redundancy")
    chilled = replace(
        chilled,
        chiller=replace(chilled.chiller, spares=chiller),
        sink=sink(chilled.sink, "cooling.plant.rejection"),
    )
    if water is not None and water.sink is not None:
        water = replace(water, sink=sink(water.sink, "cooling.facility_water.rejection"))
    if cdu is not None:
        cdu = replace(cdu, spares=spares(cdu, "cooling.cdu.redundancy"))
    crah = replace(chain.crah, spares=spares(chain.crah, "cooling.crah.redundancy"))
    return replace(chain, crah=crah, cdu=cdu, chilled_water=chilled, facility_water=water)


_TIER = Source("uptime-tier-topology", "12 h of make-up water, unverified", "", "memory")


def resolve_makeup(
    section: MakeupWaterSection | None, chain: CoolingChain, goal: Goal, trace: Trace
) -> float | None:
    """Return the duration of stored make-up water [s], None if not specified.

    Fault tolerance of the cooling requires twelve hours, the default in that case.

    Raises ``MAKEUP_UNUSED`` if water is stored without any use at the design hour.
    """
    if section is None or section.storage is None:
        if not (goal.tolerant and goal.cooling and chain.wetted_sinks):
            return None
        words = "12 h of make-up water for the goal fault_tolerant (criteria.availability_goal)"
        id = "cooling.makeup_water.storage"
        return trace.assume(id, TOLERANT_STORAGE_S, "time", words, _TIER)
    if not chain.wetted_sinks:
        water, kind = chain.facility_water, chain.chilled_water.sink.kind.replace("_", " ")
        found = [f"cooling.plant.heat_rejection is {kind}"]
        if water is not None and water.sink is not None:
            found.append("cooling.facility_water.source is dry cooler")
        raise FacilityError(
            "MAKEUP_UNUSED",
            "cooling.makeup_water.storage",
            f"make-up water is stored, but {' and '.join(found)}, without wetted pads.",
            "Remove storage, or select towers, or dry coolers with pads (pad_effectiveness).",
        )
    return Reader(section, "cooling.makeup_water", trace).given("storage")


def with_glycol(
    plan: ChilledWaterPlan, crah: CrahPlan, section: ChillerSection | None, trace: Trace
) -> tuple[ChilledWaterPlan, CrahPlan]:
    """Return plant and air handlers, all rated with water, with the fluids of their loops.

    A lower film coefficient gives a colder evaporator, and with dry coolers a warmer condenser:
    half the resistance is assumed to be the fluid film. A capacity stated in the project, or the
    largest, applies with its fluid; with curves it follows from the colder evaporator.
    """
    chiller, sink = plan.chiller, plan.sink
    film = film_of(plan.fluid, plan.supply_c + 0.5 * plan.rise_k, "plant.chw.film", trace)
    colder_k = 0.5 * chiller.evaporator_approach_k * (1.0 / film - 1.0)
    warmer_k = 0.0
    if sink.kind == "dry_cooler":
        mean_c = 0.5 * (sink.unit.fluid_in_c + sink.unit.fluid_out_c)
        at_condenser = film_of(sink.fluid, mean_c, "plant.cw.film", trace)
        warmer_k = 0.5 * chiller.condenser_approach_k * (1.0 / at_condenser - 1.0)
    capacity_w, largest_w = chiller.capacity_w, chiller.largest_w
    if film != 1.0 and chiller.curves is None and not sized_at_site(section):
        ratio = trace.assume(
            "cooling.plant.chiller.glycol",
            math.exp(-_CAPACITY_PER_K * colder_k),
            "ratio",
            f"capacity of catalogue chillers with {plan.fluid.name} in the evaporator",
            _GLYCOL,
        )
        largest_w *= ratio
        capacity_w = capacity_w * ratio if capacity_w is not None else None
    chiller = replace(
        chiller,
        capacity_w=capacity_w,
        largest_w=largest_w,
        evaporator_approach_k=chiller.evaporator_approach_k + colder_k,
        condenser_approach_k=chiller.condenser_approach_k + warmer_k,
        glycol_k=colder_k,
        altitude_k=chiller.altitude_k + warmer_k,
    )
    return replace(plan, chiller=chiller), replace(crah, water_film=film)


def usual_rise(crah: CrahPlan, fluid: Fluid) -> tuple[float, str]:
    """Return the rise and the reason: the rated rise; with glycol, at the same flow.

    With glycol a coil cools less air to its rated supply, so that more coils are required. At the
    rated rise, flow and film coefficient would decrease with every unit added. Rear
    doors equal their racks in number, and maintain the rise.
    """
    unit = crah.path.door or crah.unit
    rated_k = unit.water_out_c - unit.water_in_c
    film = film_of(fluid, unit.water_in_c + 0.5 * rated_k, "plant.chw.film", Trace())
    if film == 1.0 or crah.path.door is not None:
        return rated_k, f"water rise at the rating of {unit.model}, maintained by the valves"
    coil, rated_w = crah_coil(unit, crah.film_ratio, film), unit.net_sensible_w + unit.fan_w

    def beyond(share: float) -> float:
        air_w_k = share * unit.air_w_k
        heat_w = coil.heat(air_w_k, coil.second_w_k, unit.return_air_c, unit.water_in_c)
        return share * rated_w - heat_w

    share = crossing(beyond, _MIN_AIR, 1.0)
    words = f"at rated flow of {unit.model}, with the air cooled by its coil with {fluid.name}"
    return round(share * rated_k, 1), words
