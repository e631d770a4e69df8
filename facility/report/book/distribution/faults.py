"""The Faults sheet: fault currents at every bus in every source state, least device ratings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.physics.faults.currents import first_cycle_peak, line_line_current
from facility.power.faults.device_checks import StateCurrents
from facility.power.faults.of_network import NetworkFaults
from facility.power.faults.types import FaultCurrents
from facility.power.network.graph.types import Network
from facility.power.substation.interrupting_ratings import least_rating
from facility.report.sheet.cells import Span
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

UNLIMITED = "unknown: fault level not given"
UNKNOWN = "unknown"
LIMITED = "held by the inverter"
NO_ENERGY = "Incident energy is not computed."
_DIGITS = 6
_PRIMARY = " primary"
_LOW_VOLTAGE_V = 1000.0
_PEAK = first_cycle_peak.in_cells(fault_current_a="{max3}", x_over_r="{xr}")


def _current(key: str, head: str, formula: str = "") -> Column[Values]:
    return Column(key, head, 12, "current", formula, "kA", "n2", "cell")


_COLUMNS: tuple[Column[Values], ...] = (
    Column("state", "Source", 18),
    Column("bus", "Bus", 17),
    Column("kind", "Kind", 17),
    Column("last", "To bus", 17),
    Column("count", "Pieces of equipment", 10, "count"),
    Column("voltage", "Voltage V", 9, "line_voltage"),
    _current("max3", "Highest, three-phase kA"),
    _current(
        "maxll", "Highest, line to line kA", line_line_current.in_cells(three_phase_a="{max3}")
    ),
    _current("maxlg", "Highest, line to ground kA"),
    _current("least3", "Lowest, three-phase kA"),
    _current(
        "leastll", "Lowest, line to line kA", line_line_current.in_cells(three_phase_a="{least3}")
    ),
    _current("leastlg", "Lowest, line to ground kA"),
    _current("sustained", "Lowest, sustained kA"),
    Column("xr", "X/R", 9, "ratio", number_format="n1"),
    _current("peak", "First peak kA", _PEAK),
    _current("duty", "To interrupt kA", "MAX({max3},{maxlg})"),
    Column("rating", "Least rating kA", 12, "current", unit="kA", number_format="n0"),
)


@dataclass(frozen=True)
class _Bus:
    """Buses of one state whose currents are equal: the first one's rows in both studies."""

    tags: tuple[str, ...]
    row: int
    low: int


def faults_sheet(name: str, faults: NetworkFaults, network: Network, furniture: Furniture) -> Sheet:
    """Return the fault currents, equal buses of one kind in one row."""
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(4, 4)), freeze=(5, 3))
    methods = {state.highest.method for state in faults.states.values()}
    write_heading(
        sheet,
        "Fault currents",
        f"Bolted faults, method {', '.join(sorted(methods))}. {NO_ENERGY}",
    )
    grid = Grid(sheet, 4, _COLUMNS, 54)
    grid.set_widths()
    pieces = Counter(faults.bus_of.values())
    for state, currents in faults.states.items():
        for bus in _alike(currents, network):
            row, plain = _row(state, currents, bus, network)
            grid.write(row | {"count": sum(pieces.get(tag, 1) for tag in bus.tags)}, plain)
    sheet.filter_span = Span(4, 1, grid.row - 1, len(_COLUMNS))
    for offset, text in enumerate(_notes(), start=grid.row + 1):
        sheet.merge(Span(offset, 1, offset, 14), text, "note")
    fit_heights(sheet, 5)
    return sheet


def _alike(currents: StateCurrents, network: Network) -> Iterator[_Bus]:
    """Yield the buses of a state, those of one kind and equal currents together."""
    highest, lowest = currents
    groups: dict[tuple[object, ...], list[int]] = {}
    for row, tag in enumerate(highest.tags):
        low = lowest.index(tag)
        numbers = (*_numbers(highest, row), *_numbers(lowest, low))
        groups.setdefault((_kind(tag, network), numbers), []).append(row)
    for rows in groups.values():
        tags = tuple(highest.tags[row] for row in rows)
        yield _Bus(tags, rows[0], lowest.index(tags[0]))


