"""Load flow of a radial four-wire feeder with unbalanced loads of constant power.

Backward/forward sweep on phases and neutral as four conductors (Ciric, Feltrin, Ochoa, "Power flow
in four-wire distribution networks", IEEE Transactions on Power Systems 18(4), 2003). Each conductor
has an impedance of its own; the coupling between conductors is taken to be inside these, as in the
tables of R and X to neutral, so that the drop of strongly unbalanced current is approximate where
the spacing of phases and neutral differs much.

Power, current and voltage of loads stand in the order AN, BN, CN, AB, BC, CA; the current of the
neutral is positive away from the source, like that of a line, and so has the sign of
`facility.physics.circuits.phasor.line_currents`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from facility.core.equation import equation
from facility.core.errors import FacilityError, unknown
from facility.core.kinds import KINDS, ComplexArray, ComplexCurrent, ComplexNumeric, Ratio
from facility.core.sources import DERIVED
from facility.physics.circuits import phasor

ComplexVoltage = Annotated[ComplexNumeric, KINDS["phase_voltage"]]
Impedance = Annotated[ComplexNumeric, KINDS["resistance"]]
TOLERANCE = 1e-10
MAX_SWEEPS = 300

_PHASES = np.exp(-2j * np.pi / 3.0 * np.arange(3)) / np.sqrt(3.0)
_CLASSES = np.concatenate([_PHASES, _PHASES - np.roll(_PHASES, -1)])


@dataclass(frozen=True)
class FourWireSection:
    """One run of four conductors, or the winding of a transformer referred to its secondary."""

    start: str  # Bus nearer to the source
    end: str  # Bus it supplies
    # Series impedance of the line conductors A, B, C over the run [ohm].
    line_ohm: complex | tuple[complex, complex, complex]
    neutral_ohm: complex  # Series impedance of the neutral conductor [ohm]


@dataclass(frozen=True)
class FourWireFeeder:
    """A tree of sections below one bus that holds its voltage."""

    source: str  # Bus with fixed, balanced phase voltages and its neutral at ground
    sections: tuple[FourWireSection, ...]  # In any order
    # True when the neutral is solidly grounded at every bus, so that none of its potential rises;
    # False when it is grounded at the source alone.
    neutral_grounded: bool = False


@dataclass(frozen=True)
class FeederFlow:
    """Solved load flow of a feeder; the last axis is the case."""

    buses: tuple[str, ...]  # The source, then the others in the order of supply
    # Voltages of lines A, B, C to the neutral of the bus [V]; shape (buses, 3, cases).
    phase_v: ComplexArray
    # Potential of the neutral to the ground of the source [V]; shape (buses, cases).
    neutral_v: ComplexArray
    # Line currents, sections in the order of the feeder [A]; shape (sections, 3, cases).
    line_a: ComplexArray
    # Current back to the source, negative of the sum of the lines; where the neutral is grounded at
    # every bus it returns in neutral and ground together [A]. Shape (sections, cases).
    neutral_a: ComplexArray
    # Heat of lines and neutral; without that of the return where it is in the ground [W]. Shape
    # (sections, cases).
    loss_w: NDArray[np.float64]


@equation(r"\Delta V_{xn}", r"Z_x I_x - Z_n I_n", DERIVED)
def drop_to_neutral(
    line_a: ComplexCurrent, neutral_a: ComplexCurrent, line_ohm: Impedance, neutral_ohm: Impedance
) -> ComplexVoltage:
    """Drop of the voltage between a line and the neutral along one section, as phasors.

    Kirchhoff's voltage law around the line and the neutral: dV = Z_x I_x - Z_n I_n. A two-wire
    circuit has I_n = -I_x, which gives the sum of both impedances times the current; a balanced
    one has I_n = 0.

    line_a, neutral_a: currents of the line and of the neutral, both away from the source.
    line_ohm, neutral_ohm: impedances of the two conductors, one way.
    """
    return line_ohm * line_a - neutral_ohm * neutral_a


@equation("I_A, I_B, I_C", r"(I_a-I_b)/n,\ (I_b-I_c)/n,\ (I_c-I_a)/n", DERIVED)
def delta_primary_currents(
    a_a: ComplexCurrent, b_a: ComplexCurrent, c_a: ComplexCurrent, turns_ratio: Ratio
) -> tuple[ComplexCurrent, ComplexCurrent, ComplexCurrent]:
    """Primary line currents of a delta-wye transformer, as phasors, from its secondary currents.

    Windings a, b, c of the wye face the delta windings AC, BA, CB: the low side lags by 30
    degrees, as IEEE C57.12.00 has it (Dyn1). Ampere turns balance on each core leg and
    Kirchhoff's current law at each corner of the delta gives the lines. What returns in the
    neutral circulates in the delta; magnetising current is left out.

    a_a, b_a, c_a: secondary line currents.
    turns_ratio: primary line-to-line over secondary line-to-neutral voltage at no load: 4 for
        480-208Y/120.
    returns: I_A, I_B, I_C.
    """
    a, b, c = (a_a - b_a) / turns_ratio, (b_a - c_a) / turns_ratio, (c_a - a_a) / turns_ratio
    return a, b, c  # type: ignore[return-value]  # numpy types complex over real as neither


def feeder_flow(
    feeder: FourWireFeeder, line_voltage_v: ArrayLike, loads_va: Mapping[str, ArrayLike]
) -> FeederFlow:
    """Solve the load flow of `feeder`, for all cases at once.

    Each sweep draws the load currents I = conj(S / V) at the voltages found so far, sums them
    towards the source, and takes the drops from there outwards, until no phase voltage changes by
    more than `TOLERANCE` of nominal.

    feeder: The sections.
    line_voltage_v: Line-to-line voltage at the source [V]; phase A stands at zero degrees, shape
        (cases,).
    loads_va: Complex power on AN, BN, CN, AB, BC, CA by bus [VA], shape (6,).

    Raises ``NETWORK_LOOP``, ``NETWORK_ISLAND``, ``UNKNOWN_BUS`` or ``NETWORK_VALUE`` for a feeder
    or load that is no tree or not finite; ``NETWORK_COLLAPSE`` when no voltage carries the load.
    """
    order = _order(feeder)
    buses = (feeder.source, *(feeder.sections[s].end for s in order))
    index = {bus: i for i, bus in enumerate(buses)}
    power = _power(loads_va, index)
    source_v = np.atleast_1d(np.asarray(line_voltage_v, dtype=np.float64))
    if not np.all(np.isfinite(source_v) & (source_v > 0.0)):
        raise _value(feeder.source, "the source voltage must be finite and above zero")
    if source_v.size not in (1, power.shape[2]) and power.shape[2] != 1:
        raise _value(feeder.source, f"{source_v.size} voltages for {power.shape[2]} cases of load")
    source_v = np.broadcast_to(source_v, max(source_v.size, power.shape[2]))
    links = [(s, index[feeder.sections[s].start], i) for i, s in enumerate(order, 1)]
    line_ohm, neutral_ohm = _impedances(feeder)
    shown = neutral_ohm * (not feeder.neutral_grounded)

    voltage = np.tile((_PHASES[:, None] * source_v)[None], (len(buses), 1, 1))
    for _ in range(MAX_SWEEPS):
        with np.errstate(all="ignore"):
            currents = _section_currents(power, voltage, source_v, links)
            lines, neutral = currents[:, :3], currents[:, 3]
            drops = np.asarray(
                drop_to_neutral.si(lines, neutral[:, None], line_ohm, shown[:, :, None])
            )
            before, voltage = voltage, _outwards(voltage[0], np.asarray(drops), links)
            change = (np.abs(voltage - before).max(axis=(0, 1)) / source_v).max()
        if change <= TOLERANCE / np.sqrt(3.0):
            rise = _outwards(0.0 * neutral[0], shown * neutral, links)
            loss = (line_ohm.real * np.abs(lines) ** 2).sum(axis=1)
            loss = loss + shown.real * np.abs(neutral) ** 2
            return FeederFlow(buses, voltage, rise, lines, neutral, loss)
        if not np.isfinite(change):
            break
    raise _collapse(buses, voltage, before)


def _order(feeder: FourWireFeeder) -> list[int]:
    """Return the sections from the source outwards."""
    below: dict[str, list[int]] = {}
    for s, section in enumerate(feeder.sections):
        below.setdefault(section.start, []).append(s)
    reached, order, waiting = {feeder.source}, [], [feeder.source]
    while waiting:
        for s in below.get(waiting.pop(), ()):
            end = feeder.sections[s].end
            if end in reached:
                raise FacilityError(
                    "NETWORK_LOOP",
                    end,
                    "two ways lead to this bus from the source.",
                    "A sweep needs a radial feeder: open one of the sections.",
                )
            reached.add(end)
            order.append(s)
            waiting.append(end)
    for s, section in enumerate(feeder.sections):
        if s not in order:
            raise FacilityError(
                "NETWORK_ISLAND",
                f"{section.start}-{section.end}",
                f"no way leads here from the source {feeder.source!r}.",
                "Sections start at the bus nearer to the source.",
            )
    if not order:
        raise FacilityError("NETWORK_ISLAND", feeder.source, "the feeder has no section.", "")
    return order


def _power(loads_va: Mapping[str, ArrayLike], index: dict[str, int]) -> ComplexArray:
    """Return the power by bus, class and case; one case where all loads have one."""
    given = {bus: np.asarray(value, dtype=np.complex128) for bus, value in loads_va.items()}
    for bus, value in given.items():
        if bus not in index:
            raise unknown(
                "UNKNOWN_BUS", bus, "a load stands on it, but no section leads there.", bus, index
            )
        if value.shape[:1] != (6,) or value.ndim > 2 or not np.all(np.isfinite(value)):
            raise _value(bus, f"a load is six finite powers by case, got shape {value.shape}")
    counts = {value.shape[1] for value in given.values() if value.ndim == 2} | {1}
    power = np.zeros((len(index), 6, max(counts)), dtype=np.complex128)
    for bus, value in given.items():
        if value.ndim == 2 and value.shape[1] not in (1, max(counts)):
            raise _value(bus, f"{value.shape[1]} cases, where another load has {max(counts)}")
        power[index[bus]] = value.reshape(6, -1)
    return power


def _impedances(feeder: FourWireFeeder) -> tuple[ComplexArray, ComplexArray]:
    """Return line impedances (sections, 3, 1) and neutral impedances (sections, 1)."""
    line = np.array([np.broadcast_to(s.line_ohm, 3) for s in feeder.sections], dtype=np.complex128)
    neutral = np.array([s.neutral_ohm for s in feeder.sections], dtype=np.complex128)
    for section, values in zip(feeder.sections, np.c_[line, neutral], strict=True):
        if not np.all(np.isfinite(values) & (values.real >= 0.0)):
            raise _value(section.end, "an impedance must be finite, its resistance not negative")
    return line[:, :, None], neutral[:, None]


def _section_currents(
    power: ComplexArray,
    voltage: ComplexArray,
    source_v: NDArray[np.float64],
    links: list[tuple[int, int, int]],
) -> ComplexArray:
    """Return the currents A, B, C, N of each section (sections, 4, cases).

    The sum at the lines is that of `phasor.line_currents`, which knows balanced voltages alone:
    it is given the power that draws at these what the load draws at the voltage it has.
    """
    classes = np.concatenate([voltage, voltage - np.roll(voltage, -1, axis=1)], axis=1)
    alike = power * (_CLASSES[:, None] * source_v) / classes
    an, bn, cn, ab, bc, ca = np.moveaxis(alike, 1, 0)
    lines = phasor.line_currents.si(an, bn, cn, ab, bc, ca, source_v)
    drawn = np.stack([np.asarray(line) for line in lines], axis=1)
    currents = np.empty((len(links), *drawn.shape[1:]), dtype=np.complex128)
    for section, start, end in reversed(links):
        currents[section] = drawn[end]
        drawn[start] += drawn[end]
    return currents


def _outwards(
    source: ComplexArray, drops: ComplexArray, links: list[tuple[int, int, int]]
) -> ComplexArray:
    """Return the value at each bus: that of the source less the drops on the way."""
    values = np.empty((len(links) + 1, *source.shape), dtype=np.complex128)
    values[0] = source
    for section, start, end in links:
        values[end] = values[start] - drops[section]
    return values


def _value(where: str, message: str) -> FacilityError:
    return FacilityError("NETWORK_VALUE", where, f"{message}.", "")


def _collapse(buses: tuple[str, ...], voltage: ComplexArray, before: ComplexArray) -> FacilityError:
    """Return the error that names the bus and case whose voltage still moved most."""
    moved = np.nan_to_num(np.abs(voltage - before).max(axis=1), nan=np.inf)
    bus, case = np.unravel_index(int(moved.argmax()), moved.shape)
    return FacilityError(
        "NETWORK_COLLAPSE",
        buses[bus],
        f"the load flow finds no voltage in {MAX_SWEEPS} sweeps (case {case}): the load is more "
        "than the feeder can carry, or so near to it that the answer means nothing.",
        "Take a larger conductor, a shorter run or less load.",
    )
