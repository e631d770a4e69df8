"""Cases of supplies: what a device draws with some of them energized, and what follows."""

from __future__ import annotations

from functools import cache

import pytest

from facility.core.check import Check, Severity
from facility.core.errors import FacilityError
from facility.power.it.supplies import Draw, draw_with
from facility.study.failures.study import FailureStudy, failures
from facility.study.transient.study import transient
from tests.hand.registry import case
from tests.power.it.helpers import plan_of
from tests.study.helpers import checks_of, design_of, si

B200_2N = """\
schema_version: 1
it: {gpu_model: B200 SXM, gpus: 256, server: DGX B200}
power: {redundancy: 2N}
cooling: {method: air}
"""
# A cabinet that needs all of its three supplies, each on a circuit of feed A.
NONE_TO_SPARE = """\
schema_version: 1
it:
  devices:
    - model: cabinet
      category: server
      maximum_power: 288 kW
      rack_units: 48
      liquid_fraction: 100 %
      liquid_only: true
      supplies: {count: 3, needed: 3, phases: 3, voltage_min: 400 V, voltage_max: 480 V}
  halls:
    - name: H1
      racks:
        - name: C
          count: 4
          circuits:
            - {poles: 3, feed: A, breaker: 150 A}
            - {poles: 3, feed: A, breaker: 150 A}
            - {poles: 3, feed: A, breaker: 150 A}
          devices: [{model: cabinet, count: 1}]
power: {redundancy: N, feeds: [A], distribution: {rack_system: 480Y/277}}
cooling: {method: liquid}
"""
FOUR_FEEDS = """\
schema_version: 1
it: {server: GB300 NVL72, servers: 8, network: {topology: none}}
power: {redundancy: N+1, feeds: [A, B, C, D]}
cooling: {method: liquid}
"""
ONE_FEED = """\
schema_version: 1
it:
  server: DGX H100
  servers: 8
  network: {topology: none}
  storage: {count: 0}
  management: {count: 0}
power: {redundancy: N, feeds: [A]}
cooling: {method: air}
"""
SUPPLIES = {"count": "6", "needed": "4", "rating": "3.3 kW"}


def _b200(energized: int) -> Draw:
    plan = plan_of(gpu_model="B200 SXM", servers="1", network={"topology": "none"})
    return draw_with(plan.racks[0].placed[0].device, energized, 14.3e3)


for count in (2, 3, 4, 5):
    case(f"dgx-b200-input-of-{count}-supplies")(lambda count=count: _b200(count).input_w / 1e3)
for count in (3, 4):
    case(f"dgx-b200-conflict-of-{count}-supplies")(lambda count=count: float(_b200(count).conflict))


@cache
def _failed(text: str) -> FailureStudy:
    return failures(design_of(text))


@case("dgx-b200-2n-load-capped")
def _() -> float:
    return si(_failed(B200_2N), "load_capped.max") / 1e3


@case("dgx-b200-2n-capped-load-drawn")
def _() -> float:
    return max(state.capped.drawn_w for state in _failed(B200_2N).states) / 1e3


@case("dgx-b200-2n-load-dropped")
def _() -> float:
    return si(_failed(B200_2N), "load_dropped.max") / 1e3


@case("dgx-b200-2n-severity")
def _() -> float:
    (found,) = (c for c in checks_of(design_of(B200_2N), "PSU-REDUNDANCY") if c.failed)
    assert "capped; published figures conflict" in found.why
    assert _failed(B200_2N).fault_tolerant.holds
    return float(found.severity is Severity.WARNING)


@case("dgx-b200-2n-rack-circuit-after-feed-loss")
def _() -> float:
    found = design_of(B200_2N)
    (servers,) = (r.placed[0].count for r in found.facility.it.racks if r.purpose == "compute")
    circuits = (c for p in found.panels.panels for c in p.circuits if "DGX B200" in c.description)
    return max(c.total_va(n).real for c in circuits for n in range(3)) / servers / 1e3


def _branch_checks() -> list[Check]:
    return checks_of(design_of(NONE_TO_SPARE), "BRANCH-LOAD")


