"""From the battery section of the project to its basis in SI."""

from __future__ import annotations

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.battery import BatterySection
from facility.model.power.battery import (
    LI_ION,
    VRLA,
    BatteryBasis,
    BatteryRoom,
    BatteryString,
    BlockBasis,
    RideThrough,
)
from facility.model.power.chain import PowerChain
from facility.power.battery.tables import DEFAULT_BLOCK, catalogue_block
from facility.study.resolve.criteria import given_or_assumed

_RULE = Source("planning-rule", "default of this program", verified="computed")
_MEMORY = Source("planning-value", "recalled, not read", verified="memory")
_BUS = Source("mitsubishi-9800a", "section 3.8.1")
_LEAD_ACID_S, _LI_ION_S = 600.0, 300.0
_DC_MAX_V, _DC_MIN_V = 540.0, 400.0
_CELLS = 6
_TEMPERATURE_C = 20.0
_BLOCKS_PER_CABINET = 40
_RECHARGES = 10.0
_ATTEMPTS, _TRANSFER_S = 3, 15.0


def resolve_battery(
    section: BatterySection, power: PowerChain, criteria: Criteria, trace: Trace
) -> BatteryBasis:
    """Return the UPS batteries: technology, block, autonomy and room.

    Parameters
    ----------
    section : BatterySection
        What the user said.
    power : PowerChain
        The chain they back up.
    criteria : Criteria
        Code and growth.
    trace : Trace
        Takes givens and assumptions.

    Raises
    ------
    FacilityError
        ``UNKNOWN_MODEL`` with near matches; ``BATTERY_CONTRADICTION`` for a model of another
        technology; ``BATTERY_POINTS`` for points of Li-ion blocks without their number in series.
    """
    technology = _technology(section, trace)
    block = _block(section, technology, trace)
    given = section.inverter_efficiency
    if given is None:
        trace.ledger.add_text(
            "power.battery.inverter_efficiency", "that of double conversion",
            "the efficiency of the module at the load, rectifier included, is below that of the"
            " inverter alone: the battery comes out larger", _RULE,
        )  # fmt: skip
    else:
        trace.given("power.battery.inverter_efficiency", given.si, "fraction", PROJECT)
    trace.ledger.add_text(
        "power.battery.load", "the design output",
        "sized on the load with growth after the designed failure, not on the module rating", _RULE,
    )  # fmt: skip
    autonomy_s = _autonomy(section, technology, trace)
    return BatteryBasis(
        technology=technology,
        block=block,
        autonomy_s=autonomy_s,
        end_v_per_cell=_end_voltage(section, technology, trace),
        ageing=_ageing(section, technology, trace),
        margin=_factor(
            trace, "design_margin", section.design_margin, "design_margin_min",
            "least margin of design practice",
        ),
        inverter_efficiency=None if given is None else given.si,
        string=_string(section, trace),
        room=_room(section, criteria, trace),
        ride_through=_ride_through(section, power, trace),
        recharge_s=given_or_assumed(
            trace, "power.battery.recharge_time", section.recharge_time, _RECHARGES * autonomy_s,
            "time", "ten times the autonomy", _MEMORY,
        ),
    )  # fmt: skip


def _technology(section: BatterySection, trace: Trace) -> str:
    listed = catalogue_block(section.model).text("technology") if section.model else ""
    if section.technology is None:
        if listed:
            return listed
        words = "no technology is given: valve-regulated lead-acid, the one with read tables"
        return trace.ledger.add_text("power.battery.technology", VRLA, words, _RULE)
    if listed and section.technology != listed:
        raise FacilityError(
            "BATTERY_CONTRADICTION",
            "power.battery.model",
            f"{section.model} is a {listed} block, not {section.technology}.",
            "Remove technology, or give points of a block of that technology.",
        )
    return section.technology


def _block(section: BatterySection, technology: str, trace: Trace) -> BlockBasis:
    if section.points is not None:
        return _own_block(section, technology, trace)
    model = section.model or ""
    if not model and technology == VRLA:
        words = "the largest block sold for UPS whose constant-power table is carried"
        model = trace.ledger.add_text("power.battery.model", DEFAULT_BLOCK, words, _RULE)
    return BlockBasis(model, (), None, None)


def _own_block(section: BatterySection, technology: str, trace: Trace) -> BlockBasis:
    cells = section.cells_per_block
    if cells is None and technology != LI_ION:
        cells = int(
            trace.assume("power.battery.cells_per_block", _CELLS, "count", "a block of 12 V", _RULE)
        )
    if technology == LI_ION and section.blocks_per_string is None:
        raise FacilityError(
            "BATTERY_POINTS",
            "power.battery.blocks_per_string",
            "the blocks in series of a Li-ion battery do not follow from lead-acid cell voltages.",
            "Give blocks_per_string; for the table of a whole cabinet write 1.",
        )
    trace.ledger.add_text(
        "power.battery.points",
        "at 25 °C and the end voltage",
        "the points are taken as a maker's table of a new block",
        _RULE,
    )
    points = tuple((p.time.si, p.block_power.si) for p in section.points or ())
    return BlockBasis("", points, cells, _si(section.capacity))


