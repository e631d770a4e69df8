"""Overcurrent protection of transformers by NEC 450.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.catalogue import Row, table
from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import reaches, within
from facility.physics.circuits.currents import required_rating, three_phase_current
from facility.power.panels.board.breakers import standard_breakers
from facility.power.rules import RULES

Device = Literal["cb", "fuse"]

_LOW_VOLTAGE_V = 1000.0
_LOW, _HIGH = "450.3(B) 1000 V or less", "450.3(A) over 1000 V"
_BOTH = "primary and secondary"
_CONTINUOUS = 1.25


@dataclass(frozen=True)
class TransformerProtection:
    """Largest overcurrent protection of a three-phase transformer."""

    # Rated currents [A].
    primary_a: float
    secondary_a: float
    primary_max_a: float  # Largest rating or setting before rounding [A]
    secondary_max_a: float | None  # Secondary limit; None for primary-only protection
    # Largest permitted standard rating [A]; None above 1000 V, where relays are set and fuses have
    # separate ratings, and without a device.
    primary_ocpd_a: float | None
    secondary_ocpd_a: float | None
    # Minimum ampacity of the primary conductors: 125 % of the rated current [A].
    primary_conductor_a: float
    article: str  # Table, row and edition
    notes: tuple[str, ...]  # Rounding of each side


def protect_transformer(  # noqa: PLR0913 - data required by the article
    rating_va: float,
    primary_v: float,
    secondary_v: float,
    edition: str,
    *,
    impedance: float | None = None,
    supervised: bool = True,
    secondary_device: bool = True,
    primary_kind: Device = "cb",
    secondary_kind: Device = "cb",
    where: str = "transformer",
) -> TransformerProtection:
    """Return the largest primary and secondary protection of a three-phase transformer.

    The table depends on the primary voltage, the row on impedance and supervised location (over
    1000 V), or on the method and the rated current (1000 V or less). If the row permits it, the
    next standard rating above the limit applies, otherwise the next one below.

    primary_v, secondary_v: Line-to-line voltages [V].
    impedance: Impedance as a fraction; required over 1000 V.
    supervised: Whether only qualified persons monitor and service it.
    secondary_device: Whether the secondary has separate protection.
    primary_kind, secondary_kind: Circuit-breaker or fuse.

    Raises ``NO_PROTECTION_ROW`` if 450.3 has no row, ``NO_BREAKER`` if no standard rating is within
    the limit.
    """
    primary_a = float(three_phase_current.si(rating_va, primary_v))
    secondary_a = float(three_phase_current.si(rating_va, secondary_v))
    high = primary_v > _LOW_VOLTAGE_V
    if high:
        row = _row_over_1000(impedance, supervised, secondary_device, where)
    else:
        row = _row_to_1000(primary_a, secondary_a, secondary_device)
    primary_max = row.si(f"primary_{primary_kind}_max_pct") * primary_a
    side = "over_1000v" if secondary_v > _LOW_VOLTAGE_V else "1000v_or_less"
    share = row.si_or_none(f"secondary_{side}_{secondary_kind}_max_pct")
    secondary_max = None if share is None else share * secondary_a
    up_primary = bool(row["primary_next_size_up"])
    up_secondary = bool(row["secondary_next_size_up"])
    words = {True: "next standard rating up", False: "next standard rating down"}
    notes = ["primary over 1000 V: the limit is a setting; no standard rating is selected"]
    if not high:
        notes = [f"primary: {words[up_primary]}"]
    if secondary_max is not None:
        notes.append(f"secondary: {words[up_secondary]}")
    return TransformerProtection(
        primary_a=primary_a,
        secondary_a=secondary_a,
        primary_max_a=primary_max,
        secondary_max_a=secondary_max,
        primary_ocpd_a=None if high else _rounded(primary_max, up_primary, edition, where),
        secondary_ocpd_a=None
        if secondary_max is None or secondary_v > _LOW_VOLTAGE_V
        else _rounded(secondary_max, up_secondary, edition, where),
        primary_conductor_a=float(required_rating.si(primary_a, 0.0, _CONTINUOUS)),
        article=f"{_cited(row)}, {edition}",
        notes=tuple(notes),
    )


def transformer_checks(
    subject: str,
    protection: TransformerProtection,
    primary_ocpd_a: float,
    secondary_ocpd_a: float | None,
    edition: str,
) -> tuple[Check, ...]:
    """Return the checks of the devices on both sides vs. the maximum permitted by 450.3.

    protection: Limits by `protect_transformer`.
    primary_ocpd_a, secondary_ocpd_a: Ratings or settings; None without a secondary device [A].
    """
    rule = RULES["NEC-TRANSFORMER-PROTECTION"].by(article("transformer protection", edition))
    primary_a = protection.primary_ocpd_a or protection.primary_max_a
    found = [rule.at_most(f"{subject}, primary", primary_ocpd_a, primary_a, "current")]
    secondary_a = protection.secondary_ocpd_a or protection.secondary_max_a
    if secondary_a is not None:
        side = f"{subject}, secondary"
        if secondary_ocpd_a is None:
            found.append(
                rule.verdict(side, False, "the table row requires a device on the secondary")
            )
        else:
            found.append(rule.at_most(side, secondary_ocpd_a, secondary_a, "current"))
    return tuple(found)


def _row_over_1000(
    impedance: float | None, supervised: bool, secondary_device: bool, where: str
) -> Row:
    rows = table("electrical/nec_450_3b").select(nec_table=_HIGH)
    if supervised and not secondary_device:
        return next(row for row in rows if not row["secondary_protection"])
    if not secondary_device:
        raise FacilityError(
            "NO_PROTECTION_ROW",
            where,
            "a transformer over 1000 V at any location requires secondary protection.",
            "Add secondary protection, or make the location a supervised one.",
        )
    if impedance is None or not 0.0 < impedance <= 0.10:
        found = "not specified" if impedance is None else f"{impedance:.2%}"
        raise FacilityError(
            "NO_PROTECTION_ROW",
            where,
            f"Table 450.3(A) covers impedances up to 10 %; the impedance is {found}.",
            "Enter the impedance, or have the protection engineered.",
        )
    band = "<=6%" if impedance <= 0.06 else ">6% to 10%"
    location = "supervised" if supervised else "any location"
    return next(
        row for row in rows if row["location_or_method"] == location and row["impedance"] == band
    )


def _row_to_1000(primary_a: float, secondary_a: float, secondary_device: bool) -> Row:
    rows = table("electrical/nec_450_3b").select(nec_table=_LOW)
    if secondary_device:
        current = "primary any; secondary " + (">=9 A" if secondary_a >= 9.0 else "<9 A")
        method = _BOTH
    else:
        current = ">=9 A" if primary_a >= 9.0 else "2 A to <9 A" if primary_a >= 2.0 else "<2 A"
        method = "primary only"
    return next(
        row
        for row in rows
        if row["location_or_method"] == method and row["current_range"] == current
    )


def _rounded(limit_a: float, up: bool, edition: str, where: str) -> float:
    ratings = standard_breakers("NEC", edition)
    chosen = [a for a in ratings if within(a, limit_a)][-1:]
    if up:
        chosen = [a for a in ratings if reaches(a, limit_a)][:1]
    if not chosen:
        raise FacilityError(
            "NO_BREAKER",
            where,
            f"no standard rating matches the limit of {limit_a:,.1f} A.",
            "Select another transformer size, or a fuse with a nonstandard rating.",
        )
    return chosen[0]


def _cited(row: Row) -> str:
    parts = [
        row.text(name) for name in ("nec_table", "location_or_method", "impedance", "current_range")
    ]
    return ", ".join(part for part in parts if part and part != "any")
