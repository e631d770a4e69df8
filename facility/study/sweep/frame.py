"""Rows of many designs as a frame, with the varied fields as numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, value_in
from facility.core.parse import parse_quantity
from facility.core.table import HasRows, ShownByRows, data_frame
from facility.model.inputs.change import declared_path
from facility.model.inputs.declare import fields_of
from facility.model.inputs.document import Project

if TYPE_CHECKING:
    from pandas import DataFrame


class HasVariedRows(HasRows, Protocol):
    """Rows with the fields that vary among their columns."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Fields that vary."""


class ShownByDesigns(ShownByRows):
    """Many designs as the library returns them: one row per design."""

    def to_frame(self: HasVariedRows) -> DataFrame:
        """Return the rows as a pandas table, one row per design, sortable by every varied field.

        A varied field that is a number has a numeric column, in the SI view unit of the field:
        ``it.gpus``, ``site.elevation [m]``. A text field keeps its text. A value to be designed is
        NaN.

        Raises
        ------
        FacilityError
            ``NO_PANDAS`` where pandas is not installed.
        """
        columns = {}
        for head in self.heads:
            cells = [row.get(head) for row in self.rows]
            if head in self.paths:
                head, cells = varied_column(head, cells)
            columns[head] = cells
        return data_frame(columns)


def varied_column(path: str, cells: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return heading and values of a varied field: numbers where all its texts are numbers."""
    entry = fields_of(Project).get(declared_path(path))
    kind = "" if entry is None else entry.kind
    if not kind:
        return path, list(cells)
    numbers = [_number(cell, kind) for cell in cells]
    if None in numbers:
        return path, list(cells)
    unit = KINDS[kind].view_si
    if kind == "count" and not any(math.isnan(number or 0.0) for number in numbers):
        return path, [int(number or 0.0) for number in numbers]
    return f"{path} [{unit}]" if unit else path, list(numbers)


def _number(cell: object, kind: str) -> float | None:
    """Return a cell as a number in the SI view unit; NaN if empty, None if it is not a number."""
    if cell is None or cell == "":
        return math.nan
    try:
        return value_in(KINDS[kind], parse_quantity(str(cell), kind).si, KINDS[kind].view_si)
    except FacilityError:
        return None
