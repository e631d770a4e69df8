"""Rules of the studies by id, declared in `rules.csv`."""

from __future__ import annotations

from facility.core.check import rules_of

RULES = rules_of("facility.study")
