"""The rules of the power by id: `rules.csv` beside this module declares each once."""

from __future__ import annotations

from facility.core.check import rules_of

RULES = rules_of("facility.power")
