"""What panel schedules share, and where the results of one stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from facility.power.panel_model import Panel
from facility.report.panel_supply import NOTHING_KNOWN, PanelSupply
from facility.report.sheet_cells import CellValue, Ref, Span
from facility.report.sheet_tables import Furniture

PHASE_NAMES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {"US": ("A", "B", "C"), "IEC": ("L1", "L2", "L3")}
)
"""How the phases are called, by the numbering of the panel."""


class PanelFrame(NamedTuple):
    """First and last row of the circuit body, and whether it is a single list of ways."""

    first: int
    last: int
    single: bool = False

    @property
    def sides(self) -> tuple[tuple[str, int], ...]:
        """Column of the load class and first column of VA of each side."""
        return (("C", 8),) if self.single else (("C", 8), ("S", 12))

    def codes(self, letter: str) -> str:
        """Return the load classes of a side, as a formula names them."""
        return f"${letter}${self.first}:${letter}${self.last}"

    def va(self, column: int) -> str:
        """Return the VA of a side, all phases, as a formula names them."""
        return Span(self.first, column, self.last, column + 2).fixed


class Placed(NamedTuple):
    """A cell and the value that the engine has for it."""

    cell: Ref
    value: CellValue


@dataclass(frozen=True)
class LoadClass:
    """A load class as the Settings sheet states it, with the cells that state it.

    `tier_va` is the connected load up to which `demand_factor` counts, `tier_factor` the factor
    on what is above; None where one factor counts for all.
    """

    code: str
    demand_factor: float
    continuous: bool
    factor_cell: Ref
    continuous_cell: Ref
    tier_cell: Ref
    tier_factor_cell: Ref
    tier_va: float | None = None
    tier_factor: float | None = None

    def demand_va(self, connected_va: float) -> float:
        """Return the demand: the first factor up to the tier, the second one above it [VA]."""
        if self.tier_va is None:
            return connected_va * self.demand_factor
        above = max(0.0, connected_va - self.tier_va) * (self.tier_factor or 0.0)
        return min(connected_va, self.tier_va) * self.demand_factor + above

    def demand_formula(self, connected: str, factor: str) -> str:
        """Return the formula of `demand_va` on the cells of connected VA and first factor."""
        tier, above = self.tier_cell, self.tier_factor_cell
        return (
            f'IF({tier}="",{connected}*{factor},'
            f"MIN({connected},{tier})*{factor}+MAX(0,{connected}-{tier})*{above})"
        )


@dataclass(frozen=True)
class PanelContext:
    """What all panel schedules of a workbook share.

    `continuous_name` and `imbalance_name` are the workbook names of the two limits; `issue` is
    revision, date and status in one line; `revisions` (rev, date, by, description); `supplies`
    holds what feeds each panel, by its tag.
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
    supplies: Mapping[str, PanelSupply] = field(default_factory=dict)

    def supply(self, panel: Panel) -> PanelSupply:
        """Return what feeds a panel; all unknown where the network does not have it."""
        return self.supplies.get(panel.tag, NOTHING_KNOWN)

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
