"""Random valid projects: what a competent engineer could ask for, each from one seed.

A project is a nested mapping as it would be typed in YAML. Choices that contradict each other are
not drawn together (rear doors with a raised floor, CDUs with cooling by air), so that a refusal
means that the tool could not design what was asked, not that the asking was wrong.
"""

from __future__ import annotations

import random
from typing import Any

import yaml

Tree = dict[str, Any]

STATIONS = ("ashburn", "phoenix", "chicago", "miami", "fargo", "san-francisco")
PLACES = (
    {
        "place": "Denver CO",
        "country": "US",
        "elevation": "1650 m",
        "design_dry_bulb": "38 degC",
        "design_wet_bulb": "18 degC",
        "mean_dry_bulb": "10.1 degC",
        "mean_wet_bulb": "4.4 degC",
    },
    {
        "place": "London",
        "country": "GB",
        "elevation": "25 m",
        "design_dry_bulb": "36 degC",
        "design_wet_bulb": "22 degC",
        "mean_dry_bulb": "11.5 degC",
        "mean_wet_bulb": "9 degC",
    },
    {
        "place": "Santa Fe NM",
        "country": "US",
        "elevation": "2130 m",
        "design_dry_bulb": "36 degC",
        "design_wet_bulb": "17 degC",
        "mean_dry_bulb": "10.5 degC",
        "mean_wet_bulb": "3.5 degC",
    },
    {
        "place": "Singapore",
        "country": "SG",
        "elevation": "16 m",
        "design_dry_bulb": "36 degC",
        "design_wet_bulb": "29 degC",
        "mean_dry_bulb": "27.5 degC",
        "mean_wet_bulb": "25 degC",
    },
)
_LEVELS = ("250 MVA", "500 MVA")
SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "block-redundant")
DISTRIBUTED = ("4N/3", "5N/4", "6N/5")
AIR_SERVERS = ("DGX H100", "DGX H200", "DGX B200", "XE9680 H100", "DGX A100")
LIQUID_RACKS = ("GB200 NVL72", "GB200 NVL72 NVIDIA", "GB300 NVL72 HPE", "GB200 NVL72 Supermicro")
GPUS = ("H100 SXM5", "H200 SXM", "B200 SXM", "A100 SXM4 80GB", "B300 SXM")
NEC_SYSTEMS = ("415Y/240", "480Y/277", "208Y/120")


def _sometimes(draw: random.Random, share: float) -> bool:
    return draw.random() < share


def _many(draw: random.Random, most: int) -> int:
    """Return a count from 1 to `most`, spread evenly over its orders of magnitude."""
    return max(1, min(most, round(most ** draw.random())))


def _site(draw: random.Random, code: str) -> Tree:
    kind = draw.random()
    if kind < 0.15:
        return {}
    if kind < 0.85:
        site: Tree = {"station": draw.choice(STATIONS)}
    else:
        site = dict(draw.choice([p for p in PLACES if (p["country"] == "US") == (code == "NEC")]))
    if code == "IEC" and "country" not in site:
        site |= {"frequency": "50 Hz", "utility_voltage": draw.choice(("11 kV", "20 kV"))}
    elif "country" not in site and _sometimes(draw, 0.5):
        site["utility_voltage"] = draw.choice(("12.47 kV", "13.8 kV", "34.5 kV"))
    if _sometimes(draw, 0.5):
        levels = ("1000 MVA",) if site.get("utility_voltage") == "34.5 kV" else _LEVELS
        site |= {"fault_level": draw.choice(levels), "x_over_r": "12"}
    return site


def _own_device(draw: random.Random, liquid: bool) -> Tree:
    count = draw.choice((2, 4, 6, 8))
    power = draw.choice((3, 6, 8, 10, 14))
    coolant = {
        "liquid_fraction": draw.choice(("60 %", "80 %")),
        "coolant_flow": f"{1.2 * power:.1f} L/min",
        "coolant_supply_max": "45 degC",
    }
    return {
        "model": "Own box",
        "category": "server",
        "gpus": draw.choice((1, 4, 8)),
        "gpu_model": draw.choice(GPUS),
        "gpu_power": "300 W",
        "maximum_power": f"{power} kW",
        "typical_power": f"{0.7 * power:.2f} kW",
        "rack_units": draw.choice((4, 6, 8)),
        "airflow": f"{105 * power} cfm",
        "supplies": {
            "count": count,
            "needed": count // 2,
            "rating": f"{2.4 * power / count:.2f} kW",
            "voltage_min": "200 V",
            "voltage_max": "277 V",
        },
        **(coolant if liquid else {}),
    }


