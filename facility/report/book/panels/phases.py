"""The phase table of a panel schedule: VA, phasor and schedule amperes, imbalance, neutral.

The phasor amperes come from a small calculation block beside the printed page: sums of P and Q
that each line sees, from the Loads sheet.
"""

from __future__ import annotations

from collections.abc import Sequence

from facility.core.rounding import IN_CELLS
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.circuits.harmonics import harmonic_neutral
from facility.physics.circuits.phasor import schedule_current
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.harmonics import RACK_CLASSES
from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.loads import LoadsPlaces, ScheduledPanel
from facility.report.book.panels.places import (
    PHASE_NAMES,
    PanelContext,
    PanelFrame,
    PanelPlaces,
    PlacedCell,
)
from facility.report.sheet.cells import Ref, Span
from facility.report.sheet.model import Conditional, Sheet

_LABEL, _FIRST, _LIMIT = 9, 12, 15
_CALC = 23
_IMBALANCE_NOTE = "Imbalance: maximum deviation from the mean / mean, phasor line currents, normal"


def write_phases(
    sheet: Sheet, top: int, subtotal: int, scheduled: ScheduledPanel, places: LoadsPlaces,
    context: PanelContext, found: PanelPlaces, frame: PanelFrame,
) -> int:  # fmt: skip
    """Write the phase table from row `top`; return the row after it."""
    panel, normal, lost = scheduled.panel, scheduled.loads[0], scheduled.shown_failover
    sums = _write_sums(sheet, top, scheduled, places)
    _head(sheet, top, PHASE_NAMES[panel.numbering])
    state = lost.state if scheduled.failover else "no loss known"
    va = [
        "+".join(Ref("", subtotal, column + x).here for _, column in frame.sides) for x in range(3)
    ]
    lost_va = [places.total(panel.tag, places.failover, x, "va") for x in range(3)]
    connected = _line(sheet, top + 1, "Connected VA", va, normal.phase_va, "n0", "normal")
    lines = _line(sheet, top + 2, "Line A, phasor", _amperes(sums[0]), normal.line_a, "a1",
                  "sized on")  # fmt: skip
    schedule = [f"{cell}/$J$3" for cell in _row_cells(top + 1)]
    _line(sheet, top + 3, "Line A, schedule", schedule, normal.schedule_a, "a1", "VA / V L-N")
    permitted = _permitted(sheet, top + 5, scheduled, context, found)
    _share(sheet, top + 4, "% of bus", top + 2, normal, "$N$2", panel.bus_a)
    _share(sheet, top + 5, "% of permitted", top + 2, normal, permitted.cell.here,
           permitted.value, found, "share")  # fmt: skip
    _line(sheet, top + 6, "Failover VA", lost_va, lost.phase_va, "n0", state)
    failover = _line(sheet, top + 7, "Failover line A", _amperes(sums[1]), lost.line_a, "a1",
                     "phasor")  # fmt: skip
    _share(sheet, top + 8, "Failover % of perm.", top + 7, lost, permitted.cell.here,
           permitted.value, found, "failover_share")  # fmt: skip
    found.spans |= {"phase_va": connected, "lines": lines, "failover_lines": failover}
    _write_imbalance(sheet, top + 9, top + 2, normal, context, found)
    _write_neutral(sheet, top + 10, sums, scheduled, found)
    _write_neutral_load(sheet, top + 11, scheduled, places, found)
    _write_neutral_triplen(sheet, top + 12, scheduled, places, context, found)
    sheet.merge(Span(top + 13, _LABEL, top + 13, _LIMIT + 1), _IMBALANCE_NOTE, "pnote")
    return top + 14


def _head(sheet: Sheet, row: int, phases: Sequence[str]) -> None:
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), "Phase", "phead")
    sheet.row(row, _FIRST, phases, "phead")
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), "Basis", "phead")


def _row_cells(row: int) -> list[str]:
    return [Ref("", row, _FIRST + x).here for x in range(3)]


def _line(
    sheet: Sheet,
    row: int,
    label: str,
    formulas: list[str],
    values: tuple[float, float, float],
    number_format: str,
    basis: str,
) -> Span:
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), label, "plabel")
    for x, (formula, value) in enumerate(zip(formulas, values, strict=True)):
        sheet.formula(row, _FIRST + x, formula, value, f"pcalc.{number_format}")
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), basis, "ptext")
    return Span(row, _FIRST, row, _FIRST + 2)


