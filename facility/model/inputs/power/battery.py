"""The battery section of the power part."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import (
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)
from facility.model.power.battery import TECHNOLOGIES

ARRANGEMENTS = ("module", "bus")
"""What has batteries of its own: each UPS module, or each output bus of a UPS system."""

_MOST_POINTS = 100

_Time = Annotated[Measured, quantity("time", above=0.0, maximum=86400.0)]
_Power = Annotated[Measured, quantity("active_power", above=0.0)]
_CellVoltage = Annotated[Measured, quantity("dc_voltage", minimum=1.0, maximum=4.2)]
_BusVoltage = Annotated[Measured, quantity("dc_voltage", minimum=24.0, maximum=1500.0)]
_Temperature = Annotated[Measured, quantity("temperature")]
_Efficiency = Annotated[Measured, quantity("fraction", minimum=0.5, maximum=1.0)]
_Charge = Annotated[Measured, quantity("charge", above=0.0)]
_Airflow = Annotated[Measured, quantity("air_flow", above=0.0)]


class BatteryPoint(Section):
    """One point of a discharge table at the end voltage: time, and constant power of one block."""

    time: _Time
    block_power: _Power


class BatterySection(Section):
    """The UPS batteries: technology, block, autonomy and room.

    `points` are a discharge table of your own at 25 °C and the end voltage, in place of a
    catalogue model. `strings` is the number in parallel on each module or bus, as built;
    `room_airflow` that of all battery rooms together.
    """

    technology: Name | None = None
    model: Name | None = None
    points: tuple[BatteryPoint, ...] | None = None
    cells_per_block: PositiveCount | None = None
    capacity: _Charge | None = None
    autonomy: _Time | None = None
    end_voltage: _CellVoltage | None = None
    ageing: Number | None = None
    design_margin: Number | None = None
    temperature: _Temperature | None = None
    inverter_efficiency: _Efficiency | None = None
    dc_bus_max: _BusVoltage | None = None
    dc_bus_min: _BusVoltage | None = None
    arrangement: Name | None = None
    blocks_per_string: PositiveCount | None = None
    strings: PositiveCount | None = None
    blocks_per_cabinet: PositiveCount | None = None
    boost_charge: Flag | None = None
    room_airflow: _Airflow | None = None
    recharge_time: _Time | None = None
    start_attempts: PositiveCount | None = None
    transfer_time: _Time | None = None

    @field_validator("technology")
    @classmethod
    def _known_technology(cls, value: str | None) -> str | None:
        return _one_of(value, TECHNOLOGIES, "battery technology")

    @field_validator("arrangement")
    @classmethod
    def _known_arrangement(cls, value: str | None) -> str | None:
        return _one_of(value, ARRANGEMENTS, "arrangement of batteries")

    @field_validator("points")
    @classmethod
    def _falling(cls, value: tuple[BatteryPoint, ...] | None) -> tuple[BatteryPoint, ...] | None:
        if value is None:
            return None
        times, powers = [p.time.si for p in value], [p.block_power.si for p in value]
        rising = all(a < b for a, b in pairwise(times))
        falling = all(a > b for a, b in pairwise(powers))
        if not (2 <= len(value) <= _MOST_POINTS and rising and falling):
            raise problem(
                "BATTERY_POINTS",
                f"a discharge table has 2 to {_MOST_POINTS} points whose power falls with time.",
                "Write the shortest time first, e.g. {time: 5 min, block_power: 2510 W}.",
            )
        return value

    @model_validator(mode="after")
    def _consistent(self) -> BatterySection:
        if self.points is not None and self.model is not None:
            raise problem(
                "BATTERY_CONTRADICTION",
                "a catalogue model and points are both given.",
                "Give the model, or the points of your own table.",
                at="model",
            )
        for name in ("cells_per_block", "capacity"):
            if self.points is None and getattr(self, name) is not None:
                raise problem(
                    "BATTERY_CONTRADICTION",
                    f"{name} belongs to points of your own.",
                    "Give points too, or leave it to the catalogue.",
                    at=name,
                )
        for name in ("ageing", "design_margin"):
            factor = getattr(self, name)
            if factor is not None and not 1.0 <= factor.si <= 3.0:
                raise problem("OUT_OF_RANGE", "a sizing factor lies between 1 and 3.", at=name)
        low, high = self.dc_bus_min, self.dc_bus_max
        if low is not None and high is not None and low.si >= high.si:
            raise problem(
                "BATTERY_CONTRADICTION", "dc_bus_min is not below dc_bus_max.", at="dc_bus_min"
            )
        return self


def _one_of(value: str | None, known: tuple[str, ...], what: str) -> str | None:
    if value is None or value.lower() in known:
        return value and value.lower()
    raise problem(
        "UNKNOWN_BATTERY", f"{value!r} is not a {what} known here.", f"Known: {', '.join(known)}."
    )
