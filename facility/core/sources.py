"""Sources of numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A published or stated origin of a number or a rule."""

    id: str  # Key in `reference/sources.csv`, or a short word such as "project"
    locator: str = ""  # Clause, table or page inside the source
    edition: str = ""  # Edition or date, where the source has one
    verified: str = "read"  # `read`, `computed`, `secondary` or `memory`

    def __str__(self) -> str:
        parts = [self.id, self.edition, self.locator]
        text = ", ".join(part for part in parts if part)
        return f"{text} [unverified]" if self.verified == "memory" else text


PROJECT = Source("project", "as typed")
DERIVED = Source("derivation", "derived here from definitions")
DEFINITION = Source("definition")
UNSTATED = Source("project", "not stated")
RULE = Source("planning-rule", "default of this program", verified="computed")
RECALLED = Source("planning-value", "no source read", verified="memory")
PRACTICE = Source("memory-cooling-practice", verified="memory")
