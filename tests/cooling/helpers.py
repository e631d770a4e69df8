"""Projects, heats and designs that the tests of the cooling share."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.chain.sizing import size_cooling
from facility.cooling.parts.loads import CoolingCounts, HeatLoad
from facility.core.check import Check
from facility.core.trace import Trace
from facility.files.project.file import parse_project
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Criteria, Site
from facility.model.it import ItPlan
from facility.power.it.load import ItLoad, roll_up
from facility.study.resolve.cooling.chain import resolve_cooling
from facility.study.resolve.criteria import resolve_criteria
from facility.study.resolve.it.plan import resolve_it
from facility.study.resolve.site.site import resolve_site

DATA = Path(__file__).parent / "data"

AIR = "it: {gpu_model: H100 SXM5, gpus: 256, server: DGX H100}"
LIQUID = (
    "it: {gpu_model: B200 NVL72, gpus: 576, network: {topology: none}, storage: {count: 0}, "
    "management: {count: 0}}\ncriteria: {liquid_class: W40}"
)
WARM = LIQUID.replace("W40", "W45")


@dataclass(frozen=True)
class Case:
    """A project resolved as far as the cooling needs it."""

    plan: ItPlan
    load: ItLoad
    site: Site
    criteria: Criteria
    chain: CoolingChain
    trace: Trace

    def heat(self, part: float = 1.0, losses: float = 0.05) -> HeatLoad:
        """Return the heat at a part of the IT load, with losses in halls and electrical rooms."""
        it_w = self.load.it_w * part
        return HeatLoad(
            air_it_w=self.load.air_w * part,
            liquid_it_w=self.load.liquid_w * part,
            hall_losses_w=0.4 * losses * it_w,
            electrical_room_w=0.6 * losses * it_w,
            lights_w=5e3,
            people_w=300.0,
            envelope_w=2e3,
        )

    def sized(
        self,
        heat: HeatLoad | None = None,
        floor: CoolingCounts | None = None,
        trace: Trace | None = None,
    ) -> CoolingDesign:
        """Return the cooling sized for `heat`, or for the whole load."""
        return size_cooling(
            self.chain, self.site, self.criteria, heat or self.heat(), floor, trace or Trace()
        )


@lru_cache(maxsize=64)
def case(it: str, cooling: str = "{}", site: str = "{station: ashburn}") -> Case:
    """Return the project of an IT section and a cooling section."""
    text = (
        f"schema_version: 1\nsite: {site}\npower: {{redundancy: N+1}}\n{it}\ncooling: {cooling}\n"
    )
    project, trace = parse_project(text), Trace()
    place = resolve_site(project.site, trace)
    criteria = resolve_criteria(project.criteria, trace, elevation_m=place.elevation_m)
    plan = resolve_it(project.it, ("A", "B", "C"), trace)
    load = roll_up(plan, trace)
    chain = resolve_cooling(project.cooling, plan, place, criteria, trace)
    return Case(plan, load, place, criteria, chain, trace)


def rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a data file of these tests."""
    with (DATA / name).open(newline="", encoding="utf-8") as stream:
        yield from csv.DictReader(stream)


def failed(checks: tuple[Check, ...]) -> set[str]:
    """Return the rules that failed."""
    return {check.rule for check in checks if check.failed}
