"""The articles and the remarks of a choice of conductors by the NEC."""

from __future__ import annotations

from facility.catalogue.articles import article
from facility.power.feeders.nec.candidate import WITHSTAND, Frame, Wires
from facility.power.feeders.nec.checks import load_articles
from facility.power.feeders.nec.tables import (
    TABLE_HZ,
    WireSize,
    small_conductor_limit,
    table_ampacity,
)


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
        "grounded conductor": demand.location == "service",
        "EGC": not frame.by_jumper,
        "EGC upsized": wires.egc is None or wires.egc.rank > wires.egc_least.rank,
        "EGC parallel": wires.sets > 1 and not frame.by_jumper,
        "fill": not wires.conduit.unknown,
    }
    of_subject = [article(name, frame.edition).locator for name, used in applied.items() if used]
    extra = ["645.5(A)"] if demand.location == "branch" and demand.listed_100 else []
    return (*load_articles(demand.location), *extra, *of_subject)


def notes_of(
    frame: Frame, wires: Wires, least: tuple[WireSize, int], governed_by: str
) -> tuple[str, ...]:
    """Return the remarks of the schedule."""
    demand = frame.demand
    hz = frame.basis.reactance_hz(TABLE_HZ)
    notes = [f"resistance at 75 degC, reactance at {hz:g} Hz; drop at the load without factors"]
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
    if governed_by.startswith(WITHSTAND):
        notes.append(
            "raised for the fault at the clearing time stated for all devices; one that limits the"
            " let-through energy asks for less"
        )
    if demand.listed_100:
        notes.append("device and assembly listed for 100 % continuous load: no factor of 1.25")
    if demand.neutral_a == 0.0 and wires.neutral is not None:
        notes.append("grounded conductor to the service disconnect, without load on it")
    elif wires.neutral is not None and demand.nonlinear and demand.poles == 3:
        notes.append("neutral as the lines: no reduction for nonlinear load")
    return tuple(notes)
