"""Candidate transformers: standard ratings with losses and impedance."""

from __future__ import annotations

import math

import numpy as np

from facility.catalogue import Row, row_above, table
from facility.catalogue.loader import per_catalogue
from facility.core.errors import FacilityError
from facility.core.sources import PROJECT, Source
from facility.model.power.chain import TransformerBasis, WiringBasis
from facility.physics.machines.transformer import losses_of_efficiency
from facility.power.substation.losses import permitted_losses
from facility.power.train.types import TransformerUnit

DRY_RULE_LOAD = 0.35
"""Load fraction of the efficiency rule for LV dry-type transformers."""

_ANSI = ("ANSI/IEEE 60 Hz substation or pad-mounted",)
_IEC = ("IEC oil-immersed", "IEC oil-immersed or cast resin")
_MV = "electrical/mv_transformers"
_DRY = "electrical/transformer_standard_kva"


@per_catalogue(256)
def mv_units(basis: TransformerBasis, code: str, high_v: float) -> tuple[TransformerUnit, ...]:
    """Return the candidate MV/LV transformers, in rising rating.

    The family is ANSI under the NEC, otherwise IEC. Losses are the limits of the applicable rule;
    specified losses and impedance take precedence.

    high_v: Voltage of the utility [V].

    Raises ``TRANSFORMER_IMPEDANCE`` for an impedance at or below the resistance.
    """
    rows = _family_rows(code)
    if basis.rating_va is not None:
        row = row_above(rows, "kva", basis.rating_va) or rows[-1]
        return (_mv_unit(row, basis.rating_va, basis, code, high_v),)
    ratings = [r for r in rows if r.si("kva") <= basis.largest_va]
    return tuple(_mv_unit(row, row.si("kva"), basis, code, high_v) for row in ratings or rows[:1])


def step_up_unit(rating_va: float, code: str, high_v: float, low_v: float) -> TransformerUnit:
    """Return the transformer of one generator set: the lowest standard rating of at least its kVA.

    high_v, low_v: Voltages of bus and set, the higher first [V].
    """
    rows = _family_rows(code)
    row = row_above(rows, "kva", rating_va) or rows[-1]
    size_va = max(row.si("kva"), rating_va)
    losses = permitted_losses(size_va, code, high_v, low_v)
    recalled = ("transformer impedance",) if row.is_memory("z_pct") else ()
    return TransformerUnit(
        size_va,
        losses.no_load_w,
        losses.load_loss_w,
        row.si("z_pct"),
        row.cite("z_pct"),
        recalled + losses.doubts,
    )


def _family_rows(code: str) -> list[Row]:
    families = _ANSI if code == "NEC" else _IEC
    return sorted(
        (row for row in table(_MV).rows if row["family"] in families), key=lambda r: r.si("kva")
    )


def _mv_unit(
    row: Row, rating_va: float, basis: TransformerBasis, code: str, high_v: float
) -> TransformerUnit:
    memory = (
        []
        if basis.impedance is not None or not row.is_memory("z_pct")
        else ["transformer impedance"]
    )
    source = row.cite("z_pct")
    if basis.no_load_w is not None and basis.load_loss_w is not None:
        losses = basis.no_load_w, basis.load_loss_w
        source = PROJECT
    else:
        ruled = permitted_losses(rating_va, code, high_v, low_v=0.0)
        losses = ruled.no_load_w, ruled.load_loss_w
        memory += ruled.doubts
    impedance = row.si("z_pct") if basis.impedance is None else basis.impedance
    _refuse_no_reactance(basis, rating_va, impedance, losses[1])
    return TransformerUnit(rating_va, *losses, impedance, source, tuple(memory))


def _refuse_no_reactance(
    basis: TransformerBasis, rating_va: float, impedance: float, load_loss_w: float
) -> None:
    """Reject an impedance at or below the resistance, load loss / rating: no reactance is left.

    Raises ``TRANSFORMER_IMPEDANCE``.
    """
    resistance = load_loss_w / rating_va
    if impedance > resistance:
        return
    stated = basis.impedance is not None
    raise FacilityError(
        "TRANSFORMER_IMPEDANCE",
        "power.transformer.impedance" if stated else "power.transformer.load_loss",
        f"impedance {impedance:.3%} of {rating_va / 1e3:,.0f} kVA does not exceed its resistance,"
        f" {resistance:.3%}: load loss {load_loss_w / 1e3:,.2f} kW.",
        "Correct power.transformer.impedance or load_loss; typical values are 4 to 8 % impedance"
        " and a load loss of about 1 % of the rating.",
    )


def pdu_units(wiring: WiringBasis) -> tuple[TransformerUnit, ...]:
    """Return the candidate PDU transformers, in rising rating.

    The ratings are those of the catalogue floor PDUs between the two voltages, plus smaller
    standard ratings if their number is not specified, or the rating specified in the project;
    losses follow the DOE efficiency rule for LV dry-type units.

    Raises ``UNKNOWN_VALUE`` for a rating outside the efficiency rule.
    """
    if wiring.pdu_rating_va is not None:
        return (dry_unit(wiring.pdu_rating_va),)
    ratings = {
        row.si("rating_kva"): ("PDU rating",) if row.is_memory("rating_kva") else ()
        for row in floor_pdus(wiring)
    }
    if not ratings or wiring.pdu_count is None:
        min_va = min(ratings, default=math.inf)
        ratings |= {row.si("kva"): () for row in _ruled_rows() if row.si("kva") < min_va}
    return tuple(dry_unit(rating, memory) for rating, memory in sorted(ratings.items()))


def floor_pdus(wiring: WiringBasis) -> list[Row]:
    """Return the catalogue floor PDUs between the two voltages of the wiring."""
    volts = wiring.lv_voltage_v, wiring.rack_voltage_v
    rows = table("equipment/pdus").rows
    return [row for row in rows if (row.si("primary_v"), row.si("secondary_v")) == volts]


def _ruled_rows() -> list[Row]:
    return [row for row in table(_DRY).rows if row["doe2016_min_efficiency_pct"] is not None]


@per_catalogue(64)
def dry_unit(rating_va: float, memory: tuple[str, ...] = ()) -> TransformerUnit:
    """Return a dry-type transformer with the minimum permitted efficiency.

    rating_va: Rating within the range of the rule [VA].
    memory: Unverified values.

    Raises ``UNKNOWN_VALUE`` for a rating outside the efficiency rule.
    """
    rows = _ruled_rows()
    ratings = np.array([row.si("kva") for row in rows])
    if not ratings[0] <= rating_va <= ratings[-1]:
        raise FacilityError(
            "UNKNOWN_VALUE",
            "power.distribution.pdu_transformer",
            f"the efficiency rule covers {ratings[0] / 1e3:.0f} to {ratings[-1] / 1e3:.0f} kVA;"
            f" got {rating_va / 1e3:.0f} kVA.",
            "Enter a rating within this range.",
        )
    efficiencies = np.array([row.si("doe2016_min_efficiency_pct") for row in rows])
    impedances = np.array([row.si("typical_z_pct") for row in rows])
    efficiency = float(np.interp(rating_va, ratings, efficiencies))
    no_load_w, load_loss_w = losses_of_efficiency.si(rating_va, DRY_RULE_LOAD, efficiency)
    row = rows[int(np.searchsorted(ratings, rating_va))]
    source = Source(row.source.id, f"{_DRY}, minimum efficiency at 35 % load", row.source.edition)
    impedance = float(np.interp(rating_va, ratings, impedances))
    losses = float(no_load_w), float(load_loss_w)
    return TransformerUnit(rating_va, *losses, impedance, source, memory)