def _short_it(draw: random.Random, most: int) -> Tree:
    it: Tree = {"gpu_model": draw.choice(GPUS), "gpus": _many(draw, most)}
    if _sometimes(draw, 0.3):
        it["servers_per_rack"] = draw.choice((1, 2, 4))
    if _sometimes(draw, 0.2):
        it["basis"] = draw.choice(("nameplate", "component_sum"))
    if _sometimes(draw, 0.2):
        it["network"] = {"topology": draw.choice(("none", "fat-tree", "rail-optimised"))}
    if _sometimes(draw, 0.2):
        it["load_factor"] = draw.choice(("40 %", "0.7", "90 %"))
    return it


def _halls(draw: random.Random, server: str, each: int, most: int, devices: list[Tree]) -> Tree:
    halls = []
    for index in range(draw.choice((1, 1, 1, 2, 3))):
        racks: list[Tree] = [
            {
                "name": "Compute",
                "count": _many(draw, most),
                "devices": [{"model": server, "count": each}],
            }
        ]
        if _sometimes(draw, 0.5):
            racks.append(
                {
                    "name": "Network",
                    "count": _many(draw, 12),
                    "purpose": "network",
                    "devices": [{"model": "QM9700", "count": draw.choice((4, 8))}],
                }
            )
        if _sometimes(draw, 0.3):
            racks.append(
                {
                    "name": "Storage",
                    "count": _many(draw, 6),
                    "purpose": "storage",
                    "devices": [{"model": "NVMe storage node 2U", "count": 8}],
                }
            )
        halls.append({"name": f"Hall {index + 1}", "racks": racks})
    it: Tree = {"halls": halls}
    return it | ({"devices": devices} if devices else {})


