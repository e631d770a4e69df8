"""Panelboard and circuits, in SI, with the load of every leg in every state."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from facility.core.errors import FacilityError
from facility.core.table import data_frame, html_table
from facility.model.power.hall_distribution import Connection, Numbering
from facility.power.panels.board.layout import LAYOUTS, PHASES, Layout

if TYPE_CHECKING:
    from pandas import DataFrame

CLASS_CODES = (
    "IT-AI",
    "IT-NET",
    "IT-STO",
    "IT-MGT",
    "COOL",
    "LTG",
    "REC",
    "EV",
    "MISC",
    "SPARE",
    "SPACE",
)
STATED_BREAKER = (
    "circuits of the rack (it.halls.racks.circuits) states breaker and number, its devices "
    "(it.halls.racks.devices) the load"
)
"""Project fields of a circuit above its specified breaker, for its findings."""

CIRCUIT_COLUMNS = (
    *("panel", "side", "hall", "position", "id", "description", "class"),
    *("poles", "phases", "breaker_a", "load_w", "load_va", "rack"),
)
"""Columns of the circuits of a panel."""

MIN_POLES = 3
MAX_POLES = 84


@dataclass(frozen=True, slots=True)
class Circuit:
    """Branch circuit."""

    id: str  # Identity within the panel
    description: str  # Displayed purpose
    class_code: str  # One of `CLASS_CODES`. A SPARE has a breaker and no load.
    poles: int  # 1, 2 or 3
    # Loading of the legs. L-N: one leg per pole, to neutral; a balanced three-phase load is three
    # equal legs. L-L: the one pair of a 2-pole, or the pairs 1-2, 2-3, 3-1 of a 3-pole
    # circuit.
    connection: Connection
    power_va: tuple[tuple[complex, ...], ...]  # P + jQ by state of the panel, then by leg [VA]
    breaker_a: float | None = None  # Trip rating [A]; None if unknown
    position: int | None = None  # Pole number of the first pole; None if not placed
    fixed: bool = False  # Whether the circuit must not be moved
    rack: str = ""  # Rack fed
    side: str = ""  # Feed of the panel
    partner: str = ""  # Circuits of other panels for the same rack
    length_m: float | None = None  # Route length from panel to rack [m]
    receptacle: str = ""  # Receptacle or connector
    ordinal: int = 0  # Index of the circuit among the circuits of its rack on this feed, from 0
    # Outlet bank of the rack PDU on each pole of a 3-pole circuit, in pole order.
    banks: tuple[int, int, int] = (0, 1, 2)
    together: str = ""  # Name of its `together` group; empty for none
    apart: str = ""  # Name of its `apart` group; empty for none
    # Third harmonic / fundamental current; None if not specified.
    third_harmonic: float | None = None
    # Whether the project specifies its breaker, with the circuits of the rack.
    breaker_given: bool = False
    # Phase of the first pole at a busway tap-off, 0 to 2, where the position does not determine it;
    # otherwise None, also before it is selected.
    tap_phase: int | None = None
    connector: str = ""  # Stated connector, next to a rack PDU

    @property
    def plug(self) -> str:
        """Receptacle, connector or rack PDU of the circuit; empty if none."""
        return self.connector or self.receptacle

    def named(
        self, id: str, description: str, rack: str, partner: str, length_m: float | None
    ) -> Circuit:
        """Return the circuit with its individual data; several times faster than `replace`.

        A design has thousands.
        """
        return Circuit(
            id,
            description,
            self.class_code,
            self.poles,
            self.connection,
            self.power_va,
            self.breaker_a,
            self.position,
            self.fixed,
            rack,
            self.side,
            partner,
            length_m,
            self.receptacle,
            self.ordinal,
            self.banks,
            self.together,
            self.apart,
            self.third_harmonic,
            self.breaker_given,
            self.tap_phase,
            self.connector,
        )

    def pole_va(self, state: int = 0) -> tuple[float, ...]:
        """Return the schedule VA of each pole: L-L load split evenly over its two poles."""
        legs = [abs(power) for power in self.power_va[state]]
        if self.connection == "L-N":
            return tuple(legs)
        if self.poles == 2:
            return (legs[0] / 2.0, legs[0] / 2.0)
        return tuple((legs[k] + legs[k - 1]) / 2.0 for k in range(3))

    def total_va(self, state: int = 0) -> complex:
        """Return the complex power of the whole circuit [VA]."""
        return sum(self.power_va[state], 0j)


@dataclass(frozen=True)
class Panel:
    """Panelboard."""

    tag: str
    side: str  # Feed that supplies it
    hall: str  # Its hall
    system: str  # Voltage system, e.g. "415Y/240"
    v_ll: float  # Line-to-line voltage [V]
    poles: int  # Pole positions; of a busway, tap-offs
    bus_a: float | None  # Rating of the bus [A]; None if unknown
    # Rating of the main device [A]; None if unknown, or with main lugs only.
    main_a: float | None
    listed_100: bool  # Whether assembly and devices are listed for 100 % continuous load
    fed_from: str  # Tag of the supply
    paired: tuple[str, ...]  # Panels of other feeds that share racks with it
    numbering: Numbering  # Numbering of the positions
    states: tuple[str, ...]  # "normal" first, then e.g. "B lost"; parallel to `Circuit.power_va`
    circuits: tuple[Circuit, ...]  # Circuits, spares included; free positions are `spaces`
    # Index, from 0, of the group of panels that share racks, usually one per feed.
    group: int = 0

    @property
    def v_ln(self) -> float:
        """Line-to-neutral voltage of the balanced system [V]."""
        return self.v_ll / math.sqrt(3.0)

    @property
    def rating_a(self) -> float | None:
        """Lower of bus and main ratings, if known [A]."""
        known = (rating for rating in (self.bus_a, self.main_a) if rating is not None)
        return min(known, default=None)

    @property
    def layout(self) -> Layout:
        """Pole positions and their phases."""
        return LAYOUTS[self.numbering]

    @property
    def is_busway(self) -> bool:
        """Whether the positions are tap-offs of a busway."""
        return self.numbering == "BUSWAY"

    @property
    def placed(self) -> bool:
        """Whether every circuit has a position, and a phase."""
        return all(
            circuit.position is not None and self.start(circuit) is not None
            for circuit in self.circuits
        )

    @property
    def poles_used(self) -> int:
        """Poles of all circuits, placed or not; of a busway, tap-offs."""
        if self.is_busway:
            return len(self.circuits)
        return sum(circuit.poles for circuit in self.circuits)

    @property
    def spaces(self) -> tuple[int, ...]:
        """Positions without a breaker."""
        taken = {n for circuit in self.circuits for n in self.occupied(circuit)}
        return tuple(n for n in range(1, self.poles + 1) if n not in taken)

    def occupied(self, circuit: Circuit) -> tuple[int, ...]:
        """Return the positions of `circuit`; empty if not placed."""
        if circuit.position is None:
            return ()
        return self.layout.occupied(circuit.position, circuit.poles)

    def start(self, circuit: Circuit) -> int | None:
        """Return the phase of the first pole of `circuit`; None if not placed."""
        if self.is_busway:
            return circuit.tap_phase
        return None if circuit.position is None else self.layout.phase(circuit.position)

    def phases(self, circuit: Circuit) -> str:
        """Return the phases of `circuit` in pole order; empty if not placed."""
        start = self.start(circuit)
        if start is None:
            return ""
        return "".join(PHASES[(start + pole) % 3] for pole in range(circuit.poles))

    def circuit_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the circuits as rows of `CIRCUIT_COLUMNS`, in the order of their positions."""
        for one in sorted(self.circuits, key=lambda one: (one.position is None, one.position or 0)):
            power = one.total_va()
            label = None if one.position is None else self.layout.label(one.position)
            named = (self.tag, self.side, self.hall, label, one.id, one.description, one.class_code)
            rated = (one.poles, self.phases(one), one.breaker_a)
            yield (*named, *rated, power.real, abs(power), one.rack)

    def to_frame(self) -> DataFrame:
        """Return the circuits as a pandas table, one row per circuit in the order of positions.

        Columns are `CIRCUIT_COLUMNS`: breaker rating in A, load of the normal state in W and VA.

        Raises
        ------
        FacilityError
            ``NO_PANDAS`` where pandas is not installed.
        """
        return data_frame(list(self.circuit_rows()), columns=list(CIRCUIT_COLUMNS))

    def _repr_html_(self) -> str:
        """Return panel and circuits as a table, for notebooks."""
        title = f"{self.tag}, {self.system}, {self.poles} poles, fed from {self.fed_from}"
        rows = (
            ["" if cell is None else _cell(cell) for cell in row[3:]] for row in self.circuit_rows()
        )
        return f"<p>{escape(title)}</p>{html_table(CIRCUIT_COLUMNS[3:], rows)}"


