"""Rows of the cooling: equipment schedule, and the loops with pipes, heads and volumes."""

from __future__ import annotations

from collections.abc import Iterator

from facility.cooling.loops.loop import LoopRow
from facility.core.views import System, show
from facility.report.drawings.loops.words import LoopWords
from facility.study.cooling_hour import CoolingHour
from facility.study.design.design import Design

Row = tuple[str, ...]

UNIT_HEADS = (
    "equipment",
    "model",
    "duty",
    "installed",
    "heat",
    "electrical power",
    "air",
    "water",
    "connection",
)
LOOP_HEADS = (
    "loop",
    "fluid",
    "design flow",
    "flow, design hour",
    "supply",
    "return",
    "heat",
    "main pipe",
    "velocity",
    "head of the loop",
    "head of the pumps",
    "volume",
    "expansion",
)
_UNKNOWN = "not known"


def unit_rows(design: Design, hour: CoolingHour, system: System = "si") -> Iterator[Row]:
    """Yield one row for each kind of equipment: counts, and heat and power at the hour.

    Air handlers and doors are listed at the design hour, each unit; plant and CDUs all together.

    Parameters
    ----------
    design : Design
        The design.
    hour : CoolingHour
        What the plant does.
    system : {"si", "ip"}
        Units of the texts.
    """
    for unit in design.room_air.units:
        water = unit.water_m3_s
        yield (
            f"{unit.name[0].upper()}{unit.name[1:]}, each",
            unit.model,
            str(unit.duty),
            str(unit.installed),
            show(unit.heat_w, "heat_flow", system),
            show(unit.fan_w, "active_power", system),
            show(unit.airflow_m3_s, "air_flow", system),
            show(water, "liquid_flow", system) if water else "",
            f"DN {unit.connection_dn}" if unit.connection_dn is not None else "",
        )
    yield from _plant_rows(LoopWords(design.cooling, hour, system))


def _plant_rows(words: LoopWords) -> Iterator[Row]:
    counts, flow, design = words.design.counts, words.flow, words.design
    if design.cdus is not None:
        yield _all(
            "CDUs",
            design.cdus.plan.unit.model,
            counts.cdu_duty,
            counts.cdu,
            words.heat(words.step("heat.cdu")),
            words.power(flow.power.cdu_pumps_w),
            words.water(flow.fws_flow_m3_s),
        )
    if counts.chillers:
        yield _all(
            "Chillers",
            design.chain.chilled_water.chiller.model,
            counts.chillers_duty,
            counts.chillers,
            words.heat(flow.chiller_load_w),
            words.power(flow.power.chillers_w),
            words.water(flow.chw_flow_m3_s),
        )
    for subject, served, duty, installed in (
        ("plant.rejection", "of the chillers", counts.rejection_duty, counts.rejection),
        ("fws.rejection", "of the facility water", counts.fws_rejection_duty, counts.fws_rejection),
    ):
        if installed:
            title, _ = words.sink(subject)
            fans_w = words.step(f"{subject}.fan_power")
            heat = words.heat(words.rejected_w(subject))
            water = (
                words.water(words.step(f"{subject}.flow")) if words.step(f"{subject}.flow") else ""
            )
            yield _all(f"{title} {served}", "", duty, installed, heat, words.power(fans_w), water)


def _all(
    name: str, model: str, duty: int, installed: int, heat: str, power: str, water: str
) -> Row:
    return f"{name}, all", model, str(duty), str(installed), heat, power, "", water, ""


def loop_rows(design: Design, system: System = "si") -> Iterator[Row]:
    """Yield one row for each loop, as laid out, at the design hour."""
    for loop in design.hydraulics.loops:
        yield _loop(loop, system)


def _loop(loop: LoopRow, system: System) -> Row:
    main = loop.main
    pipes = f"{main.pipes} x DN {main.size.dn}" if main.pipes > 1 else f"DN {main.size.dn}"
    given = loop.head_given_pa if loop.name == "tcs" else loop.pump_head_pa
    return (
        loop.title,
        loop.liquid.name,
        show(loop.flow_m3_s, "liquid_flow", system),
        show(loop.running_m3_s, "liquid_flow", system),
        show(loop.supply_c, "temperature", system),
        show(loop.return_c, "temperature", system),
        show(loop.heat_w, "heat_flow", system),
        pipes,
        show(loop.flows[0].velocity_m_s, "velocity", system),
        show(loop.head_pa, "pressure", system),
        _UNKNOWN if given is None else show(given, "pressure", system),
        show(loop.volume_m3, "volume", system),
        show(loop.expansion_m3, "volume", system),
    )
