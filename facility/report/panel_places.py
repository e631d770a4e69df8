"""What panel schedules share, and where the results of one stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from facility.power.panel_model import Panel
from facility.report.sheet_cells import CellValue, Ref, Span
from facility.report.sheet_tables import Furniture

PHASE_NAMES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {"US": ("A", "B", "C"), "IEC": ("L1", "L2", "L3")}
)
"""How the phases are called, by the numbering of the panel."""


class PanelFrame(NamedTuple):
    """First and last row of the circuit body."""

    first: int
    last: int


class Placed(NamedTuple):
    """A cell and the value that the engine has for it."""

    cell: Ref
    value: CellValue


@dataclass(frozen=True)
class LoadClass:
    """A load class as the Settings sheet states it, with the cells that state it."""

    code: str
    demand_factor: float
    continuous: bool
    factor_cell: Ref
    continuous_cell: Ref


@dataclass(frozen=True)
class PanelContext:
    """What all panel schedules of a workbook share.

    `continuous_name` and `imbalance_name` are the workbook names of the two limits; `issue` is
    revision, date and status in one line; `revisions` (rev, date, by, description).
    """

    code: str
    issue: str
    frequency_hz: float
    continuous_factor: float
    continuous_name: str
    imbalance_limit: float
    imbalance_name: str
    classes: tuple[LoadClass, ...]
    revisions: tuple[tuple[str, str, str, str], ...]
    checker: str
    tool: str
    furniture: Furniture

    def factor(self, panel: Panel) -> float:
        """Return the factor on continuous load for a panel: 1 where listed for 100 %."""
        return 1.0 if panel.listed_100 else self.continuous_factor


@dataclass
class PanelPlaces:
    """Results of one schedule by name, for the sheets that sum panels up.

    `quoted` is the sheet's name as a formula writes it; `spans` holds the rows of three cells,
    one per phase.
    """

    tag: str
    quoted: str
    results: dict[str, Placed] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)

    def put(self, name: str, cell: Ref, value: CellValue) -> Ref:
        """Remember where a result stands; return its address."""
        self.results[name] = Placed(cell, value)
        return cell
