"""Battery section of the project, resolved to SI."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.sources import RULE
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
from facility.power.battery.tables import catalogue_block
from facility.study.resolve.reader import Reader

_BUS_CELLS = 240.0
"""Cells in series of the UPS used for the default DC bus."""
_GASSING_V = 2.4
"""Gassing voltage of a lead-acid cell (unverified)."""
_ROOT = "power.battery"
_FACTORS, _LI_ION = "electrical/battery_factors", "electrical/battery_liion_typical"
_LEAD_ACID_S, _LI_ION_S = 600.0, 300.0
_RECHARGES = 10.0


def resolve_battery(
    section: BatterySection, power: PowerChain, criteria: Criteria, trace: Trace
) -> BatteryBasis:
    """Return the UPS batteries: technology, block, autonomy and room.

    Raises ``UNKNOWN_MODEL`` with near matches; ``BATTERY_CONTRADICTION`` for a model of another
    technology, or a float voltage unsuitable for its cells; ``BATTERY_POINTS`` for points of
    Li-ion blocks without their number in series.
    """
    read = Reader(section, _ROOT, trace)
    technology = _technology(section, read)
    if section.points is not None:
        block = _own_block(section, technology, read)
    else:
        stated = section.model is not None
        block = BlockBasis(section.model or "", (), None, None, stated=stated)
    inverter = read.given("inverter_efficiency")
    trace.ledger.add_text(
        "power.battery.load",
        "the design output",
        "sized on the load with growth after the design failure, not on the module rating",
        RULE,
    )
    li_ion = technology == LI_ION
    autonomy_s = read("autonomy", _LI_ION_S if li_ion else _LEAD_ACID_S)
    if li_ion:
        basis = "lithium iron phosphate cells"
        end_v = _from_table(read, "end_voltage", _LI_ION, "cell_end_voltage_lfp", basis)
    else:
        basis = "discharges of 5 to 15 min; 1.75 V for longer ones"
        end_v = _from_table(read, "end_voltage", _FACTORS, "end_of_discharge_ups", basis)
    return BatteryBasis(
        technology=technology,
        block=block,
        autonomy_s=autonomy_s,
        end_v_per_cell=end_v,
        ageing=_ageing(li_ion, read),
        margin=_from_table(
            read,
            "design_margin",
            _FACTORS,
            "design_margin_min",
            "minimum design margin in practice",
        ),
        inverter_efficiency=inverter,
        string=_string(section, li_ion, end_v, read),
        room=_room(criteria, read),
        ride_through=RideThrough(
            start_s=power.generator.operation.start_s,
            attempts=read.count("start_attempts"),
            transfer_s=read("transfer_time"),
        ),
        recharge_s=read("recharge_time", _RECHARGES * autonomy_s),
    )


def _technology(section: BatterySection, read: Reader) -> str:
    listed = catalogue_block(section.model).text("technology") if section.model else ""
    if section.technology is None:
        if listed:
            return listed
        words = "no technology specified: valve-regulated lead-acid, the type with read tables"
        return read.word("technology", None, VRLA, words)
    if listed and section.technology != listed:
        raise FacilityError(
            "BATTERY_CONTRADICTION",
            "power.battery.model",
            f"{section.model} is a {listed} block, not {section.technology}.",
            "Remove technology, or enter points of a block of that technology.",
        )
    return section.technology


def _own_block(section: BatterySection, technology: str, read: Reader) -> BlockBasis:
    cells = section.cells_per_block
    if cells is None and technology != LI_ION:
        cells = read.count("cells_per_block")
    if technology == LI_ION and section.blocks_per_string is None:
        raise FacilityError(
            "BATTERY_POINTS",
            "power.battery.blocks_per_string",
            "the blocks in series of a Li-ion battery cannot be derived from lead-acid cell"
            " voltages.",
            "Enter blocks_per_string; for the table of a whole cabinet enter 1.",
        )
    read.trace.ledger.add_text(
        "power.battery.points",
        "at 25 °C and the end voltage",
        "the points are assumed to be a manufacturer's table of a new block",
        RULE,
    )
    points = tuple((p.time.si, p.block_power.si) for p in section.points or ())
    return BlockBasis("", points, cells, read.si("capacity"))


def _from_table(read: Reader, name: str, of: str, key: str, basis: str) -> float:
    row = table(of).get(key)
    return read(name, float(row.require("value")), basis, row.cite("value"))


def _ageing(li_ion: bool, read: Reader) -> float:
    if li_ion:
        basis = "Li-ion tables often apply at end of life; enter 1.25 if the table does not"
        return _from_table(read, "ageing", _LI_ION, "ageing_factor", basis)
    basis = "end of life at 80 % of the capacity"
    return _from_table(read, "ageing", _FACTORS, "ageing_factor_lead_acid", basis)


def _string(section: BatterySection, li_ion: bool, end_v: float, read: Reader) -> BatteryString:
    arrangement = read.word("arrangement", section.arrangement)
    float_v = _from_table(read, "float_voltage", _FACTORS, "float_voltage", "per cell")
    if section.float_voltage is not None and (li_ion or not end_v < float_v <= _GASSING_V):
        raise FacilityError(
            "BATTERY_CONTRADICTION",
            f"{_ROOT}.float_voltage",
            "the float voltage of Li-ion cells is not used."
            if li_ion
            else f"{float_v:g} V is not a lead-acid float voltage: the cell ends its discharge at"
            f" {end_v:g} V and produces gas from {_GASSING_V:g} V.",
            "Remove float_voltage, or enter the manufacturer's value: about 2.2 to 2.3 V per cell.",
        )
    cabinet = read.count("blocks_per_cabinet")
    return BatteryString(
        dc_max_v=read("dc_bus_max", _BUS_CELLS * float_v),
        dc_min_v=read("dc_bus_min"),
        float_v_per_cell=float_v,
        blocks=section.blocks_per_string,
        strings=section.strings,
        blocks_per_cabinet=cabinet,
        per_module=arrangement != "bus",
    )


def _room(criteria: Criteria, read: Reader) -> BatteryRoom:
    airflow = read.given("room_airflow")
    boost = read.flag("boost_charge")
    return BatteryRoom(
        temperature_c=read("temperature"), airflow_m3_s=airflow, boost=boost, code=criteria.code
    )
