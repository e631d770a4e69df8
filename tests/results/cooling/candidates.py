"""Candidates of plants, CDUs and chillers, worked once more on machines whose sizes are known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import psychrolib

from facility.cooling.chain.sizing import solve_cooling, solve_cooling_unchecked
from facility.cooling.chain.water import rejection_water
from facility.cooling.parts.air import AirHours
from facility.core.check import Severity
from facility.core.choice import Alternative
from facility.core.trace import Trace
from facility.model.cooling.thermal import LITTLE_K
from facility.model.facility import Weather
from facility.study.design import cooling_choice
from facility.study.design.design import Design
from facility.study.design.plants import (
    CDU,
    LARGEST,
    PADS,
    PLANT,
    WATER,
    CoolingBasis,
    Tried,
    _makeup,
    _pairs,
    _represented,
    chosen,
    designed,
)
from tests.results.cooling.loads import installed_by_hand, rows_of
from tests.results.second import differs

_V, _W, _A = Severity.VIOLATION, Severity.WARNING, Severity.ADVICE


def _one(name: str, item: dict[str, str], loss_w: float,
         failed: dict[str, Severity] | None = None, recalled: str = "",
         cooling: Any = None) -> Tried:  # fmt: skip
    figures = Alternative(name, item, loss_w, 1e6, 4)
    return Tried(figures, cooling, failed or {}, frozenset(recalled.split()))


def sizes_of_chillers() -> Iterator[str]:
    """1.05 times the share, rounded up to three digits."""
    for share_w, wanted in (
        (1e6, "1050 kW"), (951.4e3, "999 kW"), (95.3e3, "101 kW"), (952.5e3, "1010 kW"),
        (1234.5e3, "1300 kW"), (4761.9e3, "5000 kW"), (12.34e6, "13000 kW"), (87.21e3, "91.6 kW"),
    ):  # fmt: skip
        found = cooling_choice._size(share_w)
        if found != wanted:
            yield f"size for {share_w / 1e3:g} kW: {found}, by hand {wanted}"


def _plant(
    load_w: float, duty: int, spare: int, least_w: float = 50e3, direct: bool = False
) -> Any:
    chiller = SimpleNamespace(min_w=least_w, model="M")
    plan = SimpleNamespace(chiller=chiller, direct=direct)
    chilled = SimpleNamespace(load_w=load_w, duty=duty, plan=plan, capacity_w=load_w / duty)
    return SimpleNamespace(chilled=chilled, counts=SimpleNamespace(chillers=duty + spare))


def numbers_of_chillers() -> Iterator[str]:
    """One and two more than the fewest; none of more than 20, nor smaller than the smallest."""
    for load_w, fewest, least_w, wanted in (
        (3e6, 2, 50e3, [2, 3, 4]), (3e6, 2, 900e3, [2, 3]), (3e6, 2, 1100e3, None),
        (30e6, 17, 50e3, [17, 18, 19]), (30e6, 20, 50e3, None), (3e6, 1, 50e3, [1, 2, 3]),
    ):  # fmt: skip
        asked: list[float] = []

        def tried(_: Any, entries: dict[str, str], load_w: float = load_w,
                  least_w: float = least_w, asked: list[float] = asked) -> Tried:  # fmt: skip
            largest_w = 1e3 * float(entries[LARGEST].removesuffix(" kW"))
            asked.append(largest_w)
            duty = math.ceil(load_w / largest_w)
            return _one("", entries, 1e5 / duty, cooling=_plant(load_w, duty, 1, least_w))

        best = _one("", {}, 1e5 / fewest, cooling=_plant(load_w, fewest, 1, least_w))
        basis: Any = SimpleNamespace(section=None, facility=None, hours=None)
        with (
            patch.object(cooling_choice, "tried", tried),
            patch.object(cooling_choice, "_chillers_open", lambda *_: True),
        ):
            found = cooling_choice._choose_chillers(basis, best)
        at = f"{load_w / 1e6:g} MW of {fewest} chillers"
        if wanted is None:
            if found is not None:
                yield f"{at}: {[one.name for one in found[0].candidates]}"
            continue
        if found is None:
            yield f"{at}: no choice"
            continue
        # Losses fall with the number, so that the most chillers come first.
        names = [one.name.partition(" x ")[0] for one in found[0].candidates]
        if names != [str(n + 1) for n in reversed(wanted)]:
            yield f"{at}: {names} with the spare one, by hand {wanted}"
        for n, largest_w in zip(wanted[1:], asked, strict=False):
            if not load_w / n * 1.05 <= largest_w <= load_w / n * 1.05 * 1.011:
                yield f"{at}: {n} of up to {largest_w / 1e3:g} kW"


def flow_of_each_cdu() -> Iterator[str]:
    """All installed run: 90 L/s of 5 that are rated for 30 L/s each are 60 % of their flow."""

    def cooling(installed: int, flow: float) -> Any:
        plan = SimpleNamespace(tcs_flow_m3_s=flow, unit=SimpleNamespace(tcs_flow_m3_s=0.030))
        return SimpleNamespace(cdus=SimpleNamespace(installed=installed, duty=3, plan=plan))

    found = cooling_choice._part_flow(cooling(5, 0.090))
    yield from differs("flow of each CDU", found, 0.6)
    none: Any = SimpleNamespace(cdus=None)
    yield from differs("flow of no CDU", cooling_choice._part_flow(none), 1.0)
    for least, fails in ((0.59, False), (0.6, False), (0.61, True)):
        one = _one("", {}, 1.0, failed={"X": _A}, cooling=cooling(5, 0.090))
        after = cooling_choice._with_part_flow(one, least)
        if (len(after.failed) > 1) != fails or "X" not in after.failed:
            yield f"at least {least} of the flow: {after.failed}"


def order_of_the_candidates() -> Iterator[str]:
    """The fewest violations, then warnings, then the least loss; advice counts where it is told."""
    basis: Any = SimpleNamespace(hours=None)
    offered = [
        _one("a", {"k": "a"}, 90.0, failed={"R1": _V}),
        _one("b", {"k": "b"}, 95.0, failed={"R2": _W, "R3": _W}),
        _one("c", {"k": "c"}, 100.0, failed={"R2": _W, "SIZE of x": _A}),
        _one("d", {"k": "d"}, 104.0, failed={"R2": _W}),
        _one("e", {"k": "e"}, 103.0, failed={"R4": _W}, recalled="m"),
    ]
    for counted, first, least, excluded in (
        (frozenset[str](), "c", 100.0, {"a": "R1", "b": "R2, R3"}),
        (frozenset({"SIZE"}), "d", 104.0, {"a": "R1", "b": "R2, R3", "c": "R2, SIZE of x"}),
    ):
        found = chosen("plant", basis, offered, counted)
        assert found is not None
        choice, best = found
        if (choice.chosen.name, best.figures.name) != (first, first):
            yield f"chosen: {choice.chosen.name}, {best.figures.name}; by hand {first}"
        yield from differs("loss of the chosen", choice.chosen.loss_w, least)
        shown = {one.name: one.excluded for one in choice.candidates if one.excluded}
        if shown != excluded:
            yield f"excluded {shown}, by hand {excluded}"
        if {one.name for one in choice.candidates if one.recalled} != {"e"}:
            yield "unverified data of machines that not all have"
    alike = [replace(one, failed={**one.failed, "ALL": _V}, recalled=frozenset("m"))
             for one in offered[2:4]]  # fmt: skip
    found = chosen("plant", basis, alike)
    assert found is not None
    if any(one.excluded or one.recalled for one in found[0].candidates):
        yield "what all candidates have excludes none"
    if chosen("plant", basis, []) is not None:
        yield "a choice of nothing"


def installed_power_of_a_candidate(found: Design) -> Iterator[str]:
    """Every unit that is installed, spares included, and each draws at least its rating."""
    facility = found.facility
    basis = CoolingBasis(found.project.cooling, facility, found.it, None, found.point.flow, None)
    one = designed(basis, {WATER: "dry_cooler", PADS: "0.75"}, facility.cooling)
    assert one is not None
    heat, steps = basis.heat(facility.cooling, facility.site.design), Trace()
    flow = solve_cooling(one.cooling, heat, facility.site.design, steps)
    largest_w = facility.electrical.conductors.largest_pump_w
    power_w, machines = installed_by_hand(rows_of(one.cooling, flow, steps, largest_w))
    yield from differs("installed power of the candidate", one.figures.installed_w, power_w)
    yield from differs("machines of the candidate", one.figures.machines, machines)
    yield from differs("loss of the candidate", one.figures.loss_w, float(flow.power.total_w))
    if one.figures.name != "dry_cooler, pad effectiveness 0.75":
        yield f"name of the candidate: {one.figures.name}"
    cdu, limit_c = facility.cooling.cdu, math.inf
    if cdu is not None and cdu.tcs_supply_max_c is not None:
        limit_c = cdu.tcs_supply_max_c
    near = limit_c - flow.tcs_supply_c < LITTLE_K - 1e-9
    if near != any(rule.startswith("RIDE-THROUGH") for rule in one.failed):
        yield f"little room to the limit of the coolant: {near}, {one.failed}"


def water_of_a_candidate(found: Design) -> Iterator[str]:
    """Mean make-up of towers and pads, pads' blowdown included, over hours of the year."""
    hours = SimpleNamespace(
        dry_bulb_c=np.array([38.0, 25.0, 5.0]), wet_bulb_c=np.array([21.0, 18.0, 2.0]),
        pressure_pa=101325.0,
    )  # fmt: skip
    weather: Any = Weather(hours.dry_bulb_c, hours.wet_bulb_c, hours.pressure_pa)
    flow = solve_cooling_unchecked(found.cooling, found.point.heat, weather)
    psychrolib.SetUnitSystem(psychrolib.SI)
    humid = [
        psychrolib.GetHumRatioFromTWetBulb(dry, wet, hours.pressure_pa)
        for dry, wet in zip(hours.dry_bulb_c.tolist(), hours.wet_bulb_c.tolist(), strict=True)
    ]
    air: Any = AirHours(hours.dry_bulb_c, hours.wet_bulb_c, np.array(humid), np.full(3, 101325.0))
    used = rejection_water(found.cooling, flow, air)
    whole = used.towers.makeup_m3_s + used.pads_m3_s + used.pads_bled_m3_s + np.zeros(3)
    wanted = math.fsum(whole.tolist()) / 3.0
    yield from differs(
        "water of the candidate", _makeup(found.cooling, flow, weather), wanted, 1e-4
    )
    if not wanted > 0.0:
        yield "the candidate takes no water"


def pairs_of_the_plant() -> Iterator[str]:
    """Every source with every plant; the best of each source and of each plant is told."""
    sources, plants = ({WATER: "tower"}, {WATER: "dry"}), ({PLANT: "air"}, {PLANT: "wet"})
    found = _pairs(sources, plants)
    wanted = [{**a, **b} for a in sources for b in plants]
    if list(found) != wanted or list(_pairs((), plants)) != list(plants):
        yield f"pairs {found}"
    order = [Alternative(str(n), wanted[n], float(n), 1.0) for n in (0, 1, 3, 2)]
    if [one.name for one in _represented(order)] != ["0", "1", "3"]:
        yield f"represented {[one.name for one in _represented(order)]}"
    if {CDU, LARGEST} & {key for pair in found for key in pair}:
        yield "a pair names a machine"
