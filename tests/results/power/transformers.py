"""Transformers calculated once more: losses the rules permit, impedances, and how many are needed.

Losses follow from the published limits as they are written; numbers of units are counted up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

from facility.core.sources import PROJECT
from facility.power.substation.count import size_transformers
from facility.power.substation.losses import loss_check, permitted_losses
from facility.power.substation.units import dry_unit, mv_units, step_up_unit
from facility.power.train.types import TransformerUnit
from tests.results.power.plant import rows

CLOSE = 1e-9
_LARGEST_KVA = 3150.0


def _same(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if not abs(found - wanted) <= part * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def _line(points: list[tuple[float, float]], x: float) -> float:
    """Return the value at x of straight lines through points; the ends beyond them."""
    points = sorted(points)
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


# --- losses -------------------------------------------------------------------------------------


def us_losses(kva: float) -> tuple[float, float]:
    """Return no-load and load loss of a liquid-immersed unit of the efficiency at half load."""
    percent = _line(
        [
            (float(x["rating_kva"]), float(x["efficiency_pct"]))
            for x in rows("electrical/ups_transformer_efficiency.csv")
            if x["device"] == "transformer MV liquid"
        ],
        kva,
    )
    out_w = 0.5 * 1e3 * kva
    lost_w = out_w / (percent / 100.0) - out_w
    return 0.5 * lost_w, 0.5 * lost_w / 0.5**2


def _limits(kind: str, column: str) -> list[tuple[float, float]]:
    return [
        (float(x["rating_kva"]), float(x[column]))
        for x in rows("electrical/eu_transformer_losses.csv")
        if x["construction"] == kind and x[column]
    ]


def eu_losses(kva: float, high_v: float, low_v: float, kind: str) -> tuple[float, float]:
    """Return the largest losses of tier 2 of Regulation 548/2014, tables I.1 to I.5."""
    none_w = _line(_limits(kind, "no_load_loss_w"), kva)
    load_w = _line(_limits(kind, "load_loss_w"), kva)
    if kva <= _LARGEST_KVA:
        more = {(0, 0): (0, 0), (0, 1): (10, 10), (1, 0): (15, 10), (1, 1): (20, 15)}
        of_none, of_load = more[int(high_v > 24e3), int(low_v > 1.1e3)]
        return none_w * (1.0 + of_none / 100.0), load_w * (1.0 + of_load / 100.0)
    # 1 - PEI = 2 sqrt(P0 Pk) / S, with Pk / P0 of the largest unit of table I.1.
    product = (0.5 * (1.0 - _peak(kva, kind)) * 1e3 * kva) ** 2
    return math.sqrt(product * none_w / load_w), math.sqrt(product * load_w / none_w)


def _peak(kva: float, kind: str) -> float:
    return _line(_limits(kind, "peak_efficiency_pct"), kva) / 100.0


def losses_of_the_rules() -> Iterator[str]:
    """Losses by code and rating, and the check of stated ones."""
    for kva in (100.0, 225.0, 630.0, 1000.0, 1700.0, 2500.0, 3150.0, 4000.0, 6300.0):
        found = permitted_losses(1e3 * kva, "NEC", 13.8e3, 480.0)
        for name, one, wanted in zip("0k", found[:2], us_losses(kva), strict=True):
            yield from _same(f"P{name} of {kva:g} kVA, US", one, wanted)
        for high_v, low_v in ((11e3, 400.0), (33e3, 400.0), (20e3, 6.6e3), (33e3, 11e3)):
            found = permitted_losses(1e3 * kva, "IEC", high_v, low_v)
            wanted = eu_losses(kva, high_v, low_v, "liquid-immersed")
            for name, one, by_hand in zip("0k", found[:2], wanted, strict=True):
                yield from _same(f"P{name} of {kva:g} kVA, {high_v:g} V", one, by_hand)
            yield from _of_stated(kva, high_v, low_v)


def _of_stated(kva: float, high_v: float, low_v: float) -> Iterator[str]:
    """Losses as given are compared with the kind, liquid or dry, that they come nearer to."""
    for none_w, load_w in ((1.1 * kva, 9.0 * kva), (0.5 * kva, 14.0 * kva)):
        unit = TransformerUnit(1e3 * kva, none_w, load_w, 0.06, PROJECT, ())
        ratios = []
        for kind in ("liquid-immersed", "dry-type"):
            most = eu_losses(kva, high_v, low_v, kind)
            if kva > _LARGEST_KVA:
                lost = 2.0 * math.sqrt(none_w * load_w) / (1e3 * kva)
                ratios.append(lost / (1.0 - _peak(kva, kind)))
            else:
                ratios.append(max(none_w / most[0], load_w / most[1]))
        found = loss_check("T", unit, high_v, low_v)
        yield from _same(f"loss check of {kva:g} kVA", found.value or 0.0, min(ratios))


def units_of_the_tables() -> Iterator[str]:
    """Ratings, losses and impedances of MV, step-up and dry-type units."""
    families = {
        "NEC": ("ANSI/IEEE 60 Hz substation or pad-mounted",),
        "IEC": ("IEC oil-immersed", "IEC oil-immersed or cast resin"),
    }
    for code, names in families.items():
        own = {
            float(x["kva"]): float(x["z_pct"]) / 100.0
            for x in rows("electrical/mv_transformers.csv")
            if x["family"] in names
        }
        largest = sorted(own)[-2]
        basis: Any = SimpleNamespace(
            rating_va=None, largest_va=1e3 * largest, no_load_w=None, load_loss_w=None,
            impedance=None,
        )  # fmt: skip
        units = mv_units.__wrapped__(basis, code, 13.8e3)
        if [one.rating_va for one in units] != [1e3 * kva for kva in sorted(own)[:-1]]:
            yield f"ratings of {code}: {[one.rating_va for one in units]}"
        for one in units:
            kva = one.rating_va / 1e3
            yield from _same(f"impedance of {kva:g} kVA, {code}", one.impedance, own[kva])
            by_hand = us_losses(kva) if code == "NEC" else eu_losses(kva, 13.8e3, 0.0, _LIQUID)
            yield from _same(f"no-load loss of {kva:g} kVA, {code}", one.no_load_w, by_hand[0])
            yield from _same(f"load loss of {kva:g} kVA, {code}", one.load_loss_w, by_hand[1])
        yield from _losses_as_stated(code, 1e3 * largest)
        for asked in (400e3, 1250e3, 2.6e6, 9e6):
            step_up = step_up_unit(asked, code, 34.5e3, 4160.0)
            kva = min([k for k in own if 1e3 * k >= asked], default=asked / 1e3)
            yield from _same(f"step-up of {asked:g} VA, {code}", step_up.rating_va, 1e3 * kva)
            by_hand = us_losses(kva) if code == "NEC" else eu_losses(kva, 34.5e3, 4160.0, _LIQUID)
            yield from _same(f"step-up loss of {asked:g} VA", step_up.load_loss_w, by_hand[1])
            z = own.get(kva, own[max(own)])
            yield from _same(f"step-up impedance of {asked:g} VA", step_up.impedance, z)
    table = rows("electrical/transformer_standard_kva.csv")
    ruled = [x for x in table if x["doe2016_min_efficiency_pct"]]
    for kva in (30.0, 90.0, 225.0, 400.0, 750.0):
        columns = {
            name: _line([(float(x["kva"]), float(x[name])) for x in ruled], kva) / 100.0
            for name in ("doe2016_min_efficiency_pct", "typical_z_pct")
        }
        out_w = 0.35 * 1e3 * kva
        lost_w = out_w * (1.0 / columns["doe2016_min_efficiency_pct"] - 1.0)
        unit = dry_unit(1e3 * kva)
        yield from _same(f"no-load loss of {kva:g} kVA, dry", unit.no_load_w, lost_w / 2.0)
        load_w = lost_w / 2.0 / 0.35**2
        yield from _same(f"load loss of {kva:g} kVA, dry", unit.load_loss_w, load_w)
        yield from _same(f"Z of {kva:g} kVA, dry", unit.impedance, columns["typical_z_pct"])


def _losses_as_stated(code: str, rating_va: float) -> Iterator[str]:
    """Losses that are both stated hold; of one alone the rule holds for both."""
    kva = rating_va / 1e3
    ruled = us_losses(kva) if code == "NEC" else eu_losses(kva, 13.8e3, 0.0, _LIQUID)
    for none_w, load_w in ((900.0, 7e3), (900.0, None), (None, 7e3)):
        basis: Any = SimpleNamespace(
            rating_va=rating_va, no_load_w=none_w, load_loss_w=load_w, impedance=0.06
        )
        (unit,) = mv_units.__wrapped__(basis, code, 13.8e3)
        wanted = ruled if none_w is None or load_w is None else (none_w, load_w)
        yield from _same(f"no-load loss, {none_w} and {load_w} W", unit.no_load_w, wanted[0])
        yield from _same(f"load loss, {none_w} and {load_w} W", unit.load_loss_w, wanted[1])
        yield from _same("stated impedance", unit.impedance, 0.06)


_LIQUID = "liquid-immersed"


# --- number -------------------------------------------------------------------------------------


def numbers_of_transformers() -> Iterator[str]:
    """The fewest units that the largest rating needs, and the least rating of as many."""
    chance = Random(33)
    for number in range(200):
        ratings = sorted(chance.sample([500e3, 750e3, 1e6, 1.5e6, 2e6, 2.5e6, 3e6], 4))
        units = [TransformerUnit(va, 0.0, 0.0, 0.06, PROJECT, ()) for va in ratings]
        parts, spare = chance.choice([1, 1, 2, 3]), chance.choice([0, 0, 1, 2])
        carriers = ("A", "B", "C")[: chance.choice([1, 2, 3])]
        most, load_va = chance.choice([0.8, 1.0]), chance.uniform(1e5, 2e7)
        built = chance.choice([None, None, len(carriers) * parts * 2])
        floor = chance.choice([(0, 0.0), (0, 0.0), (4 * parts, 0.0), (0, 1e6), (0, 9e6)])
        found = size_transformers(
            units, carriers, 1, load_va, most, spare, parts, as_built=built, floor=floor
        )
        allowed = [va for va in ratings if va >= floor[1]] or ratings[-1:]

        def needed(va: float, parts: int = parts, load_va: float = load_va, m: float = most) -> int:
            each = 1
            while each * m * va < load_va / parts * (1.0 - 1e-9):
                each += 1
            return parts * each

        if built is None:
            count = max(needed(allowed[-1]), floor[0] - spare, parts)
        else:
            count = max(built // len(carriers) - spare, parts)
        rating_va = next((va for va in allowed if needed(va) <= count), allowed[-1])
        installed = built // len(carriers) if built else count + spare
        name = f"case {number}"
        yield from _same(f"rating, {name}", found.unit.rating_va, rating_va)
        yield from _same(f"installed, {name}", found.count, installed * len(carriers))
        yield from _same(f"duty, {name}", found.duty_per_carrier, needed(rating_va))