def _it(draw: random.Random, liquid: bool, most: int) -> Tree:
    racks = max(1, most // 64)
    kind = draw.random()
    if liquid and kind < 0.6:
        if _sometimes(draw, 0.5):
            return {
                "gpu_model": draw.choice(("B200 NVL72", "B300 NVL72")),
                "gpus": 72 * _many(draw, max(1, most // 72)),
            }
        return {"server": draw.choice(LIQUID_RACKS), "servers": _many(draw, max(1, most // 72))}
    if liquid and kind < 0.85:
        return _halls(draw, draw.choice(LIQUID_RACKS), 1, racks, [])
    if liquid:
        return _halls(draw, "Own box", draw.choice((1, 2, 4)), racks, [_own_device(draw, liquid)])
    if kind < 0.6:
        return _short_it(draw, most)
    if kind < 0.85:
        return _halls(draw, draw.choice(AIR_SERVERS), draw.choice((1, 2, 4)), racks, [])
    return _halls(draw, "Own box", draw.choice((1, 2, 4)), racks, [_own_device(draw, liquid)])


def _power(draw: random.Random, code: str) -> Tree:
    power: Tree = {"redundancy": draw.choice(SCHEMES)}
    distribution: Tree = {}
    if _sometimes(draw, 0.4):
        if code == "NEC":
            distribution["rack_system"] = draw.choice(NEC_SYSTEMS[::2])
            if distribution["rack_system"] == "208Y/120":
                distribution["voltage"] = "480 V"
        else:
            distribution["rack_system"] = "400Y/230"
    if _sometimes(draw, 0.15):
        distribution["listed_100"] = True
    if distribution:
        power["distribution"] = distribution
    if code == "NEC" and _sometimes(draw, 0.1):
        power["ups"] = {"module_rating": draw.choice(("250 kW", "500 kW", "1000 kW"))}
    if _sometimes(draw, 0.2):
        power["generator"] = {"redundancy": draw.choice(("N", "N+1", "N+2"))}
    if _sometimes(draw, 0.15):
        power.setdefault("transformer", {})["redundancy"] = draw.choice(("N", "N+1"))
    if _sometimes(draw, 0.15):
        power["conductors"] = {"material": draw.choice(("copper", "aluminum"))}
    return power


def _more_sides(seed: int, power: Tree) -> Tree:
    """Return the power section, two thirds of its 4N/3 as schemes of five and six systems."""
    if power["redundancy"] != "4N/3":
        return power
    return power | {"redundancy": random.Random(f"sides {seed}").choice(DISTRIBUTED)}


def _air_path(draw: random.Random, cooling: Tree) -> None:
    terminal = draw.choice(("crah", "crah", "in-row", "rear-door", "active-rear-door", "fan-wall"))
    if _sometimes(draw, 0.5):
        cooling["air"] = {"terminal": terminal}
        if terminal == "crah" and _sometimes(draw, 0.3):
            cooling["air"]["supply"] = "raised-floor"
    if _sometimes(draw, 0.2):
        cooling["supply_air"] = draw.choice(("20 degC", "22 degC", "24 degC", "26 degC"))
    if _sometimes(draw, 0.2):
        cooling["containment"] = draw.choice(("hot-aisle", "cold-aisle"))
    if _sometimes(draw, 0.2):
        cooling["crah"] = {"redundancy": draw.choice(("N+1", "N+2", "2N"))}


def _plant(draw: random.Random, cooling: Tree) -> None:
    plant: Tree = {}
    if _sometimes(draw, 0.5):
        plant["heat_rejection"] = draw.choice(("tower", "dry_cooler", "air_cooled"))
    if _sometimes(draw, 0.2):
        plant["chiller"] = {"redundancy": draw.choice(("N", "N+1", "N+2"))}
    if _sometimes(draw, 0.1):
        plant["pumping"] = {"scheme": draw.choice(("variable-primary", "constant-primary"))}
    if plant:
        cooling["plant"] = plant
    if _sometimes(draw, 0.25):
        kinds = ["integrated-water-side", "air-side-indirect", "air-side-direct"]
        rejection, terminal = (
            plant.get("heat_rejection"),
            cooling.get("air", {}).get("terminal", "crah"),
        )
        in_rows = "rear-door" in terminal or terminal == "in-row"
        if in_rows and rejection == "air_cooled":
            return
        kind = draw.choice(kinds[:1] if in_rows else kinds[rejection == "air_cooled" :])
        cooling["economizer"] = {"kind": kind}
        if kind == "air-side-direct" and _sometimes(draw, 0.5):
            cooling["economizer"]["evaporative_effectiveness"] = draw.choice(("0.5", "0.85"))


def _liquid_path(draw: random.Random, cooling: Tree) -> None:
    if _sometimes(draw, 0.3):
        source = draw.choice(("dry_cooler", "tower", "chilled_water"))
        cooling["facility_water"] = {"source": source}
    if _sometimes(draw, 0.3):
        cooling["cdu"] = {"redundancy": draw.choice(("N", "N+1", "N+2"))}
    if _sometimes(draw, 0.15):
        cooling["liquid"] = {"cdu_mount": draw.choice(("in-row", "row/perimeter"))}


def _machines(draw: random.Random, cooling: Tree) -> None:
    """Chillers by their set, towers by a rating, pads; drawn apart, so that seeds keep the rest."""
    plant = cooling.get("plant", {})
    kind = plant.get("heat_rejection", "tower")
    if cooling.get("air", {}).get("terminal") == "crac" or kind == "air_cooled":
        return
    if _sometimes(draw, 0.3):
        plant = cooling.setdefault("plant", plant)
        plant["chiller"] = {**plant.get("chiller", {}), "performance": "curves"}
    if _sometimes(draw, 0.3):
        approach = draw.choice(("3 K", "3.5 K", "4.5 K"))
        rating = {"flow": "30 L/s", "wet_bulb": "25.6 degC", "range": "5.6 K",
                  "approach": approach, "fan_power": "11 kW"}  # fmt: skip
        pads = {"pad_effectiveness": draw.choice(("60 %", "80 %"))}
        plant = cooling.setdefault("plant", plant)
        plant["rejection"] = {"tower": rating} if kind == "tower" else pads


def random_project(seed: int, most_gpus: int = 50_000) -> Tree:
    """Return the project that belongs to `seed`: the same on every machine."""
    draw = random.Random(seed)
    code = draw.choice(("NEC", "NEC", "NEC", "IEC"))
    liquid = _sometimes(draw, 0.4)
    criteria: Tree = {"code": code}
    if code == "NEC" and _sometimes(draw, 0.4):
        criteria["edition"] = draw.choice(("2017", "2020", "2023"))
    if liquid and _sometimes(draw, 0.4):
        criteria["liquid_class"] = draw.choice(("W27", "W32", "W40", "W45"))
    if _sometimes(draw, 0.15):
        criteria["growth"] = draw.choice(("10 %", "25 %"))
    cooling: Tree = {"method": draw.choice(("hybrid", "hybrid", "liquid")) if liquid else "air"}
    _air_path(draw, cooling)
    _plant(draw, cooling)
    _machines(random.Random(f"machines {seed}"), cooling)
    if liquid:
        _liquid_path(draw, cooling)
    return {
        "schema_version": 1,
        "project": {"name": f"seed-{seed}"},
        "site": _site(draw, code),
        "criteria": criteria,
        "it": _it(draw, liquid, most_gpus),
        "power": _more_sides(seed, _power(draw, code)),
        "cooling": cooling,
    }


def project_text(seed: int, most_gpus: int = 50_000) -> str:
    """Return the project of `seed` as the YAML a user would type."""
    return str(yaml.safe_dump(random_project(seed, most_gpus), sort_keys=False))
