"""Presentation of many designs: rows of a sweep, front of an optimisation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, OfProject
from facility.report.tables.summary import LABELS
from facility.study.optimise.study import Best, Optimum
from facility.study.sweep.row import COUNTS, Cells
from facility.study.sweep.study import Sweep

_MAX_CODES = 12
_MAX_LISTED = 24
_LISTED = ("load.it", "load.facility", "pue.annual", "pue.design", "cost.annual")
_LARGE = 1e5


@dataclass(frozen=True)
class ManyDesigns(OfProject):
    """The rows of a sweep."""

    sweep: Sweep
    before: int = 0  # Rows that already present
    verb = "sweep"

    @property
    def subject(self) -> str:
        """Varied inputs."""
        return ", ".join(self.sweep.paths)

    @property
    def results(self) -> Mapping[str, object]:
        """Numbers of designs."""
        return {
            "sweep.asked": self.sweep.requested,
            "sweep.rows": len(self.sweep.rows),
            "sweep.rows_before": self.before,
            **{f"sweep.{status}": count for status, count in self.sweep.counts.items()},
        }

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the rows."""
        return {"rows": [{h: row.get(h) for h in self.sweep.heads} for row in self.sweep.rows]}

    def opening(self) -> Iterator[str]:
        """Return the number of designs, rejected and with violations."""
        counts, sweep = self.sweep.counts, self.sweep
        equal = sweep.requested - len(sweep.rows)
        parts = [f"{len(sweep.rows):,} designs", f"{counts['refused']:,} rejected"]
        failed = [row["row"] for row in sweep.rows if row.get("violations")]
        parts += [f"{len(failed):,} with violations, first in row {failed[0]}"] if failed else []
        parts += [f"{counts['defect']:,} defects of facility"] if counts["defect"] else []
        parts += [f"{self.before:,} already present"] if self.before else []
        parts += [f"{equal:,} equal to another design"] if equal else []
        yield f"{'; '.join(parts)}."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the designs, the range of each result, and the rejected designs."""
        if 0 < len(self.sweep.rows) <= _MAX_LISTED:
            yield self._designs()
        lines = [line for head in self.sweep.results for line in self._range(head)]
        if lines:
            heads = ("Result", "Minimum", "In row", "Maximum", "In row")
            yield TextTable("Results, in SI units", heads, lines)
        codes = Counter(row["error"] for row in self.sweep.rows if row.get("error"))
        if codes:
            firsts = {row["error"]: row for row in reversed(self.sweep.rows) if row.get("error")}
            rows = [
                (
                    f"{count:,}",
                    str(code),
                    str(firsts[code]["row"]),
                    f"{firsts[code]['where']}: {firsts[code]['message']}",
                )
                for code, count in codes.most_common(_MAX_CODES)
            ]
            yield TextTable(
                "Rejected designs", ("Designs", "Code", "First in row", "Message"), rows
            )

    def _designs(self) -> TextTable:
        """Return one row per design: inputs, key results, failed checks."""
        sweep = self.sweep
        by_key = {head.partition(" [")[0]: head for head in sweep.results}
        keys = [key for key in _LISTED if key in by_key]
        digits = [
            "1" if by_key[k].endswith("W]") else "3" if k.startswith("pue") else "0" for k in keys
        ]
        units = [by_key[key].partition(" [")[2].rstrip("]") for key in keys]
        heads = [f"{LABELS[k]} ({u})" if u else LABELS[k] for k, u in zip(keys, units, strict=True)]
        rows = []
        for row in sweep.rows:
            values = [_number(row, by_key[key]) for key in keys]
            count = row.get("violations")
            found = f"{count} violation{'' if count == 1 else 's'}" if count else "none"
            rows.append(
                (
                    str(row["row"]),
                    *(str(row.get(path, "")) for path in sweep.paths),
                    *(
                        "" if value is None else f"{value:,.{positions}f}"
                        for value, positions in zip(values, digits, strict=True)
                    ),
                    f"rejected: {row['error']}" if row.get("error") else found,
                )
            )
        return TextTable("Designs", ("Row", *sweep.paths, *heads, "Violations"), rows)

    def _range(self, head: str) -> Iterator[tuple[str, ...]]:
        found = [
            (value, row) for row in self.sweep.rows if (value := _number(row, head)) is not None
        ]
        if found:
            ends = (min(found, key=_by_value), max(found, key=_by_value))
            yield (head, *(text for v, row in ends for text in (number_text(v), str(row["row"]))))


def number_text(value: float) -> str:
    """Return a number of a row in six digits, never with an exponent where it is large."""
    return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:,.6g}"


def _by_value(found: tuple[float, Cells]) -> float:
    return found[0]


def _number(row: Cells, head: str) -> float | None:
    cell = row.get(head)
    return None if isinstance(cell, str | bool | None) else float(cell)


@dataclass(frozen=True)
class BestDesigns(OfProject):
    """The front of an optimisation."""

    found: Optimum
    verb = "optimise"

    @property
    def subject(self) -> str:
        """Minimised objectives."""
        return f"minimum {', '.join(self.found.objectives)}"

    @property
    def results(self) -> Mapping[str, object]:
        """Numbers of designs."""
        return {
            "optimise.designs": len(self.found.rows),
            "optimise.feasible": self.found.feasible,
            "optimise.front": len(self.found.front),
            "optimise.complete": self.found.complete,
        }

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the front."""
        return {"front": [self._object(one) for one in self.found.front]}

    def _object(self, one: Best) -> Object:
        return {**{head: one.cells.get(head) for head in self.found.heads}, "holds": one.holds}

    def opening(self) -> Iterator[str]:
        """Return the extent of the search."""
        found = self.found
        how = "complete enumeration" if found.complete else "search by NSGA-II"
        yield (
            f"{len(found.rows):,} designs evaluated, {how}; {found.feasible:,} within all limits; "
            f"{len(found.front):,} on the front."
        )

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the front, with all studies run on its designs."""
        found = self.found
        heads = ("row", *found.paths, *found.objectives, *COUNTS, "holds")
        rows = [
            [*(_text(one.cells.get(head)) for head in heads[:-1]), "yes" if one.holds else "no"]
            for one in found.front
        ]
        below = () if all(one.holds for one in found.front) else (_LESS,)
        yield TextTable("Pareto front, with checks of all studies", heads, rows, below)


_LESS = "Some designs meet the limits in the searched studies but not in all studies."


def _text(cell: object) -> str:
    return number_text(cell) if isinstance(cell, float) else "" if cell is None else str(cell)
