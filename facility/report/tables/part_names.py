"""What the parts of a load are called."""

from __future__ import annotations

_WORDS = {
    "crah fans": "CRAH fans",
    "cdu pumps": "CDU pumps",
    "chw pumps": "chilled-water pumps",
    "fws pumps": "facility-water pumps",
    "condenser pumps": "condenser-water pumps",
    "rack pdu": "rack PDUs",
    "branch": "branch circuits",
    "feeder": "feeders",
    "ups": "UPS",
    "pdu transformer": "PDU transformers",
    "lv board": "LV boards",
    "transformer": "transformers",
    "house": "lights, controls, other",
}


def part_name(key: str) -> str:
    """Return the name of a part of a load, from the last word of its result key."""
    name = key.rpartition(".")[2].replace("_", " ")
    return _WORDS.get(name, name)
