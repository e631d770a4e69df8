"""Cases of the air path: what cooling by air takes at rising heat in a rack."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from facility.cooling.air.air_need import AirNeed, RoomAirBasis, air_need
from facility.cooling.chain.design_checks import AIR_DENSITY_W
from facility.core.trace import Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.inputs.document import Project
from facility.study.resolve.facility import resolve
from facility.study.verification.inputs import CaseFunctions

_DENSITIES_W = (20e3, 30e3, 40e3, 60e3, 132e3)
_RACKS = 100
_PROJECT = {
    "schema_version": 1,
    "site": {"station": "ashburn"},
    "it": {"gpu_model": "H100 SXM5", "gpus": 64, "server": "DGX H100"},
    "power": {"redundancy": "3N/2"},
    "cooling": {"method": "air", "air": {"supply": "raised-floor"}},
}


@lru_cache(maxsize=1)
def _room() -> tuple[CoolingChain, float]:
    facility, _ = resolve(Project.model_validate(_PROJECT), Trace())
    return facility.cooling, facility.site.pressure_pa


def _need(heat_w: float) -> AirNeed:
    chain, pressure_pa = _room()
    plan = chain.crah
    basis = RoomAirBasis(
        plan.supply_air_c,
        plan.unit.rated_rise_k,
        chain.room_dew_point_c,
        pressure_pa,
        plan.bypass,
        plan.recirculation,
    )
    return air_need(heat_w, _RACKS, basis, plan.path.room, plan.unit)


def _airflow(heat_w: float) -> float:
    return _need(heat_w).airflow_m3_s


def _tiles(heat_w: float) -> float:
    return _need(heat_w).tiles


def _units(heat_w: float) -> float:
    return float(_need(heat_w).units)


def _shown(quantity: str) -> str:
    """Return "shown" where a figure exists at every density and more heat needs more of it."""
    function = {"airflow": _airflow, "tiles": _tiles, "crah_count": _units}[quantity]
    found = [function(heat_w) for heat_w in _DENSITIES_W]
    grows = all(low < high for low, high in pairwise(found))
    return "shown" if grows and found[0] > 0.0 else "not shown"


FUNCTIONS: CaseFunctions = {
    "air_path.shown": ("text", _shown),
    "air_path.density_limit": ("heat_flow", lambda: AIR_DENSITY_W),
}
