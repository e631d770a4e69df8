"""The direct-current option calculated once more: two conductors at constant power."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from facility.core.trace import Findings, Trace
from facility.model.inputs.power.dc import DcSection
from facility.power.dc.distribution import design_dc
from facility.study.resolve.power.electrical import resolve_dc
from tests.power.helpers import criteria
from tests.results.power.plant import rows

_FT_M = 0.3048
CONDUCTIVITY = {"cu": 58.0e6, "al": 34.8e6}
"""Copper of 100 % IACS, aluminium of 60 % of it, at 20 degC [S/m]."""
_PER_KELVIN_20 = {"cu": 0.00393, "al": 0.00403}
_PER_KELVIN_75 = {"cu": 0.00323, "al": 0.00330}
"""IEC 60228 and note 2 below table 8 of chapter 9."""


def _same(name: str, found: float, wanted: float) -> Iterator[str]:
    if not abs(found - wanted) <= 1e-9 * max(abs(found), abs(wanted)):
        yield f"{name}: {found!r}, by hand {wanted!r}"


CASES: tuple[tuple[dict[str, str], float, float, float, float, str, int], ...] = (
    ({"architecture": "54V busbar", "length": "1.5 m", "busbar_section": "900 mm2"},
     54.0, 1.5, 75.0, 900e-6, "cu", 1),
    ({"architecture": "54V busbar", "length": "4 m", "busbar_section": "2400 mm2",
      "material": "aluminum", "conductor_temperature": "90 degC", "load": "60 kW",
      "voltage_min": "51 V", "voltage_max": "58 V", "converter_efficiency": "97 %"},
     54.0, 4.0, 90.0, 2400e-6, "al", 1),
    ({"architecture": "800V feeder", "length": "60 m", "conductor_size": "3/0", "sets": "2"},
     800.0, 60.0, 75.0, 0.0, "cu", 2),
    ({"architecture": "800V feeder", "length": "90 m", "conductor_size": "250", "sets": "3",
      "material": "aluminum", "conductor_temperature": "60 degC", "compared_loss": "2 %"},
     800.0, 90.0, 60.0, 0.0, "al", 3),
)  # fmt: skip


def direct_current() -> Iterator[str]:
    """Every result of the study, and both sides of its checks."""
    for number, (section, *case) in enumerate(CASES):
        trace = Trace()
        read = DcSection.model_validate(section)
        basis = resolve_dc(read, trace)
        limits = replace(criteria(), voltage_drop_branch=0.02, voltage_drop_feeder=0.03)
        found = design_dc(basis, 132e3, limits, trace)
        for words in _circuit(section, found, *case):
            yield f"case {number}, {words}"


def _circuit(
    section: dict[str, str],
    found: Findings,
    volts: float,
    length_m: float,
    at_c: float,
    area_m2: float,
    metal: str,
    sets: int,
) -> Iterator[str]:
    resistivity = (1.0 + _PER_KELVIN_20[metal] * (at_c - 20.0)) / CONDUCTIVITY[metal]
    ohm = resistivity * length_m / area_m2 if area_m2 else 0.0
    if not area_m2:
        column = {"cu": "dc_r_cu_uncoated_ohm_per_kft", "al": "dc_r_al_ohm_per_kft"}[metal]
        own = [
            x
            for x in rows("electrical/nec_ch9_table8.csv")
            if x["size"] == section["conductor_size"]
        ]
        row = max(own, key=lambda x: int(x["strands"]))
        per_m = float(row[column]) / (1000.0 * _FT_M)
        ohm = per_m * length_m / sets * (1.0 + _PER_KELVIN_75[metal] * (at_c - 75.0))
        area_m2 = sets * float(row["conductor_area_mm2"]) * 1e-6
    load_w = 60e3 if "load" in section else 132e3
    # Both conductors carry the current: U I - 2 R I^2 = P.
    amperes = (volts - math.sqrt(volts**2 - 8.0 * ohm * load_w)) / (4.0 * ohm)
    drop_v, loss_w = 2.0 * ohm * amperes, 2.0 * ohm * amperes**2
    wanted = {
        "dc.load": load_w, "dc.section": area_m2, "dc.conductors": 2.0 * sets,
        "dc.resistance": ohm, "dc.maximum_power": volts**2 / (8.0 * ohm), "dc.current": amperes,
        "dc.voltage_drop": drop_v, "dc.voltage_drop_fraction": drop_v / volts,
        "dc.voltage_at_load": volts - drop_v, "dc.loss": loss_w,
        "dc.source_power": volts * amperes,
    }  # fmt: skip
    if "converter_efficiency" in section:
        wanted["dc.input_power"] = volts * amperes / 0.97
    lost = {"2 %": 0.02}.get(section.get("compared_loss", ""), 0.01)
    for compared_v in (54.0, 400.0, 800.0):
        # Loss of a part of the load: I = P (1 + p) / U, 2 rho l / A I^2 = p P.
        source_a = load_w * (1.0 + lost) / compared_v
        key = f"dc.at_{compared_v:.0f}v"
        wanted[f"{key}.section"] = 2.0 * resistivity * length_m * source_a**2 / (lost * load_w)
        if load_w <= compared_v**2 / (8.0 * ohm):
            drawn_a = compared_v - math.sqrt(compared_v**2 - 8.0 * ohm * load_w)
            drawn_a /= 4.0 * ohm
            wanted[f"{key}.current"] = drawn_a
            wanted[f"{key}.loss"] = 2.0 * ohm * drawn_a**2 / load_w
    numbers = {k: float(v.si) for k, v in found.results.items() if not isinstance(v.si, str)}
    if set(numbers) != set(wanted):
        yield f"results {sorted(set(numbers) ^ set(wanted))}"
    for key in set(numbers) & set(wanted):
        yield from _same(key, numbers[key], wanted[key])
    sides: dict[str, tuple[float, float]] = {
        "DC-MAXIMUM-POWER": (load_w, volts**2 / (8.0 * ohm)),
        "DC-VOLTAGE-DROP": (drop_v / volts, 0.02 if volts == 54.0 else 0.03),
        "DC-VOLTAGE-LOW": (volts - drop_v, 51.0),
        "DC-VOLTAGE-HIGH": (volts, 58.0),
    }
    if sets > 1:
        table = {x["size"]: x for x in rows("electrical/nec_310_16_ampacity.csv")}
        listed_a = float(table[section["conductor_size"]][f"{metal}_75c_a"])
        sides["DC-AMPACITY"] = (1.25 * amperes, sets * listed_a)
    for check in found.checks:
        if check.value is not None and check.limit is not None:
            value, limit = sides[check.rule]
            yield from _same(check.rule, check.value, value)
            yield from _same(f"limit of {check.rule}", check.limit, limit)
