"""Rules of the loops and of the liquid path: stable ids, weights, sources and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from facility.core.check import Rule, Severity
from facility.core.sources import DERIVED, Source

_PRACTICE = Source("memory-cooling-practice", verified="memory")
_GUIDE = Source("ashrae-tc99-liquid", "W and S classes", "2021", "secondary")
_FILTER = Source("ocp-mgx-rack-spec", "section 11", "1.1", "secondary")

_ALL = (
    Rule(
        "LOOP-HEAD",
        "Head of the loop against the head its pumps are reckoned with",
        Severity.WARNING,
        DERIVED,
        "Give the head of the pump of this loop, or larger pipes and components.",
    ),
    Rule(
        "VALVE-AUTHORITY",
        "Drop of the control valve over that of the branch it controls",
        Severity.WARNING,
        _PRACTICE,
        "Choose a valve of more drop, or units of less: a valve without authority opens and shuts.",
    ),
    Rule(
        "TCS-HEAD",
        "Head of the coolant loop, with its margin, against what the CDUs leave for it",
        Severity.VIOLATION,
        DERIVED,
        "Choose a CDU of more head, shorten or enlarge the header, or lower the coolant flow.",
    ),
    Rule(
        "PIPE-VELOCITY",
        "Highest velocity in the pipes of the loop",
        Severity.WARNING,
        _PRACTICE,
        "Allow larger pipes.",
    ),
    Rule(
        "PIPE-AIR",
        "Velocity in the mains, for air to be carried along",
        Severity.ADVICE,
        _PRACTICE,
        "Provide air separators at the high points.",
    ),
    Rule(
        "COOLANT-FREEZE",
        "Coldest air of twenty years above the freezing point of a closed loop outdoors",
        Severity.WARNING,
        DERIVED,
        "Take more glycol, drain or heat-trace what stands outdoors.",
    ),
    Rule(
        "TOWER-FREEZE",
        "Coldest air of twenty years above the freezing point of open tower water",
        Severity.ADVICE,
        DERIVED,
        "Heat the basins and the pipes outdoors.",
    ),
    Rule(
        "HYDRAULICS-DATA",
        "Pressure drops and fittings from a data sheet",
        Severity.ADVICE,
        DERIVED,
        "Give the drops of the selected products.",
    ),
    Rule(
        "RACK-FLOW",
        "Coolant of one rack against what its own data ask for",
        Severity.VIOLATION,
        DERIVED,
        "Raise the coolant flow, or lower its supply temperature.",
    ),
    Rule(
        "CASE-TEMPERATURE",
        "Case of the chip on its cold plate",
        Severity.VIOLATION,
        Source("ocp-cold-plate", "case to coolant inlet"),
        "Raise the flow through the plate, or lower the coolant supply.",
    ),
    Rule(
        "SUPPLY-CLASS",
        "S class of the coolant supply from a read definition",
        Severity.ADVICE,
        _GUIDE,
        "Check the S classes in the guideline itself.",
    ),
    Rule(
        "FWS-DEW-POINT",
        "Facility water above the room's dew point",
        Severity.ADVICE,
        DERIVED,
        "Insulate its pipes in the hall vapour-tight.",
    ),
    Rule(
        "CDU-RANGE",
        "Coolant supply inside the range of the CDU",
        Severity.VIOLATION,
        DERIVED,
        "Choose a coolant supply inside it, or another CDU.",
    ),
    Rule(
        "CDU-FILTER",
        "Filter of the CDU",
        Severity.WARNING,
        _FILTER,
        "Add a finer filter.",
    ),
    Rule(
        "CDU-PUMPS",
        "Spare pump inside the CDU",
        Severity.ADVICE,
        DERIVED,
        "Choose a CDU with a spare pump, or count the loss of a pump as that of the CDU.",
    ),
    Rule(
        "CDU-SELECTION",
        "CDU of the design among those that the catalogue shows to suit",
        Severity.WARNING,
        DERIVED,
        "Choose another CDU, or give its rating with all figures.",
    ),
)

LIQUID_RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in _ALL})
"""Rules by id."""
