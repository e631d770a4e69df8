"""How a result was calculated, as the library returns it: text, data, table and notebook view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facility.core.kinds import KINDS
from facility.core.table import data_frame, html_table
from facility.core.trace import Step
from facility.core.views import System, show_exact, view_unit, view_value
from facility.report.sheet.formula_text import formula_text
from facility.study.design.design import Design
from facility.study.explained import derivation_steps, explain_result

if TYPE_CHECKING:
    from pandas import DataFrame

_HEADS = ("step", "value", "how", "formula or reason", "inputs", "source")
_COLUMNS = (
    "depth",
    "id",
    "how",
    "value",
    "unit",
    "si",
    "si_unit",
    "display",
    "formula",
    "reason",
    "inputs",
    "source",
    "repeated",
)


@dataclass(frozen=True)
class Explanation:
    """How a result was calculated; printed, the derivation as text.

    Attributes
    ----------
    result : str
        Key of the result, step, assumption or rule.
    system : {"si", "ip"}
        Units displayed.
    lines : tuple[str, ...]
        The text, line by line.
    steps : tuple[tuple[Step, int, bool], ...]
        The calculation steps, the result first: step, depth in the derivation, and whether its
        inputs are listed at an earlier row. Empty for what is not calculated: a word, a rule.

    Examples
    --------
    >>> import facility
    >>> few = {"it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    >>> found = facility.explain(facility.design(facility.project(few)), "load.gpu")
    >>> found.to_dict()["steps"][0]["display"]
    '44.8 kW'
    """

    result: str
    system: System
    lines: tuple[str, ...]
    steps: tuple[tuple[Step, int, bool], ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return f"<Explanation: {self.lines[0]}>"

    def __contains__(self, text: str) -> bool:
        return text in str(self)

    def to_dict(self) -> dict[str, object]:
        """Return the derivation as plain data that `json.dumps` accepts.

        Returns
        -------
        dict
            ``result``, ``system``, ``text`` (list of lines) and ``steps``: one mapping per step
            with the columns of `to_frame`; ``inputs`` is a list of ``name``, ``value``, ``unit``
            and ``step``, the id of the step that the input is from.
        """
        rows = [dict(zip(_COLUMNS, row, strict=True)) for row in self._rows()]
        text = list(self.lines)
        return {"result": self.result, "system": self.system, "text": text, "steps": rows}

    def to_frame(self) -> DataFrame:
        """Return the steps as a pandas table, one row per step, the result first.

        Columns are depth, id, how, value, unit (of the view), si, si_unit, display, formula,
        reason, inputs (as text), source and repeated.

        Raises
        ------
        FacilityError
            ``NO_PANDAS`` where pandas is not installed.
        """
        at = _COLUMNS.index("inputs")
        rows = [
            (*row[:at], _inputs_text(step, self.system), *row[at + 1 :])
            for row, (step, _, _) in zip(self._rows(), self.steps, strict=True)
        ]
        return data_frame(rows, columns=list(_COLUMNS))

    def _repr_html_(self) -> str:
        """Return the steps as a table for notebooks, or the text without steps."""
        if not self.steps:
            return html_table((self.result,), ((line,) for line in self.lines))
        return html_table(_HEADS, map(self._cells, self.steps))

    def _cells(self, found: tuple[Step, int, bool]) -> tuple[str, ...]:
        step, depth, again = found
        name = "\u2003" * depth + step.id
        value = show_exact(step.value, step.kind, self.system)
        if again:
            return name, value, step.how, "see above", "", ""
        why = "; ".join(filter(None, (_formula(step), step.because)))
        return name, value, step.how, why, _inputs_text(step, self.system), str(step.source)

    def _rows(self) -> Iterator[tuple[object, ...]]:
        """Yield what `to_dict` has of each step."""
        for step, depth, again in self.steps:
            yield (
                depth,
                step.id,
                step.how,
                view_value(step.value, step.kind, self.system),
                view_unit(step.kind, self.system),
                step.value,
                KINDS[step.kind].si,
                show_exact(step.value, step.kind, self.system),
                _formula(step),
                step.because,
                _inputs(step, self.system),
                str(step.source),
                again,
            )


def explanation(design: Design, id: str, system: System) -> Explanation:
    """Return the derivation of a result, step, assumption or rule of a design.

    Raises ``UNKNOWN_RESULT`` with near matches.
    """
    lines = explain_result(design, id, system, formula_text)
    return Explanation(id, system, tuple(lines), tuple(derivation_steps(design, id)))


def _formula(step: Step) -> str:
    if step.equation is None:
        return ""
    return formula_text(step.equation.statement)


def _inputs(step: Step, system: System) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "value": view_value(value, kind, system) if kind else value,
            "unit": view_unit(kind, system) if kind else "",
            "step": ref,
        }
        for name, value, kind, ref in step.inputs
    ]


def _inputs_text(step: Step, system: System) -> str:
    return ", ".join(
        f"{name} = {show_exact(value, kind, system)}" for name, value, kind, _ in step.inputs
    )