def _cell(value: object) -> str:
    return f"{value:,.0f}" if isinstance(value, float) else str(value)


def turned_banks(circuit: Circuit, shift: int) -> Circuit:
    """Return a 3-pole `circuit` rotated: pole p carries the former load of pole p + `shift`."""
    first, second, third = ((pole + shift) % 3 for pole in range(3))
    return replace(
        circuit,
        power_va=tuple((legs[first], legs[second], legs[third]) for legs in circuit.power_va),
        banks=(circuit.banks[first], circuit.banks[second], circuit.banks[third]),
    )


def check_layout(panel: Panel, wheres: tuple[str, ...]) -> None:
    """Reject a panel whose circuits conflict in their positions.

    wheres: Location of each circuit in the user's file, for the messages.

    Raises ``PANEL_DUPLICATE``, ``PANEL_POSITION``, ``PANEL_OVERLAP`` or ``PANEL_FULL``.
    """
    seen: dict[str, str] = {}
    taken: dict[int, Circuit] = {}
    for circuit, where in zip(panel.circuits, wheres, strict=True):
        if circuit.id in seen:
            raise FacilityError(
                "PANEL_DUPLICATE",
                where,
                f"circuit {circuit.id!r} occurs in {seen[circuit.id]}.",
                "Use a different id for each circuit.",
            )
        seen[circuit.id] = where
        _check_position(panel, circuit, where)
        for position in panel.occupied(circuit):
            if position in taken:
                raise FacilityError(
                    "PANEL_OVERLAP",
                    where,
                    f"pole {panel.layout.label(position)} is occupied by circuit "
                    f"{taken[position].id} ({taken[position].description}).",
                    "Move one of the two circuits, or leave its position empty.",
                )
            taken[position] = circuit
    if panel.poles_used > panel.poles:
        raise FacilityError(
            "PANEL_FULL",
            panel.tag,
            f"the circuits require {panel.poles_used} poles; the panel has {panel.poles}.",
            "Use a larger panel, or move circuits to another panel.",
        )


