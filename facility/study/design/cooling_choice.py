"""Cooling choices by result, before the design of the power chain.

Plant type and facility-water source first, then the CDUs, then the chillers: each by the criterion
of `facility.core.choice`, with the cooling designed at the same heat for each candidate.
"""

from __future__ import annotations

import math
from dataclasses import replace

from facility.cooling.chain.flow import CoolingDesign
from facility.core.check import Severity
from facility.core.choice import Selection
from facility.core.rounding import reaches
from facility.core.trace import Quiet
from facility.core.views import show
from facility.model.facility import Facility, Weather
from facility.model.inputs.cooling.liquid import CduSection, LiquidPathSection
from facility.model.inputs.cooling.machines import ChillerSection
from facility.model.inputs.cooling.plant import PlantSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.inputs.document import Project
from facility.power.chain.sizing import size_chain_unchecked
from facility.power.chain.solve import solve_normal
from facility.power.it.load import ItLoad
from facility.study.design.life_cycle import life_cycle
from facility.study.design.plants import (
    CDU,
    LARGEST,
    CoolingBasis,
    Entries,
    Tried,
    choose_plant,
    chosen,
    designed,
    plants_offered,
    tried,
    with_choice,
)
from facility.study.loop import first_demand
from facility.study.resolve.cooling.cdu_choice import MIN_PART_FLOW, fitting_cdus

_SIZE_RULES = frozenset(("UNIT-SIZE", "UNIT-NUMBER"))
"""Advice on sizes and numbers: candidates that fail it are avoided if another count passes."""
_PART_FLOW = f"CDU-PLATE-FLOW at {100.0 * MIN_PART_FLOW:.0f} %"
_MORE_CHILLERS = 2
"""Additional duty chillers evaluated above the minimum number."""
_SLACK = 1.05
"""Maximum chiller size relative to its load share: the final heat is slightly higher."""


def choose_cooling(
    project: Project, facility: Facility, it: ItLoad, hours: Weather | None
) -> list[Selection[Entries]]:
    """Return the choices of facility water, cooling plant, CDUs and chillers.

    Stated inputs are not choices.

    hours: Sampled hours of the year; None if not known.
    """
    section = project.cooling
    pairs, subject = plants_offered(section, facility)
    if not (pairs or _cdus_open(section, facility) or _chillers_open(section, facility)):
        return []
    demand = first_demand(facility, it)
    chain = size_chain_unchecked(
        facility.power, facility.site, facility.criteria, demand, None, Quiet()
    )
    terms = life_cycle(facility, "cooling", has_year=hours is not None)
    basis = CoolingBasis(section, facility, it, hours, solve_normal(chain, demand), terms)
    found: list[Selection[Entries]] = []
    best = None if pairs else designed(basis, {}, facility.cooling)
    for choose in (lambda at, _: choose_plant(at, pairs, subject), _choose_cdu, _choose_chillers):
        choice = choose(basis, best)
        if choice is not None:
            found.append(choice[0])
            best = choice[1]
            basis = replace(basis, section=with_choice(basis.section, best.figures.item))
    return found


def _cdus_open(section: CoolingSection, facility: Facility) -> bool:
    """Return whether the design selects the CDU, also if only its location is stated."""
    cdu, path = section.cdu or CduSection.unstated(), section.liquid or LiquidPathSection.unstated()
    stated = (cdu.model, cdu.rating, cdu.count)
    open_ = all(one is None for one in stated) and path.cdu_mount != "in-rack"
    return open_ and facility.cooling.cdu is not None


def _chillers_open(section: CoolingSection, facility: Facility) -> bool:
    """Return whether the design selects size and number of the chillers."""
    stated = (section.plant or PlantSection.unstated()).chiller or ChillerSection.unstated()
    sizes = (stated.model, stated.capacity, stated.largest, stated.count)
    return all(one is None for one in sizes) and not facility.cooling.chilled_water.direct


def _choose_cdu(basis: CoolingBasis, best: Tried | None) -> tuple[Selection[Entries], Tried] | None:
    """Return the choice of the CDU among the usual model and the models suitable for the loop."""
    if best is None or not _cdus_open(basis.section, basis.facility):
        return None
    usual = replace(best, figures=replace(best.figures, item={CDU: ""}))
    models = fitting_cdus(best.cooling.chain, basis.facility.it, basis.facility.criteria)
    own = best.cooling.chain.cdu
    others = [one for one in models if own is not None and one != own.unit.model]
    offered = [usual, *(one for m in others if (one := tried(basis, {CDU: m})) is not None)]
    named = [one.named(_cdu_words(one.cooling)) for one in offered]
    minimum = min(MIN_PART_FLOW, max(_part_flow(one.cooling) for one in named))
    return chosen("CDUs", basis, [_with_part_flow(one, minimum) for one in named])


def _part_flow(design: CoolingDesign) -> float:
    """Return the flow of each CDU relative to its rating, all installed units running."""
    cdus = design.cdus
    if cdus is None or not cdus.installed:
        return 1.0
    return cdus.plan.tcs_flow_m3_s / (cdus.installed * cdus.plan.unit.tcs_flow_m3_s)


def _with_part_flow(one: Tried, minimum: float) -> Tried:
    """Return a candidate, with a failed rule if its CDUs are below the minimum flow."""
    if reaches(_part_flow(one.cooling), minimum):
        return one
    return replace(one, failed={**one.failed, _PART_FLOW: Severity.WARNING})


def _cdu_words(design: CoolingDesign) -> str:
    """Return number and model of the CDUs."""
    cdu = design.chain.cdu
    return "no CDU" if cdu is None else f"{design.counts.cdu} x {cdu.unit.model}"


def _choose_chillers(
    basis: CoolingBasis, best: Tried | None
) -> tuple[Selection[Entries], Tried] | None:
    """Return the choice of number and size of the chillers, standby included.

    The minimum number of duty chillers, and one and two more, each of the smallest size for its
    share. Above 20 chillers one more is within the size tolerance and not evaluated; nor is a share
    below the smallest machine of its class.
    """
    if best is None or best.cooling.chilled.plan.direct:
        return None
    if not _chillers_open(basis.section, basis.facility):
        return None
    load_w, duty = best.cooling.chilled.load_w, best.cooling.chilled.duty
    min_w = best.cooling.chilled.plan.chiller.min_w
    offered = [replace(best, figures=replace(best.figures, item={LARGEST: ""}))]
    for on_duty in range(duty + 1, duty + _MORE_CHILLERS + 1):
        if on_duty / _SLACK <= on_duty - 1 or load_w / on_duty < min_w:
            break
        one = tried(basis, {LARGEST: _size(load_w / on_duty)})
        if one is not None and one.cooling.chilled.duty > offered[-1].cooling.chilled.duty:
            offered.append(one)
    if len(offered) == 1:
        return None
    named = [one.named(_chiller_words(one.cooling)) for one in offered]
    return chosen("chillers", basis, named, _SIZE_RULES)


def _size(share_w: float) -> str:
    """Return the maximum chiller size for a share of the load, as project input."""
    size_kw = _SLACK * share_w / 1e3
    step_kw = 10.0 ** (math.floor(math.log10(size_kw)) - 2)
    return f"{step_kw * math.ceil(size_kw / step_kw):g} kW"


def _chiller_words(design: CoolingDesign) -> str:
    """Return number, capacity and machine of the chillers."""
    each = show(design.chilled.capacity_w, "heat_flow")
    return f"{design.counts.chillers} x {each} ({design.chilled.plan.chiller.model})"
