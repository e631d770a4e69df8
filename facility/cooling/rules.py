"""Rules of the cooling by id, declared in `rules.csv`."""

from __future__ import annotations

from facility.core.check import rules_of

RULES = rules_of("facility.cooling")
