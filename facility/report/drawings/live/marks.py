"""Mapping from the shapes of a one-line diagram to equipment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.status import STATUS_WORDS, Status

MarkKind = Literal["equipment", "breaker", "racks"]
LETTERS: dict[MarkKind, str] = {"equipment": "e", "breaker": "b", "racks": "r"}
"""A shape id is the letter of its type and its number in the drawing."""


@dataclass(frozen=True)
class Mark:
    """Meaning of one shape.

    `tags` are those of the equipment, of the circuits of a breaker, or of the panelboards that feed
    the racks. `words` is the text for screen readers.
    """

    kind: MarkKind
    tags: tuple[str, ...]
    words: str
    status: Status


def marks_of(drawing: Drawing) -> dict[str, Mark]:
    """Return the meaning of every selectable shape, by shape id."""
    return dict(_marks(drawing))


def _marks(drawing: Drawing) -> Iterator[tuple[str, Mark]]:
    for n, symbol in enumerate(drawing.symbols):
        words = f"{_named(symbol.members)}, {STATUS_WORDS[symbol.status]}"
        yield f"{LETTERS['equipment']}{n}", Mark("equipment", symbol.members, words, symbol.status)
    for n, device in enumerate(drawing.devices):
        words = f"breaker {_named(device.circuits)}, {STATUS_WORDS[device.status]}"
        yield f"{LETTERS['breaker']}{n}", Mark("breaker", device.circuits, words, device.status)
    for n, strip in enumerate(drawing.racks):
        words = f"{strip.racks:,} racks on {_named(strip.panels)}, {strip.dropped:,} dropped"
        status: Status = "dead" if strip.dropped else "live"
        yield f"{LETTERS['racks']}{n}", Mark("racks", strip.panels, words, status)


def _named(tags: tuple[str, ...]) -> str:
    return tags[0] if len(tags) == 1 else f"{tags[0]} and {len(tags) - 1} equal"
