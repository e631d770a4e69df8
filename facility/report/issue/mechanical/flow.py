"""Loops of a design with their equipment, for the flow diagram."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facility.catalogue import table
from facility.cooling.chain.electrical_units import UNIT_TAGS
from facility.core.views import System, show
from facility.report.drawings.loops.flow_diagram import LoopBand, UnitBank
from facility.report.issue.mechanical.balance import LoopBalance, loop_balances
from facility.report.issue.mechanical.trade_units import show_trade
from facility.study.design.design import Design

EXCHANGER = "HX-FWS"
_TANKS = {"chw": "storage.tank", "fws": "storage.facility_water_tank"}
_PUMPS = {"chw": "P-CHW", "fws": "P-FWS", "fws_tower": "P-TW", "cw": "P-CW"}


def loop_bands(design: Design, system: System) -> Iterator[LoopBand]:
    """Yield each water loop with equipment, flows, temperatures and pipe sizes.

    Temperatures and heats are for the design hour, pipes and pumps for the design flow.
    """
    valves = design.cooling.chain.hydraulics.header_valves
    results = design.all_results
    for balance in loop_balances(design):
        loop, name = balance.loop, balance.loop.name
        main = loop.main
        pipes = f"{main.pipes} x " if main.pipes > 1 else ""
        water = design.cooling.water
        sinks = {"cw": design.cooling.chilled.sink, "fws_tower": water.sink if water else None}
        sink, tank = sinks.get(name), None
        open_loop = sink is not None and sink.plan.kind == "tower"
        volume = results.get(_TANKS.get(name, ""))
        if volume is not None and float(volume.si):
            tank = UnitBank(f"TK-{name.upper()}", lines=("buffer tank", volume.shown(system)))
        makeup = ""
        if open_loop and "water.makeup" in results:
            words = (
                ("make-up", "makeup"),
                ("evaporation", "evaporation"),
                ("blowdown", "blowdown"),
            )
            makeup = "all towers: " + ", ".join(
                f"{word} {results[f'water.{key}'].shown(system)}"
                for word, key in words
                if f"water.{key}" in results
            )
        yield LoopBand(
            name,
            f"{loop.title[:1].upper()}{loop.title[1:]}, {loop.liquid.name}",
            tuple(_sources(design, balance, system)),
            tuple(_sinks(design, balance, system)),
            next(
                (
                    UnitBank(one.tag, one.installed)
                    for one in design.electrical_units
                    if one.tag == _PUMPS.get(name)
                ),
                None,
            ),
            tuple(_pump_words(design, balance, system)),
            (
                ("temperature", f"return {show(loop.return_c, 'temperature', system)}"),
                ("pipe", f"mains {pipes}{pipe_size(main.size.dn, system)}"),
                ("flow", f"design {show(loop.flow_m3_s, 'liquid_flow', system)}"),
                ("running", f"design hour {show(loop.running_m3_s, 'liquid_flow', system)}"),
                ("heat", f"heat {show_trade(balance.out_w, 'heat_flow', system)}"),
            ),
            (("temperature", f"supply {show(loop.supply_c, 'temperature', system)}"),),
            makeup,
            tank,
            section_valves=valves,
        )


def pipe_size(dn: int, system: System) -> str:
    """Return a nominal pipe size: DN, or NPS in inches."""
    if system == "si":
        return f"DN {dn}"
    whole, _, part = table("cooling/pipe_sizes").get(dn, "pipe").text("nps").partition(".")
    fraction = {"5": "1/2", "75": "3/4", "25": "1/4"}.get(part, "")
    return "NPS " + "-".join(one for one in (whole.lstrip("0"), fraction) if one)


def _sources(design: Design, balance: LoopBalance, system: System) -> Iterator[UnitBank]:
    """Yield the equipment that gives off heat to a loop."""
    counts, heats = design.cooling.counts, dict(balance.heat_in)
    path, name = design.cooling.chain.crah.path, balance.loop.name
    if name == "tcs":
        liquid = design.cooling.chain.liquid
        racks = sum(rack.count for rack in liquid.racks) if liquid is not None else 0
        heat = _heat(heats["liquid-cooled racks"], system)
        yield UnitBank("Racks", lines=(f"{racks:,} racks", heat))
    elif name == "fws":
        yield UnitBank("CDU", counts.cdu, _duty(counts.cdu_duty, heats.get("CDUs"), system))
    elif name == "fws_tower":
        yield UnitBank(
            EXCHANGER, lines=("plate exchanger", _heat(heats.get("facility water"), system))
        )
    elif name == "cw":
        yield UnitBank("CH", counts.chillers, _duty(counts.chillers_duty, balance.out_w, system))
    else:
        tag = UNIT_TAGS[path.terminal]
        heat_w = heats.get("air units, halls")
        yield UnitBank(tag, counts.crah, _duty(counts.crah_duty, heat_w, system))
        if counts.crah_electrical:
            heat_w = heats.get("air units, electrical rooms")
            lines = _duty(counts.crah_electrical_duty, heat_w, system)
            yield UnitBank("CRAH-E", counts.crah_electrical, lines)
        if path.door is not None:
            yield UnitBank("RD", lines=("rear doors", _heat(heats.get("rear doors"), system)))
        if "facility water" in heats:
            yield UnitBank(
                "HX-TRIM", lines=("facility water", _heat(heats["facility water"], system))
            )


def _sinks(design: Design, balance: LoopBalance, system: System) -> Iterator[UnitBank]:
    """Yield the equipment that absorbs the heat of a loop."""
    counts, heats, name = design.cooling.counts, dict(balance.heat_out), balance.loop.name
    water, sink = design.cooling.water, design.cooling.chilled.sink
    if name == "tcs":
        yield UnitBank("CDU", counts.cdu, _duty(counts.cdu_duty, balance.out_w, system))
    elif name == "chw":
        yield UnitBank(
            "CH", counts.chillers, _duty(counts.chillers_duty, heats.get("chillers"), system)
        )
        if "economizer" in heats:
            yield UnitBank("HX-ECO", lines=("economizer", _heat(heats["economizer"], system)))
    elif name == "cw":
        lines = _duty(counts.rejection_duty, heats.get("outdoors"), system)
        yield UnitBank(UNIT_TAGS[sink.plan.kind], counts.rejection, lines)
    elif water is not None:
        own = water.sink
        lines = _duty(counts.fws_rejection_duty, heats.get("outdoors"), system)
        if (name == "fws_tower" and own is not None) or (own is not None and own.loop is None):
            yield UnitBank(f"{UNIT_TAGS[own.plan.kind]}-F", counts.fws_rejection, lines)
        elif own is not None:
            yield UnitBank(
                EXCHANGER, lines=("plate exchanger", _heat(heats.get("heat rejection"), system))
            )
        if "chilled water" in heats or own is None:
            yield UnitBank(
                "HX-TRIM", lines=("chilled water", _heat(heats.get("chilled water"), system))
            )


def _duty(duty: int, heat_w: float | None, system: System) -> tuple[str, ...]:
    return f"duty {duty}", _heat(heat_w, system)


def _heat(heat_w: float | None, system: System) -> str:
    return "idle" if heat_w is None else f"all {show_trade(heat_w, 'heat_flow', system)}"


def _pump_words(design: Design, balance: LoopBalance, system: System) -> Sequence[str]:
    """Return duty and head of the pumps of a loop."""
    loop = balance.loop
    if loop.name == "tcs":
        head = loop.head_given_pa
        words = "not stated" if head is None else show_trade(head, "pressure", system)
        return ["pumps in the CDUs", f"external head {words}"]
    found = [f"head {show_trade(loop.pump_head_pa, 'pressure', system)}"]
    for one in design.electrical_units:
        if one.tag == _PUMPS[loop.name]:
            found.append(f"{one.duty} of {one.installed} on duty")
    return found