def _autonomy(section: BatterySection, technology: str, trace: Trace) -> float:
    li_ion = technology == LI_ION
    return given_or_assumed(
        trace,
        "power.battery.autonomy",
        section.autonomy,
        _LI_ION_S if li_ion else _LEAD_ACID_S,
        "time",
        "planning value: 5 min for Li-ion, 10 to 15 min for lead-acid",
        _MEMORY,
    )


def _end_voltage(section: BatterySection, technology: str, trace: Trace) -> float:
    if technology == LI_ION:
        row = table("electrical/battery_liion_typical").get("cell_end_voltage_lfp")
        basis = "lithium iron phosphate cells"
    else:
        row = table("electrical/battery_factors").get("end_of_discharge_ups")
        basis = "discharges of 5 to 15 min; 1.75 V for longer ones"
    return given_or_assumed(
        trace,
        "power.battery.end_voltage",
        section.end_voltage,
        _number(row),
        "dc_voltage",
        basis,
        row.cite("value"),
    )


def _ageing(section: BatterySection, technology: str, trace: Trace) -> float:
    if technology != LI_ION:
        return _factor(
            trace,
            "ageing",
            section.ageing,
            "ageing_factor_lead_acid",
            "end of life at 80 % of the capacity",
        )
    row = table("electrical/battery_liion_typical").get("ageing_factor")
    return given_or_assumed(
        trace,
        "power.battery.ageing",
        section.ageing,
        _number(row),
        "ratio",
        "tables of Li-ion makers are often those of the end of life; 1.25 where they are not",
        row.cite("value"),
    )


def _factor(trace: Trace, name: str, given: Measured | None, key: str, basis: str) -> float:
    row = table("electrical/battery_factors").get(key)
    return given_or_assumed(
        trace, f"power.battery.{name}", given, _number(row), "ratio", basis, row.cite("value")
    )


def _string(section: BatterySection, trace: Trace) -> BatteryString:
    if section.arrangement is None:
        words = "each module has batteries of its own, which are lost with it"
        trace.ledger.add_text("power.battery.arrangement", "module", words, _RULE)
    row = table("electrical/battery_factors").get("float_voltage")
    float_v = trace.assume("power.battery.float_voltage", _number(row), "dc_voltage",
                           "per cell", row.cite("value"))  # fmt: skip
    cabinet = section.blocks_per_cabinet
    if cabinet is None:
        words = "one string of 40 blocks of 12 V in a cabinet"
        cabinet = int(trace.assume("power.battery.blocks_per_cabinet", _BLOCKS_PER_CABINET, "count",
                                   words, _MEMORY))  # fmt: skip
    else:
        trace.given("power.battery.blocks_per_cabinet", cabinet, "count", PROJECT)
    return BatteryString(
        dc_max_v=given_or_assumed(
            trace, "power.battery.dc_bus_max", section.dc_bus_max, _DC_MAX_V, "dc_voltage",
            "a UPS of 240 cells on float; the catalogue does not know the DC bus of its modules",
            _BUS,
        ),
        dc_min_v=given_or_assumed(
            trace, "power.battery.dc_bus_min", section.dc_bus_min, _DC_MIN_V, "dc_voltage",
            "end of the discharge of a UPS of 240 cells", _BUS,
        ),
        float_v_per_cell=float_v,
        blocks=section.blocks_per_string,
        strings=section.strings,
        blocks_per_cabinet=cabinet,
        per_module=section.arrangement != "bus",
    )  # fmt: skip


def _room(section: BatterySection, criteria: Criteria, trace: Trace) -> BatteryRoom:
    boost, airflow = section.boost_charge, section.room_airflow
    if airflow is not None:
        trace.given("power.battery.room_airflow", airflow.si, "air_flow", PROJECT)
    if boost is None:
        words = "the charger can boost (2.4 V per cell): full cells gas most"
        trace.ledger.add_text("power.battery.boost_charge", "true", words, _RULE)
    return BatteryRoom(
        temperature_c=given_or_assumed(
            trace,
            "power.battery.temperature",
            section.temperature,
            _TEMPERATURE_C,
            "temperature",
            "lowest electrolyte temperature of a conditioned battery room",
            _MEMORY,
        ),
        airflow_m3_s=_si(airflow),
        boost=boost is not False,
        code=criteria.code,
    )


def _ride_through(section: BatterySection, power: PowerChain, trace: Trace) -> RideThrough:
    attempts = section.start_attempts
    if attempts is None:
        words = "attempts to start before the sets are given up"
        attempts = int(
            trace.assume("power.battery.start_attempts", _ATTEMPTS, "count", words, _MEMORY)
        )
    else:
        trace.given("power.battery.start_attempts", attempts, "count", PROJECT)
    return RideThrough(
        start_s=power.generator.operation.start_s,
        attempts=attempts,
        transfer_s=given_or_assumed(
            trace,
            "power.battery.transfer_time",
            section.transfer_time,
            _TRANSFER_S,
            "time",
            "from load on the sets to the UPS carried by them: transfer and walk-in",
            _MEMORY,
        ),
    )


def _number(row: Row) -> float:
    return float(row.require("value"))


def _si(given: Measured | None) -> float | None:
    return None if given is None else given.si
