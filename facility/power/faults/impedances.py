"""Branches of a short-circuit study from conductor and transformer data."""

from __future__ import annotations

import math

from facility.core.errors import FacilityError
from facility.physics.faults.impedances import rated_impedance, transformer_impedance
from facility.power.faults.types import FaultBranch, Sequences

DELTA_WYE = "Dyn11"
"""Vector group of PDU transformers, and of step-up transformers with delta on the set side."""


def conductor_branch(
    tag: str,
    fed_from: str,
    voltage_v: float,
    cold_ohm: complex,
    hot_ohm: complex,
    zero: tuple[float, float],
    sets: int = 1,
) -> FaultBranch:
    """Return a run of conductors or busway.

    tag, fed_from: Tags of the buses at its lower and upper end.
    voltage_v: Nominal line-to-line voltage [V].
    cold_ohm, hot_ohm: R + jX of one phase conductor of one set over its one-way length, at the
        minimum temperature, and at the end of the fault or in operation [ohm].
    zero: R0 over R1 and X0 over X1, return path included.
    sets: Conductors in parallel for each phase.

    Raises ``FAULT_IMPEDANCE`` for less than one set, or a hot resistance below the cold one.
    """
    if sets < 1 or hot_ohm.real < cold_ohm.real:
        raise FacilityError(
            "FAULT_IMPEDANCE",
            tag,
            f"{sets} sets, {cold_ohm.real:.4g} ohm cold and {hot_ohm.real:.4g} ohm hot.",
            "Enter at least one set, and a hot resistance of at least the cold resistance.",
        )

    def both(impedance: complex) -> Sequences:
        one = impedance / sets
        return Sequences(one, complex(one.real * zero[0], one.imag * zero[1]))

    return FaultBranch(tag, fed_from, voltage_v, both(cold_ohm), both(hot_ohm))


def transformer_branch(  # noqa: PLR0913 - nameplate data of a transformer
    tag: str, fed_from: str, rating_va: float, primary_v: float, secondary_v: float,
    impedance: float, vector_group: str, zero: float, tolerance: float = 0.0,
    x_over_r: float | None = None, load_loss_w: float | None = None, units: int = 1,
    nominal_v: float | None = None,
) -> FaultBranch:  # fmt: skip
    """Return a transformer, or identical transformers in parallel.

    tag, fed_from: Tags of the buses at its secondary and primary.
    rating_va: Rating of one [VA].
    primary_v, secondary_v: Rated line-to-line voltages [V].
    impedance: Impedance of one as a fraction of the rated one.
    vector_group: Dyn1, Dyn11, YNyn0, ...
    zero: Z0 / Z1; for Yyn0 with the magnetising path, infinite if no winding is grounded.
    tolerance: Tolerance of the impedance relative to the nameplate.
    x_over_r, load_loss_w: One of the two: X/R, or the load loss of one [W].
    units: Identical transformers in parallel.
    nominal_v: Nominal voltage of the secondary bus if it differs from the rated voltage of the
        transformer.

    Raises ``FAULT_IMPEDANCE`` for an impedance, rating or count of zero or less, or if neither or
    both of `x_over_r` and `load_loss_w` are specified.
    """
    if not (impedance > 0.0 and rating_va > 0.0 and units >= 1):
        raise FacilityError(
            "FAULT_IMPEDANCE", tag,
            f"a transformer of {rating_va / 1e3:g} kVA, {impedance:.2%} impedance, {units} units.",
            "Rating, impedance and count must be above zero.",
        )  # fmt: skip
    if (x_over_r is None) == (load_loss_w is None):
        raise FacilityError(
            "FAULT_IMPEDANCE", tag, "the resistance of the transformer is not known.",
            "Enter either X/R or the load loss.",
        )  # fmt: skip
    if load_loss_w is not None and not 0.0 <= load_loss_w <= impedance * rating_va:
        raise FacilityError(
            "FAULT_IMPEDANCE", tag, "the load loss exceeds the value that the impedance permits.",
            "Check load loss and impedance.",
        )  # fmt: skip
    if load_loss_w is not None:
        r, x = transformer_impedance.si(rating_va, secondary_v, impedance, load_loss_w)
    elif x_over_r is not None:
        r, x = rated_impedance.si(rating_va, secondary_v, impedance, x_over_r)
    base = secondary_v * secondary_v / rating_va
    z1 = complex(r, x) / units
    z0 = complex(math.inf) if math.isinf(zero) else zero * z1
    pair = Sequences(z1, z0)
    return FaultBranch(
        tag, fed_from, secondary_v if nominal_v is None else nominal_v, pair, pair,
        primary_v / secondary_v, vector_group, float(x) / base, tolerance,
    )  # fmt: skip