def _write_sums(
    sheet: Sheet, top: int, scheduled: ScheduledPanel, places: LoadsPlaces
) -> list[list[tuple[str, str]]]:
    """Write the sums of P and Q by line; return their cells by state and phase."""
    tag, cells = scheduled.panel.tag, []
    sheet.row(top, _CALC, ("Calculation block", *PHASE_NAMES[scheduled.panel.numbering]), "label")
    states = ((places.normal, 0, "normal"), (places.failover, scheduled.failover, "failover"))
    for index, (group, state, word) in enumerate(states):
        p_row = top + 1 + 2 * index
        seen = line_power(scheduled, state)
        sheet.put(p_row, _CALC, f"ΣP seen by the line, {word}, W", "text")
        sheet.put(p_row + 1, _CALC, f"ΣQ seen by the line, {word}, var", "text")
        pairs = []
        for x in range(3):
            p = sheet.formula(
                p_row, _CALC + 1 + x, places.total(tag, group, x, "p"), seen[x].real, "calc.n1"
            )
            q = sheet.formula(
                p_row + 1, _CALC + 1 + x, places.total(tag, group, x, "q"), seen[x].imag, "calc.n1"
            )
            pairs.append((p.here, q.here))
        cells.append(pairs)
    sheet.widths[_CALC - 1], sheet.widths[_CALC] = 3, 34
    for x in range(3):
        sheet.widths[_CALC + 1 + x] = 11
    return cells


def line_power(scheduled: ScheduledPanel, state: int) -> list[complex]:
    """Return the power of each line, V_x conj(I_x), at its own phase voltage."""
    power = scheduled.power[state]
    turned = []
    for x in range(3):
        own, before = complex(power[3 + x]), complex(power[3 + (x - 1) % 3])
        turned.append(complex(power[x]) + own * _DOWN + before * _UP)
    return turned


_UP = complex(0.5, 0.5 / 3.0**0.5)
_DOWN = _UP.conjugate()


def _amperes(pairs: list[tuple[str, str]]) -> list[str]:
    return [apparent_of_parts.in_cells(power_w=p, reactive_var=q) + "/$J$3" for p, q in pairs]


def _permitted(
    sheet: Sheet, row: int, scheduled: ScheduledPanel, context: PanelContext, found: PanelPlaces
) -> PlacedCell:
    """Write the current permitted: the smaller of bus and main, times the share permitted."""
    panel = scheduled.panel
    ratings = [r for r in (panel.bus_a, panel.main_a) if r is not None]
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), None, "pcalc.a1")
    if not ratings:
        cell = sheet.put(row, _LIMIT, "not stated", "pcalc")
        found.put("permitted", cell, "not stated")
        return found.results["permitted"]
    value = min(ratings) / context.factor(panel)
    cell = sheet.formula(row, _LIMIT, "MIN($N$2,$N$3)*$N$6", value, "pcalc.amp")
    found.put("permitted", cell, value)
    return found.results["permitted"]


def _share(  # noqa: PLR0913 - cells of one row
    sheet: Sheet,
    row: int,
    label: str,
    of_row: int,
    load: PanelLoad,
    limit_cell: str,
    limit: object,
    found: PanelPlaces | None = None,
    name: str = "",
) -> None:
    """Write line currents over a limit; remember the largest under `name`."""
    known = isinstance(limit, int | float) and limit > 0
    base = float(limit) if isinstance(limit, int | float) and limit > 0 else 1.0
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), label, "plabel")
    if (row, _LIMIT) not in sheet.cells:
        sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), None, "ptext")
    for x, cell in enumerate(_row_cells(of_row)):
        if known:
            fixed = limit_cell if "$" in limit_cell else f"${limit_cell[0]}${limit_cell[1:]}"
            sheet.formula(row, _FIRST + x, f"{cell}/{fixed}", load.line_a[x] / base, "pcalc.pct")
        else:
            sheet.put(row, _FIRST + x, None, "pna")
    span = Span(row, _FIRST, row, _FIRST + 2)
    first = Ref("", row, _FIRST).here
    if known and name == "":
        sheet.conditionals += [
            Conditional(span, f"{first}>1+{IN_CELLS}", "bad"),
            Conditional(span, f"{first}>0.8", "warn"),
        ]
    elif known and found is not None:
        sheet.conditionals.append(Conditional(span, f"{first}>1+{IN_CELLS}", "bad"))
    if found is not None:
        largest = sheet.formula(
            row, _CALC + 1, f"MAX({span})", load.current_max_a / base, "calc.pct"
        )
        sheet.put(row, _CALC, f"largest, {label}", "text")
        found.put(name, largest, load.current_max_a / base if known else None)


def _write_imbalance(
    sheet: Sheet,
    row: int,
    lines_row: int,
    normal: PanelLoad,
    context: PanelContext,
    found: PanelPlaces,
) -> None:
    span = Span(lines_row, _FIRST, lines_row, _FIRST + 2)
    mean = f"AVERAGE({span})"
    deviation = f"MAX(MAX({span})-{mean},{mean}-MIN({span}))"
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), "Imbalance, phasor A", "plabel")
    cell = sheet.formula(
        row, _FIRST, f"IF({mean}=0,0,{deviation}/{mean})", normal.imbalance, "pcalc.pct"
    )
    sheet.put(row, _FIRST + 1, "limit", "plabel")
    sheet.formula(row, _FIRST + 2, context.imbalance_name, context.imbalance_limit, "pcalc.pct")
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), "max dev. / mean", "ptext")
    sheet.conditionals.append(
        Conditional(
            Span(row, _FIRST, row, _FIRST), f"{cell.here}>{Ref('', row, _FIRST + 2).here}", "bad"
        )
    )
    found.put("imbalance", cell, normal.imbalance)


