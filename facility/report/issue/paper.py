"""Sheet sizes of a set: ANSI under the NEC, ISO otherwise."""

from __future__ import annotations

from typing import NamedTuple

BORDER_MM = 10.0
"""Distance from the edge of the sheet to the border."""
ROW_MM = 8.4
"""Height of a row of the title block."""
BLOCK_ROWS = 3
_PAD_MM = 3.0


class Paper(NamedTuple):
    """Size of a sheet, landscape."""

    name: str
    width_mm: float
    height_mm: float

    @property
    def area_mm(self) -> tuple[float, float, float, float]:
        """Left, top, width and height inside border and title block."""
        left = BORDER_MM + _PAD_MM
        high = self.height_mm - 2.0 * left - BLOCK_ROWS * ROW_MM
        return left, left, self.width_mm - 2.0 * left, high


_SIZES = {
    ("NEC", False): ("ANSI A (Letter)", 279.4, 215.9),
    ("NEC", True): ("ANSI B (Tabloid)", 431.8, 279.4),
    ("IEC", False): ("A4", 297.0, 210.0),
    ("IEC", True): ("A3", 420.0, 297.0),
}
"""Name, width and height by family and whether large (ANSI/ASME Y14.1, ISO 216)."""


def paper_of(code: str, *, large: bool) -> Paper:
    """Return the sheet size under a code: ANSI for the NEC, else ISO."""
    return Paper(*_SIZES["NEC" if code == "NEC" else "IEC", large])
