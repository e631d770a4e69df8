"""Random projects that state only load, place, code and redundancy: what the tool chooses holds.

    python -m tests.soak.lineups --count 500 --first 1000

No power rule fails as VIOLATION or WARNING for a choice of the tool, the studies agree on shared
facts, and the lineups meet their law. The law is calculated here from network and devices alone:
downstream of each board every single device is at most as large as each device upstream of it,
with currents referred to one voltage. Inverters and medium voltage are left out; equal circuits in
parallel count together, except spare ones. The sets on duty carry the design load of their plant
together. A seed that fails becomes a case of ``tests/power/chain/test_lineup_law.py``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from facility.core.check import Severity
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, parse_project
from facility.study.design.design import Design, design
from tests.soak.properties import studies_agree
from tests.soak.stated import of_stated_fields

SERVERS = (("H100 SXM5", "DGX H100", 8), ("B200 SXM", "DGX B200", 8), ("B200 NVL72", "", 72))
STATIONS = ("ashburn", "chicago", "fargo", "miami", "phoenix", "san-francisco")
ABROAD = (
    "country: NO, elevation: 50 m, design_dry_bulb: 27 degC, design_wet_bulb: 19 degC",
    "country: DE, elevation: 110 m, design_dry_bulb: 32 degC, design_wet_bulb: 21 degC",
    "country: GB, elevation: 50 m, design_dry_bulb: 29 degC, design_wet_bulb: 20 degC",
    "country: IN, elevation: 220 m, design_dry_bulb: 41 degC, design_wet_bulb: 28 degC",
    "country: SG, elevation: 20 m, design_dry_bulb: 34 degC, design_wet_bulb: 28 degC",
    "country: JP, frequency: 50 Hz, elevation: 30 m, design_dry_bulb: 35 degC,"
    " design_wet_bulb: 28 degC",
)
SCHEMES = ("N", "N+1", "2N", "3N/2", "4N/3")
FOLLOW_SUPPLIES = ("CONCURRENTLY-MAINTAINABLE", "FAULT-TOLERANT", "SPOF")
"""Rules that fail where the supplies of the stated server do not survive the loss of a feed."""


def random_project(seed: int) -> str:
    draw = random.Random(seed)
    model, server, each = draw.choice(SERVERS)
    count = draw.choice((1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256))
    if each > 8:
        count = min(count, 48)
    it = f"gpu_model: {model}, gpus: {each * count}" + (f", server: {server}" if server else "")
    station, code = draw.choice(STATIONS), draw.choice(("NEC", "NEC", "IEC"))
    scheme = draw.choice(SCHEMES)
    at_home = draw.random() < 0.7
    return (
        "schema_version: 1\n"
        f"site: {{{f'station: {station}' if at_home else draw.choice(ABROAD)}}}\n"
        f"criteria: {{code: {code if at_home else 'IEC'}}}\n"
        f"it: {{{it}}}\n"
        f"power: {{redundancy: {scheme}}}\n"
    )


def below_what_they_feed(found: Design) -> Iterator[str]:
    """Yield each device that is smaller than a single one behind it."""
    plan = found.distribution.plan
    network, circuits = plan.network, plan.circuits
    device_a = found.distribution.feeders.device_a

    def ahead(tag: str) -> Iterator[str]:
        for link in network[tag].links:
            if link.circuit:
                yield link.circuit
            elif network[link.source].kind != "ups":
                yield from ahead(link.source)

    for tag, rating_a in device_a.items():
        own = circuits[tag]
        for other in ahead(own.source):
            if other not in device_a or circuits[other].stage == "set":
                continue
            first = circuits[other]
            ahead_a = device_a[other] * (first.runs - first.spare_runs) * first.voltage_v
            if rating_a * own.voltage_v > ahead_a * (1.0 + 1e-9):
                yield f"{tag} {rating_a:g} A behind {other} {device_a[other]:g} A"
        bus_a = network[own.source].rating_a
        if bus_a is not None and rating_a > bus_a * (1.0 + 1e-9):
            yield f"{tag} {rating_a:g} A on a bus of {bus_a:g} A"


def sets_below_their_plant(found: Design) -> Iterator[str]:
    """Yield where the devices of the sets on duty do not carry the design load of the plant."""
    device_a = found.distribution.feeders.device_a
    own = [c for c in found.distribution.plan.circuits.values() if c.terminals is not None]
    together_va = sum(3**0.5 * c.voltage_v * c.duty_runs * device_a[c.tag] for c in own)
    load_va = found.facility.criteria.continuous_factor * found.flow.generators.load_va
    if own and together_va < load_va:
        yield f"generator sets {together_va:g} VA below the load of {load_va:g} VA"


def faults(found: Design) -> list[str]:
    """Return what is wrong: breaks of the law, power rules that choices fail, studies that differ.

    Server and redundancy are stated: a server of too few supplies for the feeds of the scheme
    fails as PSU-REDUNDANCY, and one UPS leaves its load without one while it is maintained.
    """
    failed = [c for c in found.checks if c.failed and c.severity is not Severity.ADVICE]
    scheme = {"power": {"redundancy": found.chain.chain.scheme.name}}
    stated = {
        c.rule
        for c in failed
        if c.rule == "PSU-REDUNDANCY"
        and (c.severity is Severity.WARNING or of_stated_fields(c, scheme))
    }
    if stated:
        stated.update(FOLLOW_SUPPLIES)
    if found.chain.chain.scheme.one_system:
        stated.add("UNPROTECTED-IN-MAINTENANCE")
    return [
        *below_what_they_feed(found),
        *sets_below_their_plant(found),
        *(f"{c.rule} {c.subject}: {c.why}" for c in failed if c.rule not in stated),
        *studies_agree(found, {}),
    ]


def made(text: str) -> Design:
    """Return the design of a project."""
    return design(apply_sets(parse_project(text), ()))


def _one(seed: int) -> tuple[list[str], str]:
    try:
        return faults(made(random_project(seed))), ""
    except FacilityError as error:
        return [], str(error)


def main() -> int:
    """Design so many random projects; print what fails and what is rejected, with the seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.lineups")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    broken = rejected = 0
    seeds = range(asked.first, asked.first + asked.count)
    with ProcessPoolExecutor(asked.jobs) as pool:
        for seed, (found, rejection) in zip(seeds, pool.map(_one, seeds), strict=True):
            if rejection:
                print(f"seed {seed} rejected: {rejection}", flush=True)
            for fault in found:
                print(f"seed {seed}: {fault}", flush=True)
            rejected += bool(rejection)
            broken += bool(found)
    print(f"{asked.count} projects: {broken} broken, {rejected} rejected")
    return 1 if broken or rejected > asked.count // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
