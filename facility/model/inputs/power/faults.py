"""The faults section of the power part."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from facility.core.parse import Measured
from facility.core.rounding import within
from facility.core.sources import RECALLED, RULE, Source
from facility.core.views import show_exact
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Number, Section, problem, quantity
from facility.model.power.faults import ArcEnergy, Fuse, SmallDevice

_IEC = Source("iec-60909-0", "table 1", "2016", "secondary")
_MOTORS = Source("bussmann-quick-fault", "4 times the full-load current of the motor load")
IEEE_1584 = Source("ieee-1584", "table 1", "2002")
_CLASS_A = Source("powerpact-b-catalog", "utilization category")
_FRAMES = Source("powerpact-hjl-catalog", "general information", "R09/24")
_UPS = Source("vertiv-apm2-manual", "output short-circuit current")


_Level = Annotated[Measured, quantity("apparent_power", above=0.0, plausible="fault")]
_Fraction = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=1.0)]
_Tolerance = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]
_Reactance = Annotated[Measured, quantity("fraction", minimum=0.01, maximum=1.0)]
_Factor = Annotated[Measured, quantity("ratio", minimum=0.5, maximum=1.2)]
_Multiple = Annotated[Measured, quantity("ratio", minimum=0.1, maximum=20.0)]
_TripMultiple = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=20.0)]
_Ratio = Annotated[Measured, quantity("ratio", above=0.0, maximum=1000.0)]
_Duration = Annotated[Measured, quantity("time", above=0.0, maximum=60.0)]
_Rating = Annotated[Measured, quantity("current", above=0.0)]
_JouleIntegral = Annotated[Measured, quantity("joule_integral", above=0.0)]
_Method = Literal["per-unit", "point-to-point", "iec-60909"]


class LetThroughSection(Section):
    """One point of a manufacturer's let-through curve."""

    rating: _Rating = required("Rating of the overcurrent device")
    fault_current: _Rating = required("Prospective fault current, the highest the point holds for")
    energy: _JouleIntegral = required("Let-through energy I2t at that current")


