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
    fault_current: _Rating = required("Maximum prospective fault current of the point")
    energy: _JouleIntegral = required("Let-through energy I2t at that current")


class FaultSection(Section):
    """The short-circuit study; the utility fault level is in the site section.

    The ratings are interrupting ratings or SCCR.
    """

    method: _Method | None = optional(
        "Impedance method: R + jX, magnitudes, or IEC 60909 with its factors",
        Default(None, "usual method under the code", RULE),
    )
    prefault_highest: _Factor | None = optional(
        "Prefault voltage over nominal voltage, maximum fault currents",
        Default(1.0, "nominal; higher operating voltage increases the current", RULE),
    )
    prefault_lowest: _Factor | None = optional(
        "Prefault voltage over nominal voltage, minimum fault currents",
        Default(0.95, "5 % below nominal, lower limit of service voltage", RULE),
    )
    low_voltage_tolerance: Annotated[Measured, quantity("fraction", maximum=0.10)] | None = (
        optional(
            "Low-voltage tolerance, 6 % or 10 %, which selects the voltage factor of IEC 60909",
            Default(0.06, "c 1.05 and 0.95 up to 1000 V: supply within 6 %", _IEC),
        )
    )
    utility_minimum_level: _Level | None = optional(
        "Minimum utility fault level",
        Default(
            "unknown", "not specified: minimum currents on the utility are not evaluated", RULE
        ),
        symbol="S''_{k,min}",
    )
    utility_zero_sequence: _Ratio | None = optional(
        "Zero-sequence over positive-sequence utility impedance",
        Default(1.0, "Z0 equal to Z1; no influence downstream of a delta winding", RECALLED),
        symbol="Z_0/Z_1",
    )
    generator_reactance: _Reactance | None = optional(
        "Subtransient reactance of the generators on their rating",
        Default(0.12, 'X"d of low-voltage diesel sets is between 7 and 25 %', RECALLED),
        symbol="X''_d",
    )
    generator_x_over_r: _Ratio | None = optional(
        "Reactance over resistance of the generators",
        Default(20.0, "typical of alternators of several MVA", RECALLED),
        symbol="X/R",
    )
    generator_zero_sequence: _Ratio | None = optional(
        "Zero-sequence over subtransient reactance of the generators",
        Default(0.5, 'X0 about half of X"d: ground faults above three-phase ones', RECALLED),
        symbol="X_0/X''_d",
    )
    generator_sustained: _Multiple | None = optional(
        "Sustained three-phase fault current of the generators over rated current",
        Default(
            3.0, "sustained by an exciter with permanent magnet or auxiliary winding", RECALLED
        ),
    )
    motor_multiple: _Multiple | None = optional(
        "First-cycle fault current of motors over rated current",
        Default(4.0, "common multiple for unknown motors", _MOTORS),
    )
    motor_x_over_r: _Ratio | None = optional(
        "Reactance over resistance of the motors",
        Default(1.0 / 0.42, "R/X 0.42 for a group of low-voltage motors", _IEC),
        symbol="X/R",
    )
    motor_share: _Fraction | None = optional(
        "Fraction of the mechanical load on motors without drives",
        Default(1.0, "all mechanical load on motors without drives: an upper bound", RULE),
    )
    ups_multiple: _Multiple | None = optional(
        "Fault current of a UPS on inverter over rated current",
        Default(2.4, "240 % of the rated current on inverter, one manufacturer", _UPS),
    )
    ups_duration: _Duration | None = optional(
        "Duration of the UPS fault current on inverter",
        Default(0.2, "200 ms on inverter, one manufacturer", _UPS),
    )
    transformer_tolerance: _Tolerance | None = optional(
        "Impedance tolerance of MV/LV transformers",
        Default(0.075, "7.5 % of the nameplate impedance, IEEE C57.12", RECALLED),
    )
    dry_transformer_tolerance: _Tolerance | None = optional(
        "Impedance tolerance of PDU transformers",
        Default(0.10, "10 % of the nameplate impedance, UL 1561", RECALLED),
    )
    transformer_zero_sequence: Number | None = optional(
        "Zero-sequence over positive-sequence impedance of transformers with a grounded winding",
        Default(
            1.0, "Z0 equal to Z1 for a grounded winding with a delta winding; 0.85 to 1.0", RECALLED
        ),
        symbol="Z_0/Z_1",
    )
    cable_zero_resistance: _Ratio | None = optional(
        "Zero-sequence over positive-sequence resistance of conductors with their return path",
        Default(4.0, "R0 = R1 + 3 R of a return conductor of the same size", RULE),
        symbol="R_0/R_1",
    )
    cable_zero_reactance: _Ratio | None = optional(
        "Zero-sequence over positive-sequence reactance of conductors with their return path",
        Default(4.0, "same ratio as R0: a return conductor of the same size", RECALLED),
        symbol="X_0/X_1",
    )
    clearing_time: _Duration | None = optional(
        "Clearing time of the overcurrent devices, except devices of molded_case_time and "
        "power_breaker_time"
        ""
    )
    molded_case_time: _Duration | None = optional(
        "Instantaneous clearing time of miniature and molded-case breakers; if"
        " specified, conductors are checked with it instead of small_device",
        Default(None, "1.5 cycles of 60 Hz, no longer than clearing_time", IEEE_1584),
    )
    power_breaker_time: _Duration | None = optional(
        "Instantaneous clearing time of breakers above molded_case_rating",
        Default(None, "clearing_time; if not specified 3 cycles of 60 Hz", IEEE_1584),
    )
    small_device: SmallDevice | None = optional(
        "Device type up to molded_case_rating for the let-through energy in conductor"
        " checks: a listed US breaker, a class 3 miniature breaker, a fuse, or by time",
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
        "Let-through energy from manufacturers' curves of the devices", max_count=200
    )
    backup_device: Fuse | None = optional("Back-up fuse upstream of the small devices")
    backup_rating: _Rating | None = optional("Rating of the back-up fuse")
    molded_case_rating: _Rating | None = optional(
        "Maximum rating of breakers without intentional delay",
        Default(630.0, "utilization category A: molded-case breakers up to 600 or 630 A", _CLASS_A),
    )
    trip_multiple: _TripMultiple | None = optional(
        "Instantaneous pickup over rating, miniature and molded-case breakers"
    )
    delayed_trip_multiple: _TripMultiple | None = optional(
        "Short-time pickup over rating, devices above molded_case_rating, cleared in clearing_time"
    )
    electronic_trip_above: _Rating | None = optional(
        "Rating above which overcurrent devices have an electronic trip unit (LSI); at or below "
        "it they are thermal-magnetic",
        Default(250.0, "electronic trip units above 250 A, one manufacturer", _FRAMES),
    )
    ground_fault_protection: bool | None = optional(
        "Ground-fault protection (LSIG) of devices where the NEC requires it",
        Default("yes", "required by 215.10 and 230.95 where applicable", RULE),
    )
    arc_energy_reduction: ArcEnergy | None = optional(
        "Arc energy reduction method downstream of devices of 1,200 A and above, NEC 240.87",
        Default(
            "maintenance switch",
            "240.87(B): no wiring between devices, no setting of other devices",
            RULE,
        ),
    )
    switchgear_rating: _Rating | None = optional(
        "Interrupting rating of the medium-voltage switchgear"
    )
    board_rating: _Rating | None = optional("Interrupting rating of the LV boards")
    panel_rating: _Rating | None = optional("Interrupting rating of the panelboards")
    rack_pdu_rating: _Rating | None = optional("Short-circuit current rating of the rack PDUs")
    pdu_rating: _Rating | None = optional("Short-circuit current rating of the PDUs")
    ups_output_rating: _Rating | None = optional(
        "Interrupting rating of the UPS output switchboards"
    )
    ats_rating: _Rating | None = optional("Withstand and closing rating of the transfer switches")
    sts_rating: _Rating | None = optional(
        "Short-circuit current rating of the static transfer switches"
    )
    generator_bus_rating: _Rating | None = optional("Interrupting rating of the generator buses")

    @model_validator(mode="after")
    def _backup_whole(self) -> FaultSection:
        if (self.backup_device is None) != (self.backup_rating is None):
            raise problem(
                "CONTRADICTION",
                "a back-up fuse requires device and rating; one of them is missing.",
                "Enter both backup_device and backup_rating, e.g. gG and 63 A.",
                at="backup_rating" if self.backup_rating is None else "backup_device",
            )
        return self

    @model_validator(mode="after")
    def _in_order(self) -> FaultSection:
        other, molded = self.clearing_time, self.molded_case_time
        if other is not None and molded is not None and not within(molded.si, other.si):
            raise problem(
                "CONTRADICTION",
                f"molded-case breakers clear in {show_exact(molded.si, 'time')}, other"
                f" devices in {show_exact(other.si, 'time')} (clearing_time): devices without"
                " instantaneous trip cannot be faster.",
                "Enter a molded_case_time of at most clearing_time, or a longer clearing_time.",
                at="molded_case_time",
            )
        return self
