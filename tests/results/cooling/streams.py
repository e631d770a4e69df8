"""Heat and power of air and of coolant together, worked once more for plants drawn at random.

What the facility water brings into the chilled water is coolant heat, and so is that part of the
power of chillers, their pumps and their heat rejection.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

from facility.cooling.chain.assemble import _condenser_out, _coolant, _supplied, assemble
from facility.study.resolve.cooling.liquid import _coolest_of, cdu_sizing
from tests.results.second import differs


def shares_of_the_coolant() -> Iterator[str]:
    """Power on the UPS and on the LV boards, and the part of each that removes coolant heat."""
    chance = Random(15)
    one = SimpleNamespace

    def w() -> float:
        return chance.uniform(1e3, 90e3)

    for number in range(12):
        ups = [chance.random() < 0.5 for _ in range(4)]
        liquid, towers = number % 3 > 0, number % 3 == 2
        brought = chance.choice([0.0, w()]) if liquid else 0.0
        side = one(coil_w=w(), electrical_coil_w=w(), doors_w=w(), fresh_w=w())
        sink = one(pumps_w=w(), fans_w=w())
        own = one(pumps_w=w(), fans_w=w()) if towers else None
        water = one(chilled_w=brought, rejection=own) if liquid else None
        fans, cdus, chw, fws, chillers = (w() for _ in range(5))
        cdus, fws = (cdus, fws) if liquid else (0.0, 0.0)
        rejected = sink.pumps_w + sink.fans_w
        outside = own.pumps_w + own.fans_w if own is not None else 0.0
        total = fans + cdus + chw + fws + chillers + rejected + outside + 7e3
        power: Any = one(
            crah_fans_w=fans, cdu_pumps_w=cdus, chw_pumps_w=chw, fws_pumps_w=fws,
            chillers_w=chillers, total_w=total,
        )  # fmt: skip
        design: Any = one(chain=one(
            crah=one(on_ups=ups[0]), cdu=one(on_ups=ups[1]) if liquid else None,
            chilled_water=one(pumps_on_ups=ups[2], compressors_on_ups=ups[3]),
        ))  # fmt: skip
        plant: Any = one(rejection=sink)
        shown = _supplied(design, power, side, water, plant)  # type: ignore[arg-type]
        air = side.coil_w + side.electrical_coil_w + side.doors_w + side.fresh_w
        part = brought / (air + brought)
        rows = (
            (ups[0], fans, 0.0), (ups[1] and liquid, cdus, 1.0), (ups[2], chw, part),
            (ups[2], fws, 1.0), (ups[3], chillers, part), (False, rejected, part),
            (False, outside, 1.0),
        )  # fmt: skip
        on_ups = sum(watts for there, watts, _ in rows if there)
        for key, wanted in (
            ("on_ups_w", on_ups),
            ("mech_w", total - on_ups),
            ("on_ups_coolant_w", sum(x * wet for there, x, wet in rows if there)),
            ("mech_coolant_w", sum(x * wet for there, x, wet in rows if not there)),
            ("coolant_of_chilled", part),
        ):
            yield from differs(f"{key} of case {number}", float(shown[key]), wanted)


def coolant_and_condensers() -> Iterator[str]:
    """Coolant warms with facility water that is too warm; a return carries the heat of both."""
    one = SimpleNamespace
    plan = one(tcs_flow_m3_s=0.02, tcs_supply_c=35.0)
    cdus = one(plan=plan, installed=3, approach_with=lambda n, heat, tcs, fws: heat / n / fws / 1e6)
    for supply_c, warmer_c in ((30.0, 35.0), (33.0, 36.0)):
        water = one(supply_c=supply_c, flow_m3_s=0.1)
        liquid = one(heat_w=9e5, return_c=45.0)
        shown = _coolant(one(cdus=cdus), liquid, water)  # type: ignore[arg-type]
        yield from differs("flow of the coolant", float(shown[0]), 0.02)
        yield from differs(f"coolant of {supply_c} degC water", float(shown[1]), warmer_c)
        yield from differs("coolant, return", float(shown[2]), 45.0 + warmer_c - 35.0)
    none: Any = one(cdus=None)
    if _coolant(none, None, None) != (0.0, 0.0, 0.0):
        yield "coolant without CDUs"
    for kind, free, free_w, wanted in (
        ("air_cooled", False, 0.0, 44.0), ("tower", False, 0.0, 42.0), ("tower", True, 0.0, 42.0),
        ("tower", True, 5e4, 20.0 + 3e5 / 6e4),
    ):  # fmt: skip
        sink = one(plan=one(kind=kind), liquid=one(rate_w_k=lambda flow: 4e6 * flow))
        design: Any = one(
            chilled=one(sink=sink),
            chain=one(
                chilled_water=one(chiller=one(condenser_approach_k=2.0)),
                economizer=one(on_water=free),
            ),
        )
        rejection = one(flow_m3_s=0.015, whole_w=3e5, water=one(leaving_c=20.0))
        plant: Any = one(condensing_c=44.0, rejection=rejection, economizer_w=free_w)
        yield from differs(
            f"{kind}, {free_w:g} W free", float(_condenser_out(design, plant)), wanted
        )


def streams_of_the_cooling() -> Iterator[str]:
    """Every temperature, flow and heat of the hour is that of its machine; what is rejected."""
    one = SimpleNamespace
    side: Any = one(
        coil_w=1e5, electrical_coil_w=2e4, doors_w=3e4, fresh_w=4e3, supply_flow_m3_s=11.0,
        electrical_flow_m3_s=2.0, return_c=34.0, supply_c=21.0, inlet_c=23.0, exhaust_c=36.0,
        inlet_worst_c=25.0,
    )  # fmt: skip
    own = one(heat_w=5e4, reused_w=6e3, pumps_w=1e3, fans_w=2e3)
    water: Any = one(chilled_w=9e3, heat_w=7e4, flow_m3_s=0.1, supply_c=29.0, return_c=38.0,
                     rejection=own)  # fmt: skip
    rejection = one(heat_w=2.5e5, reused_w=7e3, flow_m3_s=0.03, whole_w=3e5, pumps_w=3e3,
                    fans_w=4e3, water=one(leaving_c=26.0))  # fmt: skip
    plant: Any = one(flow_m3_s=0.02, load_w=1.6e5, cop=5.5, condensing_c=44.0, economizer_w=1.1e4,
                     rejection=rejection)  # fmt: skip
    economy: Any = one(heat_w=8e3, pads_kg_s=0.4)
    heat: Any = one(total_w=2e5, room_w=1.2e5)
    power: Any = one(crah_fans_w=1e3, cdu_pumps_w=0.0, chw_pumps_w=1e3, fws_pumps_w=1e3,
                     chillers_w=3e4, total_w=5e4)  # fmt: skip
    chilled = one(
        supply_c=14.0, return_c=23.0, rise_k=9.0, pumps_on_ups=False, compressors_on_ups=False,
        chiller=one(condenser_approach_k=2.0),
    )  # fmt: skip
    chain = one(crah=one(on_ups=True, supply_air_c=22.0), cdu=None, chilled_water=chilled,
                economizer=one(on_water=False))  # fmt: skip
    sink = one(plan=one(kind="tower"))
    design: Any = one(chain=chain, cdus=None, chilled=one(sink=sink))
    wanted: dict[str, float] = {
        "collected_w": 2e5, "room_w": 1.2e5, "coils_w": 1e5, "electrical_coils_w": 2e4,
        "doors_w": 3e4, "fresh_w": 4e3, "facility_water_w": 7e4, "fws_chilled_w": 9e3,
        "chiller_load_w": 1.6e5, "rejected_w": 3.08e5, "reused_w": 1.3e4, "economizer_w": 1.9e4,
        "crah_airflow_m3_s": 11.0, "electrical_airflow_m3_s": 2.0, "supply_air_c": 22.0,
        "return_air_c": 34.0, "inlet_c": 23.0, "inlet_worst_c": 25.0, "fws_flow_m3_s": 0.1,
        "fws_supply_c": 29.0, "fws_return_c": 38.0, "chw_flow_m3_s": 0.02, "chw_supply_c": 14.0,
        "chw_return_c": 23.0, "condenser_flow_m3_s": 0.03, "condenser_in_c": 26.0,
        "condenser_out_c": 42.0, "chiller_cop": 5.5, "pads_kg_s": 0.4,
    }  # fmt: skip
    found = assemble(design, heat, side, None, water, plant, economy, power)
    for name, value in wanted.items():
        yield from differs(name, float(getattr(found, name)), value)
    bare = assemble(design, heat, side, None, None, plant, None, power)
    for name, value in (
        ("rejected_w", 2.5e5), ("reused_w", 7e3), ("economizer_w", 1.1e4), ("fws_flow_m3_s", 0.0),
        ("fws_supply_c", 0.0), ("facility_water_w", 0.0), ("pads_kg_s", 0.0),
    ):  # fmt: skip
        yield from differs(f"{name} without coolant", float(getattr(bare, name)), value)


def sizing_of_the_coolant() -> Iterator[str]:
    """Heat of the racks by demand, diversity, growth and reserve; flow by growth alone."""
    racks = (SimpleNamespace(count=4, liquid_w=90e3), SimpleNamespace(count=3, liquid_w=20e3))
    plan: Any = SimpleNamespace(racks=racks, demand_factor=0.9, diversity=0.8)
    criteria: Any = SimpleNamespace(growth=0.25)
    cdus: Any = SimpleNamespace(sizing_factor=1.1, tcs_flow_m3_s=0.04)
    heat_w, flow = cdu_sizing(plan, criteria, cdus)
    yield from differs("heat of the CDUs", heat_w, 420e3 * 0.9 * 0.8 * 1.25 * 1.1)
    yield from differs("flow of the CDUs", flow, 0.05)
    for limits, water_c, approach_k, wanted in (
        ([45.0], 32.0, 5.0, 37.0), ([36.0, 45.0], 32.0, 5.0, 36.0), ([34.0], 32.0, 5.0, 34.0),
        ([33.9], 32.0, 5.0, 37.0), ([37.0], 32.0, 5.0, 37.0), ([], 20.0, 4.0, 24.0),
    ):  # fmt: skip
        shown = _coolest_of(limits, water_c, approach_k)
        yield from differs(f"coolant for {limits} degC, {water_c} degC water", shown, wanted)
