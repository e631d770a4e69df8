"""Losses of generic MV/LV transformers: the limits of the applicable rule."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from facility.catalogue import table
from facility.core.check import Check
from facility.core.sources import PROJECT
from facility.physics.machines.transformer import (
    losses_of_efficiency,
    losses_of_peak_efficiency,
    peak_efficiency,
)
from facility.power.rules import RULES
from facility.power.train.types import TransformerUnit

LIQUID_RULE_LOAD = 0.5
"""Load fraction of the efficiency rule for MV liquid-immersed transformers."""

_EU = "electrical/eu_transformer_losses"
_LIQUID, _DRY = "liquid-immersed", "dry-type"
_LARGEST_BY_LOSS_VA = 3150e3
_EPSILON_VA = 0.5
# Factors on no-load and load loss of table I.3, by one winding above 24 kV and the other above
# 1.1 kV.
_BY_VOLTAGE = {
    (False, False): (1.0, 1.0),
    (False, True): (1.10, 1.10),
    (True, False): (1.15, 1.10),
    (True, True): (1.20, 1.15),
}
_HIGH_V, _HIGHEST_V, _LOW_V = 24e3, 36e3, 1100.0


class RuledLosses(NamedTuple):
    """No-load loss, and load loss at the rating [W]; unverified parts."""

    no_load_w: float
    load_loss_w: float
    doubts: tuple[str, ...]


def permitted_losses(rating_va: float, code: str, high_v: float, low_v: float) -> RuledLosses:
    """Return the losses of the least efficient permitted transformer.

    Under the NEC by the US efficiency rule for liquid-immersed units, otherwise by EU Tier 2; IEC
    sites elsewhere use Tier 2 too, without a national rule.

    high_v, low_v: Rated voltages of the windings [V].
    """
    if code == "NEC":
        rows = table("electrical/ups_transformer_efficiency").select(device="transformer MV liquid")
        ratings = np.array([row.si("rating_kva") for row in rows])
        efficiencies = np.array([row.si("efficiency_pct") for row in rows])
        recalled = any(row.is_memory("efficiency_pct") for row in rows)
        doubts = ["transformer efficiency"] if recalled else []
        nearest_va = float(np.clip(rating_va, ratings[0], ratings[-1]))
        if nearest_va != rating_va:
            doubts.append(f"efficiency at {nearest_va / 1e3:,.0f} kVA, the end of its table")
        efficiency = float(np.interp(rating_va, ratings, efficiencies))
        losses = losses_of_efficiency.si(rating_va, LIQUID_RULE_LOAD, efficiency)
        return RuledLosses(float(losses[0]), float(losses[1]), tuple(doubts))
    no_load_w, load_loss_w = _tier_two(rating_va, _LIQUID, high_v, low_v)
    over = f"losses at {_HIGHEST_V / 1e3:.0f} kV, the end of their table"
    return RuledLosses(no_load_w, load_loss_w, (over,) if high_v > _HIGHEST_V else ())


def loss_check(subject: str, unit: TransformerUnit, high_v: float, low_v: float) -> Check:
    """Return the check of transformer losses vs. EU Tier 2.

    Specified losses may be those of a dry-type unit, which has separate limits.
    """
    rule = RULES["TRANSFORMER-LOSS-RULE"]
    found = {kind: _against(unit, kind, high_v, low_v) for kind in (_LIQUID, _DRY)}
    given = unit.source == PROJECT
    kind = min(found, key=lambda one: found[one][0]) if given else _LIQUID
    ratio, words = found[kind]
    why = f"{words}, {kind}, {'losses as specified' if given else 'losses at the limits'}"
    return rule.at_most(subject, ratio, 1.0, "ratio", why)


def _against(unit: TransformerUnit, kind: str, high_v: float, low_v: float) -> tuple[float, str]:
    """Return the larger ratio of the losses of a unit to their limits, with its text."""
    no_load_w, load_loss_w = unit.no_load_w, unit.load_loss_w
    if unit.rating_va > _LARGEST_BY_LOSS_VA + _EPSILON_VA:
        minimum = _peak(unit.rating_va, kind)
        reached = float(peak_efficiency.si(unit.rating_va, no_load_w, load_loss_w))
        return (
            (1.0 - reached) / (1.0 - minimum),
            f"peak efficiency {reached:.3%}, minimum {minimum:.3%}",
        )
    maximum = _tier_two(unit.rating_va, kind, high_v, low_v)
    words = (
        f"no-load loss {no_load_w:,.0f} W (limit {maximum[0]:,.0f} W), load loss"
        f" {load_loss_w:,.0f} W (limit {maximum[1]:,.0f} W)"
    )
    return max(no_load_w / maximum[0], load_loss_w / maximum[1]), words


def _tier_two(rating_va: float, kind: str, high_v: float, low_v: float) -> tuple[float, float]:
    """Return the maximum no-load loss and load loss of Tier 2 [W].

    Up to 3,150 kVA tables I.1 and I.2, for other voltages with the factors of I.3. Above, the peak
    efficiency of I.4 and I.5, split like the losses of 3,150 kVA.
    """
    rows = [r for r in table(_EU).select(construction=kind) if r["load_loss_w"] is not None]
    ratings = [row.si("rating_kva") for row in rows]
    columns = ([row.si(name) for row in rows] for name in ("no_load_loss_w", "load_loss_w"))
    no_load_w, load_loss_w = (float(np.interp(rating_va, ratings, one)) for one in columns)
    if rating_va > _LARGEST_BY_LOSS_VA + _EPSILON_VA:
        split = load_loss_w / no_load_w
        losses = losses_of_peak_efficiency.si(rating_va, _peak(rating_va, kind), split)
        return float(losses[0]), float(losses[1])
    factors = _BY_VOLTAGE[high_v > _HIGH_V, low_v > _LOW_V]
    return no_load_w * factors[0], load_loss_w * factors[1]


def _peak(rating_va: float, kind: str) -> float:
    rows = [r for r in table(_EU).select(construction=kind) if r["peak_efficiency_pct"] is not None]
    ratings = [row.si("rating_kva") for row in rows]
    return float(np.interp(rating_va, ratings, [row.si("peak_efficiency_pct") for row in rows]))
