"""The UPS batteries: technology, block, autonomy and room, in SI."""

from __future__ import annotations

from dataclasses import dataclass

LI_ION = "li-ion"
FLOODED = "flooded"
VRLA = "vrla"
TECHNOLOGIES = (VRLA, FLOODED, LI_ION)
"""Battery technologies: valve-regulated and vented lead-acid, lithium-ion."""
_FLOOR_S = {LI_ION: 300.0}
_LEAD_ACID_FLOOR_S = 600.0


@dataclass(frozen=True)
class BlockBasis:
    """The block: one of the catalogue by its name, or points of a discharge table of one's own.

    `points` are (time [s], power of one block [W]), longest time last, at the end voltage and at
    25 °C; `cells` and `capacity_as` [A s] belong to them and are None where nobody stated them.
    """

    model: str
    points: tuple[tuple[float, float], ...]
    cells: int | None
    capacity_as: float | None
    stated: bool = True  # Whether the project names the block, or gives its points


@dataclass(frozen=True)
class BatteryString:
    """What is given of the strings: DC bus, blocks and strings as built, cabinets.

    `strings` is the number in parallel on each set; `dc_max_v` and `dc_min_v` bound the voltage of
    the DC bus on float and at the end of a discharge.
    """

    dc_max_v: float
    dc_min_v: float
    float_v_per_cell: float
    blocks: int | None
    strings: int | None
    blocks_per_cabinet: int
    per_module: bool


@dataclass(frozen=True)
class BatteryRoom:
    """The battery room: lowest electrolyte temperature, airflow where known, way of charging.

    `code` decides the rule of hydrogen: that used in the US under the NEC, EN 50272-2 under the
    IEC.
    """

    temperature_c: float
    airflow_m3_s: float | None
    boost: bool
    code: str


@dataclass(frozen=True)
class RideThrough:
    """What the batteries bridge: attempts to start the generators, then the transfer [s]."""

    start_s: float
    attempts: int
    transfer_s: float


@dataclass(frozen=True)
class BatteryBasis:
    """The UPS batteries: technology, block, autonomy and room.

    `autonomy_s` is wanted at the end of life after the designed failure. `inverter_efficiency` is
    None where the double-conversion efficiency of the module stands for it; `ageing` multiplies
    the power that a new block has to give; `recharge_s` is the time wanted for charging.
    """

    technology: str
    block: BlockBasis
    autonomy_s: float
    end_v_per_cell: float
    ageing: float
    margin: float
    inverter_efficiency: float | None
    string: BatteryString
    room: BatteryRoom
    ride_through: RideThrough
    recharge_s: float

    @property
    def floor_s(self) -> float:
        """Shortest autonomy in common use."""
        return _FLOOR_S.get(self.technology, _LEAD_ACID_FLOOR_S)
