"""The as-built design under other inputs: one sample of a study with its equipment fixed.

Counts, ratings, design flows and pipes are those of the design. Inputs of a sample change the
operation of the equipment. A sample that requires different equipment is rejected, never resized.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

from facility.cooling.chain.sizing import with_inputs as cooling_with_inputs
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Quiet, Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.cooling.liquid import LiquidPlan
from facility.model.cooling.units import HydraulicsPlan
from facility.model.facility import Facility
from facility.model.inputs.document import Project
from facility.model.power.chain import GeneratorOperation
from facility.power.chain.sizing import size_chain
from facility.power.train.schemes import feed_groups
from facility.study.design.design import Design
from facility.study.overrides import ledger_of
from facility.study.resolve.facility import resolve

_PARTS = ("it", "power", "electrical", "cooling")
"""Parts of a facility with equipment."""
_NOT_BUILT = (Source, Check, GeneratorOperation, HydraulicsPlan, LiquidPlan)
"""Parts without equipment: pipes are those of the design, liquid-cooled racks those of the IT."""


def as_built(nominal: Design) -> Design:
    """Return the design of the as-built project, which has the same equipment."""
    project = nominal.as_built()
    facility, _ = resolve(project, Trace(ledger_of(project)))
    return replace(nominal, project=project, facility=_with_panels(facility, nominal.facility))


def with_inputs(built: Design, project: Project) -> Design:
    """Return an as-built design with the inputs of `project`, its equipment unchanged.

    built: Result of `as_built`.
    project: Its project with other numbers.

    Raises ``RANGE_EQUIPMENT`` if the project requires different equipment; the errors of `resolve`.
    """
    trace = Trace(ledger_of(project))
    facility, it = resolve(project, trace)
    facility = _with_panels(facility, built.facility)
    for part in _PARTS:
        pair = getattr(built.facility, part), getattr(facility, part)
        _refuse_other(_differences(*pair, part, (str, int)))
    # The chain is sized for the design load: a sample changes no size.
    site, criteria, choices = built.facility.site, built.facility.criteria, built.chain.choices
    groups = feed_groups(facility.it.racks, facility.power.feeds)
    demand, chain = replace(built.point.demand, groups=groups), built.chain
    if facility.power != built.facility.power or demand != built.point.demand:
        chain = size_chain(facility.power, site, criteria, demand, choices, Quiet())
        _refuse_other(_differences(choices, chain.choices, "power", (str, int, float)))
    plant = _with_tower_flow(facility, project, built)
    return replace(
        built,
        project=project,
        facility=replace(facility, site=replace(facility.site, design=site.design)),
        it=it,
        chain=chain,
        cooling=cooling_with_inputs(built.cooling, plant, site.design),
        trace=trace,
    )


def _with_panels(facility: Facility, built: Facility) -> Facility:
    """Return a facility with the values that follow from the panels of the design."""
    power, panels = facility.power, built.power
    power = replace(
        power,
        generator=replace(power.generator, section_parts=panels.generator.section_parts),
        unevenness=panels.unevenness,
        bus_phases=panels.bus_phases,
        pdu_peak_ratios=panels.pdu_peak_ratios,
        bus_air=panels.bus_air,
        bus_coolant=panels.bus_coolant,
        bus_load=panels.bus_load,
    )
    return replace(facility, power=power)


def _with_tower_flow(facility: Facility, project: Project, built: Design) -> CoolingChain:
    """Return the cooling with the designed tower flow, unless the project states its range."""
    cooling, section = facility.cooling, project.cooling.facility_water
    water, laid_out = cooling.facility_water, built.facility.cooling.facility_water
    stated = section is not None and section.tower_range is not None
    if water is None or laid_out is None or stated:
        return cooling
    water = replace(water, tower_range_k=laid_out.tower_range_k)
    return replace(cooling, facility_water=water)


def _refuse_other(differences: Iterator[str]) -> None:
    for other in differences:
        raise FacilityError(
            "RANGE_EQUIPMENT",
            "ranges",
            f"a sample requires equipment that differs from the design: {other}.",
            "Narrow the range, or resize each sample (--resize).",
        )


def _differences(
    built: object, required: object, path: str, kinds: tuple[type, ...]
) -> Iterator[str]:
    """Yield the values of the given types in which two parts of a facility, or its choices, differ.

    Booleans are ignored: numbers affect only those that mark the origin of a value. Fields are
    compared one by one, since a part may contain an array.
    """
    if built is required or isinstance(built, (bool, *_NOT_BUILT)):
        return
    if is_dataclass(built) and type(built) is type(required):
        for field in fields(built):
            one, other = getattr(built, field.name), getattr(required, field.name)
            if field.compare:
                yield from _differences(one, other, f"{path}.{field.name}", kinds)
    elif isinstance(built, tuple) and isinstance(required, tuple):
        if len(built) != len(required):
            yield f"{path} has {len(required)} entries, not {len(built)}"
        for index, pair in enumerate(zip(built, required, strict=False)):
            yield from _differences(*pair, f"{path}[{index}]", kinds)
    elif isinstance(built, kinds) and isinstance(required, kinds) and built != required:
        yield f"{path} is {required}, not {built}"