@case("none-to-spare-circuit-current")
def _() -> float:
    return max(check.value or 0.0 for check in _branch_checks())


@case("none-to-spare-breaker-needed")
def _() -> float:
    return 1.25 * max(check.value or 0.0 for check in _branch_checks())


@case("none-to-spare-branch-findings")
def _() -> float:
    return float(sum(check.failed for check in _branch_checks()))


@case("shelf-circuit-of-four-feeds")
def _() -> float:
    panels = design_of(FOUR_FEEDS).panels.panels
    (breaker_a,) = {c.breaker_a for p in panels for c in p.circuits if "GB300" in c.description}
    assert breaker_a is not None
    return breaker_a


def _box(supplies: dict[str, object], power: str, rack_units: str) -> dict[str, object]:
    box = {"model": "box", "category": "server", "maximum_power": power, "rack_units": rack_units}
    rack = {"name": "R", "devices": [{"model": "box"}]}
    return {"devices": [box | {"supplies": supplies}], "halls": [{"name": "A", "racks": [rack]}]}


def _shelved(shelves: dict[str, object]) -> dict[str, object]:
    return _box({"count": "48", "needed": "24", "rating": "5.5 kW"} | shelves, "132 kW", "48")


@case("supplies-in-shelves-circuits")
def _() -> float:
    stated, usual = (
        plan_of(("A", "B"), **_shelved(how)).racks[0] for how in ({"shelves": "8"}, {"phases": "3"})
    )
    assert len(stated.circuits) == len(usual.circuits)
    return float(len(stated.circuits))


@case("supplies-in-shelves-needed")
def _() -> float:
    psu = plan_of(("A", "B"), **_shelved({"shelves": "8"})).racks[0].placed[0].device.psu
    assert psu is not None
    assert psu.rating_w == 33e3
    return float(psu.needed)


@case("vera-rubin-rack-servers-load")
def _() -> float:
    text = "schema_version: 1\nit: {server: VR NVL72, servers: 4}\npower: {redundancy: 2N}\n"
    return si(design_of(text + "cooling: {method: liquid}\n"), "load.server") / 1e3


@case("it-load-dropped-is-the-it-load")
def _() -> float:
    assert si(design_of(ONE_FEED), "load.it") == si(_failed(ONE_FEED), "load_dropped.max")
    return si(_failed(ONE_FEED), "load_dropped.max") / 1e3


@case("no-generators-severity")
def _() -> float:
    found = transient(design_of(ONE_FEED, "power.generator.count=0"))
    (check,) = (c for c in found.checks if c.rule == "RIDE-THROUGH-BATTERY")
    assert "no generator set is installed" in check.why
    return float(check.severity is Severity.VIOLATION)


def _refused_capped(capped: dict[str, str], *both: str) -> float:
    with pytest.raises(FacilityError) as caught:
        plan_of(("A", "B"), **_box(SUPPLIES | {"capped": capped}, "10.2 kW", "8"))
    assert all(side in caught.value.message for side in both), caught.value.message
    return float(caught.value.code == "CONTRADICTION")


@case("capped-mode-above-its-supplies")
def _() -> float:
    return _refused_capped({"supplies": "3", "power": "12 kW"}, "12 kW", "9.9 kW")


@case("capped-mode-with-as-many-as-needed")
def _() -> float:
    return _refused_capped({"supplies": "4", "power": "9 kW"}, "4 supplies", "4 carry")


@case("capped-mode-nobody-publishes")
def _() -> float:
    text = ONE_FEED.replace("feeds: [A]", "feeds: [A, B]").replace(
        "it:\n",
        "it:\n  devices:\n    - model: DGX H100\n      supplies: {count: 6, needed: 4,"
        " rating: 3.3 kW, capped: {supplies: 3, power: 8 kW}}\n",
    )
    (found,) = (c for c in checks_of(design_of(text), "PSU-REDUNDANCY") if c.failed)
    assert "8 kW as stated (it.devices[].supplies.capped)" in found.why
    assert "not as published" in found.why
    return float(found.severity is Severity.WARNING)
