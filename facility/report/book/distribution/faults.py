"""The sheets Faults and Arc flash: currents at every bus, minimum ratings, arc-flash inputs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from facility.physics.faults.currents import first_cycle_peak, line_line_current
from facility.power.faults.arc_flash import ArcFlashInput
from facility.power.faults.device_checks import StateCurrents
from facility.power.faults.of_network import NetworkFaults
from facility.power.faults.types import FaultCurrents
from facility.power.network.graph.types import Network
from facility.power.substation.interrupting_ratings import lowest_rating
from facility.report.sheet.grid import Column, GridValue, SheetTable
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading, write_notes

UNLIMITED = "unknown: fault level not specified"
UNKNOWN = "unknown"
LIMITED = "limited by the inverter"
NO_ENERGY = "Incident energy is not computed."
_DIGITS = 6
_PRIMARY = " primary"
_LOW_VOLTAGE_V = 1000.0
_PEAK = first_cycle_peak.in_cells(fault_current_a="{max3}", x_over_r="{xr}")

_HIGHEST = (
    "bolted fault with the minimum impedances of utility, transformers and conductors, in the "
    "source state of the row"
)
_LOWEST = "the same network at its largest impedances and lowest voltage"


@dataclass(frozen=True)
class FaultRow:
    """Buses of one type with equal currents, in one source state.

    `row` and `low` are the rows of the first bus in the maximum and minimum current studies;
    `pieces` is the number of devices on all of them.
    """

    state: str
    kind: str
    tags: tuple[str, ...]
    currents: StateCurrents
    row: int
    low: int
    pieces: int

    def highest(self, name: str) -> float:
        """Return a figure of the maximum-current study."""
        return float(getattr(self.currents.highest, name)[self.row])

    def lowest(self, name: str) -> float:
        """Return a figure of the minimum-current study."""
        return float(getattr(self.currents.lowest, name)[self.low])

    @property
    def peak(self) -> GridValue:
        """First peak; a current-limited inverter has none."""
        peak_a = self.highest("peak_a")
        limited = math.isnan(peak_a) and math.isfinite(self.highest("three_phase_a"))
        return LIMITED if limited else known(peak_a)

    @property
    def peak_is_live(self) -> bool:
        """Whether the sheet computes the peak; kappa of IEC 60909 needs more than the current."""
        method = self.currents.highest.method
        return method != "iec-60909" and not math.isnan(self.highest("x_over_r"))

    @property
    def rating(self) -> GridValue:
        """Lowest usual device rating that interrupts the current."""
        duty = self.highest("available_a")
        if not math.isfinite(duty):
            return UNKNOWN
        if self.highest("voltage_v") > _LOW_VOLTAGE_V:
            return "by its class"
        step = lowest_rating(duty)
        return "above the usual" if step is None else step.rating_a


def _current(
    key: str,
    head: str,
    of: Callable[[FaultRow], float],
    formula: str = "",
    live: Callable[[FaultRow], bool] | None = None,
    because: str = "",
) -> Column[FaultRow]:
    return Column(key, head, 12, "current", formula, "kA", "n2", "cell", lambda b: known(of(b)),
                  live, because=because)  # fmt: skip


FAULTS: SheetTable[FaultRow] = SheetTable(
    "Fault currents",
    (
        Column("state", "Source", 18),
        Column("bus", "Bus", 17, of=lambda b: b.tags[0]),
        Column("kind", "Kind", 17),
        Column("last", "To bus", 17, of=lambda b: b.tags[-1] if len(b.tags) > 1 else ""),
        Column("count", "Quantity", 10, "count", of=lambda b: b.pieces,
               because="on the buses of the row, which have equal currents"),
        Column("voltage", "Voltage (V)", 9, "line_voltage", of=lambda b: b.highest("voltage_v"),
               because="nominal, line to line"),
        _current("max3", "Maximum, three-phase (kA)", lambda b: b.highest("three_phase_a"),
                 because=_HIGHEST),
        _current("maxll", "Maximum, line-to-line (kA)", lambda b: b.highest("line_line_a"),
                 line_line_current.in_cells(three_phase_a="{max3}"),
                 lambda b: _derived(b.highest), _HIGHEST),
        _current("maxlg", "Maximum, line-to-ground (kA)", lambda b: b.highest("line_ground_a"),
                 because=f"{_HIGHEST}; the impedance of the zero sequence is that of the earthed "
                 "windings and their conductors"),
        _current("least3", "Minimum, three-phase (kA)", lambda b: b.lowest("three_phase_a"),
                 because=_LOWEST),
        _current("leastll", "Minimum, line-to-line (kA)", lambda b: b.lowest("line_line_a"),
                 line_line_current.in_cells(three_phase_a="{least3}"),
                 lambda b: _derived(b.lowest), _LOWEST),
        _current("leastlg", "Minimum, line-to-ground (kA)", lambda b: b.lowest("line_ground_a"),
                 because=_LOWEST),
        _current("sustained", "Minimum, sustained (kA)", lambda b: b.lowest("sustained_a"),
                 because="after the first cycles: sustained current of generators and inverters"),
        Column("xr", "X/R", 9, "ratio", number_format="n1",
               of=lambda b: known(b.highest("x_over_r")),
               because="of the impedance up to the bus, for the highest current"),
        Column("peak", "First peak (kA)", 12, "current", _PEAK, "kA", "n2", "cell",
               lambda b: b.peak, lambda b: b.peak_is_live),
        _current("duty", "Interrupting duty (kA)", lambda b: b.highest("available_a"),
                 "MAX({max3},{maxlg})"),
        Column("rating", "Minimum rating (kA)", 12, "current", unit="kA", number_format="n0",
               because="lowest usual device rating not below the interrupting duty"),
    ),
    head_height=54,
)  # fmt: skip


def faults_sheet(
    name: str, faults: NetworkFaults, network: Network, page_setup: PageSetup
) -> Sheet:
    """Return the fault currents, with equal buses of one type in one row."""
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(4, 4)), freeze=(5, 3))
    methods = {state.highest.method for state in faults.states.values()}
    write_heading(
        sheet, FAULTS.title, f"Bolted faults, method {', '.join(sorted(methods))}. {NO_ENERGY}"
    )
    grid = FAULTS.write_alone(sheet, 4, fault_rows(faults, network))
    sheet.filter_span = Span(4, 1, grid.row - 1, len(grid.columns))
    write_notes(sheet, grid.row + 1, 14, _notes())
    fit_heights(sheet, 5)
    return sheet


def fault_rows(faults: NetworkFaults, network: Network) -> Iterator[FaultRow]:
    """Yield the buses of each state, grouped by type and equal currents."""
    pieces = Counter(faults.bus_of.values())
    for state, currents in faults.states.items():
        highest, lowest = currents
        groups: dict[tuple[str, object], list[int]] = {}
        for row, tag in enumerate(highest.tags):
            numbers = (*_numbers(highest, row), *_numbers(lowest, lowest.index(tag)))
            groups.setdefault((_kind(tag, network), numbers), []).append(row)
        for (kind, _), rows in groups.items():
            tags = tuple(highest.tags[row] for row in rows)
            count = sum(pieces.get(tag, 1) for tag in tags)
            yield FaultRow(state, kind, tags, currents, rows[0], lowest.index(tags[0]), count)


def _kind(tag: str, network: Network) -> str:
    """Return the bus type: equipment, primary terminals of equipment, or a load."""
    own = tag if tag in network.index else tag.removesuffix(_PRIMARY)
    if own not in network.index:
        return "cooling or building load"
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


def _derived(study: Callable[[str], float]) -> bool:
    """Return whether the line-to-line current follows from the three-phase current, not a limit."""
    of_three = math.sqrt(0.75) * study("three_phase_a")
    return math.isclose(study("line_line_a"), of_three, rel_tol=1e-12)


def known(value: float) -> GridValue:
    """Return a number, or the text of an unknown one."""
    if math.isinf(value):
        return UNLIMITED
    return UNKNOWN if math.isnan(value) else value


def _notes() -> Sequence[str]:
    return (
        "Maximum: cold conductors, minimum impedances, motors included. Minimum: hot conductors, "
        "no motors; sustained: after generators have decayed to the current their excitation "
        "supports. On utility and generator the current reaches the loads through the static "
        "bypass of the UPS.",
        "First peak: √2 · I · (1 + e^(-π/(X/R))) of the three-phase fault; by IEC 60909 with kappa "
        "at 20 Hz, not live. Interrupting duty: the higher of three-phase and line to ground. "
        "Minimum rating: the next usual rating, no series rating assumed; an X/R above the test "
        "value of the device may require the next higher rating, see sheet Checks.",
        "Buses of one type with equal currents share a row, first to last tag; panels and rack "
        "PDUs on equal circuits from one source are one bus.",
        "An inverter on battery limits its current; faults it feeds have no first peak.",
    )


def _known(value: float | None) -> GridValue:
    return UNKNOWN if value is None else value


def _blank(key: str, head: str, width: float) -> Column[ArcFlashInput]:
    """Return a column to be filled by the user of the study."""
    return Column(key, head, width, style="center", of=lambda one: "")


def _kiloamperes(
    key: str, head: str, of: Callable[[ArcFlashInput], float | None]
) -> Column[ArcFlashInput]:
    return Column(key, head, 12, "current", "", "kA", "n2", of=lambda one: _known(of(one)))


ARC_FLASH: SheetTable[ArcFlashInput] = SheetTable(
    "Inputs of an arc-flash study",
    (
        Column("state", "Source", 19),
        Column("bus", "Bus", 19),
        Column("voltage", "Voltage (V)", 10, "line_voltage", of=lambda one: one.voltage_v),
        _kiloamperes("highest", "Bolted, maximum (kA)", lambda one: one.bolted_max_a),
        _kiloamperes("lowest", "Bolted, minimum (kA)", lambda one: one.bolted_min_a),
        Column("xr", "X/R", 9, "ratio", number_format="n1", of=lambda one: _known(one.x_over_r)),
        Column("clearing", "Clearing time (s)", 12, "time", number_format="n3", style="center",
               of=lambda one: "" if one.clearing_s is None else one.clearing_s),
        _blank("gap", "Gap (mm)", 10),
        _blank("configuration", "Electrode configuration", 14),
        _blank("enclosure", "Enclosure, H × W × D (mm)", 18),
        _blank("distance", "Working distance (mm)", 12),
    ),
)  # fmt: skip


def arc_flash_sheet(name: str, inputs: Sequence[ArcFlashInput], page_setup: PageSetup) -> Sheet:
    """Return the inputs of an arc-flash study; blue cells are to be filled by the user."""
    sheet = Sheet(name, page=page_setup.page(repeat_rows=(4, 4)), freeze=(5, 3))
    write_heading(
        sheet, ARC_FLASH.title, f"{NO_ENERGY} Blank cells are for the engineer of the study."
    )
    grid, wide = ARC_FLASH.write_alone(sheet, 4, inputs), len(ARC_FLASH.columns)
    sheet.filter_span = Span(4, 1, grid.row - 1, wide)
    note = (
        "Three-phase bolted currents. Clearing times assume the instantaneous trip, because the "
        "arcing current is not computed; longer times need the curves of the selected devices; "
        "gap, configuration and enclosure come from the equipment ordered. Panels and rack PDUs on "
        "equal circuits from one source are one bus. Where the utility's fault level is not "
        "stated, the highest currents on it are an upper bound: obtain its maximum and minimum for "
        "the study."
    )
    write_notes(sheet, grid.row + 1, wide, [note])
    fit_heights(sheet, 5)
    return sheet
