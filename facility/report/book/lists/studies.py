"""Inputs of coordination and arc-flash studies: buses by source, and protective devices."""

from __future__ import annotations

from collections.abc import Iterator

from facility.power.feeders.trip_units import TRIP_FUNCTIONS
from facility.report.book.lists.cables import circuit_cells
from facility.report.book.lists.circuits import listing_sheet
from facility.report.sheet.grid import Column, GridValue, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design


def _kiloamperes(key: str, head: str) -> Column[Values]:
    return Column(key, head, 12, "current", unit="kA", number_format="n3")


def _milliohms(key: str, head: str) -> Column[Values]:
    return Column(key, head, 10, "resistance", unit="mohm", number_format="n4")


_BUSES: tuple[Column[Values], ...] = (
    Column("bus", "Bus", 18),
    Column("state", "Source", 18),
    Column("voltage", "Volts L-L", 10, "line_voltage"),
    _kiloamperes("max3", "Maximum three-phase kA"),
    _kiloamperes("maxll", "Maximum line-to-line kA"),
    _kiloamperes("maxlg", "Maximum line-to-ground kA"),
    _kiloamperes("min3", "Minimum three-phase kA"),
    _kiloamperes("minlg", "Minimum line-to-ground kA"),
    _kiloamperes("sustained", "Minimum sustained kA"),
    Column("xr", "X/R", 9, "ratio"),
    _kiloamperes("peak", "First peak kA"),
    Column("clearing", "Clearing time s", 12, "time", number_format="n3"),
)
_DEVICES: tuple[Column[Values], ...] = (
    Column("tag", "Circuit", 22),
    Column("source", "From", 14),
    Column("target", "To", 20),
    Column("stage", "Stage", 11),
    Column("runs", "Circuits", 8, "count"),
    Column("voltage", "Volts L-L", 9, "line_voltage"),
    Column("poles", "Poles", 6, "count"),
    Column("ocpd", "Device A", 9, "current", number_format="n0"),
    Column("functions", "Trip functions", 28),
    Column("pickup", "Instantaneous or short-time pickup A", 12, "current", number_format="n0"),
    Column("delay", "Delay s", 8, "time", number_format="n3"),
    Column("clearing", "Clearing time s", 9, "time", number_format="n3"),
    Column("conductors", "Conductors", 38),
    Column("raceway", "Raceway / method", 14),
    Column("length", "Length one way m", 9, "length"),
    _milliohms("resistance", "R of all sets mΩ"),
    _milliohms("reactance", "X of all sets mΩ"),
)


def study_buses_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return fault currents, X/R and clearing time of every bus on every source."""
    return listing_sheet(name, _BUSES, _buses(design), page_setup, large=True)[0]


def study_devices_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return device, trip functions, conductors and impedance of every circuit."""
    return listing_sheet(name, _DEVICES, _devices(design), page_setup, large=True)[0]


def _buses(design: Design) -> Iterator[Values]:
    found = design.distribution
    clearing = {(one.state, one.bus): one.clearing_s for one in found.arc_flash}
    for state, (highest, lowest) in found.faults.states.items():
        for row, bus in enumerate(highest.tags):
            low = lowest.index(bus)
            yield {
                "bus": bus,
                "state": state,
                "voltage": float(highest.voltage_v[row]),
                "max3": _known(highest.three_phase_a[row]),
                "maxll": _known(highest.line_line_a[row]),
                "maxlg": _known(highest.line_ground_a[row]),
                "min3": _known(lowest.three_phase_a[low]),
                "minlg": _known(lowest.line_ground_a[low]),
                "sustained": _known(lowest.sustained_a[low]),
                "xr": _known(highest.x_over_r[row]),
                "peak": _known(highest.peak_a[row]),
                "clearing": clearing.get((state, bus)),
            }


def _known(value: float) -> GridValue:
    """Return a number, or None for one that is unknown or unlimited."""
    return float(value) if abs(value) < float("inf") else None


def _devices(design: Design) -> Iterator[Values]:
    code, basis = design.facility.criteria.code, design.facility.electrical.faults
    for feeder in design.distribution.feeders.feeders:
        circuit, choice = feeder.circuit, feeder.choice
        row = circuit_cells(feeder, code) | {
            "runs": circuit.runs,
            "functions": "relay" if circuit.stage == "mv" else "",
            "clearing": feeder.clearing_s,
        }
        if feeder.trip is not None:
            row["functions"] = TRIP_FUNCTIONS[feeder.trip.functions]
        if choice is None:
            yield row
            continue
        pickup_a, delay_s = (None, 0.0)
        if circuit.stage != "mv":
            pickup_a, delay_s = basis.trip_of(choice.ocpd_a)
        yield row | {
            "pickup": pickup_a,
            "delay": None if pickup_a is None else delay_s,
            "resistance": choice.group_resistance_ohm,
            "reactance": choice.group_reactance_ohm,
        }
