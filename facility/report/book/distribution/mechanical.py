"""The Mechanical circuits sheet: cooling unit circuits and their mechanical boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from facility.core.rounding import within
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.motor_circuits import motor_conductor_current, motor_feeder_device
from facility.power.faults.of_network import highest_faults
from facility.power.feeders.motors.circuits import MechanicalCircuit
from facility.power.feeders.schedule import Feeder
from facility.power.network.build.mechanical import MechanicalBoard
from facility.power.panels.board.motor_devices import CONDUCTOR_FACTOR
from facility.report.book.panels.supply import size_text
from facility.report.sheet.grid import Column, GridValue, SheetTable, Values, verdict_word
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes
from facility.study.design.design import Design

_W, _A = "active_power", "current"
_Row = dict[str, GridValue]

MECHANICAL_CIRCUITS: SheetTable[Values] = SheetTable(
    "Cooling unit circuits, one per unit",
    (
        Column("tag", "Tag", 18, style="cell"),
        Column("name", "Units", 26, style="cell"),
        Column("supply", "Supply", 11, style="cell"),
        Column("installed", "Installed", 9, "count"),
        Column("duty", "Duty", 8, "count"),
        Column("rated", "Rated input, each (kW)", 10, _W, number_format="n2"),
        Column("hour", "Design hour, all (kW)", 10, _W, number_format="n2"),
        Column("voltage", "Voltage, L-L (V)", 8, "line_voltage"),
        Column("factor", "Power factor", 8, "ratio"),
        Column(
            "current", "Rated current (A)", 9, _A,
            three_phase_current.in_cells(
                apparent_va="{rated}/{factor}", line_voltage_v="{voltage}"
            ),
        ),
        Column("times", "Factor, conductors", 10, "ratio"),
        Column("required", "Minimum ampacity (A)", 9, _A, "{times}*{current}"),
        Column("conductor", "Line conductor", 18, style="finding"),
        Column("ampacity", "Ampacity (A)", 9, _A),
        Column("egc", "Earth conductor", 11, style="finding"),
        Column("device", "Device (A)", 8, _A, number_format="n0"),
        Column("most", "Maximum permitted (A)", 10, _A, number_format="n0"),
        Column("held", "Device and ampacity", 10, "verdict"),
        Column("words", "Device type", 26, style="cell"),
        Column("articles", "Articles", 24, style="cell"),
        Column("basis", "Basis of count and rated input", 44, style="cell"),
    ),
    54,
    (("held", '{}="CHECK"', "bad"),),
)  # fmt: skip

MECHANICAL_BOARDS: SheetTable[Values] = SheetTable(
    "Mechanical boards and their feeders",
    (
        Column("tag", "Board", 18, style="cell"),
        Column("units", "Units", 26, style="cell"),
        Column("source", "Fed from", 11, style="cell"),
        Column("other", "Alternate source", 10, style="cell"),
        Column("count", "Circuits", 8, "count"),
        Column("load", "Running load (A)", 10, _A),
        Column("largest", "Largest motor (A)", 10, _A),
        Column("branch", "Largest branch device (A)", 8, _A, number_format="n0"),
        Column("times", "Factor, largest motor", 8, "ratio"),
        Column(
            "conductor_a", "Minimum ampacity (A)", 9, _A,
            motor_conductor_current.in_cells(
                largest_a="{largest}", rest_a="({load}-{largest})", factor="{times}"
            ),
        ),
        Column(
            "least", "Device and other motors (A)", 10, _A,
            motor_feeder_device.in_cells(
                branch_device_a="{branch}", rest_a="({load}-{largest})"
            ),
        ),
        Column("device", "Feeder device (A)", 9, _A, number_format="n0"),
        Column("conductor", "Feeder conductors", 18, style="finding"),
        Column("ampacity", "Ampacity (A)", 9, _A),
        Column("most", "Maximum by 430.62(A) (A)", 11, _A),
        Column("basis", "Permitted by", 22, style="finding"),
        Column("fault", "Maximum fault current, supply (kA)", 10, _A, unit="kA",
               number_format="n2"),
    ),
    54,
)  # fmt: skip

_NOT_COUNTED: SheetTable[Values] = SheetTable(
    "Loads without unit data: circuits by the detailed design",
    (
        Column("tag", "Tag", 18, style="cell"),
        Column("name", "Load", 26, style="cell"),
        Column("supply", "Supply", 11, style="cell"),
        Column("hour", "Design hour, all (kW)", 9, _W, number_format="n2"),
    ),
    30,
)

_NOTES = (
    "Together, the loads at the design hour are the cooling load of the power chain. A circuit is"
    " sized for the rated input of its unit; nameplate currents (MCA, MOP) replace the calculated"
    " ones when equipment is selected.",
    "NEC: conductors 125 % of the rated current (430.22, 430.122, 440.32). Device of a drive: the"
    " next rating from 125 %, at most 250 % (430.52(C)(1)); of a compressor: the largest rating up"
    " to 175 %, at most 225 % to start (440.22(A)). IEC: Ib <= In <= Iz.",
    "Feeder: conductors 430.24; device not below the largest branch device plus the other running "
    "motors. Where it is above 430.62(A), it follows the ampacity of its conductors,"
    " 430.62(B), or the next standard rating, 240.4(B). Feeders of one type have the device and"
    " conductors of the most loaded one: on smaller boards they exceed the requirement.",
    "A mechanical board feeds the units of one lineup number and is supplied through a transfer "
    "switch. Units are whole: their current on a board differs from its share of the network's "
    "cooling load, and the feeder carries the larger of the two. Boards of one lineup number are "
    "identical, sized for the most loaded of them. No more units count than carry the load "
    "(430.26). Branch devices interrupt the fault current of the supply.",
)


def mechanical_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return the schedule of mechanical boards and of the circuits on them."""
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    write_heading(
        sheet,
        "Mechanical circuits",
        "The cooling load by equipment: the circuit of each unit, and the mechanical boards that"
        " the feeders of stage mechanical on the sheet Feeders supply.",
    )
    row = MECHANICAL_CIRCUITS.write_if(sheet, 4, list(mechanical_circuit_rows(design)))
    row = MECHANICAL_BOARDS.write_if(sheet, row, list(mechanical_board_rows(design)))
    row = _NOT_COUNTED.write_if(sheet, row, list(_not_counted(design)))
    sheet.set_widths(*(column.width for column in MECHANICAL_CIRCUITS.columns))
    write_notes(sheet, row, 16, _NOTES)
    fit_heights(sheet, 3)
    return sheet


