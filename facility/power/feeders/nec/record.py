"""The trace, the articles and the remarks of a choice of conductors by the NEC."""

from __future__ import annotations

from facility.catalogue.articles import article
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.physics.circuits.conductors import ambient_factor, corrected_ampacity, upsized_egc
from facility.physics.circuits.currents import required_rating
from facility.physics.circuits.voltage_drop import (
    effective_impedance,
    voltage_drop_three_phase,
    voltage_drop_two_wire,
)
from facility.power.feeders.nec.ampacity import BASE_C
from facility.power.feeders.nec.candidate import Frame, Wires
from facility.power.feeders.nec.checks import load_articles
from facility.power.feeders.nec.tables import WireSize, small_conductor_limit, table_ampacity
from facility.power.feeders.types import OCPD_GIVEN, ConductorChoice


def articles_of(frame: Frame, wires: Wires) -> tuple[str, ...]:
    """Return the articles that were applied, numbered as in the edition."""
    demand, factors = frame.demand, frame.factors
    at_terminal_a = wires.sets * (
        table_ampacity(wires.line.name, frame.basis.material, frame.column_c) or 0.0
    )
    applied = {
        "standard ratings": True,
        "termination": True,
        "ampacity": True,
        "ambient": factors.ambient != 1.0,
        "bundling": factors.bundling != 1.0,
        "neutral": demand.neutral == "counted" and demand.poles == 3,
        "parallel": wires.sets > 1,
        "next size up": at_terminal_a < frame.ocpd_a <= 800.0,
        "over 800 A": frame.ocpd_a > 800.0,
        "small conductors": small_conductor_limit(wires.line.name, frame.basis.material)
        is not None,
        "neutral load": demand.neutral != "none",
        "jumper": frame.by_jumper,
        "EGC": not frame.by_jumper,
        "EGC upsized": wires.egc is None or wires.egc.rank > wires.egc_least.rank,
        "EGC parallel": wires.sets > 1 and not frame.by_jumper,
        "fill": not wires.conduit.unknown,
    }
    of_subject = [article(name, frame.edition).locator for name, used in applied.items() if used]
    extra = ["645.5(A)"] if demand.location == "branch" and demand.listed_100 else []
    return (*load_articles(demand.location), *extra, *of_subject)


def notes_of(frame: Frame, wires: Wires, least: tuple[WireSize, int]) -> tuple[str, ...]:
    """Return the remarks of the schedule."""
    demand = frame.demand
    notes = ["resistance at 75 degC, reactance at 60 Hz; drop at the load without factors"]
    if wires.sets > 1:
        grounding = "jumper by its lines" if frame.by_jumper else "full-size grounding conductor"
        notes.append(
            f"fewest sets with sizes to {frame.basis.largest_size}; each set in its own raceway "
            f"with a {grounding}"
        )
    if frame.by_jumper:
        notes.append("supply-side bonding jumper up to the first device, by the lines of a raceway")
    if wires.egc is not None and wires.egc.rank > wires.egc_least.rank:
        notes.append(
            f"grounding conductor raised from {wires.egc_least.label}: lines larger than "
            f"{least[1]} x {least[0].label}, which have the ampacity"
        )
    if demand.listed_100:
        notes.append("device and assembly listed for 100 % continuous load: no factor of 1.25")
    if wires.neutral is not None and demand.nonlinear and demand.poles == 3:
        notes.append("neutral as the lines: no reduction for nonlinear load")
    return tuple(notes)


def record_choice(
    trace: Trace,
    id: str,
    frame: Frame,
    wires: Wires,
    least: tuple[WireSize, int],
    choice: ConductorChoice,
    factor: float,
) -> None:
    """Record how device, conductors, grounding conductor and voltage drop came about."""
    _record_device(trace, id, frame, factor)
    _record_ampacity(trace, id, frame, wires, choice)
    _record_grounding(trace, id, frame, wires, least)
    _record_drop(trace, id, frame, wires, choice)


def _record_device(trace: Trace, id: str, frame: Frame, factor: float) -> None:
    demand = frame.demand
    loads = {"continuous": demand.continuous_a, "other": demand.other_a}
    for name, value in loads.items():
        if f"{id}.{name}" not in trace:
            trace.derive(f"{id}.{name}", value, "current", f"{name} load of each line")
    trace.do(
        f"{id}.required",
        required_rating,
        continuous_a=f"{id}.continuous",
        other_a=f"{id}.other",
        continuous_factor=factor,
    )
    if demand.ocpd_a is not None:
        trace.given(f"{id}.ocpd", frame.ocpd_a, "current", DERIVED, OCPD_GIVEN)
        return
    trace.choose(
        f"{id}.ocpd",
        frame.ocpd_a,
        "current",
        "next standard rating",
        article("standard ratings", frame.edition),
        required=f"{id}.required",
    )


