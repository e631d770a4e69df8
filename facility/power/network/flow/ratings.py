"""Ratings and impedances of equipment and circuits as arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.power.network.graph.types import Equipment, Network

_SQRT3 = math.sqrt(3.0)


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings and impedances: of the equipment by row, of the circuits by `Network.links`."""

    base_a: FloatArray  # Current of the per unit system [A]; shape (rows,)
    impedance: NDArray[np.complex128]  # Of one unit [per unit]; shape (rows,)
    no_load: FloatArray  # Of one unit [per unit of the three-phase power]; shape (rows,)
    # Loading of one unit at 1 per unit of current: the larger of the limits in kVA and A; nan where
    # there is neither. Shape (rows,).
    per_current: FloatArray
    # Loading of one unit by a watt of all phases, which limits an engine [1/W]; nan where there is
    # no such limit. Shape (rows,).
    per_watt: FloatArray
    # Loading of one unit by a watt of the largest phase, which limits a converter leg [1/W]; nan
    # likewise. Shape (rows,).
    per_phase_watt: FloatArray
    # Constant, linear and quadratic loss over the rating, and kvar over kW of the input;
    # shape (4, rows).
    converter: FloatArray
    rating_w: FloatArray  # Active rating of one unit [W]; nan where not known. Shape (rows,).
    circuit_ohm: FloatArray  # Resistance [per unit]; shape (links,)
    circuit_base_a: FloatArray  # Current of the per unit system [A]; shape (links,)
    # Loading at 1 per unit of current; nan where there is no rating. Shape (links,).
    circuit_per_current: FloatArray

    def part(self, rows: NDArray[np.intp]) -> Ratings:
        """Return the ratings of some rows, and of all circuits."""
        return replace(
            self,
            base_a=self.base_a[rows],
            impedance=self.impedance[rows],
            no_load=self.no_load[rows],
            per_current=self.per_current[rows],
            per_watt=self.per_watt[rows],
            per_phase_watt=self.per_phase_watt[rows],
            converter=self.converter[:, rows],
            rating_w=self.rating_w[rows],
        )


def per_unit(
    resistance_ohm: float, reactance_ohm: float, voltage_v: float, base_va: float
) -> complex:
    """Return an impedance in per unit of a three-phase power at a line-to-line voltage."""
    return complex(resistance_ohm, reactance_ohm) * base_va / voltage_v**2


def read_ratings(network: Network, ordered: list[Equipment], base_va: float) -> Ratings:
    """Lay out the ratings of a network.

    ordered: Its equipment by row.
    base_va: Three-phase power of the per unit system [VA].
    """
    base_a = base_va / (_SQRT3 * np.array([one.voltage_v for one in ordered]))
    rating_w = _known([one.rating_w for one in ordered])
    engine = np.array([one.kind == "generator-plant" for one in ordered], dtype=bool)
    volts = np.array([network[link.source].voltage_v for _, link in network.links])
    resistance = np.array([link.resistance_ohm for _, link in network.links])
    circuit_base_a = base_va / (_SQRT3 * volts)
    return Ratings(
        base_a=base_a,
        impedance=np.array(
            [
                per_unit(one.resistance_ohm, one.reactance_ohm, one.voltage_v, base_va)
                for one in ordered
            ],
            dtype=np.complex128,
        ),
        no_load=np.array([one.no_load_w for one in ordered]) / base_va,
        per_current=np.fmax(
            base_va / _known([one.rating_va for one in ordered]),
            base_a / _known([one.rating_a for one in ordered]),
        ),
        per_watt=np.where(engine, 1.0 / rating_w, np.nan),
        per_phase_watt=np.where(engine, np.nan, 3.0 / rating_w),
        converter=np.array([_converter(one) for one in ordered]).reshape(-1, 4).T,
        rating_w=rating_w,
        circuit_ohm=resistance * base_va / volts**2,
        circuit_base_a=circuit_base_a,
        circuit_per_current=circuit_base_a / _known([link.rating_a for _, link in network.links]),
    )


def _known(values: list[float | None]) -> FloatArray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _converter(one: Equipment) -> tuple[float, float, float, float]:
    if one.converter is None:
        return (0.0, 0.0, 0.0, 0.0)
    factor = one.converter.input_power_factor
    reactive = math.sqrt(1.0 - factor**2) / factor
    return (one.converter.constant, one.converter.linear, one.converter.quadratic, reactive)
