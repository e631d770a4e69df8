"""UPS batteries: technology, block, autonomy and room, in SI."""

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
    """Battery block: a catalogue block by name, or points of a user-defined discharge table.

    `points` are (time [s], power of one block [W]), longest time last, at the end voltage and at
    25 °C; `cells` and `capacity_as` [A s] belong to them and are None if not specified.
    """

    model: str
    points: tuple[tuple[float, float], ...]
    cells: int | None
    capacity_as: float | None
    stated: bool = True  # Whether the project names the block, or its points


@dataclass(frozen=True)
class BatteryString:
    """String data: DC bus, blocks and strings as built, cabinets.

    `strings` is the number in parallel on each set; `dc_max_v` and `dc_min_v` limit the DC bus
    voltage on float and at the end of discharge.
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
    """Battery room: lowest electrolyte temperature, airflow if known, type of charging.

    `code` determines the hydrogen rule: US practice under the NEC, EN 50272-2 under the
    IEC.
    """

    temperature_c: float
    airflow_m3_s: float | None
    boost: bool
    code: str


@dataclass(frozen=True)
class RideThrough:
    """Minimum autonomy: attempts to start the generators, then the transfer [s]."""

    start_s: float
    attempts: int
    transfer_s: float


@dataclass(frozen=True)
class BatteryBasis:
    """UPS batteries: technology, block, autonomy and room.

    `autonomy_s` is required at the end of life after the design failure. `inverter_efficiency` is
    None to use the double-conversion efficiency of the module; `ageing` multiplies the required
    power of a new block; `recharge_s` is the specified recharge time.
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
        """Shortest common autonomy."""
        return _FLOOR_S.get(self.technology, _LEAD_ACID_FLOOR_S)