def _supply(on_ups: bool) -> str:
    return "UPS" if on_ups else "LV boards"


def unit_range(tag: str, first: int, count: int) -> str:
    """Return the tags of consecutive units, first and last."""
    return f"{tag}-{first}" if count == 1 else f"{tag}-{first} to {tag}-{first + count - 1}"


def mechanical_circuit_rows(design: Design) -> Iterator[_Row]:
    """Yield the circuit of each type of cooling unit."""
    code = design.facility.criteria.code
    factor = design.chain.chain.mechanical_power_factor
    for one in design.distribution.mechanical.circuits:
        units, device, choice = one.unit.units, one.unit.device, one.choice
        found: _Row = {
            "tag": unit_range(units.tag, 1, units.installed),
            "name": units.name,
            "supply": _supply(units.on_ups),
            "installed": units.installed,
            "duty": units.duty,
            "rated": units.rated_w,
            "hour": units.hour_w,
            "voltage": one.voltage_v,
            "factor": factor,
            "current": one.unit.current_a,
            "times": CONDUCTOR_FACTOR if code == "NEC" else 1.0,
            "required": one.conductor_a,
            "device": device.rating_a,
            "most": device.max_a if code == "NEC" else None,
            "words": one.device_words,
            "articles": one.articles,
            "basis": units.basis,
        }
        if choice is None:
            yield found | {"conductor": one.refused, "held": "CHECK"}
            continue
        yield found | {
            "conductor": choice.label.replace("mm2", "mm²"),
            "ampacity": choice.ampacity_a,
            "egc": size_text(one.egc, code) if one.egc and not choice.is_busway else "housing",
            "held": verdict_word(_holds(one)),
        }


def _holds(one: MechanicalCircuit) -> bool:
    device, choice = one.unit.device, one.choice
    return (
        choice is not None
        and within(one.conductor_a, choice.ampacity_a)
        and within(device.rating_a, device.max_a)
    )


def mechanical_board_rows(design: Design) -> Iterator[_Row]:
    """Yield the mechanical boards with their feeders."""
    found = design.distribution
    feeders = {feeder.circuit.tag: feeder for feeder in found.feeders.feeders}
    fault_a, installed = highest_faults(found.faults), Counter[str]()
    nec = design.facility.criteria.code == "NEC"
    for board in found.mechanical.boards:
        names = []
        for unit, count in board.units:
            tag = unit.units.tag
            names.append(unit_range(tag, installed[tag] + 1, count))
            installed[tag] += count
        motors, count = board.motors, sum(count for _, count in board.units)
        known = [fault_a[source] for source in board.sources if source in fault_a]
        yield {
            "tag": board.tag,
            "units": ", ".join(names),
            "source": board.sources[0],
            "other": ", ".join(board.sources[1:]) or "none",
            "count": count,
            "load": motors.load_a,
            "largest": motors.largest_a,
            "branch": motors.device.rating_a,
            "times": CONDUCTOR_FACTOR if nec else 1.0,
            "conductor_a": motors.conductor_a if nec else motors.load_a,
            "least": motors.min_device_a,
            "most": motors.max_device_a if nec else None,
            "fault": max(known) if len(known) == len(board.sources) else None,
            **_feeder(feeders, board, nec=nec),
        }


def _feeder(feeders: Mapping[str, Feeder], board: MechanicalBoard, *, nec: bool) -> _Row:
    """Return device and conductors of a feeder, and the clause that permits the device.

    Feeders of one type have the device and the conductors of the most loaded one.
    """
    feeder = feeders[f"{board.sources[0]}>{board.load}"]
    choice = feeder.choice
    if choice is None:
        return {}
    found: _Row = {
        "device": choice.ocpd_a,
        "conductor": choice.label.replace("mm2", "mm²"),
        "ampacity": choice.ampacity_a,
    }
    if not nec:
        return found
    model = feeder.heaviest if feeder.heaviest != feeder.circuit.tag else ""
    limit_a = board.motors.max_device_a
    return found | {"basis": permitted_by(choice.ocpd_a, limit_a, choice.ampacity_a, model)}


def permitted_by(device_a: float, limit_a: float, ampacity_a: float, model: str) -> str:
    """Return what permits the device of a motor feeder.

    device_a: Its rating [A].
    limit_a: Maximum rating by NEC 430.62(A) [A].
    ampacity_a: Ampacity of the conductors, permitted by 430.62(B) [A].
    model: Most loaded feeder of its type, if another.
    """
    alike = f", sized with {model}" if model else ""
    if within(device_a, limit_a):
        return f"430.62(A){alike}"
    return f"430.62(B), ampacity{alike}" if within(device_a, ampacity_a) else "CHECK"


def _not_counted(design: Design) -> Iterator[_Row]:
    for units in design.electrical_units:
        if not units.installed:
            supply = _supply(units.on_ups)
            yield {"tag": units.tag, "name": units.name, "supply": supply, "hour": units.hour_w}
