"""U positions of devices in a rack, and devices that overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

NOT_STATED = "-"
"""Position of a device that the project does not state."""
MAX_POSITION = 100
_POSITION = re.compile(
    r"(?:R?U|HE|OU)?\s*(\d{1,3}(?:[.,][05])?0*)\s*(?:R?U|HE|OU)?"
    r"(?:\s*(?:-|–|\.\.|/|to|bis|à)\s*(?:R?U|HE|OU)?\s*(\d{1,3})\s*(?:R?U|HE|OU)?)?",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def lowest_unit(text: str) -> float | None:
    """Return the lowest rack unit of a position as written; None for any other text.

    Examples
    --------
    >>> lowest_unit("U12"), lowest_unit("12-15"), lowest_unit("15 - 12"), lowest_unit("rear")
    (12.0, 12.0, 12.0, None)
    """
    found = _POSITION.fullmatch(text.strip())
    if found is None:
        return None
    first = float(found[1].replace(",", "."))
    lowest = min(first, float(found[2] or first))
    return lowest if 1.0 <= lowest <= MAX_POSITION else None


def unit_text(bottom: float, height: int) -> str:
    """Return the rack units of a device.

    >>> unit_text(5.0, 8), unit_text(40.0, 1)
    ('U5 to U12', 'U40')
    """
    return f"U{bottom:g}" if height <= 1 else f"U{bottom:g} to U{bottom + height - 1:g}"


def unit_conflicts(
    devices: Iterable[tuple[str, float | None, int]], rack_units: int | None
) -> Iterator[str]:
    """Yield the devices of a rack that overlap or exceed its height.

    devices: Name, lowest rack unit (None if not stated) and height [U] of each device.
    rack_units: Height of the rack; None if not stated.
    """
    known: Sequence[tuple[float, int, str]] = sorted(
        (bottom, height, name) for name, bottom, height in devices if bottom is not None
    )
    below: tuple[float, int, str] | None = None
    for bottom, height, name in known:
        shown = f"{name} ({unit_text(bottom, height)})"
        if below is not None and below[0] + below[1] > bottom:
            yield f"{below[2]} ({unit_text(below[0], below[1])}) and {shown} overlap"
        if rack_units is not None and bottom + height - 1 > rack_units:
            yield f"{shown} exceeds the {rack_units} U rack"
        if below is None or bottom + height > below[0] + below[1]:
            below = bottom, height, name
