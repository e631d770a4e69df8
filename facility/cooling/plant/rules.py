"""Rules of the plant options: economizer, staging of chillers, heat reuse."""

from __future__ import annotations

from facility.core.check import Rule, Severity
from facility.core.sources import DERIVED, Source

_PRACTICE = Source("memory-cooling-practice", verified="memory")

ECONOMIZER_HOURS = Rule(
    "ECONOMIZER-HOURS",
    "Hours of the typical year in which the economizer takes heat",
    Severity.WARNING,
    DERIVED,
    "Warm the chilled water or the supply air, or leave the economizer out.",
)
CHILLER_STAGING = Rule(
    "CHILLER-STAGING",
    "Part load of the running chillers in the mean year",
    Severity.ADVICE,
    _PRACTICE,
    "Choose smaller chillers: the last one runs below the load at which it should stop.",
)
CHILLER_MINIMUM_FLOW = Rule(
    "CHILLER-MINIMUM-FLOW",
    "Water of the coils against the least flow of the running chillers",
    Severity.ADVICE,
    _PRACTICE,
    "The bypass stays open, and the return is colder than its design: choose smaller chillers.",
)
REUSE_TEMPERATURE = Rule(
    "REUSE-TEMPERATURE",
    "Warmest heat of the plant against what its user needs",
    Severity.VIOLATION,
    DERIVED,
    "Use it at a lower temperature, warm the loops, or add a heat pump, which is not in this plan.",
)
REUSE_HOURS = Rule(
    "REUSE-HOURS",
    "Hours of the year in which the heat of the plant is warm enough for its user",
    Severity.WARNING,
    DERIVED,
    "Provide other heat for the rest of the hours, or warm the loops in them.",
)
STORAGE_RESTART = Rule(
    "STORAGE-RESTART",
    "Buffer of the chilled water at the design load against the restart of the chillers",
    Severity.ADVICE,
    DERIVED,
    "Enlarge cooling.thermal.chilled_water_tank, or prove the ride-through without it.",
)
