"""The assumption ledger: every default of a design, and the value that replaces it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facility.core.sources import PROJECT, Source
from facility.core.views import with_unit

OVERRIDDEN = "overridden"
"""Status of a project value that replaces an assumption, with its reason."""


@dataclass(frozen=True)
class Assumption:
    """A default value: its id, SI value and kind, the basis, the source, and its status.

    For a project value with a reason, the basis is that reason.

    `kind` is empty and `text` is set for an assumption that is a word (a scheme, a model).
    """

    id: str
    value: float | None
    kind: str
    text: str
    basis: str
    source: Source
    status: str = "open"

    def as_json(self) -> dict[str, object]:
        """Return it as the JSON contract has it: words, or a number with its unit."""
        return {
            "id": self.id,
            "value": self.text or with_unit(self.value, self.kind),
            "basis": self.basis,
            "source": str(self.source),
            "status": self.status,
        }


class Ledger:
    """Assumptions by id, in the order they were made."""

    def __init__(
        self, confirmed: frozenset[str] = frozenset(), reasons: Mapping[str, str] | None = None
    ) -> None:
        """Start with the ids that are confirmed, and the reasons for other values by id."""
        self._confirmed = confirmed
        self._reasons = dict(reasons or {})
        self._entries: dict[str, Assumption] = {}

    def __copy__(self) -> Ledger:
        found = Ledger(self._confirmed, self._reasons)
        found._entries = dict(self._entries)
        return found

    @property
    def stated(self) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
        """Project statements on assumptions: confirmed ids, and reasons for other values."""
        return self._confirmed, tuple(self._reasons.items())

    def take(self, other: Ledger) -> None:
        """Append the assumptions of a ledger of the same project."""
        self._entries |= other._entries

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

    def given(self, id: str, value: float | None, kind: str = "", text: str = "") -> str:
        """Record a project value that has a reason; return the reason, or an empty text."""
        reason = self._reasons.get(id, "")
        if reason:
            self._put(Assumption(id, value, kind, text, reason, PROJECT, OVERRIDDEN))
        return reason

    def _status(self, id: str) -> str:
        return "confirmed" if id in self._confirmed else "open"

    def _put(self, assumption: Assumption) -> None:
        self._entries[assumption.id] = assumption
