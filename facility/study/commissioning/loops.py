"""Pressure tests, flushing and water quality of the liquid loops."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import table
from facility.cooling.loops.loop import LoopRow
from facility.study.commissioning.expected import ExpectedValues, origin_of
from facility.study.commissioning.model import ExpectedReading, PlanStep
from facility.study.commissioning.subjects import Subject

_CODE = "LOP"
_SOURCE = "memory-liquid-commissioning"
_RATIO = ("FWS", "hydrostatic test over design pressure")
_HOLD = ("TCS", "hydrostatic test, holding time")
_DESIGN_PRESSURE = "cooling.hydraulics.design_pressure"
_TAGS = {"fws_tower": "TW"}
_TIGHT = "No visible leak; pressure loss over the holding time, at constant temperature, none"


def loop_steps(values: ExpectedValues) -> Iterator[PlanStep]:
    """Yield the installation checks of every liquid loop; ids are set by the plan."""
    for loop in values.design.hydraulics.loops:
        subject = Subject("loop", (_TAGS.get(loop.name, loop.name.upper()),))
        coolant = loop.name == "tcs"
        yield PlanStep(
            _CODE,
            2,
            subject.tags,
            f"Hydrostatic pressure test of the {loop.title.partition(' of ')[0]} with water, "
            f"{'racks' if coolant else 'pumps, coils and exchangers'} isolated",
            _TIGHT,
            _SOURCE,
            tuple(_pressure(values, subject, coolant)),
        )
        yield PlanStep(
            _CODE,
            2,
            subject.tags,
            f"Flush and fill the loop: clean the strainers, fill with {loop.fluid.name}",
            "Strainer clean; fluid quality within the limits",
            _SOURCE,
            tuple(_flushing(values, subject, loop, coolant)),
        )


def _pressure(values: ExpectedValues, subject: Subject, coolant: bool) -> Iterator[ExpectedReading]:
    """Yield test pressure, holding time and permitted loss."""
    if coolant:
        design = "cooling.liquid.design_pressure"
        yield values.reading("Design pressure, gauge", design, "=", design, subject)
        yield values.reading("Test pressure, gauge", "tcs.test_pressure", ">=", design, subject)
    else:
        stated_pa = values.design.cooling.chain.hydraulics.design_pressure_pa
        ratio = table("cooling/liquid_commissioning").get(_RATIO)
        name = "Test pressure, gauge"
        if stated_pa is None:
            yield ExpectedReading(name, kind="pressure", missing=_DESIGN_PRESSURE)
        else:
            test_pa = float(ratio.require("value")) * stated_pa
            origin = f"input {_DESIGN_PRESSURE} x {origin_of(ratio)}"
            found = ExpectedReading(name, test_pa, "pressure", "", origin)
            yield values.tolerances.applied(found, ">=")
    hold = table("cooling/liquid_commissioning").get(_HOLD)
    found = ExpectedReading(
        "Holding time", float(hold.require("value")), "", hold.text("unit"), origin_of(hold)
    )
    yield values.tolerances.applied(found, ">=")
    yield values.reading("Pressure loss", "value pressure-loss", "<=", "", subject)


def _flushing(
    values: ExpectedValues, subject: Subject, loop: LoopRow, coolant: bool
) -> Iterator[ExpectedReading]:
    """Yield flushing flow, fill volume and, for coolant, the quality of the fluid."""
    volume = values.reading("Fill volume, pipes and racks", f"{loop.id}.volume", "", "", subject)
    if not coolant:
        yield values.reading(
            "Design velocity in the mains", f"{loop.id}.velocity", ">=", "", subject
        )
        yield volume
        return
    yield values.reading("Flushing velocity", "tcs.flush_velocity", ">=", "", subject)
    yield values.reading("Flushing flow", "tcs.flush_flow", ">=", "", subject)
    yield volume
    for line in values.design.liquid_path.steps:
        if line.key or line.loop != "TCS" or line.words == _HOLD[1]:
            continue
        words, _, end = line.words.partition(", ")
        found = ExpectedReading(
            words if words == "pH" else words[0].upper() + words[1:],
            line.value,
            "",
            line.unit,
            f"table {line.source}",
        )
        yield values.tolerances.applied(found, ">=" if end == "lowest" else "<=")