def _write_neutral(
    sheet: Sheet,
    row: int,
    sums: list[list[tuple[str, str]]],
    scheduled: ScheduledPanel,
    found: PanelPlaces,
) -> None:
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), "Neutral A: norm. / fail.", "plabel")
    loads = (scheduled.loads[0], scheduled.shown_failover)
    for index, load in enumerate(loads):
        (pa, qa), (pb, qb), (pc, qc) = sums[index]
        real = f"({pa}-({pb}+{pc})/2+({qc}-{qb})*SQRT(3)/2)"
        imaginary = f"(-{qa}+({qb}+{qc})/2+({pc}-{pb})*SQRT(3)/2)"
        cell = sheet.formula(
            row, _FIRST + index, f"SQRT({real}^2+{imaginary}^2)/$J$3", load.neutral_a, "pcalc.a1"
        )
        found.put(("neutral", "failover_neutral")[index], cell, load.neutral_a)
    sheet.put(row, _FIRST + 2, None, "pna")
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), "fundamental", "ptext")


def _write_neutral_load(
    sheet: Sheet, row: int, scheduled: ScheduledPanel, places: LoadsPlaces, found: PanelPlaces
) -> None:
    """Write the neutral load of NEC 220.61: the most that any phase carries to neutral."""
    panel = scheduled.panel
    label = "Neutral A, L-N: n / f" if panel.numbering == "IEC" else "Neutral A, 220.61: n / f"
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), label, "plabel")
    states = ((places.normal, 0), (places.failover, scheduled.failover))
    for index, (group, state) in enumerate(states):
        most = ",".join(places.to_neutral(panel.tag, group, x) for x in range(3))
        value = float(schedule_current.si(max(neutral_va(panel, state)), panel.v_ln))
        cell = sheet.formula(row, _FIRST + index, f"MAX({most})/$J$3", value, "pcalc.a1")
        found.put(("neutral_load", "failover_neutral_load")[index], cell, value)
    sheet.put(row, _FIRST + 2, None, "pna")
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), "largest L-N", "ptext")


def _write_neutral_triplen(
    sheet: Sheet,
    row: int,
    scheduled: ScheduledPanel,
    places: LoadsPlaces,
    context: PanelContext,
    found: PanelPlaces,
) -> None:
    """Write the neutral current with triplen harmonics of the racks.

    Else write that no spectrum is stated, or that circuits state their own: the balance of the
    panel gives that neutral.
    """
    panel, share = scheduled.panel, context.triplen
    sheet.merge(Span(row, _LABEL, row, _LABEL + 2), "Neutral A, triplen: n / f", "plabel")
    sheet.put(row, _FIRST + 2, None, "pna")
    sheet.merge(Span(row, _LIMIT, row, _LIMIT + 1), "with harmonics", "ptext")
    if share is None or not all(_of_racks(circuit) for circuit in panel.circuits):
        own = any(circuit.third_harmonic is not None for circuit in panel.circuits)
        words = "by circuit" if own else "not stated"
        sheet.merge(Span(row, _FIRST, row, _FIRST + 1), words, "pcalc")
        return
    states = (
        (places.normal, 0, "neutral"),
        (places.failover, scheduled.failover, "failover_neutral"),
    )
    for index, (group, state, name) in enumerate(states):
        phasor = found.results[name]
        phasor_a = float(phasor.value) if isinstance(phasor.value, float) else 0.0
        lines_a = float(schedule_current.si(sum(neutral_va(panel, state)), panel.v_ln))
        value = float(harmonic_neutral.si(phasor_a, lines_a, share))
        summed = "+".join(places.to_neutral(panel.tag, group, x) for x in range(3))
        formula = harmonic_neutral.in_cells(
            phasor_a=phasor.cell.here, lines_a=f"({summed})/$J$3", triplen=context.triplen_name
        )
        cell = sheet.formula(row, _FIRST + index, formula, value, "pcalc.a1")
        found.put(f"{name}_triplen", cell, value)


def _of_racks(circuit: Circuit) -> bool:
    """Return whether the spectrum of the racks is that of a circuit, or it has no load."""
    own = circuit.third_harmonic is not None
    return not circuit.total_va() or (circuit.class_code in RACK_CLASSES and not own)


def neutral_va(panel: Panel, state: int) -> list[float]:
    """Return the VA between each phase and neutral, circuits line to line left out."""
    total = [0.0, 0.0, 0.0]
    for circuit in panel.circuits:
        if circuit.connection == "L-N":
            powers = circuit.pole_va(state)
            for pole, position in enumerate(panel.occupied(circuit)):
                total[panel.layout.phase(position)] += powers[pole]
    return total
