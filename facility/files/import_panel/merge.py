"""Differences between an edited schedule and its original panel, circuit by circuit."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from facility.core.errors import FacilityError, unknown
from facility.files.circuit_table.rows import plain_text
from facility.files.import_panel.loads import LoadRow, LoadsRead
from facility.files.import_panel.schedule import CircuitLine, ReadSchedule, wrong_cell
from facility.files.incoming.grid import RECALCULATE
from facility.model.power.hall_distribution import Connection
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import CLASS_CODES, Circuit, Panel

CLOSE = 1e-9
_STALE = 1e-6
_NO_LOAD_VA = 1e-9
_TYPED_TWICE = ("description", "class", "trip a")


@dataclass(frozen=True)
class Edited:
    """Schedule and Loads sheet as exported now and as returned by the user.

    `older` is whether the user's file is from another project version, where a difference need not
    be an edit.
    """

    fresh: ReadSchedule
    fresh_loads: LoadsRead
    given: ReadSchedule
    given_loads: LoadsRead
    older: bool = False


@dataclass(frozen=True)
class Match:
    """Circuit of the file with its circuit of the design, None if new."""

    circuit: Circuit
    was: Circuit | None
    where: str


def merged(
    panel: Panel, edited: Edited, power_factor: float | None
) -> tuple[list[Match], list[FacilityError]]:
    """Return the circuits of the edited schedule, and the errors in its rows.

    A circuit is identified by the Loads row its VA refer to; with typed VA by its description, else
    by its position.

    panel: The panel of the design, in its normal state.
    edited: The sheets.
    power_factor: Power factor of circuits that are new; not included in a schedule.
    """
    problems = list(edited.given.problems)
    matches: list[Match] = []
    for position, label in edited.fresh.labels.items():
        if position not in edited.given.labels:
            problems.append(wrong_cell(panel.tag, f"pole {label} is no longer on the sheet."))
    for line, was in _identified(panel, edited, problems):
        try:
            if was is None:
                circuit = _new_circuit(panel, line, power_factor)
            else:
                circuit = _changed(panel, edited, line, was)
        except FacilityError as problem:
            problems.append(problem)
            continue
        matches.append(Match(circuit, was, line.where))
    return matches, problems


def _identified(
    panel: Panel, edited: Edited, problems: list[FacilityError]
) -> list[tuple[CircuitLine, Circuit | None]]:
    left = {circuit.id: circuit for circuit in panel.circuits}
    shown = {next(iter(line.rows), ""): line.description for line in edited.fresh.lines}
    pairs: list[tuple[CircuitLine, Circuit | None]] = []
    unnamed = []
    for line in edited.given.lines:
        if len(line.rows) > 1:
            names = " and ".join(sorted(line.rows))
            problems.append(wrong_cell(line.where, f"its VA refer to different circuits: {names}."))
        elif line.rows:
            id = next(iter(line.rows))
            if id in left:
                pairs.append((line, left.pop(id)))
            else:
                problems.append(
                    wrong_cell(
                        line.where,
                        f"its VA refer to {id!r}, which belongs to another panel or appears twice.",
                        "Cut and paste a circuit rather than copying it.",
                    )
                )
        else:
            unnamed.append(line)
    for line in unnamed:
        same_name = [id for id in left if shown.get(id) == line.description]
        here = [id for id in left if left[id].position == line.position]
        found = same_name[0] if len(same_name) == 1 else here[0] if here else None
        pairs.append((line, left.pop(found) if found else None))
    return pairs


def _changed(panel: Panel, edited: Edited, line: CircuitLine, was: Circuit) -> Circuit:
    fresh = next(x for x in edited.fresh.lines if was.id in x.rows)
    row, fresh_row = _row(edited.given_loads, panel, was.id), fresh.rows[was.id]
    _refuse_stale(edited, line, was)
    texts = {"description": line.description, "class": line.class_code,
             "trip a": "" if line.trip_a is None else f"{line.trip_a:.15g}"}  # fmt: skip
    before = {"description": fresh.description, "class": fresh.class_code,
              "trip a": "" if fresh.trip_a is None else f"{fresh.trip_a:.15g}"}  # fmt: skip
    for name in _TYPED_TWICE if row is not None else ():
        on_loads = row.texts[name] if row is not None else ""
        if on_loads == fresh_row.texts[name]:
            continue
        if texts[name] != on_loads and (edited.older or texts[name] != before[name]):
            raise wrong_cell(
                line.where,
                f"{name}: the schedule has {texts[name][:40]!r}, the sheet Loads "
                f"{on_loads[:40]!r}.",
                "Enter the same value in both.",
            )
        texts[name] = on_loads
    connection, legs = _power(panel, edited, line, was, row)
    description = texts["description"]
    return replace(
        was,
        description=was.description
        if description == before["description"]
        else plain_text(description.strip(), line.where),
        class_code=_class_code(texts["class"], line.where),
        poles=line.poles,
        breaker_a=_rating(texts["trip a"], line.where),
        position=line.position,
        connection=connection,
        power_va=(legs,),
        rack=was.rack
        if row is None or row.texts["rack"] == fresh_row.texts["rack"]
        else plain_text(row.texts["rack"].strip(), line.where),
        banks=was.banks if line.poles == was.poles else (0, 1, 2),
    )


def _row(loads: LoadsRead, panel: Panel, id: str) -> LoadRow | None:
    return loads.by_circuit.get((panel.tag, id))


def _refuse_stale(edited: Edited, line: CircuitLine, was: Circuit) -> None:
    """Reject VA that differ from the Loads sheet: saved without recalculation."""
    for value, found in zip(line.va, line.referred, strict=True):
        if found is None:
            continue
        row, phase = found
        amounts = edited.given_loads.va(row, was.connection)[phase]
        if not math.isclose(value, amounts, rel_tol=_STALE, abs_tol=_STALE):
            raise FacilityError(
                "FORMULA_NOT_CALCULATED",
                line.where,
                f"the schedule has {value:.6g} VA where the sheet Loads has {amounts:.6g} VA.",
                RECALCULATE,
            )


def _power(
    panel: Panel, edited: Edited, line: CircuitLine, was: Circuit, row: LoadRow | None
) -> tuple[Connection, tuple[complex, ...]]:
    """Return connection and legs: as designed, as on the Loads sheet, or rotated to typed VA."""
    legs = was.power_va[0]
    if row is not None and not _as_designed(panel, edited, was, row):
        legs = _legs_on_loads(panel, edited, line, was, row)
    if line.poles != was.poles:
        total = sum(legs, 0j)
        return _legs_of(line, [cmath.phase(total)] * line.poles, None)
    base = replace(was, power_va=(legs,))
    if all(
        math.isclose(a, b, rel_tol=CLOSE, abs_tol=_NO_LOAD_VA)
        for a, b in zip(base.pole_va(), line.va, strict=True)
    ):
        return was.connection, legs
    angle = cmath.phase(sum(legs, 0j))
    angles = [cmath.phase(leg) if abs(leg) > _NO_LOAD_VA else angle for leg in legs]
    return _legs_of(line, angles, was.connection)


def _as_designed(panel: Panel, edited: Edited, was: Circuit, row: LoadRow) -> bool:
    """Return whether a row of the Loads sheet still has the exported power."""
    fresh = _row(edited.fresh_loads, panel, was.id)
    if fresh is None:
        return False
    given = edited.given_loads.legs(row, was.connection)
    return all(
        a == b
        or (
            a is not None
            and b is not None
            and cmath.isclose(a, b, rel_tol=CLOSE, abs_tol=_NO_LOAD_VA)
        )
        for a, b in zip(given, edited.fresh_loads.legs(fresh, was.connection), strict=True)
    )


def _legs_on_loads(
    panel: Panel, edited: Edited, line: CircuitLine, was: Circuit, row: LoadRow
) -> tuple[complex, ...]:
    start = panel.layout.phase(was.position or 1)
    on_phase = edited.given_loads.legs(row, was.connection)
    found = [on_phase[(start + leg) % 3] for leg in range(len(was.power_va[0]))]
    if any(leg is None for leg in found):
        raise wrong_cell(
            line.where,
            f"row {row.row} of the sheet Loads has no P and Q.",
            "Enter both as numbers; unknown is not zero.",
        )
    return tuple(leg for leg in found if leg is not None)


def _legs_of(
    line: CircuitLine, angles: Sequence[float], connection: Connection | None
) -> tuple[Connection, tuple[complex, ...]]:
    """Return legs with the VA of the line per pole, at these angles."""
    kind: Connection = connection or ("L-L" if line.poles == 2 else "L-N")
    if kind == "L-N":
        sizes = list(line.va)
    elif line.poles == 2:
        if not math.isclose(*line.va, rel_tol=1e-6, abs_tol=1e-6):
            raise wrong_cell(
                line.where,
                f"the two poles of a line-to-line load have equal VA, not "
                f"{line.va[0]:.6g} and {line.va[1]:.6g}.",
                "Enter half of the load at each pole.",
            )
        sizes = [line.va[0] + line.va[1]]
    else:
        sizes = [line.va[k] + line.va[(k + 1) % 3] - line.va[(k + 2) % 3] for k in range(3)]
        if min(sizes) < -1e-6:
            raise wrong_cell(line.where, "no line-to-line loads match these VA per pole.")
    pairs = zip(sizes, angles, strict=False)
    return kind, tuple(cmath.rect(max(size, 0.0), angle) for size, angle in pairs)


def _new_circuit(panel: Panel, line: CircuitLine, power_factor: float | None) -> Circuit:
    if power_factor is None and max(line.va) > 0.0:
        raise wrong_cell(
            line.where,
            f"circuit {line.label} is new, and a schedule has no power factor.",
            "Enter --power-factor, e.g. 0.95.",
        )
    id = f"{panel.tag}-{LAYOUTS[panel.numbering].label(line.position)}"
    taken = {circuit.id for circuit in panel.circuits}
    while id in taken:
        id += "n"
    angle = math.acos(power_factor or 1.0)
    connection, legs = _legs_of(line, [angle] * 3, None)
    return Circuit(
        id=id,
        description=plain_text(line.description.strip(), line.where),
        class_code=_class_code(line.class_code or "MISC", line.where),
        poles=line.poles,
        connection=connection,
        power_va=(legs,),
        breaker_a=line.trip_a,
        position=line.position,
        side=panel.side,
    )


def _class_code(text: str, where: str) -> str:
    if text not in CLASS_CODES:
        raise unknown(
            "IMPORT_CELL", where, f"{text[:40]!r} is not a load class.", text, CLASS_CODES
        )
    return text


def _rating(text: str, where: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise wrong_cell(where, f"the trip rating {text[:40]!r} is not a number.") from None
    if not 0.0 < value <= 1e5:
        raise wrong_cell(where, f"a trip rating of {value:g} A is out of range.")
    return value


Shown = str | float | None


@dataclass(frozen=True)
class Difference:
    """Field that differs between file and design."""

    panel: str
    circuit: str  # Id of the circuit; empty for the panel header
    field: str  # Column of the panel CSV, or label in the header
    was: Shown  # As designed
    now: Shown  # As imported
    where: str  # Sheet and cell, or line of the file
    applicable: bool = (
        True  # Whether a panel CSV can represent it; other edits are reported and ignored
    )


def shown_value(value: Shown) -> str:
    """Return a value as preview text; empty if None."""
    return "" if value is None else value if isinstance(value, str) else f"{value:.6g}"


def circuit_differences(
    panel: Panel, matches: Sequence[Match], fields: Iterable[str] | None = None
) -> list[Difference]:
    """Return the differences of `matches` from `panel`: circuits changed, added and removed.

    fields: Columns of the file; default: all.
    """
    compared = None if fields is None else set(fields)
    found = []
    for match in matches:
        if match.was is None:
            text = f"{match.circuit.description}, {match.circuit.poles} poles"
            found.append(
                Difference(panel.tag, match.circuit.id, "circuit", None, text, match.where)
            )
            continue
        found += [
            Difference(panel.tag, match.was.id, name, before, after, match.where)
            for name, before, after in _fields(match.was, match.circuit)
            if (compared is None or name in compared) and not same(before, after)
        ]
    retained = {match.was.id for match in matches if match.was is not None}
    found += [
        Difference(panel.tag, c.id, "circuit", c.description, None, panel.tag)
        for c in panel.circuits
        if c.id not in retained
    ]
    return found


def _fields(was: Circuit, now: Circuit) -> Iterator[tuple[str, Shown, Shown]]:
    yield "description", was.description, now.description
    yield "class", was.class_code, now.class_code
    yield "poles", was.poles, now.poles
    yield "breaker_a", was.breaker_a, now.breaker_a
    yield "position", was.position, now.position
    yield "fixed", "yes" if was.fixed else "no", "yes" if now.fixed else "no"
    yield "rack", was.rack, now.rack
    before, after = was.pole_va(), now.pole_va()
    if len(before) != len(after) or not all(map(same, before, after)):
        yield "va", _va(before), _va(after)
    yield "pf", _power_factor(was), _power_factor(now)


def _va(poles: tuple[float, ...]) -> str:
    return " / ".join(f"{va:.6g}" for va in poles)


def _power_factor(circuit: Circuit) -> float | None:
    total = circuit.total_va()
    return round(total.real / abs(total), 9) if abs(total) > CLOSE else None


def same(was: Any, now: Any) -> bool:
    """Return whether two values are equal, numbers to one part in a thousand million."""
    numbers = (int, float)
    if isinstance(was, numbers) and isinstance(now, numbers):
        return math.isclose(was, now, rel_tol=CLOSE, abs_tol=CLOSE)
    return (was in (None, "") and now in (None, "")) or was == now
