"""Cases of cooling projects: high altitude, a small room, outdoor air, rear doors."""

from __future__ import annotations

from facility.cooling.chain.sizing import solve_cooling
from facility.cooling.parts.loads import HeatLoad
from facility.model.facility import Weather
from facility.study.design.design import Design
from tests.hand.registry import case
from tests.study.helpers import design_of, si

_PLACE = """\
schema_version: 1
site: {{place: {place}, country: {country}, elevation: {elevation} m, design_dry_bulb: {dry} degC,
  design_wet_bulb: {wet} degC}}
it: {{gpu_model: H100 SXM5, gpus: {gpus}, server: DGX H100, network: {{topology: none}},
  storage: {{count: 0}}, management: {{count: 0}}}}
cooling: {cooling}
"""


def mexico_city() -> Design:
    """Return 32 servers, 326.4 kW, on air-cooled chillers at 2,240 m: server fans run full."""
    cooling = "{method: air, plant: {heat_rejection: air_cooled, fluid: water, "
    cooling += "chiller: {model: 30XA500}}}"
    return design_of(
        _PLACE.format(
            place="Mexico City", country="MX", elevation=2240, dry=31, wet=16, gpus=256,
            cooling=cooling,
        ),
        "it.servers_per_rack=4",
    )  # fmt: skip


def server_room(*sets: str) -> Design:
    """Return two servers, 20.4 kW, with everything of the cooling open."""
    return design_of(
        _PLACE.format(
            place="Leeds", country="GB", elevation=0, dry=32, wet=20, gpus=16,
            cooling="{method: air}",
        ),
        *sets,
    )  # fmt: skip


def stockholm() -> Design:
    """Return 32 servers cooled by outdoor air."""
    cooling = "{method: air, economizer: {kind: air-side-direct, dew_point_min: -20 degC}}"
    return design_of(
        _PLACE.format(
            place="Stockholm", country="SE", elevation=0, dry=32, wet=20, gpus=256, cooling=cooling
        )
    )


def dublin() -> Design:
    """Return eight racks of four servers behind active rear doors."""
    cooling = "{method: air, air: {terminal: active-rear-door}, plant: {fluid: water}}"
    return design_of(
        _PLACE.format(
            place="Dublin", country="IE", elevation=0, dry=28, wet=20, gpus=256, cooling=cooling
        )
    )


def _compute_rack(found: Design) -> float:
    rack = next(one for one in found.facility.cooling.racks if one.name == "Compute")
    return rack.airflow_m3_s / 4.0


@case("mexico-city-server-air")
def _() -> float:
    return _compute_rack(mexico_city())


@case("mexico-city-server-rise")
def _() -> float:
    return next(r for r in mexico_city().facility.cooling.racks if r.name == "Compute").rise_k


@case("mexico-city-server-fans")
def _() -> float:
    return si(mexico_city().room_air, "air.server.fan_power_extra")


@case("mexico-city-chiller-cop")
def _() -> float:
    return float(mexico_city().cooling_flow.chiller_cop)


@case("server-room-plant-is-air-cooled")
def _() -> float:
    chilled = server_room().cooling.chilled
    return float(chilled.plan.sink.kind == "air_cooled" and chilled.sink.duty == 0)


@case("server-room-chiller-cop")
def _() -> float:
    return float(server_room("cooling.plant.fluid=water").cooling_flow.chiller_cop)


@case("server-room-chiller-capacity")
def _() -> float:
    """The load of the room, over half of the smallest machine."""
    chilled = server_room().cooling.chilled
    return chilled.capacity_w / max(chilled.load_w, 34.465e3 / 2.0)


@case("server-room-violations")
def _() -> float:
    return float(sum(c.failed and c.severity.value == "VIOLATION" for c in server_room().checks))


@case("stockholm-outdoor-air-share")
def _() -> float:
    """Part of the coil heat that outdoor air of 28 degC and 10 degC dew point takes."""
    found = stockholm()
    heat = HeatLoad(326.4e3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    flow = solve_cooling(found.cooling, heat, Weather(28.0, 17.5, 101325.0))
    return flow.economizer_w / flow.coils_w


@case("pads-in-dry-cooler-fans")
def _() -> float:
    cooling = "{method: air, plant: {heat_rejection: dry_cooler, rejection: "
    cooling += "{pad_effectiveness: 80 %}}}"
    found = design_of(
        _PLACE.format(
            place="Leeds", country="GB", elevation=0, dry=32, wet=20, gpus=256, cooling=cooling
        )
    )
    return found.facility.cooling.chilled_water.sink.unit.fan_w


@case("dublin-violations")
def _() -> float:
    return float(sum(c.failed and c.severity.value == "VIOLATION" for c in dublin().checks))


@case("dublin-door-water")
def _() -> float:
    """Return the water of a door for each megawatt, in L/min."""
    unit = next(one for one in dublin().room_air.units if one.name == "rear door")
    return unit.water_m3_s / unit.heat_w * 1e6 * 60e3
