"""Checks of transformers, PDUs, UPS and generators once more, on plants drawn at random.

Value, limit and verdict of each check, and the numbers that its text tells, follow from loads and
ratings: installed capacity is a surplus by the larger of its loadings in kW and kVA.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from facility.core.check import Check, Outcome
from facility.power.backup.equipment_checks import plant_checks
from tests.results.power.plant import rows
from tests.results.second import differs

_MOST = 2.0
_CASES = 60


def _case(chance: Random) -> dict[str, Any]:
    def load() -> float:
        return chance.choice([chance.uniform(0.05, 0.3), chance.uniform(0.3, 1.1)])

    pick = chance.choice
    return {
        "modules": chance.randint(2, 9), "module_w": pick([250e3, 600e3, 1500e3]),
        "ups_kw": load(), "ups_kva": load(), "units": chance.randint(1, 4), "tx": load(),
        "tx_va": pick([1e6, 1.5e6, 2.5e6]), "pdu": load(), "pdus": chance.random() < 0.6,
        "sets": chance.randint(1, 6), "set_w": pick([0.7e6, 2e6, 3e6]), "set_kw": load(),
        "load_va": pick([2e5, chance.uniform(5e5, 9e6)]), "hz": pick([50.0, 60.0]),
        "site_hz": pick([50.0, 60.0]), "volts": pick([400.0, 480.0, 2400.0]),
        "elevation": pick([0.0, 900.0, 1400.0, 2300.0, 3600.0]), "buses": pick([1, 2]),
        "spare": pick([0, 1]), "present": chance.random() < 0.8, "code": pick(["NEC", "IEC"]),
        "group": pick(["Dyn11", "Yyn0", "Dd0", "YNyn0"]), "grounding": pick([None, 5.0]),
        "utility": pick([13.8e3, 22e3, 34.5e3]), "impedance": pick([None, 0.06]),
        "parts": pick([(1.0,), (0.3, 0.7)]), "sections": pick([1, 2]),
        "small": chance.random() < 0.5, "on_bus": pick([1, 4, 40]), "grid": chance.random() < 0.5,
        "recalled": pick([(), ("no-load loss",)]), "per_feed": pick([1, 2, 5]),
        "more": pick([0, 1]),
    }  # fmt: skip


def _plant(c: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    module = SimpleNamespace(
        rating_w=c["module_w"], model="U", memory=c["recalled"], own_curve=c["small"],
        curve="curve",
    )  # fmt: skip
    ups = SimpleNamespace(
        modules=c["modules"], module=module, buses=c["buses"],
        min_w=c["modules"] * c["module_w"] * (0.8 if c["small"] else 1.0),
    )  # fmt: skip
    unit = SimpleNamespace(rating_va=c["tx_va"], memory=())
    transformers = SimpleNamespace(
        count=c["units"], unit=unit, present=c["present"], per_carrier=c["units"],
        min_va=c["tx_va"] * (0.6 if c["small"] else 1.0),
    )  # fmt: skip
    pdu = SimpleNamespace(rating_va=300e3, memory=c["recalled"])
    pdus = SimpleNamespace(count=4, unit=pdu, per_carrier=c["per_feed"]) if c["pdus"] else None
    duty = _on_duty(c)
    generators = SimpleNamespace(
        count=c["sets"], on_duty=duty, duty=duty, spare=min(c["sets"] - duty, 1),
        rating_w=c["set_w"], rating_va=c["set_w"] / 0.8, derate=0.9, max_loading=0.85,
        model="G", memory=(),
        frequency_hz=c["hz"], voltage_v=c["volts"], step_up=None, sections=c["sections"],
        connection="MV" if c["grid"] else "LV", section_sets=lambda _: c["on_bus"],
    )  # fmt: skip
    chain = SimpleNamespace(
        ups=SimpleNamespace(max_loading=0.9, buses=c["buses"]),
        transformer=SimpleNamespace(
            max_loading=0.8, spare=c["spare"], vector_group=c["group"], grounding_a=c["grounding"],
            impedance=c["impedance"],
        ),
        wiring=SimpleNamespace(
            pdu_max_loading=0.7, has_pdu_transformers=c["pdus"], lv_voltage_v=c["volts"],
            pdu_count=4 if c["small"] else None,
        ),
        scheme=SimpleNamespace(one_system=True, reserve=False),
        panels=SimpleNamespace(bus_a=400.0), pdu_peak_ratios=(1.2, 1.1),
        generator=SimpleNamespace(is_open=not c["small"], section_parts=c["parts"]),
    )  # fmt: skip
    design = SimpleNamespace(
        chain=chain, ups=ups, transformers=transformers, pdus=pdus, generators=generators,
        utility_voltage_v=c["utility"],
    )  # fmt: skip
    one = SimpleNamespace
    flow = one(
        ups=one(loading=one(failure=c["ups_kw"]), loading_va=one(failure=c["ups_kva"])),
        transformers=one(failure=c["tx"]), pdus=one(failure=c["pdu"]),
        generators=one(load_va=c["load_va"], loading=c["set_kw"]),
    )  # fmt: skip
    return (
        design,
        flow,
        one(elevation_m=c["elevation"], frequency_hz=c["site_hz"]),
        one(code=c["code"]),
    )


def _left(equipment: str, elevation_m: float) -> float:
    table = [r for r in rows("electrical/altitude_ratings.csv") if r["equipment"] == equipment]
    heights, factors = ([float(r[k]) for r in table] for k in ("altitude_m", "factor"))
    return float(np.interp(elevation_m, heights, factors))


def _on_duty(c: dict[str, Any]) -> int:
    return max(1, c["sets"] - 1 - c["more"])


Wanted = dict[tuple[str, str], tuple[float | None, float | None, bool | None, tuple[str, ...]]]
"""Value, limit, whether it passes (None: not evaluated) and words, by rule and subject."""


def _surplus(c: dict[str, Any]) -> Iterator[tuple[str, float, float, bool]]:
    """Yield subject, permitted loading, loading, and whether a smaller size exists."""
    kw, kva = c["module_w"] / 1e3, c["tx_va"] / 1e3
    yield f"UPS, {c['modules']} x {kw:,.0f} kW", 0.9, max(c["ups_kw"], c["ups_kva"]), c["small"]
    if c["present"]:
        yield f"transformers, {c['units']} x {kva:,g} kVA", 0.8, c["tx"], c["small"]
    if c["pdus"] and c["small"]:
        yield "PDU transformers, 4 x 300 kVA", 0.7, c["pdu"], True
    by_va = c["load_va"] / (_on_duty(c) * c["set_w"] / 0.8 * 0.9)
    smaller = c["sets"] > _on_duty(c) + 1
    smaller |= c["small"] and any(
        1e3 * float(row["standby_kw"]) < c["set_w"]
        for row in rows("equipment/generators.csv")
        if row["standby_kw"] and float(row["frequency_hz"]) == c["hz"]
    )
    name = f"generators, {c['sets']} x {c['set_w'] / 1e3:,.0f} kW"
    yield name, 0.85, max(c["set_kw"], by_va), smaller


def _wanted(c: dict[str, Any]) -> Wanted:
    found: Wanted = {}
    units, heights = f"{c['units']} x {c['tx_va'] / 1e3:,g} kVA", c["elevation"]
    if c["present"]:
        none_left = c["units"] <= c["spare"] * c["buses"]
        pair = (None, None, False) if none_left else (c["tx"], 0.8, c["tx"] <= 0.8)
        found["TRANSFORMER-LOADING-FAILURE", units] = *pair, ()
        neutral = c["group"].startswith("Dyn") or (c["group"][0] == "Y" and c["pdus"])
        found["TRANSFORMER-NEUTRAL", "MV/LV transformers"] = None, None, neutral, (c["group"],)
    if c["pdus"]:
        each = max(1, c["per_feed"] // c["buses"])
        most = c["pdu"] * {1: 1.2, 2: 1.1}.get(each, 1.1 * each / 2.0)
        found["PDU-LOADING", "4 x 300 kVA PDU"] = most, 0.7, most <= 0.7, ("400 A",)
    if c["grounding"]:
        found["NEUTRAL-RESISTOR", "LV boards"] = None, None, False, ("5 A through",)
        if c["code"] == "NEC":
            high = c["volts"] >= 480.0
            found["NEUTRAL-RESISTOR-VOLTAGE", "LV boards"] = c["volts"], 480.0, high, ()
    kinds = [("UPS", "UPS", 0.9)]
    kinds += [("MV/LV transformers", "liquid-immersed transformer", 0.8)] if c["present"] else []
    kinds += [("PDU transformers", "dry-type transformer", 0.7)] if c["pdus"] else []
    for subject, kind, used in kinds:
        left = _left(kind, heights)
        words = (f"{used:.1%}", f"{left:.1%} at {heights:,.0f} m")
        found["ALTITUDE-RATING", subject] = used, left, used <= left, words
    found["ALTITUDE-RATING", "LV breakers and boards"] = heights, 2000.0, heights <= 2000.0, ()
    if c["present"]:
        found["ALTITUDE-RATING", "MV insulation"] = heights, 1000.0, heights <= 1000.0, ()
    right = c["hz"] == c["site_hz"]
    found["GENERATOR-FREQUENCY", "G"] = None, None, right, (f"{c['hz']:.0f} Hz set",)
    made = [
        float(row["voltage_v"])
        for row in rows("electrical/generator_voltages.csv")
        if float(row["frequency_hz"]) == c["hz"]
        and float(row["rating_min_kva"]) <= c["set_w"] / 800.0 <= float(row["rating_max_kva"])
    ]
    fits = any(abs(volts - c["volts"]) <= 0.01 * c["volts"] for volts in made)
    found["GENERATOR-VOLTAGE", "G"] = None, None, fits, (f"{c['set_w'] / 800.0:,.0f} kVA",)
    words = ("1 bus" if c["sections"] == 1 else f"each of {c['sections']} buses",)
    found["GENERATOR-ONE-BUS", "G"] = c["on_bus"], 32.0, c["on_bus"] <= 32, words
    bus_v = c["utility"] if c["grid"] else c["volts"]
    most_a = _largest_bus("mv-switchgear" if bus_v > 1000.0 else "lv-board", c["code"], bus_v)
    bus_a = c["load_va"] * max(c["parts"]) / (3.0**0.5 * bus_v)
    name = f"generator bus at {bus_v:,.0f} V"
    within = None if most_a is None else bus_a <= most_a
    found["GENERATOR-BUS-CURRENT", name] = (
        None if most_a is None else bus_a, most_a, within, (f"{bus_a:,.0f} A",)
    )  # fmt: skip
    for subject, permitted, loading, smaller in _surplus(c):
        ratio = permitted / loading
        words = (f"{ratio:,.2f} x", f"loading {loading:.1%}", f"{permitted:.0%} permitted")
        if not smaller and ratio > _MOST:
            words += ("no smaller known size",)
            found["INSTALLED-SURPLUS", subject] = None, None, True, words
        else:
            found["INSTALLED-SURPLUS", subject] = ratio, _MOST, ratio <= _MOST, words[1:2]
    return found | _sources(c)


def _sources(c: dict[str, Any]) -> Wanted:
    recalled, none = c["recalled"], ()
    class_v = {"NEC": 15e3, "IEC": 24e3}[c["code"]]
    above = c["present"] and c["impedance"] is None and c["utility"] > class_v
    rows_ = [("UPS U", recalled), ("generator G", none)]
    rows_ += [("PDU transformers", recalled)] if c["pdus"] else []
    found: Wanted = {
        ("MEMORY-DATA", subject): (None, None, not names, names) for subject, names in rows_
    }
    told = (f"up to {class_v / 1e3:g} kV", f"at {c['utility'] / 1e3:g} kV") if above else ()
    found["MEMORY-DATA", "MV/LV transformers"] = None, None, not above, told
    found["UPS-CURVE", "UPS U"] = None, None, c["small"], ("curve",)
    return found


def _largest_bus(assembly: str, code: str, volts: float) -> float | None:
    table = [
        row
        for row in rows("electrical/switchgear_ratings.csv")
        if (row["assembly"], row["code"]) == (assembly, code)
        and float(row["voltage_max_v"]) >= volts
    ]
    if not table:
        return None
    class_v = min(float(row["voltage_max_v"]) for row in table)
    own = [row for row in table if float(row["voltage_max_v"]) == class_v]
    return float(max(own, key=lambda row: float(row["rating_ka"]))["bus_max_a"])


def checks_of_plants() -> Iterator[str]:
    """Every check of every case: value, limit, verdict and the numbers in its text."""
    chance = Random(12)
    for number in range(_CASES):
        c = _case(chance)
        shown = {(one.rule, one.subject): one for one in plant_checks(*_plant(c))}
        wanted = _wanted(c)
        if set(shown) != set(wanted):
            yield f"case {number}: {sorted(set(shown) ^ set(wanted))}"
            continue
        for key, row in wanted.items():
            yield from _apart(f"{' of '.join(key)}, case {number}", shown[key], row)


def _apart(at: str, check: Check, wanted: Any) -> Iterator[str]:
    value, limit, passes, words = wanted
    for name, here, there in (("value", check.value, value), ("limit", check.limit, limit)):
        if (here is None) != (there is None):
            yield f"{at}: {name} {here}, by hand {there}"
        elif here is not None:
            yield from differs(f"{at}, {name}", here, there, 1e-9)
    outcome = {None: Outcome.NOT_EVALUATED, True: Outcome.PASS, False: Outcome.FAIL}[passes]
    if check.outcome is not outcome:
        yield f"{at}: {check.outcome}, by hand {outcome}"
    missing = [one for one in words if one not in check.why]
    if missing:
        yield f"{at}: {missing} not in {check.why!r}"
