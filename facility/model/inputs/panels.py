"""The ``panels`` section: panelboards and outlet banks, as built or as specified."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, WithJsonSchema, field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import Source
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import (
    Count,
    Flag,
    Name,
    PositiveCount,
    Section,
    Text,
    problem,
    quantity,
)
from facility.model.power.hall_distribution import IMBALANCE_LIMIT

MAX_BOARDS = 2000
MAX_CIRCUITS = 84
"""Maximum circuits of a board, one per pole; the same number of spares."""
MAX_CORDS = 200

_PRACTICE = Source("design practice", "maximum deviation from the mean / mean", verified="memory")
_FULL = Source("design practice", "neutral bar rated as the bus, 100 %", verified="memory")

_Current = Annotated[Measured, quantity("current", above=0.0)]
_Imbalance = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_WORDS = {"yes": "true", "no": "false"}
_YesNo = Annotated[
    Flag,
    BeforeValidator(lambda value: _WORDS.get(value, value) if isinstance(value, str) else value),
    WithJsonSchema({"enum": [True, False, "true", "false", "yes", "no"]}),
]


class PanelCordsSection(Section):
    """Outlet bank, from 1, of each cord of one circuit of a rack type; 0 for a 3-phase cord."""

    rack: Name = required("Rack type")
    feed: Name = required("Feed of the circuit")
    circuit: PositiveCount | None = optional(
        "Number of the circuit of the rack on that feed, from 1", max_count=1000
    )
    banks: list[Count] = required(
        "Outlet bank of each cord, from 1; 0 for a three-phase cord", max_count=MAX_CORDS
    )

    @field_validator("banks")
    @classmethod
    def _are_banks(cls, value: list[int]) -> list[int]:
        if not value or max(value) > 3:
            raise problem(
                "PANEL_BANKS",
                f"{value[:12]} is not a list of outlet banks.",
                "Write 1, 2 or 3 for each cord, 0 for a three-phase cord: [1, 2, 3, 1].",
            )
        return value


class PanelCircuitSection(Section):
    """One rack circuit of a board; omitted fields are designed."""

    rack: Name = required("Rack of the circuit")
    circuit: PositiveCount | None = optional(
        "Number of the circuit of the rack on the feed, from 1", max_count=1000
    )
    position: PositiveCount | None = optional("Pole number of the first pole", max_count=1000)
    fixed: _YesNo | None = optional("Fixed position during balancing")
    banks: list[PositiveCount] | None = optional(
        "Order of the outlet banks on the poles", max_count=3
    )
    description: Text | None = optional("Description in the panel schedule")
    together: Name | None = optional("Group of circuits placed in consecutive positions")
    apart: Name | None = optional(
        "Group of circuits that never share a phase or a panelboard of a cabinet"
    )

    @model_validator(mode="after")
    def _consistent(self) -> PanelCircuitSection:
        if self.banks is not None and sorted(self.banks) != [1, 2, 3]:
            raise problem(
                "PANEL_BANKS",
                f"{self.banks[:12]} is not an order of the three outlet banks.",
                "List each bank once, in the order of the poles: [1, 2, 3].",
                at="banks",
            )
        if self.fixed and self.position is None:
            raise problem(
                "PANEL_POSITION",
                "the circuit is fixed but has no position.",
                "Enter its position, or omit fixed.",
                at="fixed",
            )
        return self


class PanelSpareSection(Section):
    """A breaker without a load."""

    poles: PositiveCount = required("Poles: 1, 2 or 3")
    breaker: _Current = required("Rating of the breaker")
    position: PositiveCount = required("Pole number of the first pole", max_count=1000)

    @field_validator("poles")
    @classmethod
    def _one_to_three(cls, value: int) -> int:
        if value > 3:
            raise problem("OUT_OF_RANGE", f"{value} poles.", "A breaker has 1, 2 or 3.")
        return value


class NameplateSection(Section):
    """Panelboard data that its schedule states and the design does not need."""

    manufacturer: Text | None = optional("Manufacturer")
    type: Text | None = optional("Type or catalogue number")
    location: Text | None = optional("Room or grid location")
    mounting: Literal["surface", "flush", "free-standing"] | None = optional("Mounting")
    enclosure: Name | None = optional("Enclosure type, e.g. NEMA 1 or IP31")
    main: Literal["MCB", "MLO"] | None = optional(
        "Main circuit breaker, or main lugs only with the feeder device as protection"
    )
    ground_bus: Literal["equipment", "isolated"] | None = optional(
        "Ground bus: equipment ground, or isolated and equipment ground"
    )
    breaker_type: Text | None = optional("Branch breaker type, e.g. bolt-on")
    curve: Literal["B", "C", "D", "K", "Z"] | None = optional("Tripping curve of the ways (IEC)")
    rcd: Literal["none", "AC", "A", "F", "B"] | None = optional(
        "Residual current device type of the ways (IEC)"
    )
    rcd_current: _Current | None = optional("Rated residual current (IEC)", symbol=r"I_{\Delta n}")

    def with_own(self, own: NameplateSection | None) -> NameplateSection:
        """Return the nameplate with the fields that a board states itself."""
        if own is None:
            return self
        fields = {name: getattr(own, name) for name in own.model_fields_set}
        return self.model_copy(update=fields)


class PanelBoardSection(Section):
    """One panelboard; unlisted rack circuits are placed around the listed ones."""

    tag: Name = required("Board tag")
    sccr: _Current | None = optional(
        "Short-circuit current rating, instead of power.faults.panel_rating"
    )
    supply_circuit: Name | None = optional(
        "Designation of the feeder device in the source equipment, e.g. CB-4"
    )
    designation: Name | None = optional(
        "Reference designation by IEC 81346, instead of the derived one"
    )
    nameplate: NameplateSection | None = None
    circuits: list[PanelCircuitSection] | None = optional(
        "Circuits of the board", max_count=MAX_CIRCUITS
    )
    spares: list[PanelSpareSection] | None = optional(
        "Breakers without a load", max_count=MAX_CIRCUITS
    )


class PanelsSection(Section):
    """Specified panelboards; the others are designed."""

    imbalance_limit: _Imbalance | None = optional(
        "Maximum line current imbalance of a panel without advice",
        Default(IMBALANCE_LIMIT, "advice above this imbalance", _PRACTICE),
    )
    neutral_rating: _Current | None = optional(
        "Neutral bar rating of a panelboard", Default(None, "same as the bus", _FULL)
    )
    nameplate: NameplateSection | None = None
    cords: list[PanelCordsSection] | None = optional(
        "Outlet banks of the cords, by circuit of a rack type", max_count=MAX_BOARDS
    )
    boards: list[PanelBoardSection] | None = optional("Panelboards as built", max_count=MAX_BOARDS)

    @model_validator(mode="after")
    def _each_once(self) -> PanelsSection:
        boards, cords = self.boards or [], self.cords or []
        tags = [board.tag for board in boards]
        if len(set(tags)) != len(tags):
            twice = next(tag for tag in tags if tags.count(tag) > 1)
            raise problem(
                "PANEL_DUPLICATE",
                f"board {twice!r} is listed twice.",
                "Put its circuits under one entry.",
                at="boards",
            )
        keys = [(cord.rack, cord.feed, cord.circuit or 1) for cord in cords]
        if len(set(keys)) != len(keys):
            rack, feed, circuit = next(key for key in keys if keys.count(key) > 1)
            raise problem(
                "PANEL_DUPLICATE",
                f"circuit {circuit} of {rack!r} on feed {feed} is listed twice.",
                "Remove one of them.",
                at="cords",
            )
        return self
