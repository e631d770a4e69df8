"""Panels with measured branch currents: phases, drift, imbalance, headroom and moves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np

from facility.core.check import Check
from facility.core.errors import FacilityError, unknown
from facility.core.kinds import FloatArray
from facility.core.table import Results, Value
from facility.core.views import show
from facility.power.panels.board.currents import by_start, panel_loads
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.moves.pareto import MovePlan, pareto_moves
from facility.study.measured.readings import PhaseReadings, branch_readings
from facility.study.rules import RULES
from facility.study.studies import StudyContext

MAX_IMBALANCE = 0.10
"""Imbalance of measured line currents above which circuits are moved."""
CONTINUOUS = 0.80
"""Share of the rating of a device that a continuous load may use, unless listed for 100 %."""
DRIFT = 1.5
"""Measured over design current, relative to the other circuits of the panel."""
TREND = 1.25
"""Last over first quarter of the readings, relative to the other circuits of the panel."""
_MIN_CIRCUITS = 3
_LIVE = 0.05
"""Share of the largest phase current of a circuit below which a phase carries none."""
_BETTER = 0.5
"""Mismatch of another phase order over that of the stated order at which it is reported."""
PHASE_NOISE = 0.25
"""Difference of phase currents, over their mean, below which readings do not decide the order of
phases against a design: the power supplies of a rack do not load its phases equally."""
_AGREES = 0.10
"""Mismatch of the other order over the mean up to which currents agree with it."""
METER_NOISE = 0.05
"""The same of two measured currents: meters with split-core transformers, each within 3 %."""
_POLES = re.compile(r"\d{1,3}(?:[,;/&+ -]+\d{1,3})*", re.ASCII)


def other_order(
    measured_a: FloatArray, expected_a: FloatArray, noise: float = PHASE_NOISE
) -> tuple[int, ...] | None:
    """Return the order of phases in which currents agree; None if as stated, or in none.

    noise: Difference over the mean below which phases have no order.
    """
    if not np.all(np.isfinite(measured_a)):
        return None
    mean = float(expected_a.mean()) or 1.0
    mismatch = {
        order: float(np.abs(measured_a[list(order)] - expected_a).max()) / mean
        for order in permutations(range(len(PHASES)))
    }
    stated, best = mismatch[0, 1, 2], min(mismatch, key=lambda order: mismatch[order])
    smaller = min(
        float(np.ptp(each)) / (float(each.mean()) or 1.0) for each in (measured_a, expected_a)
    )
    resolved = min(smaller, stated) > noise
    return best if resolved and mismatch[best] < min(_BETTER * stated, _AGREES) else None


@dataclass(frozen=True, eq=False)
class CircuitReading:
    """A circuit with its measured and its design current on A, B and C [A]."""

    circuit: Circuit
    phases: str  # Of the design, in pole order
    mean_a: FloatArray
    max_a: FloatArray
    design_a: FloatArray
    known_phases: bool  # Whether the phases are measured, not taken from pole numbers
    trend: float | None = None  # Last over first quarter of the readings; None for few

    @property
    def ratio(self) -> float | None:
        """Measured mean over design current of the phases measured; None without design."""
        known = np.isfinite(self.mean_a) & (self.design_a > 0.0)
        within = known.any() and set(self.measured_phases) <= set(self.phases)
        design = float(self.design_a[known].sum() if within else self.design_a.sum())
        return float(np.nansum(self.mean_a)) / design if design > 0.0 else None

    @property
    def unmeasured(self) -> str:
        """Phases of the circuit without a reading."""
        if not set(self.measured_phases) <= set(self.phases):
            return ""
        return "".join(p for p in self.phases if not np.isfinite(self.mean_a[PHASES.index(p)]))

    @property
    def measured_phases(self) -> str:
        """Phases that carry current."""
        largest = float(np.nanmax(self.mean_a, initial=0.0))
        return "".join(
            name
            for name, a in zip(PHASES, self.mean_a, strict=True)
            if np.isfinite(a) and a > _LIVE * largest and largest > 0.0
        )

    @property
    def reordered(self) -> bool:
        """Whether the phase currents equal the design currents in another order."""
        return set(self.measured_phases) <= set(self.phases) and self.is_swapped

    @property
    def is_swapped(self) -> bool:
        """Whether current flows on other phases than in the design, or in another order."""
        if not self.known_phases:
            return False
        if not set(self.measured_phases) <= set(self.phases):
            return True
        order = other_order(self.mean_a / (self.ratio or 1.0), self.design_a)
        return len(self.measured_phases) == len(PHASES) and order is not None


def _apart(
    ratios: Sequence[tuple[CircuitReading, float | None]], factor: float
) -> list[CircuitReading]:
    """Return the circuits whose ratio differs by a factor from the median of at least three."""
    known = [(one, ratio) for one, ratio in ratios if ratio is not None]
    if len(known) < _MIN_CIRCUITS:
        return []
    usual = float(np.median([ratio for _, ratio in known]))
    return [one for one, ratio in known if not usual / factor <= ratio <= usual * factor]


@dataclass(frozen=True, eq=False)
class MeasuredPanel:
    """A panel with measured loads."""

    panel: Panel  # With the measured loads in the normal state
    design: Panel
    readings: tuple[CircuitReading, ...]
    line_a: FloatArray  # Largest current of each line: of the mains, else of the circuits [A]
    mains: PhaseReadings | None
    plans: tuple[MovePlan, ...]  # Moves that reduce the measured imbalance, fewest first

    @property
    def imbalance(self) -> float:
        """Measured imbalance of the line currents."""
        return panel_loads(self.panel)[0].imbalance

    @property
    def design_imbalance(self) -> float:
        """Imbalance of the design."""
        return panel_loads(self.design)[0].imbalance

    @property
    def at_design(self) -> int:
        """Number of circuits without a reading, at their design load."""
        read = {one.circuit.id for one in self.readings}
        return sum(one.id not in read and abs(one.total_va()) > 0.0 for one in self.design.circuits)

    @property
    def coverage(self) -> str:
        """Text: circuits with readings, and circuits at design load."""
        count = len(self.readings)
        text = f"{count:,} of {count + self.at_design:,} circuits measured"
        if self.at_design:
            text += f", {self.at_design:,} at design load"
        partial = [one for one in self.readings if one.unmeasured]
        if partial:
            text += (
                f"; circuits with unmeasured phases at design load: {len(partial):,}, first "
                f"{partial[0].circuit.id}: {'-'.join(partial[0].unmeasured)}"
            )
        return text

    @property
    def limit_a(self) -> float | None:
        """Permitted continuous current [A]; None without a rating."""
        rating = self.design.rating_a
        if rating is None:
            return None
        return rating if self.design.listed_100 else CONTINUOUS * rating

    @property
    def headroom_a(self) -> float | None:
        """Permitted current less the largest measured line current [A]."""
        return None if self.limit_a is None else self.limit_a - float(self.line_a.max())

    @property
    def plan(self) -> MovePlan | None:
        """Fewest moves to `MAX_IMBALANCE`, else the moves with the lowest imbalance, or None."""
        if len(self.plans) < 2:
            return None
        enough = (plan for plan in self.plans[1:] if plan.imbalance <= MAX_IMBALANCE)
        return next(enough, self.plans[-1])

    @property
    def drifted(self) -> list[CircuitReading]:
        """Circuits whose ratio of measured to design load differs from the other circuits."""
        return _apart([(one, one.ratio) for one in self.readings], DRIFT)

    @property
    def trending(self) -> list[CircuitReading]:
        """Circuits whose load changed over the readings, relative to the others."""
        return _apart([(one, one.trend) for one in self.readings], TREND)


@dataclass(frozen=True, eq=False)
class BranchStudy:
    """Measured panels of a design."""

    panels: tuple[MeasuredPanel, ...]
    results: Results
    checks: tuple[Check, ...]
    title: str


def measured_branches(design: StudyContext, file: Path | str) -> BranchStudy:
    """Return the panels of a design with the branch readings of a file.

    Raises ``METER_*`` for the file, ``UNKNOWN_PANEL`` and ``METER_CIRCUIT`` for readings of
    panels and circuits that the design does not have.
    """
    path = Path(file)
    readings = branch_readings(path)
    known = {one.tag: one for one in design.panels.panels}
    by_panel: dict[str, dict[str, PhaseReadings]] = {}
    named = path.name.partition(".")[0]
    only = named if named in known else next(iter(known)) if len(known) == 1 else ""
    for (text, circuit), reading in readings.items():
        tag = text or only
        if not tag:
            raise FacilityError(
                "METER_COLUMNS",
                f"branch readings: {path.name}",
                f"the headings name no panel, and the design has {len(known)}.",
                f"Rename the file {next(iter(known))}.csv, or write {next(iter(known))}/1 as "
                "heading.",
            )
        if tag not in known:
            words = f"the design has no panel {tag[:60]!r}."
            raise unknown("UNKNOWN_PANEL", f"branch readings: {path.name}", words, tag, known)
        by_panel.setdefault(tag, {})[circuit] = reading
    panels = tuple(_measured(known[tag], of) for tag, of in by_panel.items())
    checks = tuple(check for panel in panels for check in _checks(panel))
    count = sum(len(panel.readings) for panel in panels)
    title = f"{count:,} circuits measured in {len(panels):,} panels ({path.name[:60]})"
    moves = sum(len(panel.plan.moves) for panel in panels if panel.plan)
    results = Results(
        {
            "measured.panels": Value(float(len(panels)), "count", "panels with readings"),
            "measured.circuits": Value(float(count), "count", "circuits with readings"),
            "measured.circuits.at_design": Value(
                float(sum(one.at_design for one in panels)),
                "count",
                "circuits without a reading in these panels, at design load",
            ),
            "measured.moves": Value(float(moves), "count", "moves to balance the measured load"),
        }
    )
    return BranchStudy(panels, results, checks, title)


def _measured(panel: Panel, readings: Mapping[str, PhaseReadings]) -> MeasuredPanel:
    """Return a panel with measured circuits; circuits without a reading keep the design load."""
    mains = readings.get("")
    if mains is not None and mains.unit != "A":
        mains = None
    found: dict[str, CircuitReading] = {}
    rows: dict[str, str] = {}
    for key, reading in readings.items():
        if key:
            circuit, phase = _circuit(panel, key)
            if reading.unit != "A":
                reading = _as_current(panel, circuit, reading, phase, readings)
            one = _reading(panel, circuit, reading, phase)
            if circuit.id in found:
                one = _joined(panel, found[circuit.id], one, (rows[circuit.id], key))
            found[circuit.id], rows[circuit.id] = one, key
    circuits = tuple(
        _loaded(one, found[one.id], panel.v_ll) if one.id in found else one
        for one in panel.circuits
    )
    measured = replace(panel, circuits=circuits)
    line_a = np.array(panel_loads(measured)[0].line_a)
    if mains is not None and not mains.by_pole:
        line_a = np.where(np.isfinite(mains.max_a), mains.max_a, line_a)
    uneven = panel_loads(measured)[0].imbalance > MAX_IMBALANCE
    plans = pareto_moves(measured) if uneven and panel.placed and not panel.is_busway else ()
    return MeasuredPanel(measured, panel, tuple(found.values()), line_a, mains, plans)


def _circuit(panel: Panel, key: str) -> tuple[Circuit, int | None]:
    """Return a circuit by its id or its poles, with the phase of a single pole.

    Raises ``METER_CIRCUIT`` for one that the panel does not have.
    """
    for circuit in panel.circuits:
        if circuit.id == key:
            return circuit, None
    poles = [int(one) for one in re.findall(r"\d+", key)] if _POLES.fullmatch(key) else []
    for circuit in panel.circuits:
        if poles and set(poles) <= set(panel.occupied(circuit)):
            return circuit, panel.layout.phase(poles[0]) if len(poles) == 1 else None
    raise FacilityError(
        "METER_CIRCUIT",
        f"branch readings: {panel.tag}",
        f"circuit {key[:40]!r} is not in the panel.",
        f"Enter a circuit id, or its pole numbers: 1 to {panel.poles}.",
    )


def _as_current(
    panel: Panel,
    circuit: Circuit,
    reading: PhaseReadings,
    phase: int | None,
    readings: Mapping[str, PhaseReadings],
) -> PhaseReadings:
    """Return a power reading as current, at voltage and power factor of the design.

    The power of a circuit is divided over its phases as in the design.

    Raises ``METER_CIRCUIT`` for a circuit without design load, and for the power of a single pole
    of a circuit with several.
    """
    start, legs = panel.start(circuit) or 0, circuit.power_va[0]
    occupied = panel.occupied(circuit)
    by_pole = phase is not None and circuit.poles > 1
    if by_pole and (circuit.connection != "L-N" or not {str(n) for n in occupied} <= set(readings)):
        poles = ",".join(map(str, occupied))
        raise FacilityError(
            "METER_CIRCUIT",
            f"branch readings: {panel.tag}",
            f"the power of one pole of {circuit.id} ({circuit.poles} poles) is not the power of "
            "the circuit.",
            f"Name all poles in the heading of its power: {panel.tag}/{poles} kW.",
        )
    power = legs[(phase - start) % 3] if by_pole and phase is not None else circuit.total_va()
    design = power.real if reading.unit == "W" else abs(power)
    if design <= 0.0:
        raise FacilityError(
            "METER_CIRCUIT",
            f"branch readings: {panel.tag}",
            f"{circuit.id} has no design load, so that its power factor is not known.",
            "Enter its current in A.",
        )
    amperes = np.abs(by_start(circuit, panel.v_ll)[start][0][:3])
    if by_pole and phase is not None:
        amperes = amperes[[phase]]
    mean, highest = (amperes * (float(w[0]) / design) for w in (reading.mean_a, reading.max_a))
    if not by_pole:
        absent = amperes <= 0.0
        mean, highest = np.where(absent, np.nan, mean), np.where(absent, np.nan, highest)
    return PhaseReadings(mean, highest, by_pole, reading.trend)


def _reading(
    panel: Panel, circuit: Circuit, reading: PhaseReadings, phase: int | None
) -> CircuitReading:
    """Return the reading of a circuit, or of one of its poles."""
    start = panel.start(circuit) or 0
    design = np.abs(by_start(circuit, panel.v_ll)[start][0][:3])
    mean, highest = reading.mean_a, reading.max_a
    if reading.by_pole:
        mean, highest = np.full(3, np.nan), np.full(3, np.nan)
        at = start if phase is None else phase
        mean[at], highest[at] = reading.mean_a[0], reading.max_a[0]
    known = not reading.by_pole
    return CircuitReading(
        circuit, panel.phases(circuit), mean, highest, design, known, reading.trend
    )


def _joined(
    panel: Panel, first: CircuitReading, second: CircuitReading, rows: tuple[str, str]
) -> CircuitReading:
    """Return the reading of a circuit from the rows of two of its poles, phase by phase.

    Zero on the phases of the other poles does not count as a second reading.

    Raises ``METER_CIRCUIT`` for two currents of one phase.
    """
    twice = (first.mean_a > 0.0) & (second.mean_a > 0.0) & (first.mean_a != second.mean_a)
    if twice.any():
        at = int(np.argmax(twice))
        poles = ", ".join(map(str, panel.occupied(first.circuit)))
        raise FacilityError(
            "METER_CIRCUIT",
            f"branch readings: {panel.tag}",
            f"rows {rows[0][:20]!r} and {rows[1][:20]!r} are poles of one circuit, "
            f"{first.circuit.id} (poles {poles}), with {first.mean_a[at]:g} A and "
            f"{second.mean_a[at]:g} A on phase {PHASES[at]}.",
            "Write one row for the circuit, or one for each pole with 0 or an empty cell on the "
            "phases of the other poles.",
        )
    mean, highest = (np.fmax(first.mean_a, second.mean_a), np.fmax(first.max_a, second.max_a))
    known = first.known_phases and second.known_phases
    return replace(
        second,
        mean_a=mean,
        max_a=highest,
        known_phases=known,
        trend=first.trend if second.trend is None else second.trend,
    )


def _loaded(circuit: Circuit, reading: CircuitReading, v_ll: float) -> Circuit:
    """Return a circuit with its measured load, at the power factor of the design.

    L-N legs have the current of their phase, that of the design without a reading; L-L legs are
    scaled together. Other states change in the proportion of the normal state.
    """
    legs = circuit.power_va[0]
    design = reading.design_a if reading.unmeasured else np.zeros(3)
    amperes = np.where(np.isfinite(reading.mean_a), reading.mean_a, design)
    scale = reading.ratio or 0.0
    if circuit.connection == "L-N":
        order = [PHASES.index(name) for name in reading.phases]
        if not set(reading.measured_phases) <= set(reading.phases):
            order = sorted(range(3), key=lambda n: -amperes[n])[: circuit.poles]
        v_ln = v_ll / math.sqrt(3.0)
        angles = [leg / abs(leg) if abs(leg) > 0.0 else 1.0 + 0j for leg in legs]
        normal = tuple(
            complex(amperes[n]) * v_ln * angle for n, angle in zip(order, angles, strict=False)
        )
    else:
        normal = tuple(leg * scale for leg in legs)
    others = (tuple(leg * scale for leg in state) for state in circuit.power_va[1:])
    return replace(circuit, power_va=(normal, *others))


def _checks(found: MeasuredPanel) -> Iterator[Check]:
    """Yield the checks of a measured panel."""
    tag, swapped = found.design.tag, [one for one in found.readings if one.is_swapped]
    why = f"{len(found.readings):,} circuits on their design phases"
    if swapped:
        first = swapped[0]
        why = (
            f"{len(swapped):,} of {len(found.readings):,} circuits carry current on other phases, "
            f"first {first.circuit.id} ({first.circuit.description[:40]}): design {first.phases}, "
            f"measured {first.measured_phases}{' in another order' * first.reordered}"
        )
    yield RULES["METERED-PHASES"].verdict(tag, not swapped, why)
    drifted = found.drifted
    why = f"{len(found.readings):,} circuits within a factor of {DRIFT:g} of their expected share"
    if drifted:
        worst = max(drifted, key=lambda one: abs(math.log(max(one.ratio or 0.0, 1e-6))))
        why = (
            f"circuits that differ from the others by more than a factor of {DRIFT:g}: "
            f"{len(drifted):,}, worst {worst.circuit.id} ({worst.circuit.description[:40]}): "
            f"{worst.ratio or 0.0:.0%} of its design current"
        )
    trending = found.trending
    if trending:
        worst = max(trending, key=lambda one: abs(math.log(max(one.trend or 0.0, 1e-6))))
        why += (
            f"; circuits whose current changed over time by more than a factor of {TREND:g}, "
            f"relative to the others: {len(trending):,}, worst {worst.circuit.id}: "
            f"{worst.trend or 0.0:.0%} of its initial readings"
        )
    yield RULES["METERED-DRIFT"].verdict(tag, not (drifted or trending), why)
    plan = found.plan
    why = f"design {found.design_imbalance:.1%}"
    if plan is not None:
        count = len(plan.moves)
        why += f"; {count} move{'s' * (count > 1)} to reach {plan.imbalance:.1%}"
    yield RULES["METERED-IMBALANCE"].at_most(tag, found.imbalance, MAX_IMBALANCE, "fraction", why)
    if found.limit_a is not None:
        highest = float(found.line_a.max())
        why = f"headroom {show(found.limit_a - highest, 'current')} on the most loaded line"
        why += f"; {found.coverage}" * (found.at_design > 0)
        yield RULES["METERED-HEADROOM"].at_most(tag, highest, found.limit_a, "current", why)
    yield from _mains(found)


def _mains(found: MeasuredPanel) -> Iterator[Check]:
    """Yield the check of the mains against the sum of the circuits, by phase."""
    mains = found.mains
    if mains is None or mains.by_pole or not np.all(np.isfinite(mains.mean_a)):
        return
    summed = np.array(panel_loads(found.panel)[0].line_a)
    noise = PHASE_NOISE if found.at_design else METER_NOISE
    order = other_order(mains.mean_a, summed, noise)
    apart = float(np.abs(mains.mean_a - summed).max()) / (float(summed.mean()) or 1.0)
    why = f"largest phase difference {apart:.1%} of the mean current"
    if order is not None:
        names = "-".join(PHASES[n] for n in order)
        why += f"; the currents agree if the mains phases are read as {names}"
    yield RULES["METERED-MAINS"].verdict(found.design.tag, order is None, why)
