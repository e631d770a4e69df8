"""Fault sources from the data of utility, generators, motors and UPS."""

from __future__ import annotations

import math

from facility.core.errors import FacilityError
from facility.model.power.faults import SourceData
from facility.physics.faults.impedances import (
    generator_impedance,
    multiple_of_rated,
    rated_impedance,
    source_impedance,
)
from facility.power.faults.types import FaultSource, Sequences

_OPEN = complex(math.inf)


def utility_source(
    tag: str,
    bus: str,
    voltage_v: float,
    fault_level_va: float | None,
    x_over_r: float | None,
    data: SourceData,
) -> FaultSource:
    """Return the utility source.

    An unknown fault level is an infinite bus for the maximum currents, an upper bound; the minimum
    currents are then unknown. Without a minimum fault level they are unknown too.

    tag, bus: Tags of the source and the service bus.
    voltage_v: Nominal line-to-line voltage [V].
    fault_level_va, x_over_r: Site data.
    data: Minimum fault level, default X/R, zero sequence.

    Raises ``FAULT_LEVEL_ZERO``; ``FAULT_LEVEL`` for a minimum level above the maximum.
    """
    levels = (fault_level_va, data.utility_minimum_va)
    if any(level is not None and not level > 0.0 for level in levels):
        raise FacilityError(
            "FAULT_LEVEL_ZERO",
            tag,
            "a utility with zero fault level supplies nothing.",
            "Request the fault level from the utility; leave the field empty to assume an"
            " infinite bus.",
        )
    if None not in levels and float(levels[1] or 0.0) > float(levels[0] or 0.0):
        raise FacilityError(
            "FAULT_LEVEL",
            tag,
            f"the minimum fault level, {float(levels[1] or 0) / 1e6:g} MVA, exceeds the maximum,"
            f" {float(levels[0] or 0) / 1e6:g} MVA.",
            "Exchange the two values, or correct one.",
        )
    ratio = data.utility_x_over_r if x_over_r is None else x_over_r

    def at(level: float) -> Sequences:
        z1 = complex(*source_impedance.si(level, voltage_v, ratio))
        return Sequences(z1, data.utility_zero * z1)

    minimum = Sequences(0.0j, 0.0j) if fault_level_va is None else at(fault_level_va)
    maximum = None if levels[1] is None else at(levels[1])
    return FaultSource(tag, bus, "utility", voltage_v, minimum, maximum)


def generator_source(
    tag: str,
    bus: str,
    voltage_v: float,
    rating_va: float,
    units: int,
    data: SourceData,
    power_factor: float = 0.8,
) -> FaultSource:
    """Return identical generator sets in parallel on one bus.

    For the minimum currents use the minimum number of running sets in a separate tree. The
    sustained current of all sets is `FaultSource.limit_a`.

    tag, bus: Tags of the source and its bus.
    voltage_v: Rated line-to-line voltage [V].
    rating_va: Rating of one alternator [VA].
    units: Sets on the bus.
    data: X"d, X/R, zero sequence, sustained current.
    power_factor: Rated power factor; the neutral is grounded (a separately derived system).

    Raises ``FAULT_LEVEL_ZERO`` for a rating, count or reactance of zero or less.
    """
    if not (rating_va > 0.0 and units >= 1 and data.generator_reactance > 0.0):
        raise FacilityError(
            "FAULT_LEVEL_ZERO",
            tag,
            f'{units} sets of {rating_va / 1e3:g} kVA with X"d {data.generator_reactance:g}.',
            'Rating, count and X"d must be above zero.',
        )
    one = complex(
        *generator_impedance.si(
            rating_va, voltage_v, data.generator_reactance, data.generator_x_over_r
        )
    )
    sustained = multiple_of_rated.si(rating_va, voltage_v, data.generator_sustained)
    pair = Sequences(one / units, data.generator_zero * (one / units))
    return FaultSource(
        tag,
        bus,
        "generator",
        voltage_v,
        pair,
        pair,
        float(sustained) * units,
        rating_va,
        data.generator_reactance,
        power_factor,
    )


def motor_source(
    tag: str, bus: str, voltage_v: float, rating_va: float, data: SourceData
) -> FaultSource:
    """Return the motors on one bus as one source: the share without drives, at its multiple.

    tag, bus: Tags of the source and its bus.
    voltage_v: Rated line-to-line voltage [V].
    rating_va: Mechanical load of the bus, drives included [VA]; above 0.
    data: Multiple, X/R and share.

    Raises ``FAULT_LEVEL_ZERO`` if no motor load remains.
    """
    on_line = rating_va * data.motor_share
    if not (on_line > 0.0 and data.motor_multiple > 0.0):
        raise FacilityError(
            "FAULT_LEVEL_ZERO",
            tag,
            "no motor load: no fault contribution.",
            "Omit the source from the network.",
        )
    z1 = complex(
        *rated_impedance.si(on_line, voltage_v, 1.0 / data.motor_multiple, data.motor_x_over_r)
    )
    pair = Sequences(z1, _OPEN)
    return FaultSource(tag, bus, "motor", voltage_v, pair, pair)


def inverter_source(
    tag: str, bus: str, voltage_v: float, rating_va: float, data: SourceData
) -> FaultSource:
    """Return a UPS on inverter: a limited current for `data.ups_duration_s`.

    On bypass a UPS is not a source: the tree continues through it.

    tag, bus: Tags of the source and its bus.
    voltage_v: Rated line-to-line voltage [V].
    rating_va: Rating of all modules on the bus [VA].
    data: Multiple of the rated current.

    Raises ``FAULT_LEVEL_ZERO`` for a rating or multiple of zero or less.
    """
    if not (rating_va > 0.0 and data.ups_multiple > 0.0):
        raise FacilityError(
            "FAULT_LEVEL_ZERO",
            tag,
            "a UPS without rating or short-circuit current.",
            "Enter the inverter current as a multiple of the rated current.",
        )
    limit = multiple_of_rated.si(rating_va, voltage_v, data.ups_multiple)
    stiff = Sequences(0.0j, 0.0j)
    return FaultSource(tag, bus, "ups", voltage_v, stiff, stiff, float(limit))
