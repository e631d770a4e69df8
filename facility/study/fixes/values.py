"""Values that pass a rule, derived from the design that fails it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

from facility.catalogue import table
from facility.core.check import Check
from facility.study.design.design import Design

Changes = dict[str, str]
"""New text by field path."""
_MAX_VALUES = 6
"""Maximum number of trial values for one field."""
_SERVERS = "it.servers_per_rack"
_PREFERRED = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)  # ISO 3, R10
_UNITS = {
    "UPS": ("ups.module_rating", "power.ups.module_rating", "kW"),
    "generators": ("generator.rating", "power.generator.rating", "kW"),
    "transformers": ("transformer.rating_kva", "power.transformer.rating", "kVA"),
}
"""Result with the rating of an equipment type, its field, and the unit of the field."""
_LOSSES = ("branch_loss", "feeder_loss", "board_loss")


def known_values(design: Design, check: Check) -> Iterator[Changes]:
    """Yield changes that may clear a check, smallest change first."""
    for pattern, values in _BY_RULE.items():
        if re.fullmatch(pattern, check.rule):
            yield from values(design, check)


def has_values(rule: str) -> bool:
    """Return whether a passing value of a rule can be derived from the design."""
    return any(re.fullmatch(pattern, rule) for pattern in _BY_RULE)


def _fewer_servers(design: Design, check: Check) -> Iterator[Changes]:
    """Yield fewer servers per rack, one by one, if the project lists no racks."""
    it, results = design.project.it, design.results
    racks = int(float(results["load.racks.compute"].si))
    if it.halls or not racks:
        return
    now = it.servers_per_rack or math.ceil(float(results["load.servers"].si) / racks) + 1
    for count in range(now - 1, max(now - 1 - _MAX_VALUES, 0), -1):
        yield {_SERVERS: str(count)}


def _losses_found(design: Design, check: Check) -> Iterator[Changes]:
    """Yield the loss fractions of the selected conductors, rounded up, all in equal proportion."""
    if not check.value or not check.limit:
        return
    wiring = design.facility.power.wiring
    parts = (wiring.branch_loss, wiring.feeder_loss, wiring.lv_loss)
    for more in (1.0, 1.02):
        grown = (math.ceil(1e5 * part * more * check.value / check.limit) / 1e3 for part in parts)
        yield {
            f"power.distribution.{name}": f"{percent:g} %"
            for name, percent in zip(_LOSSES, grown, strict=True)
        }


def _smaller_units(design: Design, check: Check) -> Iterator[Changes]:
    """Yield smaller units of a type; finally with smaller UPS modules.

    The supply of an oversized UPS must exceed the requirement of its load.
    """
    own = list(_ratings_within(design, check))
    yield from own
    same_rule = (c for c in design.checks if c.rule == check.rule and c.failed)
    ups = next((c for c in same_rule if c.subject.startswith("UPS, ")), check)
    if ups is not check:
        of_ups = list(_ratings_within(design, ups))[-1:]
        yield from (modules | units for modules in of_ups for units in own)


def _ratings_within(design: Design, check: Check) -> Iterator[Changes]:
    """Yield the largest standard ratings with an installed total within the limit."""
    key, field, unit = _UNITS.get(check.subject.partition(", ")[0], ("", "", ""))
    if not key or not check.value or not check.limit:
        return
    maximum = float(design.results[key].si) / 1e3 * check.limit / check.value
    if unit == "kVA":
        sizes = [row.si("kva") / 1e3 for row in table("electrical/transformer_standard_kva").rows]
    else:
        sizes = [step * 10.0**power for power in range(5) for step in _PREFERRED]
    for size in sorted((one for one in sizes if one <= maximum), reverse=True)[:2]:
        yield {field: f"{size:g} {unit}"}


def _larger_conductors(design: Design, check: Check) -> Iterator[Changes]:
    """Yield the next sizes of the conductors of a direct-current feeder."""
    dc = design.project.power.dc
    if dc is None or dc.conductor_size is None:
        return
    rows = table("electrical/nec_ch9_table8").rows
    areas = {row.text("size"): row.si("conductor_area_mm2") for row in rows}
    now = "".join(dc.conductor_size.upper().split()).removesuffix("AWG").removesuffix("KCMIL")
    larger = sorted((area, size) for size, area in areas.items() if area > areas[now])
    for _, size in larger[:_MAX_VALUES]:
        yield {"power.dc.conductor_size": size}


_BY_RULE: Mapping[str, Callable[[Design, Check], Iterator[Changes]]] = {
    "RACK-(POWER|UNITS)|AIR-(DENSITY-LIMIT|PER-RACK|TILES)|COOLERS-PER-RACK": _fewer_servers,
    "CONDUCTOR-LOSS": _losses_found,
    "INSTALLED-SURPLUS": _smaller_units,
    "DC-(AMPACITY|VOLTAGE-LOW|VOLTAGE-DROP|MAXIMUM-POWER)": _larger_conductors,
}
"""Source of the values, by rule pattern."""
