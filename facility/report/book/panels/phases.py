"""The phase table of a panel schedule: VA, phasor and schedule amperes, imbalance, neutral.

The phasor amperes come from a calculation block outside the printed page: sums of P and Q
that each line sees, from the Loads sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.rounding import IN_CELLS
from facility.physics.circuits.currents import line_neutral_current
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.circuits.harmonics import harmonic_neutral
from facility.physics.circuits.phasor import neutral_of_lines, schedule_current
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.harmonics import RACK_CLASSES
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.body import BUS, MAIN, PERMITTED, VOLTS_TO_NEUTRAL
from facility.report.book.panels.columns import Form
from facility.report.book.panels.live import IMBALANCE_NAME
from facility.report.book.panels.loads import LoadsCells, ScheduledPanel
from facility.report.book.panels.loads_rows import of_pairs
from facility.report.book.panels.places import PanelCells, PanelContext, PanelFrame, PlacedCell
from facility.report.sheet.model import CellValue, Conditional, Ref, Sheet, Span


@dataclass(frozen=True)
class Foot:
    """Panel, its circuits on this sheet and on Loads, and its results so far."""

    sheet: Sheet
    scheduled: ScheduledPanel
    load_cells: LoadsCells
    context: PanelContext
    frame: PanelFrame
    found: PanelCells

    @property
    def panel(self) -> Panel:
        """The panel."""
        return self.scheduled.panel

    @property
    def neutral_load(self) -> str:
        """Label of the largest load to neutral, with its article under the NEC only."""
        return "L-N" if self.context.code.startswith("IEC") else "220.61"

    @property
    def states(self) -> tuple[tuple[int, int, str], ...]:
        """Columns of VA on Loads, number and name of the normal and the failover state."""
        failover = (self.load_cells.failover, self.scheduled.failover, "failover")
        return (self.load_cells.normal, 0, "normal"), failover

    @property
    def form(self) -> Form:
        """Form of header and footer; footer columns refer to it."""
        return self.frame.form

    def put(self, row: int, column: int, value: CellValue, style: str) -> Ref:
        """Write a value into a cell of the form; return its address."""
        return self.sheet.put(row, self.form.at(column), value, style)

    def formula(self, row: int, column: int, formula: str, value: CellValue, style: str) -> Ref:
        """Write a formula with its value into a cell of the form; return its address."""
        return self.sheet.formula(row, self.form.at(column), formula, value, style)

    def wide(self, row: int, first: int, last: int, value: CellValue, style: str) -> Ref:
        """Write a value into one row, from column `first` to `last`; return its address."""
        span = self.form.span(row, first, row, last)
        if span.left == span.right:
            return self.put(row, first, value, style)
        return self.sheet.merge(span, value, style)

    def wide_formula(
        self, row: int, first: int, last: int, formula: str, value: CellValue, style: str
    ) -> Ref:
        """Write a formula with its value from column `first` to `last`; return its address."""
        span = self.form.span(row, first, row, last)
        if span.left != span.right:
            self.sheet.merge(span, None, style)
        return self.formula(row, first, formula, value, style)


_LABEL, _FIRST, _LIMIT = 9, 12, 15
_CALC = 23
_IMBALANCE_NOTE = "Imbalance: maximum deviation from the mean / mean, phasor line currents, normal"


def write_phases(foot: Foot, top: int, subtotal: int) -> int:
    """Write the phase table from row `top`; return the row after it."""
    panel, load_cells, frame = foot.panel, foot.load_cells, foot.frame
    normal, lost = foot.scheduled.loads[0], foot.scheduled.shown_failover
    sums = _write_sums(foot, top)
    _head(foot, top, PHASE_NAMES[panel.numbering])
    state = lost.state if foot.scheduled.failover else "no failure known"
    va = ["+".join(Ref("", subtotal, side.va + x).here for side in frame.sides) for x in range(3)]
    lost_va = [load_cells.total(panel.tag, load_cells.failover, x, "va") for x in range(3)]
    connected = _line(foot, top + 1, "Connected VA", va, normal.phase_va, "n0", "normal")
    lines = _line(
        foot, top + 2, "Line A, phasor", _amperes(foot, sums[0]), normal.line_a, "a1", "sized on"
    )
    schedule = [_scheduled(foot, cell) for cell in _row_cells(foot, top + 1)]
    _line(foot, top + 3, "Line A, schedule", schedule, normal.schedule_a, "a1", "VA / V L-N")
    permitted = _permitted(foot, top + 5)
    _share(foot, top + 4, "% of bus", top + 2, normal, (foot.form.fixed(*BUS), panel.bus_a))
    limit = permitted.cell.fixed, permitted.value
    _share(foot, top + 5, "% of permitted", top + 2, normal, limit, "share")
    _line(foot, top + 6, "Failover VA", lost_va, lost.phase_va, "n0", state)
    failover = _line(
        foot, top + 7, "Failover line A", _amperes(foot, sums[1]), lost.line_a, "a1", "phasor"
    )
    _share(foot, top + 8, "Failover % of perm.", top + 7, lost, limit, "failover_share")
    foot.found.spans |= {"phase_va": connected, "lines": lines, "failover_lines": failover}
    _write_imbalance(foot, top + 9, top + 2, normal)
    _write_neutral(foot, top + 10, sums)
    _write_neutral_load(foot, top + 11)
    _write_neutral_triplen(foot, top + 12)
    foot.wide(top + 13, _LABEL, _LIMIT + 1, _IMBALANCE_NOTE, "pnote")
    return top + 14


def _head(foot: Foot, row: int, phases: Sequence[str]) -> None:
    foot.wide(row, _LABEL, _LABEL + 2, "Phase", "phead")
    foot.sheet.row(row, foot.form.at(_FIRST), phases, "phead")
    foot.wide(row, _LIMIT, _LIMIT + 1, "Basis", "phead")


def _row_cells(foot: Foot, row: int) -> list[str]:
    return [foot.form.here(row, _FIRST + x) for x in range(3)]


def _row_span(foot: Foot, row: int) -> Span:
    first = foot.form.at(_FIRST)
    return Span(row, first, row, first + 2)


def _label(foot: Foot, row: int, text: str) -> None:
    foot.wide(row, _LABEL, _LABEL + 2, text, "plabel")


def _basis(foot: Foot, row: int, text: str | None) -> None:
    foot.wide(row, _LIMIT, _LIMIT + 1, text, "ptext")


def _line(
    foot: Foot,
    row: int,
    label: str,
    formulas: list[str],
    values: tuple[float, float, float],
    number_format: str,
    basis: str,
) -> Span:
    _label(foot, row, label)
    for x, (formula, value) in enumerate(zip(formulas, values, strict=True)):
        foot.formula(row, _FIRST + x, formula, value, f"pcalc.{number_format}")
    _basis(foot, row, basis)
    return _row_span(foot, row)


def _write_sums(foot: Foot, top: int) -> list[list[tuple[str, str]]]:
    """Write the sums of P and Q by line; return their cells by state and phase."""
    sheet, load_cells, tag, cells = foot.sheet, foot.load_cells, foot.panel.tag, []
    calc = foot.form.at(_CALC)
    sheet.row(top, calc, ("Calculation block", *PHASE_NAMES[foot.panel.numbering]), "label")
    for index, (group, state, word) in enumerate(foot.states):
        p_row = top + 1 + 2 * index
        seen = line_power(foot.scheduled, state)
        sheet.put(p_row, calc, f"ΣP seen by the line, {word}, W", "text")
        sheet.put(p_row + 1, calc, f"ΣQ seen by the line, {word}, var", "text")
        pairs = []
        for x in range(3):
            p = sheet.formula(
                p_row, calc + 1 + x, load_cells.total(tag, group, x, "p"), seen[x].real, "calc.n1"
            )
            q = sheet.formula(
                p_row + 1,
                calc + 1 + x,
                load_cells.total(tag, group, x, "q"),
                seen[x].imag,
                "calc.n1",
            )
            pairs.append((p.here, q.here))
        cells.append(pairs)
    sheet.widths[calc - 1], sheet.widths[calc] = 3, 34
    for x in range(3):
        sheet.widths[calc + 1 + x] = 11
    return cells


def line_power(scheduled: ScheduledPanel, state: int) -> list[complex]:
    """Return the power of each line, V_x conj(I_x), at its own phase voltage."""
    power = scheduled.power[state]
    turned = []
    for x in range(3):
        own, before = complex(power[3 + x]), complex(power[3 + (x - 1) % 3])
        turned.append(complex(power[x]) + of_pairs(own, before))
    return turned


def _amperes(foot: Foot, pairs: list[tuple[str, str]]) -> list[str]:
    apparent = (apparent_of_parts.in_cells(power_w=p, reactive_var=q) for p, q in pairs)
    volts = foot.form.fixed(*VOLTS_TO_NEUTRAL)
    return [line_neutral_current.in_cells(apparent_va=va, phase_voltage_v=volts) for va in apparent]


def _scheduled(foot: Foot, va: str) -> str:
    volts = foot.form.fixed(*VOLTS_TO_NEUTRAL)
    return schedule_current.in_cells(phase_va=va, phase_voltage_v=volts)


def _permitted(foot: Foot, row: int) -> PlacedCell:
    """Write the permitted current: the lower of bus and main rating, times the permitted share."""
    panel, found = foot.panel, foot.found
    foot.wide(row, _LIMIT, _LIMIT + 1, None, "pcalc.a1")
    if panel.rating_a is None:
        cell = foot.put(row, _LIMIT, "not stated", "pcalc")
        found.put("permitted", cell, "not stated")
        return found.results["permitted"]
    value = panel.rating_a / foot.context.factor(panel)
    bus, main, share = (foot.form.fixed(*at) for at in (BUS, MAIN, PERMITTED))
    cell = foot.formula(row, _LIMIT, f"MIN({bus},{main})*{share}", value, "pcalc.amp")
    found.put("permitted", cell, value)
    return found.results["permitted"]


def _share(
    foot: Foot,
    row: int,
    label: str,
    of_row: int,
    load: PanelLoad,
    limit: tuple[str, object],
    name: str = "",
) -> None:
    """Write line currents over a limit, its cell and value; store the largest under `name`."""
    sheet, form, (limit_cell, value) = foot.sheet, foot.form, limit
    known = isinstance(value, int | float) and value > 0
    base = float(value) if isinstance(value, int | float) and value > 0 else 1.0
    _label(foot, row, label)
    if (row, form.at(_LIMIT)) not in sheet.cells:
        _basis(foot, row, None)
    for x, cell in enumerate(_row_cells(foot, of_row)):
        if known:
            share = load.line_a[x] / base
            foot.formula(row, _FIRST + x, f"{cell}/{limit_cell}", share, "pcalc.pct")
        else:
            foot.put(row, _FIRST + x, None, "pna")
    span = _row_span(foot, row)
    first = span.first
    if known:
        sheet.conditionals.append(Conditional(span, f"{first}>1+{IN_CELLS}", "bad"))
    if known and not name:
        sheet.conditionals.append(Conditional(span, f"{first}>0.8", "warn"))
    if name:
        share = load.current_max_a / base
        largest = foot.formula(row, _CALC + 1, f"MAX({span})", share, "calc.pct")
        foot.put(row, _CALC, f"largest, {label}", "text")
        foot.found.put(name, largest, load.current_max_a / base if known else None)


def _write_imbalance(foot: Foot, row: int, lines_row: int, normal: PanelLoad) -> None:
    sheet, context = foot.sheet, foot.context
    span = _row_span(foot, lines_row)
    mean = f"AVERAGE({span})"
    deviation = f"MAX(MAX({span})-{mean},{mean}-MIN({span}))"
    _label(foot, row, "Imbalance, phasor A")
    cell = foot.formula(
        row, _FIRST, f"IF({mean}=0,0,{deviation}/{mean})", normal.imbalance, "pcalc.pct"
    )
    foot.put(row, _FIRST + 1, "limit", "plabel")
    limit = foot.formula(row, _FIRST + 2, IMBALANCE_NAME, context.imbalance_limit, "pcalc.pct")
    _basis(foot, row, "max dev. / mean")
    above = f"{cell.here}>{limit.here}"
    here = Span(row, cell.column, row, cell.column)
    sheet.conditionals.append(Conditional(here, above, "bad"))
    foot.found.put("imbalance", cell, normal.imbalance)


def _write_neutral(foot: Foot, row: int, sums: list[list[tuple[str, str]]]) -> None:
    _label(foot, row, "Neutral A: norm. / fail.")
    loads = (foot.scheduled.loads[0], foot.scheduled.shown_failover)
    for index, load in enumerate(loads):
        cells = {f"{x}_w": p for x, (p, _) in zip("abc", sums[index], strict=True)}
        cells |= {f"{x}_var": q for x, (_, q) in zip("abc", sums[index], strict=True)}
        volts = foot.form.fixed(*VOLTS_TO_NEUTRAL)
        formula = neutral_of_lines.in_cells(**cells, phase_voltage_v=volts)
        cell = foot.formula(row, _FIRST + index, formula, load.neutral_a, "pcalc.a1")
        foot.found.put(("neutral", "failover_neutral")[index], cell, load.neutral_a)
    foot.put(row, _FIRST + 2, None, "pna")
    _basis(foot, row, "fundamental")


def _write_neutral_load(foot: Foot, row: int) -> None:
    """Write the neutral load of NEC 220.61: the maximum load of any phase to neutral."""
    panel = foot.panel
    _label(foot, row, f"Neutral A, {foot.neutral_load}: n / f")
    for index, (group, state, _) in enumerate(foot.states):
        loads = ",".join(foot.load_cells.to_neutral(panel.tag, group, x) for x in range(3))
        value = float(schedule_current.si(max(neutral_va(panel, state)), panel.v_ln))
        formula = _scheduled(foot, f"MAX({loads})")
        cell = foot.formula(row, _FIRST + index, formula, value, "pcalc.a1")
        foot.found.put(("neutral_load", "failover_neutral_load")[index], cell, value)
    foot.put(row, _FIRST + 2, None, "pna")
    _basis(foot, row, "largest L-N")


def _write_neutral_triplen(foot: Foot, row: int) -> None:
    """Write the neutral current with triplen harmonics of the racks.

    Otherwise write that no spectrum is stated, or that circuits have individual spectra, for which
    the panel balance gives the neutral current.
    """
    panel, share, found = foot.panel, foot.context.triplen, foot.found
    _label(foot, row, "Neutral A, triplen: n / f")
    foot.put(row, _FIRST + 2, None, "pna")
    _basis(foot, row, "with harmonics")
    if share is None or not all(_of_racks(circuit) for circuit in panel.circuits):
        own = any(circuit.third_harmonic is not None for circuit in panel.circuits)
        foot.wide(row, _FIRST, _FIRST + 1, "by circuit" if own else "not stated", "pcalc")
        return
    names = ("neutral", "failover_neutral")
    for index, ((group, state, _), name) in enumerate(zip(foot.states, names, strict=True)):
        phasor = found.results[name]
        phasor_a = float(phasor.value) if isinstance(phasor.value, float) else 0.0
        lines_a = float(schedule_current.si(sum(neutral_va(panel, state)), panel.v_ln))
        value = float(harmonic_neutral.si(phasor_a, lines_a, share))
        summed = "+".join(foot.load_cells.to_neutral(panel.tag, group, x) for x in range(3))
        formula = harmonic_neutral.in_cells(
            phasor_a=phasor.cell.here, lines_a=_scheduled(foot, summed), triplen=repr(share)
        )
        cell = foot.formula(row, _FIRST + index, formula, value, "pcalc.a1")
        found.put(f"{name}_triplen", cell, value)


def _of_racks(circuit: Circuit) -> bool:
    """Return whether a circuit has the spectrum of the racks, or no load."""
    own = circuit.third_harmonic is not None
    return not circuit.total_va() or (circuit.class_code in RACK_CLASSES and not own)


def neutral_va(panel: Panel, state: int) -> list[float]:
    """Return the VA between each phase and neutral, without line-to-line circuits."""
    total = [0.0, 0.0, 0.0]
    for circuit in panel.circuits:
        if circuit.connection == "L-N":
            powers = circuit.pole_va(state)
            for pole, position in enumerate(panel.occupied(circuit)):
                total[panel.layout.phase(position)] += powers[pole]
    return total
