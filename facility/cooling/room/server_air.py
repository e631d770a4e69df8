"""Server fans at the elevation of the site: flow, air temperature rise, and additional power."""

from __future__ import annotations

from facility.cooling.air.air_side import SupplyAir
from facility.cooling.rules import RULES
from facility.core.rounding import argmax_within_rounding
from facility.core.trace import Findings
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain
from facility.physics.air.sensible import air_temperature_rise
from facility.physics.plant.fans_pumps import extra_fan_power


def server_air(
    chain: CoolingChain, air: SupplyAir, sea_level: SupplyAir, findings: Findings
) -> None:
    """Add the server air flow at the site, and its bound at sea-level fan speed.

    air, sea_level: Supply air at site pressure and at sea level.
    """
    racks = [rack for rack in chain.racks if rack.air_w > 0.0]
    if not racks:
        return
    density = air.density_kg_m3 / sea_level.density_kg_m3
    heat_w = sum(rack.count * rack.air_w for rack in racks)
    bounds = (
        ("", [rack.airflow_m3_s for rack in racks], "all servers, at site fan speed"),
        (
            "_constant_speed",
            [rack.sea_level_m3_s for rack in racks],
            "bound: all servers, fans at sea-level speed",
        ),
    )
    for suffix, flows, words in bounds:
        flow = sum(rack.count * each for rack, each in zip(racks, flows, strict=True))
        findings.note(f"air.server.flow{suffix}", flow, "air_flow", words)
        findings.do(
            f"air.server.rise{suffix}",
            air_temperature_rise,
            words,
            heat_w=heat_w,
            air_flow_m3_s=f"air.server.flow{suffix}",
            specific_volume_m3_kg=air.volume_m3_kg,
            specific_heat_j_kgk=air.specific_heat_j_kgk,
        )
    extra_w = 0.0
    for rack in racks:
        flow_ratio = rack.airflow_m3_s / rack.sea_level_m3_s
        extra_w += rack.count * float(extra_fan_power.si(rack.fans_w, flow_ratio, density))
    findings.note(
        "air.server.fan_power_extra",
        extra_w,
        "active_power",
        "server fans at the site over sea level; not included in the load",
        reserve="cooling.server_airflow_reserve",
        fans="cooling.server_fan_power",
    )
    volume = air.volume_m3_kg / sea_level.volume_m3_kg
    volume *= sea_level.specific_heat_j_kgk / air.specific_heat_j_kgk
    worst = racks[argmax_within_rounding([rack.sea_level_m3_s / rack.max_m3_s for rack in racks])]
    constant_k = float(
        air_temperature_rise.si(
            worst.air_w, worst.sea_level_m3_s, air.volume_m3_kg, air.specific_heat_j_kgk
        )
    )
    findings.checks.append(
        RULES["AIR-SERVER-ALTITUDE"].at_most(
            f"servers of rack {worst.name}",
            worst.sea_level_m3_s * volume,
            worst.max_m3_s,
            "air_flow",
            f"{volume:.3f} x sea-level flow at constant temperature rise, maximum "
            f"{show(worst.max_m3_s, 'air_flow')} (cooling.server_airflow_reserve); air rise "
            f"{show(worst.rise_k, 'temperature_difference')}, at sea-level fan speed "
            f"{show(constant_k, 'temperature_difference')}; all server fans draw "
            f"{show(extra_w, 'active_power')} more than at sea level, not included in the load",
        )
    )