def _record_ampacity(
    trace: Trace, id: str, frame: Frame, wires: Wires, choice: ConductorChoice
) -> None:
    basis, edition, factors = frame.basis, frame.edition, frame.factors
    one_a = table_ampacity(wires.line.name, basis.material, basis.insulation_c) or 0.0
    trace.do(
        f"{id}.ambient_factor", ambient_factor, article("ambient", edition).locator,
        conductor_c=basis.insulation_c, ambient_c=factors.ambient_c, base_c=BASE_C,
    )  # fmt: skip
    trace.choose(
        f"{id}.bundling_factor", factors.bundling, "ratio",
        f"{factors.current_carrying} current-carrying conductors in a raceway"
        + (", a nipple" if frame.demand.nipple else ""),
        article("bundling", edition),
    )  # fmt: skip
    trace.do(
        f"{id}.ampacity_corrected", corrected_ampacity,
        f"{basis.insulation_c:.0f} degC column of {article('ampacity', edition).locator}",
        table_a=one_a, sets=wires.sets, ambient=f"{id}.ambient_factor",
        bundling=f"{id}.bundling_factor",
    )  # fmt: skip
    trace.derive(
        f"{id}.ampacity_termination", choice.ampacity_term_a, "current",
        f"{wires.sets} x the {frame.column_c:.0f} degC column, "
        f"{article('termination', edition).locator}",
    )  # fmt: skip
    trace.choose(
        f"{id}.conductor", wires.sets * wires.line.area_m2, "cross_section",
        f"{choice.label} {basis.material}, {basis.insulation}; decided by: {choice.governed_by}",
        article("ampacity", edition), required=f"{id}.required", ocpd=f"{id}.ocpd",
        corrected=f"{id}.ampacity_corrected", termination=f"{id}.ampacity_termination",
    )  # fmt: skip


def _record_grounding(
    trace: Trace, id: str, frame: Frame, wires: Wires, least: tuple[WireSize, int]
) -> None:
    edition = frame.edition
    if frame.by_jumper:
        trace.choose(
            f"{id}.egc",
            wires.egc_least.area_m2,
            "cross_section",
            f"{wires.egc_least.label} in each raceway of {wires.line.label}: bonding jumper up to"
            " the first device",
            article("jumper", edition),
            lines=f"{id}.conductor",
        )
    else:
        _record_egc(trace, id, frame, wires, least)
    if wires.conduit.fill is not None:
        trace.choose(
            f"{id}.fill",
            wires.conduit.fill,
            "fraction",
            f"{frame.basis.raceway} {wires.conduit.trade_size} in, the smallest that fits",
            article("fill", edition),
        )


def _record_egc(
    trace: Trace, id: str, frame: Frame, wires: Wires, least: tuple[WireSize, int]
) -> None:
    installed_m2 = wires.sets * wires.line.area_m2
    least_m2 = min(least[1] * least[0].area_m2, installed_m2)
    trace.do(
        f"{id}.egc_area",
        upsized_egc,
        f"{wires.egc_least.label} for {frame.ocpd_a:g} A, Table 250.122",
        table_m2=wires.egc_least.area_m2,
        installed_m2=installed_m2,
        least_m2=least_m2,
    )
    if wires.egc is not None:
        trace.choose(
            f"{id}.egc",
            wires.egc.area_m2,
            "cross_section",
            f"{wires.egc.label} in each raceway",
            article("EGC upsized", frame.edition),
            least=f"{id}.egc_area",
            ocpd=f"{id}.ocpd",
        )


def _record_drop(
    trace: Trace, id: str, frame: Frame, wires: Wires, choice: ConductorChoice
) -> None:
    if choice.resistance_ohm is None or choice.reactance_ohm is None:
        return
    trace.do(
        f"{id}.impedance",
        effective_impedance,
        article("drop", frame.edition).locator,
        resistance_ohm=choice.resistance_ohm,
        reactance_ohm=choice.reactance_ohm,
        power_factor=frame.demand.power_factor,
    )
    formula = voltage_drop_three_phase if frame.demand.poles == 3 else voltage_drop_two_wire
    trace.do(
        f"{id}.voltage_drop",
        formula,
        current_a=frame.demand.load_a / wires.sets,
        impedance_ohm=f"{id}.impedance",
    )
