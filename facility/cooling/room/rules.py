"""Rules of the air path: stable ids, weights, sources and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from facility.core.check import Rule, Severity
from facility.core.sources import DERIVED, Source

_CLASSES = Source("ashrae-tc99-air", "classes and derating with altitude", "2021", "secondary")
_RECALLED = Source("memory-cooling-practice", verified="memory")

_ALL = (
    Rule(
        "AIR-ALLOWABLE",
        "Warmest equipment inlet, allowable at this elevation",
        Severity.VIOLATION,
        _CLASSES,
        "Lower the supply air, or choose equipment of a wider class.",
    ),
    Rule(
        "AIR-COLD",
        "Supply air against the lowest allowable inlet",
        Severity.VIOLATION,
        _CLASSES,
        "Raise the supply air.",
    ),
    Rule(
        "AIR-ELEVATION",
        "Elevation against the highest of the class",
        Severity.VIOLATION,
        _CLASSES,
        "Ask the maker of the equipment for a rating at this elevation.",
    ),
    Rule(
        "AIR-DEW-POINT",
        "Dew point of the room, allowable",
        Severity.VIOLATION,
        _CLASSES,
        "Hold the dew point of the room, and of outdoor air that is let in, inside the class.",
    ),
    Rule(
        "AIR-DEW-POINT-RECOMMENDED",
        "Dew point of the room, recommended",
        Severity.WARNING,
        _CLASSES,
        "Hold the dew point of the room, and of outdoor air let in, inside the recommended range.",
    ),
    Rule(
        "AIR-HUMIDITY",
        "Relative humidity of the coldest inlet",
        Severity.WARNING,
        _CLASSES,
        "Lower the dew point of the room and of outdoor air let in, or raise the supply air.",
    ),
    Rule(
        "AIR-DERATING-DATA",
        "Derating with altitude from recalled figures",
        Severity.ADVICE,
        _RECALLED,
        "Check start and rate of the derating in the standard.",
    ),
    Rule(
        "AIR-TILES",
        "Floor tiles a rack needs against those in front of it",
        Severity.VIOLATION,
        DERIVED,
        "Raise the plenum pressure, choose more open tiles, or another supply.",
    ),
    Rule(
        "AIR-COIL-SURFACE",
        "Coldest coil surface against the dew point of the room",
        Severity.WARNING,
        DERIVED,
        "Warm the water or dry the room; where the coil condenses it needs a drain.",
    ),
    Rule(
        "AIR-DOOR-SURFACE",
        "Coldest surface of the rear doors against the dew point of the room",
        Severity.VIOLATION,
        DERIVED,
        "Warm the water or dry the room: doors have no drain, and stand at the equipment.",
    ),
    Rule(
        "AIR-COIL-SENSIBLE",
        "Sensible heat of the coils against what wet coils take",
        Severity.VIOLATION,
        DERIVED,
        "Add units, warm the water, or dry the room.",
    ),
    Rule(
        "AIR-DOOR-NEUTRAL",
        "Heat of a rack against its rear door",
        Severity.ADVICE,
        DERIVED,
        "The rest stays in the room, for its CRAHs: choose a larger or an active door.",
    ),
    Rule(
        "AIR-DOOR-LOST",
        "Room air handlers with one rear door without water",
        Severity.VIOLATION,
        DERIVED,
        "Add room air handlers.",
    ),
    Rule(
        "AIR-VENTILATION",
        "Heat of outdoor air for people and pressure, which is in no load, against the coils",
        Severity.WARNING,
        Source("planning-rule", "5 % of the heat of the coils", verified="memory"),
        "Cool and dry it in units of its own, with their power in house, or bring in less.",
    ),
    Rule(
        "AIR-SERVER-FANS",
        "Pressure drop that passive doors put on the servers' fans",
        Severity.ADVICE,
        _RECALLED,
        "Ask the maker of the servers whether their fans can do it; their power is in no load.",
    ),
    Rule(
        "AIR-SOUND",
        "Sound pressure in the halls",
        Severity.ADVICE,
        DERIVED,
        "Ask for the sound power of the products, by octaves.",
    ),
)

ROOM_RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in _ALL})
"""Rules by id."""
