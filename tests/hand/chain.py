"""Cases of the power chain in its variants: buses, systems, spares, what is raised by a loss."""

from __future__ import annotations

import re
from dataclasses import replace

from facility.power.train.after_failure import BusLoad
from facility.power.train.state import ZERO, Power, UpsOutput
from facility.power.ups.sizing import _ranked, _Sized
from facility.power.ups.study import ups_study
from tests.hand.power import MODULE, ON_480, ups_480
from tests.hand.registry import case
from tests.power.helpers import bare, build, chain, criteria

# --- UPS --------------------------------------------------------------------------------------


@case("ups-installed-of-both-systems")
def _() -> float:
    return ups_480("2N").design.ups.shortlist[0].installed_w


@case("ups-parallel-limit-is-of-a-bus")
def _() -> float:
    """Which of two comes first: six small modules on two buses, or two large ones of more kW."""
    basis = chain(redundancy="N", ups={**MODULE, "buses": "2"}, distribution=ON_480)
    small = replace(ups_480("N+1").design.ups.module, max_parallel=4)
    large = replace(small, rating_w=400e3, rating_va=400e3)
    load = BusLoad("normal", Power(540e3, 0.0), ZERO, 0.5, 0.0)
    sized = [_Sized(large, 2, 2, 1, load), _Sized(small, 6, 6, 1, load)]
    fit, _ = _ranked(basis, sized, UpsOutput(Power(540e3, 0.0), ZERO))
    return fit[0].module.rating_w


@case("ups-loading-by-kva")
def _() -> float:
    given = {**MODULE, "output_power_factor": "0.8"}
    built = build(bare(100e3, 0.8), redundancy="N", ups=given, distribution=ON_480)
    return float(built.flow.ups.loading_va.normal)


def _breaker_a() -> float:
    built = ups_480("N+1")
    found = ups_study(built.design, built.flow, built.flow, criteria(), built.trace)
    return next(float(c.value or 0.0) for c in found.checks if c.rule == "UPS-INPUT-BREAKER")


case("ups-input-breaker-carries-the-margin")(_breaker_a)


@case("ups-efficiency-after-the-failure")
def _() -> float:
    built = ups_480("N+1")
    found = ups_study(built.design, built.flow, built.flow, criteria(), built.trace)
    return float(found.results["ups.efficiency_failure"].si)


@case("ups-bus-rating-of-duty-modules")
def _() -> float:
    return ups_480("N+1", "2").design.bus_rating_va


@case("ups-kva-check-after-the-failure")
def _() -> float:
    return float(ups_480("2N").check("UPS-KVA").value or 0.0)


@case("ups-output-bus-after-the-failure")
def _() -> float:
    return float(ups_480("2N").check("UPS-OUTPUT-BUS").value or 0.0)


@case("ups-peak-on-the-system-left")
def _() -> float:
    load = replace(bare(200e3), it_peak_w=250e3)
    built = build(load, redundancy="2N", ups=MODULE, distribution=ON_480)
    return float(built.check("PEAK-TRANSIENT").value or 0.0)


@case("transformers-in-parallel-on-one-board")
def _() -> float:
    """Two transformers on each of two boards: the current of two, over that of one."""
    built = build(
        bare(200e3),
        redundancy="N+1",
        ups={**MODULE, "buses": "2"},
        distribution=ON_480,
        transformer={"rating": "225 kVA", "count": 4},
    )
    assert built.design.transformers.per_carrier == 4
    words = built.check("UTILITY-FAULT-LEVEL").why
    one, several = (float(x) for x in re.findall(r"([\d.]+) kA", words))
    return several / one