def _check_position(panel: Panel, circuit: Circuit, where: str) -> None:
    if circuit.position is None:
        if circuit.fixed:
            raise FacilityError(
                "PANEL_POSITION",
                where,
                f"circuit {circuit.id!r} is fixed but has no position.",
                "Enter its position, or enter no in the column fixed.",
            )
        return
    if panel.is_busway and circuit.fixed and circuit.tap_phase is None:
        raise FacilityError(
            "PANEL_POSITION",
            where,
            f"circuit {circuit.id!r} is fixed but has no phases.",
            "Enter the phases of its tap-off, or enter no in the column fixed.",
        )
    if not panel.layout.may_start(circuit.position, circuit.poles, panel.poles):
        fits = panel.layout.may_start
        free = [n for n in range(1, panel.poles + 1) if fits(n, circuit.poles, panel.poles)]
        omitted = ["…"] if len(free) > 4 else []
        label = panel.layout.label
        names = [str(n) if label(n) == str(n) else f"{label(n)} (pole {n})" for n in free]
        shown = [*names[:3], *omitted, *names[3:][-1:]]
        raise FacilityError(
            "PANEL_POSITION",
            where,
            f"a {circuit.poles}-pole breaker at {label(circuit.position)} does not fit "
            f"in a panel of {panel.poles} poles ({panel.numbering} numbering)."
            if not panel.is_busway
            else f"there is no tap-off {circuit.position}; the busway has {panel.poles}.",
            f"Choose one of {', '.join(shown)}, or leave it empty."
            if free
            else "Leave the position empty, and use a larger panel.",
        )
