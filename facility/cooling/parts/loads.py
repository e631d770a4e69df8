"""Heat loads of the cooling, and unit counts."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from facility.physics.elementwise import maximum


@dataclass(frozen=True)
class HeatLoad:
    """Heat by location."""

    air_it_w: float  # IT heat to air; with `liquid_it_w` it is the IT load
    liquid_it_w: float  # IT heat to coolant
    hall_losses_w: float  # Electrical losses inside the halls
    electrical_room_w: float  # Electrical losses in rooms with dedicated air handlers
    # Further heat in the halls.
    lights_w: float
    people_w: float
    envelope_w: float
    # Outdoor air heat, removed before it enters the halls.
    ventilation_w: float = 0.0

    @property
    def non_it_w(self) -> float:
        """Heat in the halls from non-IT sources."""
        return self.hall_losses_w + self.lights_w + self.people_w + self.envelope_w

    @property
    def room_w(self) -> float:
        """Heat to the hall air, without air handler fans."""
        return self.air_it_w + self.non_it_w

    @property
    def total_w(self) -> float:
        """Total heat of the cooling."""
        return self.room_w + self.liquid_it_w + self.electrical_room_w + self.ventilation_w

    def scaled(self, it: float, air: float, liquid: float) -> HeatLoad:
        """Return the load with IT-dependent heat times `it`, with factors `air` and `liquid`."""
        return replace(
            self,
            air_it_w=self.air_it_w * it * air,
            liquid_it_w=self.liquid_it_w * it * liquid,
            hall_losses_w=self.hall_losses_w * it,
            electrical_room_w=self.electrical_room_w * it,
        )

    def at_least(self, other: HeatLoad) -> HeatLoad:
        """Return the maximum of each heat."""
        named = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return HeatLoad(*(maximum(*each) for each in named))

    def share(self, part: float) -> HeatLoad:
        """Return `part` of every heat."""
        return HeatLoad(*(getattr(self, field.name) * part for field in fields(self)))


@dataclass(frozen=True, eq=False)
class TankFlow:
    """Heat that a tank adds to the chilled water while charging, and absorbs while discharging."""

    charge_w: float = 0.0
    discharge_w: float = 0.0


NO_TANK = TankFlow()


@dataclass(frozen=True)
class CoolingCounts:
    """Units on duty and installed, by type.

    `rejection` are towers or dry coolers of the chillers, `fws_rejection` of the facility
    water; `crah_electrical` the air handlers of the electrical rooms. `pipe_spare` is the spare
    flow that pipes are sized for, in hundredths: zero, unless the iteration alternates between two
    sizes of a pipe at its limit, since the size changes the heat of the pumps.
    """

    crah: int
    crah_duty: int
    crah_electrical: int
    crah_electrical_duty: int
    cdu: int
    cdu_duty: int
    chillers: int
    chillers_duty: int
    rejection: int
    rejection_duty: int
    fws_rejection: int
    fws_rejection_duty: int
    pipe_spare: int = 0


NO_FLOOR = CoolingCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
