"""Choices by result on random projects: no admissible alternative is better in loss and power.

``python -m tests.soak.choices --count 500`` runs new seeds and every step from 4 to 250 servers
(``--servers``).
Figures are worked here from results and hours of the year, with nothing of the choice itself.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from facility.api import project
from facility.catalogue import table
from facility.core.check import Severity
from facility.core.errors import FacilityError
from facility.model.inputs.entries import with_entries
from facility.study.design.design import Design, design

STATIONS = ("ashburn", "phoenix", "chicago", "miami", "fargo", "san-francisco")
SCHEMES = ("N", "N+1", "2N", "3N/2")
GPUS = ("H100 SXM5", "H200 SXM", "B200 SXM", "A100 SXM4 80GB")
LARGEST_STEP = 0.05
EQUAL = 0.01
"""Difference of losses, as a fraction, within which two candidates are equal."""
_POWER = (
    ("ups.modules", "ups.module_rating"),
    ("transformer.count", "transformer.rating_kva"),
    ("pdu.count", "pdu.rating_kva"),
    ("generator.count", "generator.rating"),
)
_PLANTS = ("tower", "dry_cooler", "air_cooled")
_SOURCES = ("dry_cooler", "tower", "dry_cooler_and_chiller", "tower_and_chiller", "chilled_water")


@dataclass(frozen=True)
class Figures:
    """What decides between two designs."""

    loss_w: float  # Mean of the year, facility less IT
    power_w: float  # Nameplates of UPS, transformers and generator sets
    cooling_w: float  # Rated electrical input of the cooling equipment
    failed: frozenset[str]  # Rules of the sizing that fail
    recalled: frozenset[str]  # Machines of the cooling with recalled data, and the UPS


def open_project(seed: int, most_servers: int = 120) -> dict[str, Any]:
    """Return a project that leaves the power chain and the plant to the design."""
    draw = random.Random(seed)
    servers = round(most_servers ** draw.uniform(0.3, 1.0))
    return {
        "schema_version": 1,
        "site": {"station": draw.choice(STATIONS)},
        "it": {"gpu_model": draw.choice(GPUS), "gpus": 8 * max(4, servers)},
        "power": {"redundancy": draw.choice(SCHEMES)},
    }


def servers(count: int) -> dict[str, Any]:
    """Return so many servers of 8 GPUs, all else not specified."""
    return {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 8 * count}}


@cache
def of_servers(count: int) -> Design:
    """Return the design of so many servers."""
    return design(project(servers(count)))


def figures(found: Design) -> Figures:
    """Return the figures of a design, from its results, units and hours."""
    year, steps = found.year, found.trace
    if year is None:
        raise AssertionError("these projects have hours")
    at_work = year.year.balance
    loss_w = float(np.mean(at_work.facility_w - at_work.demand.it_w))
    power_w = sum(
        steps.value(count) * steps.value(rating) for count, rating in _POWER if rating in steps
    )
    cooling_w = sum(max(u.installed * u.rated_w, u.hour_w) for u in found.electrical_units)
    failed = {c.rule for c in found.sizing_checks if c.failed and c.severity is not Severity.ADVICE}
    recalled = {
        check.subject
        for check in (*found.cooling.checks, *found.point.cooling.checks)
        if check.rule == "MEMORY-DATA" and check.failed
    }
    if found.chain.ups.module.recalled:
        recalled.add("UPS")
    return Figures(loss_w, power_w, cooling_w, frozenset(failed), frozenset(recalled))


def alternatives(found: Design) -> list[dict[str, str]]:
    """Return what a project may state in place of what the design has chosen."""
    wiring, buses = found.facility.power.wiring, found.chain.ups.buses
    systems = [s for s in ("415Y/240", "480Y/277", "208Y/120") if s != wiring.rack_system]
    offered = [{"power.distribution.rack_system": system} for system in systems]
    offered += [{"power.ups.model": row.text("model")} for row in table("equipment/ups").rows]
    offered += [{"power.ups.buses": str(n)} for n in (buses - 1, buses + 1) if n > 0]
    if wiring.has_pdu_transformers:
        kva = ("30 kVA", "75 kVA", "150 kVA", "300 kVA")
        same = {"power.distribution.rack_system": wiring.rack_system}
        offered += [{**same, "power.distribution.pdu_transformer": one} for one in kva]
    offered += [{"cooling.plant.heat_rejection": kind} for kind in _PLANTS]
    chilled = found.cooling.chilled
    if not chilled.plan.direct:
        shares_kw = [chilled.load_w / 1e3 / n for n in (chilled.duty + 1, max(chilled.duty - 1, 1))]
        offered += [{"cooling.plant.chiller.largest": f"{1.05 * kw:.0f} kW"} for kw in shares_kw]
    if found.facility.cooling.facility_water is not None:
        offered += [{"cooling.cdu.model": model} for model in ("XDU1350", "CHx2000")]
        offered += [{"cooling.facility_water.source": source} for source in _SOURCES]
    return offered


def broken_choices(seed: int, tried: int = 3, most_servers: int = 120) -> Iterator[str]:
    """Yield each admissible alternative, of some drawn, that betters the design of a seed."""
    told = project(open_project(seed, most_servers))
    found = design(told)
    chosen, draw = figures(found), random.Random(seed)
    offered = alternatives(found)
    for entries in draw.sample(offered, min(tried, len(offered))):
        try:
            other_design = design(with_entries(told, entries))
        except FacilityError:
            continue
        other = figures(other_design)
        of_power = next(iter(entries)).startswith("power.")
        installed_w, than_w = (
            (other.power_w, chosen.power_w) if of_power else (other.cooling_w, chosen.cooling_w)
        )
        better = other.loss_w < chosen.loss_w * (1.0 - EQUAL) and installed_w < than_w * 0.999
        admissible = other.failed <= chosen.failed and other.recalled <= chosen.recalled
        if better and admissible and _withstands(other_design, found):
            yield (
                f"seed {seed}: {entries} has {other.loss_w / 1e3:.2f} kW of loss and"
                f" {installed_w / 1e3:.0f} kW, chosen {chosen.loss_w / 1e3:.2f} and"
                f" {than_w / 1e3:.0f}"
            )


def _withstands(other: Design, than: Design) -> bool:
    """Return whether the distribution of a design fails no violation that another passes."""
    rules = [
        {c.rule for c in one.distribution.checks if c.failed and c.severity is Severity.VIOLATION}
        for one in (other, than)
    ]
    return rules[0] <= rules[1]


def worse_by_the_criterion(found: Design) -> Iterator[str]:
    """Yield each losing candidate that the criterion, worked again, would have chosen."""
    for choice in found.choices:
        first, *losing = [one for one in choice.candidates if not one.excluded]
        most_w = 1.1 * min(one.installed_w for one in (first, *losing)) * (1 + 1e-9)
        if first.installed_w > most_w:
            yield f"{choice.subject}: {first.name} is more than 10 % above the least power"
        near = [one for one in losing if one.installed_w <= most_w]
        if first.recalled and not all(one.recalled for one in near):
            yield f"{choice.subject}: {first.name} rests on recalled data, others do not"
        same = [one for one in near if one.recalled == first.recalled]
        least_w = min(one.loss_w for one in (first, *same))
        if first.loss_w > (1 + EQUAL) * least_w * (1 + 1e-9):
            yield f"{choice.subject}: {first.name} loses more than 1 % above {least_w:.0f} W"
        for one in same:
            fewer = (one.machines, one.installed_w) < (
                first.machines,
                first.installed_w * (1 - 1e-9),
            )
            if fewer and one.loss_w <= (1 + EQUAL) * least_w:
                yield f"{choice.subject}: {one.name} has fewer machines than {first.name}"


def large_step(count: int, *, of_year: bool = False) -> Iterator[str]:
    """Yield what is wrong with the step from one server fewer to so many."""
    before, after = of_servers(count - 1), of_servers(count)
    per_server = [_energy_w(one, of_year) / n for one, n in ((before, count - 1), (after, count))]
    step = per_server[1] / per_server[0] - 1.0
    wrong = [*worse_by_the_criterion(before), *worse_by_the_criterion(after)]
    if abs(step) > LARGEST_STEP and (wrong or not after.choices):
        yield f"{count - 1} to {count} servers: {step:+.1%}; {wrong}"
    yield from wrong


def _energy_w(found: Design, of_year: bool) -> float:
    if not of_year or found.year is None:
        return float(found.point.facility_w)
    return float(np.mean(found.year.year.balance.facility_w))


def _of_seed(seed: int) -> list[str]:
    return list(broken_choices(seed, tried=6, most_servers=600))


def _of_step(count: int) -> list[str]:
    return list(large_step(count, of_year=True))


def main() -> int:
    """Run the seeds and steps, print what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.choices")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--servers", type=int, default=250)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.count)
    with ProcessPoolExecutor(given.jobs) as pool:
        found = [
            *pool.map(_of_seed, seeds),
            *pool.map(_of_step, range(5, given.servers + 1), chunksize=20),
        ]
    wrong = [line for lines in found for line in lines]
    print("\n".join(wrong) or "no alternative is better, no step is larger without reason")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
