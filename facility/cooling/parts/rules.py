"""Rules of the cooling: stable ids, weights, sources and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from facility.core.check import Rule, Severity
from facility.core.sources import DERIVED, RULE, Source

_AIR_GUIDE = Source("ashrae-tc99-air", "2021 envelopes", "2021", "secondary")
_LIQUID_GUIDE = Source("ashrae-tc99-liquid", "W classes", "2021", "secondary")

_PRACTICE = Source("memory-cooling-practice", verified="memory")

_ALL = (
    Rule(
        "CRAH-CAPACITY",
        "Heat the remaining air handlers must take",
        Severity.VIOLATION,
        DERIVED,
        "Add air handlers, or lower the chilled water.",
    ),
    Rule(
        "CRAH-AIRFLOW",
        "Air the remaining air handlers must move",
        Severity.VIOLATION,
        DERIVED,
        "Add air handlers, or seal the containment.",
    ),
    Rule(
        "CRAC-OUTDOOR",
        "Outdoor air at the condensers against that of the rating",
        Severity.WARNING,
        DERIVED,
        "Ask for the capacity and power at this outdoor air.",
    ),
    Rule(
        "CDU-APPROACH",
        "Approach the remaining CDUs need",
        Severity.VIOLATION,
        DERIVED,
        "Add CDUs, raise the coolant supply, or lower the facility water.",
    ),
    Rule(
        "CDU-LEAST-APPROACH",
        "Coolant supply above the facility water",
        Severity.WARNING,
        _PRACTICE,
        "Raise cooling.cdu.tcs_supply, or lower cooling.facility_water.supply.",
    ),
    Rule(
        "CDU-PLATE-FLOW",
        "Flow through the plates of the running CDUs over their rated flow",
        Severity.WARNING,
        _PRACTICE,
        "Choose smaller CDUs or fewer of them: plates foul, and their rating does not hold.",
    ),
    Rule(
        "CDU-FLOW",
        "Coolant the remaining CDUs must pump",
        Severity.VIOLATION,
        DERIVED,
        "Add CDUs, or allow a larger rise of the coolant.",
    ),
    Rule(
        "CDU-FWS-FLOW",
        "Facility water through the remaining CDUs against that of their rating",
        Severity.VIOLATION,
        DERIVED,
        "Add CDUs, allow the facility water a larger rise, or give the flow of their rating.",
    ),
    Rule(
        "TCS-FLOW",
        "Coolant pumped against what the racks need",
        Severity.VIOLATION,
        DERIVED,
        "Raise the coolant flow, or lower its supply temperature.",
    ),
    Rule(
        "TCS-TEMPERATURE",
        "Coolant supply against the equipment's limit",
        Severity.VIOLATION,
        DERIVED,
        "Lower the coolant supply; or leave facility_water.delta_t and supply open, where they are "
        "stated: a smaller rise gives towers colder water.",
    ),
    Rule(
        "CHILLER-CAPACITY",
        "Load of the remaining chillers",
        Severity.VIOLATION,
        DERIVED,
        "Add chillers, or larger ones.",
    ),
    Rule(
        "REJECTION-CAPACITY",
        "Remaining units of heat rejection",
        Severity.VIOLATION,
        DERIVED,
        "Add towers or dry coolers.",
    ),
    Rule(
        "UNIT-SIZE",
        "Capacity of one unit over the heat it has to take",
        Severity.ADVICE,
        RULE,
        "Choose packaged equipment of this size, and give its rating in the project.",
    ),
    Rule(
        "DRY-COOLER-APPROACH",
        "Leaving fluid of dry coolers above their air at design",
        Severity.WARNING,
        RULE,
        "Ask for warmer water, or choose towers, adiabatic coolers or chilled water.",
    ),
    Rule(
        "DRY-COOLER-FANS",
        "Fan power of dry coolers over the heat they reject",
        Severity.WARNING,
        RULE,
        "Ask for warmer water or a larger rise, or choose towers or chilled water.",
    ),
    Rule(
        "CURVE-BOX",
        "Lift at design against the lift of the chiller's rating",
        Severity.WARNING,
        DERIVED,
        "Ask for the capacity and power at this lift.",
    ),
    Rule(
        "CURVE-BOX-WATER",
        "Leaving chilled water against the box of the chiller's curves",
        Severity.ADVICE,
        DERIVED,
        "Ask for the power at this water: here it follows the lift at constant Carnot fraction.",
    ),
    Rule(
        "DEW-POINT",
        "Coolant in the racks above the room's dew point",
        Severity.WARNING,
        _AIR_GUIDE,
        "Warm the coolant, or control the dew point of the room lower: racks have no drain.",
    ),
    Rule(
        "AIR-DENSITY-LIMIT",
        "Air heat of a rack",
        Severity.WARNING,
        Source("guide-air-density", "", "", "secondary"),
        "Prove the air path (tiles, aisle width), or choose rear-door or liquid cooling.",
    ),
    Rule(
        "MEMORY-DATA",
        "Equipment data from a data sheet",
        Severity.ADVICE,
        DERIVED,
        "Give the rating point of the selected product.",
    ),
    Rule(
        "INLET-TEMPERATURE",
        "Warmest equipment inlet, allowable",
        Severity.VIOLATION,
        _AIR_GUIDE,
        "Lower the supply air, or seal the containment.",
    ),
    Rule(
        "INLET-RECOMMENDED",
        "Warmest equipment inlet, recommended",
        Severity.WARNING,
        _AIR_GUIDE,
        "Lower the supply air, or seal the containment.",
    ),
    Rule(
        "INLET-COLD",
        "Supply air against the recommended minimum",
        Severity.WARNING,
        _AIR_GUIDE,
        "Raise the supply air: colder costs energy.",
    ),
    Rule(
        "INLET-EQUIPMENT",
        "Warmest equipment inlet, equipment's own limit",
        Severity.VIOLATION,
        DERIVED,
        "Lower the supply air, or seal the containment.",
    ),
    Rule(
        "FWS-TEMPERATURE",
        "Facility water against its class",
        Severity.VIOLATION,
        _LIQUID_GUIDE,
        "Add heat rejection, choose a warmer class, or cool it with chilled water.",
    ),
    Rule(
        "FWS-SUPPLY",
        "Facility water made against the supply asked for",
        Severity.VIOLATION,
        DERIVED,
        "Ask for warmer facility water, or cool it with chilled water.",
    ),
    Rule(
        "TOWER-BOX",
        "Tower correlation inside its box",
        Severity.WARNING,
        Source("energyplus-towers", "limits of YorkCalc"),
        "The approach was taken at the edge of the box; ask the maker.",
    ),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in _ALL})
"""Rules by id."""
