"""Supply of a panel: feeder, fault current, neutral; and cables of its circuits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from facility.core.rounding import argmax_within_rounding
from facility.model.inputs.panels import NameplateSection, PanelBoardSection
from facility.power.faults.of_network import NetworkFaults
from facility.power.feeders.nec.tables import wire_sizes
from facility.power.feeders.schedule import Feeder
from facility.power.feeders.types import ConductorChoice
from facility.power.panels.board.model import Panel
from facility.study.design.design import Design

NOT_SIZED = "not sized"
_METALS = {"cu": "Cu", "al": "Al"}


@dataclass(frozen=True)
class PanelSupply:
    """Schedule header data other than the panel."""

    # Source equipment and the device there, by name (NEC 408.4(B)); empty if unknown.
    source: str = ""
    plate: NameplateSection = field(default_factory=NameplateSection)  # As stated
    designation: str = ""  # Reference designation by IEC 81346 as stated
    feeder: str = ""  # Its device, conductors and length, as printed
    # Ratio of neutral to line conductor area, or the reason it is unknown.
    neutral: float | str = ""
    # Short-circuit rating of panels, as stated or selected; None if unknown [A].
    sccr_a: float | None = None
    # Maximum bolted fault current of any source at the panel; None if unknown [A].
    fault_a: float | None = None
    # Calculation date from the project revisions, and its source.
    fault_basis: str = ""
    # Conductors of the branch circuits by circuit id, as printed.
    cables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # One-way lengths of the branch circuits by circuit id, where known [m].
    lengths_m: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    method: str = ""  # Reference method of installation of IEC 60364-5-52; empty in the NEC


NOTHING_KNOWN = PanelSupply()


def panel_supplies(design: Design) -> dict[str, PanelSupply]:
    """Return the supply of every panel of the design, by tag."""
    code = design.facility.criteria.code
    found = design.distribution
    incoming = {f.circuit.target: f for f in found.feeders.feeders if f.circuit.stage != "branch"}
    cables = _cables_by_source(found.feeders.feeders, code)
    lengths_m = _lengths_by_source(found.feeders.feeders)
    rated = found.results.get("fault.panel.rating")
    rating_a = None if rated is None else float(rated.si)
    section = design.project.panels
    boards = {board.tag: board for board in section.boards or ()}
    common, unstated = (
        section.nameplate or NameplateSection.unstated(),
        PanelBoardSection(tag="none"),
    )
    revisions = design.facility.identity.revisions
    dated = revisions[-1][1] if revisions else "no dated revision"
    supplies = {}
    for panel in design.panels.panels:
        feeder, board = incoming.get(panel.tag), boards.get(panel.tag, unstated)
        fault_a, source = available_fault(found.faults, panel.tag)
        supplies[panel.tag] = PanelSupply(
            source="" if feeder is None else source_text(feeder, board.supply_circuit or ""),
            plate=common.with_own(board.nameplate),
            designation=board.designation or "",
            feeder="" if feeder is None else feeder_text(feeder, code),
            neutral="" if feeder is None or feeder.choice is None else _neutral(feeder.choice),
            sccr_a=rating_a if board.sccr is None else board.sccr.si,
            fault_a=fault_a,
            fault_basis="" if fault_a is None else f"{dated}; {source}",
            cables=cables.get(panel.tag, {}),
            lengths_m=lengths_m.get(panel.tag, {}),
            method=design.facility.electrical.conductors.method,
        )
    return supplies


def available_fault(faults: NetworkFaults, tag: str) -> tuple[float | None, str]:
    """Return the maximum fault current at an equipment item [A] and its source.

    None if the equipment is not in the study or the current of one source is unknown.
    """
    bus = faults.bus_of.get(tag)
    currents = {
        name: float(state.highest.available_a[state.highest.index(bus)])
        for name, state in faults.states.items()
        if bus is not None and bus in state.highest.tags
    }
    if not currents or not all(math.isfinite(value) for value in currents.values()):
        return None, ""
    source = [*currents][argmax_within_rounding([*currents.values()])]
    return currents[source], source


def source_text(feeder: Feeder, designation: str = "") -> str:
    """Return the source equipment of a circuit and its device there, by name.

    A device without a designation is marked with what it feeds.
    """
    circuit = feeder.circuit
    return f"{circuit.source}, {designation or f'breaker {circuit.target}'}"


def feeder_text(feeder: Feeder, code: str) -> str:
    """Return device, conductors and length of a circuit, as a schedule prints them."""
    choice = feeder.choice
    if choice is None:
        return NOT_SIZED
    length = "" if feeder.length_m is None else f", {feeder.length_m:g} m"
    trip = "" if feeder.trip is None else f" {feeder.trip.label}"
    return (
        f"{choice.ocpd_a:,g} A{trip}, {conductors_text(choice, code, feeder.circuit.poles)}{length}"
    )


def conductors_text(choice: ConductorChoice, code: str, poles: int) -> str:
    """Return the conductors of a circuit: sets, line, neutral and earth conductors, metal."""
    if choice.is_busway:
        neutral = ", neutral 100 %" if choice.neutral_size else ""
        return f"{choice.label}, {_METALS[choice.material]}{neutral}"
    earth = "G" if code == "NEC" else "PE"
    parts = [f"{poles}×{size_text(choice.size, code)}"]
    if choice.neutral_size:
        parts.append(f"N {size_text(choice.neutral_size, code)}")
    if choice.egc_size:
        parts.append(f"{earth} {size_text(choice.egc_size, code)}")
    several = f"{choice.sets} sets of " if choice.sets > 1 else ""
    return f"{several}{' + '.join(parts)} {_METALS[choice.material]}"


def system_text(panel: Panel) -> str:
    """Return the voltage system of a panel as its code writes it: ``208Y/120``, ``400/230``."""
    return panel.system.replace("Y", "") if panel.numbering == "IEC" else panel.system


def short_circuit_term(panel: Panel) -> str:
    """Return the term for the short-circuit rating of a panel (UL 891; IEC 61439-1)."""
    return "Icw/Icc" if panel.numbering == "IEC" else "SCCR"


def size_text(size: str, code: str) -> str:
    """Return a conductor size with its unit, e.g. ``"600 kcmil"``, ``"95 mm²"``; none is empty."""
    if not size or code != "NEC":
        return f"{size} mm²" if size else ""
    return wire_sizes()[size].label


def cable_text(choice: ConductorChoice, code: str) -> str:
    """Return a branch cable as the narrow column prints it.

    NEC: the line conductor with its unit. IEC: live and protective conductor [mm2], ``10/10``.
    """
    several = f"{choice.sets}× " if choice.sets > 1 else ""
    if code == "NEC":
        return f"{several}{size_text(choice.size, code)}"
    return f"{several}{choice.size}/{choice.egc_size or '–'}"


def _neutral(choice: ConductorChoice) -> float | str:
    if not choice.neutral_size:
        return "no neutral"
    if choice.neutral_size == choice.size:
        return 1.0
    if choice.size_unit == "mm2":
        return float(choice.neutral_size) / float(choice.size)
    sizes = wire_sizes()
    return sizes[choice.neutral_size].area_m2 / sizes[choice.size].area_m2


def _cables_by_source(feeders: tuple[Feeder, ...], code: str) -> dict[str, dict[str, str]]:
    known: dict[int, str] = {}
    found: dict[str, dict[str, str]] = {}
    for feeder in _branches(feeders):
        if feeder.group not in known:
            choice = feeder.choice
            known[feeder.group] = NOT_SIZED if choice is None else cable_text(choice, code)
        found.setdefault(feeder.circuit.source, {})[feeder.circuit.tag] = known[feeder.group]
    return found


def _lengths_by_source(feeders: tuple[Feeder, ...]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for feeder in _branches(feeders):
        if feeder.length_m is not None:
            found.setdefault(feeder.circuit.source, {})[feeder.circuit.tag] = feeder.length_m
    return found


def _branches(feeders: tuple[Feeder, ...]) -> Iterator[Feeder]:
    return (feeder for feeder in feeders if feeder.circuit.stage == "branch")