class FaultSection(Section):
    """The short-circuit study; the fault level of the utility stands in the site section.

    The ratings are interrupting ratings or SCCR.
    """

    method: _Method | None = optional(
        "How impedances add: R + jX, magnitudes, or IEC 60909 with its factors",
        Default(None, "the method that studies under the code are made by", RULE),
    )
    prefault_highest: _Factor | None = optional(
        "Voltage before the fault over the nominal one, for the highest currents",
        Default(1.0, "nominal; a network that is held above it gives more", RULE),
    )
    prefault_lowest: _Factor | None = optional(
        "Voltage before the fault over the nominal one, for the lowest currents",
        Default(
            0.95, "5 % below nominal before the fault, the lower limit of service voltage", RULE
        ),
    )
    low_voltage_tolerance: Annotated[Measured, quantity("fraction", maximum=0.10)] | None = (
        optional(
            "Tolerance of the low voltage, 6 % or 10 %, which picks the voltage factor of "
            "IEC 60909",
            Default(0.06, "c 1.05 and 0.95 up to 1000 V: supply kept within 6 %", _IEC),
        )
    )
    utility_minimum_level: _Level | None = optional(
        "Lowest fault level of the utility",
        Default("unknown", "not given: lowest currents on the utility are not evaluated", RULE),
        symbol="S''_{k,min}",
    )
    utility_zero_sequence: _Ratio | None = optional(
        "Zero-sequence over positive-sequence impedance of the utility",
        Default(1.0, "Z0 equal to Z1; behind a delta winding it does not matter", RECALLED),
        symbol="Z_0/Z_1",
    )
    generator_reactance: _Reactance | None = optional(
        "Subtransient reactance of the generators on their rating",
        Default(0.12, 'X"d of low-voltage diesel sets lies between 7 and 25 %', RECALLED),
        symbol="X''_d",
    )
    generator_x_over_r: _Ratio | None = optional(
        "Reactance over resistance of the generators",
        Default(20.0, "typical of alternators of some MVA", RECALLED),
        symbol="X/R",
    )
    generator_zero_sequence: _Ratio | None = optional(
        "Zero-sequence over subtransient reactance of the generators",
        Default(0.5, 'X0 about half of X"d: ground faults above three-phase ones', RECALLED),
        symbol="X_0/X''_d",
    )
    generator_sustained: _Multiple | None = optional(
        "Sustained three-phase fault current of the generators over the rated one",
        Default(3.0, "held by an exciter with a permanent magnet or auxiliary winding", RECALLED),
    )
    motor_multiple: _Multiple | None = optional(
        "First-cycle fault current of motors over their rated one",
        Default(4.0, "a common multiple where the motors are not known", _MOTORS),
    )
    motor_x_over_r: _Ratio | None = optional(
        "Reactance over resistance of the motors",
        Default(1.0 / 0.42, "R/X 0.42 of a group of low-voltage motors", _IEC),
        symbol="X/R",
    )
    motor_share: _Fraction | None = optional(
        "Part of the mechanical load that is on motors without drives",
        Default(1.0, "all mechanical load on motors without drives: an upper bound", RULE),
    )
    ups_multiple: _Multiple | None = optional(
        "Fault current of a UPS on inverter over its rated one",
        Default(2.4, "240 % of the rated current on inverter, of one make", _UPS),
    )
    ups_duration: _Duration | None = optional(
        "How long a UPS on inverter holds its fault current",
        Default(0.2, "200 ms on inverter, of one make", _UPS),
    )
    transformer_tolerance: _Tolerance | None = optional(
        "How far the impedance of MV/LV transformers may lie from the nameplate",
        Default(0.075, "7.5 % of the nameplate impedance, IEEE C57.12", RECALLED),
    )
    dry_transformer_tolerance: _Tolerance | None = optional(
        "How far the impedance of PDU transformers may lie from the nameplate",
        Default(0.10, "10 % of the nameplate impedance, UL 1561", RECALLED),
    )
    transformer_zero_sequence: Number | None = optional(
        "Zero-sequence over positive-sequence impedance of transformers with a grounded winding",
        Default(1.0, "Z0 equal to Z1 at a grounded winding beside a delta; 0.85 to 1.0", RECALLED),
        symbol="Z_0/Z_1",
    )
    cable_zero_resistance: _Ratio | None = optional(
        "Zero-sequence over positive-sequence resistance of conductors with their return path",
        Default(4.0, "R0 = R1 + 3 R of a return conductor of the same size", RULE),
        symbol="R_0/R_1",
    )
    cable_zero_reactance: _Ratio | None = optional(
        "Zero-sequence over positive-sequence reactance of conductors with their return path",
        Default(4.0, "X0 as R0: a return conductor of the same size", RECALLED),
        symbol="X_0/X_1",
    )
    clearing_time: _Duration | None = optional(
        "Clearing time of the overcurrent devices, those of molded_case_time and power_breaker_time"
        " apart"
    )
    molded_case_time: _Duration | None = optional(
        "Clearing time of miniature and molded-case breakers above their instantaneous trip; where"
        " stated, conductors are checked with it and not with small_device",
        Default(None, "1.5 cycles of 60 Hz, no longer than clearing_time", IEEE_1584),
    )
    power_breaker_time: _Duration | None = optional(
        "Clearing time of breakers above molded_case_rating above their instantaneous trip",
        Default(None, "clearing_time; where that is not stated 3 cycles of 60 Hz", IEEE_1584),
    )
    small_device: SmallDevice | None = optional(
        "Type of the devices up to molded_case_rating, whose let-through energy conductors are"
        " checked with: a listed US breaker, a class 3 miniature breaker, a fuse, or by time",
        Default(
            None,
            "NEC: a listed breaker protects its rated conductor; IEC: type C of class 3 up to 40 A",
            RULE,
        ),
    )
    small_breaking_capacity: _Rating | None = optional(
        "Rated breaking capacity Icn of miniature circuit-breakers",
        Default(10e3, "the usual capacity of breakers for panelboards", RECALLED),
        symbol="I_{cn}",
    )
    let_through: tuple[LetThroughSection, ...] | None = optional(
        "Let-through energy by manufacturer's curves of the devices used", most=200
    )
    backup_device: Fuse | None = optional("Back-up fuse ahead of the small devices")
    backup_rating: _Rating | None = optional("Rating of the back-up fuse")
    molded_case_rating: _Rating | None = optional(
        "Largest rating of the breakers that trip without intended delay",
        Default(630.0, "utilization category A: molded-case breakers up to 600 or 630 A", _CLASS_A),
    )
    trip_multiple: _TripMultiple | None = optional(
        "Instantaneous trip of miniature and molded-case breakers over their rating"
    )
    delayed_trip_multiple: _TripMultiple | None = optional(
        "Short-time trip of the devices above molded_case_rating over their rating, which clears in"
        " clearing_time"
    )
    electronic_trip_above: _Rating | None = optional(
        "Rating above which overcurrent devices have an electronic trip unit (LSI); up to it they"
        " are thermal-magnetic",
        Default(250.0, "breakers of one make above 250 A have electronic trip units", _FRAMES),
    )
    ground_fault_protection: bool | None = optional(
        "Whether devices have ground-fault protection (LSIG) where the NEC requires it",
        Default("yes", "required by 215.10 and 230.95: chosen where they apply", RULE),
    )
    arc_energy_reduction: ArcEnergy | None = optional(
        "Method of reducing the arc energy behind devices of 1,200 A and more, NEC 240.87",
        Default(
            "maintenance switch",
            "240.87(B): needs no wiring between devices, and no setting of another device",
            RULE,
        ),
    )
    switchgear_rating: _Rating | None = optional("Rating of the medium-voltage switchgear")
    board_rating: _Rating | None = optional("Rating of the LV boards")
    panel_rating: _Rating | None = optional("Rating of the panelboards")
    rack_pdu_rating: _Rating | None = optional("Rating of the rack PDUs")

    @model_validator(mode="after")
    def _backup_whole(self) -> FaultSection:
        if (self.backup_device is None) != (self.backup_rating is None):
            raise problem(
                "CONTRADICTION",
                "a back-up fuse has a device and a rating; one of them is missing.",
                "Give both backup_device and backup_rating, e.g. gG and 63 A.",
                at="backup_rating" if self.backup_rating is None else "backup_device",
            )
        return self

    @model_validator(mode="after")
    def _in_order(self) -> FaultSection:
        other, molded = self.clearing_time, self.molded_case_time
        if other is not None and molded is not None and not within(molded.si, other.si):
            raise problem(
                "CONTRADICTION",
                f"molded-case breakers that clear in {show_exact(molded.si, 'time')}, all other"
                f" devices in {show_exact(other.si, 'time')} (clearing_time): what has no"
                " instantaneous trip is not the faster one.",
                "Give a molded_case_time of at most clearing_time, or a longer clearing_time.",
                at="molded_case_time",
            )
        return self
