"""Pole positions of a panelboard and their phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from facility.core.errors import FacilityError
from facility.model.power.hall_distribution import Numbering

PHASES = "ABC"

PHASE_NAMES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {"US": ("A", "B", "C"), "SINGLE": ("A", "B", "C"), "IEC": ("L1", "L2", "L3")}
)
"""Phase names by panel numbering."""


@dataclass(frozen=True)
class Layout:
    """Numbering of pole positions.

    In a US panelboard odd numbers are left, even ones right, and both circuits of a row share the
    phase of the row: 1, 2 on A, 3, 4 on B, 5, 6 on C, 7, 8 on A. A k-pole breaker at n occupies n,
    n+2, n+4. An IEC board has ways of three poles, 1L1 1L2 1L3 2L1 ..., numbered here 1, 2, 3, 4
    ...; a device stays within one way. A single-column panelboard (``SINGLE``) has its poles one
    below the other, 1 on A, 2 on B, 3 on C, 4 on A; a k-pole breaker at n occupies n, n+1, n+2.
    """

    name: Numbering
    # Distance between adjacent poles of one breaker: the number of columns.
    stride: int
    whole_ways: bool  # Whether a device must stay within one group of three rows

    def phase(self, position: int) -> int:
        """Return the phase of a pole position: 0, 1, 2 for A, B, C."""
        return ((position - 1) // self.stride) % 3

    def occupied(self, position: int, poles: int) -> tuple[int, ...]:
        """Return the positions of a breaker with `poles` whose first pole is at `position`."""
        return tuple(position + self.stride * k for k in range(poles))

    def may_start(self, position: int, poles: int, panel_poles: int) -> bool:
        """Return whether a breaker of `poles` may have its first pole at `position`."""
        inside = position >= 1 and position + self.stride * (poles - 1) <= panel_poles
        return inside and (not self.whole_ways or self.phase(position) + poles <= 3)

    def columns(self, panel_poles: int) -> tuple[range, ...]:
        """Return the positions of each column, from the top."""
        return tuple(
            range(first, panel_poles + 1, self.stride) for first in range(1, self.stride + 1)
        )

    def refuse_broken(self, panel_poles: int, where: str) -> None:
        """Reject a panelboard with an incomplete last row or way.

        Raises ``OUT_OF_RANGE``.
        """
        whole = 3 if self.whole_ways else self.stride
        if panel_poles % whole:
            less = panel_poles - panel_poles % whole
            raise FacilityError(
                "OUT_OF_RANGE",
                where,
                f"{panel_poles} poles; the board has "
                + (
                    "three-pole ways."
                    if self.whole_ways
                    else "two columns with equal numbers of poles."
                ),
                f"Enter {less} or {less + whole}." if less else f"Enter {whole}.",
            )

    def label(self, position: int) -> str:
        """Return the position label: ``7``, or ``3L1``."""
        if self.name == "IEC":
            return f"{(position - 1) // 3 + 1}L{(position - 1) % 3 + 1}"
        return str(position)

    def phases(self, position: int, poles: int) -> str:
        """Return the phases of a breaker, e.g. ``"BC"``."""
        return "".join(PHASES[self.phase(n)] for n in self.occupied(position, poles))


@dataclass(frozen=True)
class BuswayLayout(Layout):
    """Tap-offs of a busway, numbered 1, 2, 3 ... from its feed end.

    A tap-off has one circuit of one to three poles, with phases set at the tap-off.
    """

    def phase(self, position: int) -> int:
        """Raise an error: the position does not determine the phase.

        Raises ``BUSWAY_PHASE``, always.
        """
        raise FacilityError(
            "BUSWAY_PHASE",
            f"tap-off {position}",
            "the phases of a tap-off are set at the tap-off; its number does not determine them.",
            "Use a panelboard (numbering US, IEC or SINGLE), or balance the busway separately.",
        )

    def occupied(self, position: int, poles: int) -> tuple[int, ...]:
        """Return the tap-off of a circuit."""
        return (position,)

    def may_start(self, position: int, poles: int, panel_poles: int) -> bool:
        """Return whether the busway has this tap-off."""
        return 1 <= position <= panel_poles


LAYOUTS: dict[Numbering, Layout] = {
    "US": Layout("US", 2, whole_ways=False),
    "IEC": Layout("IEC", 1, whole_ways=True),
    "SINGLE": Layout("SINGLE", 1, whole_ways=False),
    "BUSWAY": BuswayLayout("BUSWAY", 1, whole_ways=False),
}