def _kind(tag: str, network: Network) -> str:
    """Return what a bus is: a piece of equipment, or the primary terminals of one."""
    own = tag if tag in network.index else tag.removesuffix(_PRIMARY)
    side = "" if own == tag else _PRIMARY
    return network[own].kind.replace("-", " ") + side


def _numbers(study: FaultCurrents, row: int) -> tuple[str, ...]:
    fields = (
        study.voltage_v,
        study.three_phase_a,
        study.line_line_a,
        study.line_ground_a,
        study.sustained_a,
        study.x_over_r,
        study.peak_a,
    )
    return tuple(f"{float(values[row]):.{_DIGITS}g}" for values in fields)


def _row(
    state: str, currents: StateCurrents, bus: _Bus, network: Network
) -> tuple[dict[str, GridValue], tuple[str, ...]]:
    """Return the row of a bus, and which of its columns are not live."""
    high, low, at, below = currents.highest, currents.lowest, bus.row, bus.low
    three, line, ground = (
        float(values[at]) for values in (high.three_phase_a, high.line_line_a, high.line_ground_a)
    )
    peak, ratio = float(high.peak_a[at]), float(high.x_over_r[at])
    limited = math.isnan(peak) and math.isfinite(three)
    row: dict[str, GridValue] = {
        "state": state,
        "bus": bus.tags[0],
        "kind": _kind(bus.tags[0], network),
        "last": bus.tags[-1] if len(bus.tags) > 1 else "",
        "voltage": float(high.voltage_v[at]),
        "max3": known(three),
        "maxll": known(line),
        "maxlg": known(ground),
        "least3": known(float(low.three_phase_a[below])),
        "leastll": known(float(low.line_line_a[below])),
        "leastlg": known(float(low.line_ground_a[below])),
        "sustained": known(float(low.sustained_a[below])),
        "xr": known(ratio),
        "peak": LIMITED if limited else known(peak),
    }
    row |= _rating(high, at)
    plain = [
        name
        for name, study, row_of in (("maxll", high, at), ("leastll", low, below))
        if not _derived(study, row_of)
    ]
    if high.method == "iec-60909" or math.isnan(ratio):
        plain.append("peak")
    return row, tuple(plain)


def _derived(study: FaultCurrents, row: int) -> bool:
    """Return whether the line-to-line current is that of the three-phase one, not of a limit."""
    of_three = math.sqrt(0.75) * float(study.three_phase_a[row])
    return math.isclose(float(study.line_line_a[row]), of_three, rel_tol=1e-12)


def _rating(high: FaultCurrents, at: int) -> dict[str, GridValue]:
    """Return what a device must interrupt, and the least usual rating for it."""
    duty = float(high.available_a[at])
    if not math.isfinite(duty):
        return {"duty": known(duty), "rating": UNKNOWN}
    if float(high.voltage_v[at]) > _LOW_VOLTAGE_V:
        return {"duty": duty, "rating": "by its class"}
    step = least_rating(duty)
    return {"duty": duty, "rating": "above the usual" if step is None else step.rating_a}


def known(value: float) -> GridValue:
    """Return a number, or the words that stand for one that is not known."""
    if math.isinf(value):
        return UNLIMITED
    return UNKNOWN if math.isnan(value) else value


def _notes() -> Sequence[str]:
    return (
        "Highest: cold conductors, least impedances, motors included. Lowest: hot conductors, no "
        "motors; sustained: once generators have fallen to what their excitation holds. On "
        "utility and generator the current reaches the loads through the static bypass of the UPS.",
        "First peak: √2 · I · (1 + e^(-π/(X/R))) of the three-phase fault; by IEC 60909 with kappa "
        "at 20 Hz, not live. To interrupt: the higher of three-phase and line to ground. Least "
        "rating: the next usual one, no series rating assumed; a higher X/R than that of its test "
        "may ask for the next one, see sheet Checks.",
        "Buses of one kind and equal currents stand in one row, from the first to the last of "
        "them; panels and rack PDUs on equal circuits from one source are one bus.",
        "An inverter on battery holds its current at its limit; what it feeds then has no peak.",
    )
