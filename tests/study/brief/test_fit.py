"""The largest cluster within limits: by counting on a plant of steps, and on real designs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import facility
from facility.core.errors import FacilityError
from facility.study.brief import fit as module
from facility.study.brief.brief import Brief, begun, fitted
from facility.study.brief.fit import ResourceLimit, largest, stated_limits
from facility.study.design.design import design

GPUS = 8


@dataclass(frozen=True)
class Plant:
    """A design with steps: servers of 12 kW, and 90 kW of plant for each 32 of them."""

    servers: int

    @property
    def results(self) -> Mapping[str, SimpleNamespace]:
        it_w = 10.2e3 * self.servers
        grid_w = 12e3 * self.servers + 90e3 * math.ceil(self.servers / 32)
        return {
            "load.gpus": SimpleNamespace(si=GPUS * self.servers),
            "load.it": SimpleNamespace(si=it_w),
            "utility.demand": SimpleNamespace(si=grid_w),
        }


def counted(**limits_w: float) -> int:
    """Return the GPUs of the largest plant within limits, by trying every number."""
    keys = {"grid": "utility.demand", "power": "load.it"}

    def fits(servers: int) -> bool:
        found = Plant(servers).results
        return all(found[keys[key]].si <= limit for key, limit in limits_w.items())

    return GPUS * max(n for n in range(1, 5000) if fits(n))


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let servers alone decide a design; return the numbers that were designed."""
    designed: list[int] = []

    def made(servers: int) -> Plant:
        designed.append(servers)
        return Plant(servers)

    monkeypatch.setattr(module, "design", made)
    return designed


@pytest.mark.parametrize("grid_mw", [0.102, 0.5, 0.95, 1.0, 3.7, 20.0, 41.3])
def test_largest_and_gain_by_counting(grid_mw: float, plant: list[int]) -> None:
    found = largest(lambda n: n, [ResourceLimit("grid", grid_mw * 1e6)])  # type: ignore[arg-type, return-value]
    assert found.gpus == counted(grid=grid_mw * 1e6)
    assert found.gain == counted(grid=(grid_mw + 1.0) * 1e6) - found.gpus
    assert (found.binding, found.more, found.then) == ("Grid connection", "1 MW", "")
    assert len(plant) == len(set(plant)) < 60


@pytest.mark.parametrize(("grid_mw", "power_mw"), [(20.0, 9.0), (10.0, 9.9), (10.0, 7.0)])
def test_two_limits_by_counting(grid_mw: float, power_mw: float, plant: list[int]) -> None:
    limits = {"grid": grid_mw * 1e6, "power": power_mw * 1e6}
    found = largest(lambda n: n, [ResourceLimit(k, v) for k, v in limits.items()])  # type: ignore[arg-type, return-value]
    assert found.gpus == counted(**limits)
    names = {"grid": "Grid connection", "power": "IT load"}
    bound = min(limits, key=lambda key: counted(**{key: limits[key]}))
    assert found.binding == names[bound]
    wider = limits | {bound: limits[bound] + 1e6}
    assert found.gain == counted(**wider) - found.gpus
    other = min(wider, key=lambda key: counted(**{key: wider[key]}))
    assert found.then == ("" if other == bound else names[other])


def test_a_real_design_on_a_grid_connection() -> None:
    found = facility.largest({"grid": "200 kW"})
    assert float(found.design.results["utility.demand"].si) <= 200e3
    more = design(begun(Brief(size=f"{found.gpus + GPUS} GPUs")))
    assert float(more.results["utility.demand"].si) > 200e3
    assert found.project.it.gpus == found.gpus
    assert found.project.site.utility_capacity is not None
    assert found.binding == "Grid connection"
    # A server takes 10.2 kW at its maximum, the facility a tenth to a half more.
    assert 1e6 / 15.3e3 * GPUS < found.gain < 1e6 / 11.2e3 * GPUS


def test_a_budget_names_what_it_leaves_out() -> None:
    found = fitted(Brief(), {"budget": "2000 kUSD"})
    assert float(facility.annual(found.design).results["cost.capital"].si) <= 2e6
    assert "staff" in found.unpriced


def test_a_connection_in_kva_limits_the_apparent_power() -> None:
    assert stated_limits({"grid": "300 kVA", "water": ""}) == (ResourceLimit("grid_kva", 300e3),)


@pytest.mark.parametrize(
    ("size", "limits", "code", "exit_code"),
    [
        ("", {"grid": "10 kW"}, "NO_FEASIBLE", 4),
        ("", {"grid": "0 MW"}, "BRIEF_LIMIT", 3),
        ("", {"grid": "20"}, "UNIT_MISSING", 3),
        ("256 GPUs", {"grid": "20 MW"}, "BRIEF_SIZE", 3),
    ],
)
def test_rejected(size: str, limits: dict[str, str], code: str, exit_code: int) -> None:
    with pytest.raises(FacilityError) as caught:
        fitted(Brief(size=size), limits)
    assert (caught.value.code, caught.value.exit_code) == (code, exit_code)
