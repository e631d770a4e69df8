"""The assumption ledger: every default a design rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.sources import Source


@dataclass(frozen=True)
class Assumption:
    """A value nobody gave: its id, SI value and kind, the basis, the source, and its status.

    `kind` is empty and `text` is set for an assumption that is a word (a scheme, a model).
    """

    id: str
    value: float | None
    kind: str
    text: str
    basis: str
    source: Source
    status: str = "open"


class Ledger:
    """Assumptions by id, in the order they were made."""

    def __init__(self, confirmed: frozenset[str] = frozenset()) -> None:
        self._confirmed = confirmed
        self._entries: dict[str, Assumption] = {}

    def __copy__(self) -> Ledger:
        found = Ledger(self._confirmed)
        found._entries = dict(self._entries)
        return found

    def __iter__(self) -> Iterator[Assumption]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, id: str) -> bool:
        return id in self._entries

    def add(self, id: str, value: float, kind: str, basis: str, source: Source) -> float:
        """Record a numeric default and return it."""
        self._put(Assumption(id, float(value), kind, "", basis, source, self._status(id)))
        return float(value)

    def add_text(self, id: str, text: str, basis: str, source: Source) -> str:
        """Record a default that is a word and return it."""
        self._put(Assumption(id, None, "", text, basis, source, self._status(id)))
        return text

    def _status(self, id: str) -> str:
        return "confirmed" if id in self._confirmed else "open"

    def _put(self, assumption: Assumption) -> None:
        self._entries[assumption.id] = assumption
