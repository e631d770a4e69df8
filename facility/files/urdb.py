"""Tariffs of the Utility Rate Database (OpenEI) as the tariff of a project.

Field names and their meaning are those of the rate database: schedules of 12 months by 24 hours
hold the number of a period, and each period has tiers with rate, adjustment and upper limit.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from facility.catalogue.user_file import capped, reason
from facility.core.errors import FacilityError
from facility.model.inputs.document import Project, as_typed, read_document
from facility.model.inputs.money.tariff import MONTHS

MAX_BYTES = 4_000_000
_HOURS, _YEAR, _MAX_PERIODS, _MAX_TIERS = 24, 12, 48, 9
_MAX_CHARGES = 24
_WEEKDAYS, _WEEKENDS = "weekdays", "weekends"
_NOT_COVERED = {
    "coincidentratestructure": "a coincident-peak demand charge",
    "demandreactivepowercharge": "a reactive power charge",
    "mincharge": "a minimum bill",
    "minmonthlycharge": "a minimum bill",
    "annualmincharge": "an annual minimum bill",
    "fueladjustmentsmonthly": "monthly fuel adjustments",
    "demandratchetpercentage": "a monthly demand ratchet",
}
"""Fields of charges that the tariff of a project does not have."""
_MONTHLY = {"$/month": 1.0, "": 1.0, "$/day": 365.0 / 12.0, "$/year": 1.0 / 12.0}
_CODE = "URDB_NOT_COVERED"

Json = object


class _Piece(NamedTuple):
    """Part of a period: the same hours on the same days in some months."""

    months: tuple[int, ...]
    hours: tuple[int, ...]
    days: str  # Empty for all


def urdb_tariff(path: Path, without: Sequence[str] = ()) -> dict[str, object]:
    """Return the ``site.tariff`` section of a rate in a JSON file, as a user would type it.

    without: Fields that are left out although their charges are not covered.

    Raises ``URDB_FILE`` for a file that is not a rate of the database, ``URDB_NOT_COVERED`` for
    charges that the tariff of a project does not have, with their fields.
    """
    rate = _rate(path)
    for field, words in _NOT_COVERED.items():
        if field not in without and _is_charged(rate.get(field)):
            _refuse(field, f"the rate has {words}, which is not supported.")
    section: dict[str, object] = {"energy": list(_energy(rate))}
    demand = [*_flat_demand(rate, without), *_demand(rate)]
    if demand:
        section["demand"] = demand
    first, field, unit = rate.get("fixedchargefirstmeter"), "fixedchargefirstmeter", ""
    if first is None:
        first, field = rate.get("fixedmonthlycharge", 0.0), "fixedmonthlycharge"
    else:
        unit = str(rate.get("fixedchargeunits") or "")
    if unit not in _MONTHLY:
        _refuse(field, f"a fixed charge in {unit[:20]!r} is not supported: {', '.join(_MONTHLY)}.")
    fixed = _number(first or 0.0, field) * _MONTHLY[unit]
    if fixed:
        section["fixed"] = f"{fixed:.10g} USD"
    for kind in ("energy", "demand"):
        count = len(demand if kind == "demand" else list(_energy(rate)))
        if count > _MAX_CHARGES:
            _refuse(
                f"{kind}ratestructure", f"{count} charges; at most {_MAX_CHARGES} are supported."
            )
    return section


def with_tariff(project: Project, section: Mapping[str, object]) -> Project:
    """Return a project with a tariff section.

    Raises the errors of its fields.
    """
    document = as_typed(project)
    site = document.setdefault("site", {})
    if isinstance(site, dict):
        site["tariff"] = section
    return read_document(document, folder=project.site.folder)


def _rate(path: Path) -> Mapping[str, Json]:
    """Return the only rate of a file: an object, or the items of an answer of the database."""
    try:
        content = capped(path, MAX_BYTES)
    except OSError as error:
        _refuse_file(path, f"the file cannot be read: {reason(error)}.")
    try:
        found = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        _refuse_file(path, "the file is not valid JSON.")
    items = found.get("items") if isinstance(found, dict) and "items" in found else found
    if isinstance(items, list):
        if len(items) != 1:
            _refuse_file(path, f"the file contains {len(items)} rates; one is expected.")
        items = items[0]
    if not isinstance(items, dict) or "energyratestructure" not in items:
        _refuse_file(path, "the file has no energyratestructure.")
    return items


def _refuse_file(path: Path, words: str) -> NoReturn:
    raise FacilityError(
        "URDB_FILE",
        path.name[:80],
        words,
        "Download one rate from the Utility Rate Database as JSON (api.openei.org, detail=full).",
    )


def _refuse(field: str, words: str) -> NoReturn:
    raise FacilityError(
        _CODE,
        field,
        words,
        f"Omit the charge (--without {field}), or enter it manually in site.tariff.",
    )


def _is_charged(value: Json) -> bool:
    """Return whether any number in a value differs from zero."""
    if isinstance(value, list):
        return any(_is_charged(each) for each in value)
    if isinstance(value, dict):
        return any(_is_charged(value.get(name)) for name in ("rate", "adj"))
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0


def _number(value: Json, field: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    _refuse(field, f"{str(value)[:40]!r} is not a number.")


def _schedule(rate: Mapping[str, Json], field: str, periods: int) -> list[list[int]]:
    """Return 12 months of 24 hours with their period."""
    found = rate.get(field)
    if not isinstance(found, list) or len(found) != _YEAR:
        _refuse(field, f"{field} is not a list of 12 months.")
    for month in found:
        if not isinstance(month, list) or len(month) != _HOURS:
            _refuse(field, f"a month in {field} does not have 24 hours.")
        if not all(isinstance(hour, int) and 0 <= hour < periods for hour in month):
            _refuse(field, f"{field} refers to a period that is not in the rate.")
    return found


def _structure(rate: Mapping[str, Json], field: str) -> list[list[Mapping[str, Json]]]:
    """Return the tiers of each period."""
    found = rate.get(field) or []
    if not isinstance(found, list) or len(found) > _MAX_PERIODS:
        _refuse(field, f"{field} is not a list of at most {_MAX_PERIODS} periods.")
    for tiers in found:
        if not isinstance(tiers, list) or not 1 <= len(tiers) <= _MAX_TIERS:
            _refuse(field, f"a period in {field} does not have 1 to {_MAX_TIERS} tiers.")
        if not all(isinstance(tier, dict) for tier in tiers):
            _refuse(field, f"a tier in {field} is not an object.")
    return found


def _pieces(
    weekday: Sequence[Sequence[int]], weekend: Sequence[Sequence[int]], period: int
) -> list[_Piece]:
    """Return where a period applies, months of equal hours together."""
    groups: dict[tuple[tuple[int, ...], str], list[int]] = defaultdict(list)
    for month in range(_YEAR):
        hours = [
            tuple(n for n, of in enumerate(schedule[month]) if of == period)
            for schedule in (weekday, weekend)
        ]
        if hours[0] == hours[1]:
            groups[hours[0], ""].append(month)
            continue
        groups[hours[0], _WEEKDAYS].append(month)
        groups[hours[1], _WEEKENDS].append(month)
    return [_Piece(tuple(months), *key) for key, months in groups.items() if key[0]]


def _when(piece: _Piece) -> dict[str, str]:
    """Return months, days and hours of a charge as typed."""
    found = {}
    if len(piece.months) < _YEAR:
        found["months"] = ", ".join(MONTHS[month] for month in piece.months)
    if piece.days:
        found["days"] = piece.days
    if len(piece.hours) < _HOURS:
        spans: list[list[int]] = []
        for hour in piece.hours:
            if spans and spans[-1][1] == hour:
                spans[-1][1] = hour + 1
            else:
                spans.append([hour, hour + 1])
        found["hours"] = ", ".join(f"{first}-{last}" for first, last in spans)
    return found


def _tiers(
    tiers: Sequence[Mapping[str, Json]], field: str, price: str, sizes: Mapping[str, str]
) -> dict[str, object]:
    """Return price and blocks of the tiers of a period."""
    blocks: list[dict[str, str]] = []
    first, above = "", ""
    for n, tier in enumerate(tiers):
        amount = _number(tier.get("rate", 0.0), field) + _number(tier.get("adj", 0.0), field)
        if amount < 0.0:
            _refuse(field, f"a rate of {amount:g} is below zero.")
        text = f"{amount:.10g} {price}"
        if n == 0:
            first = text
        else:
            blocks.append({"above": above, "price": text})
        unit = str(tier.get("unit") or next(iter(sizes)))
        if unit not in sizes:
            _refuse(field, f"tiers in {unit[:20]!r} are not supported: {', '.join(sizes)}.")
        if n < len(tiers) - 1:
            above = f"{_number(tier.get('max'), field):.10g} {sizes[unit]}"
    return {"price": first, **({"blocks": blocks} if blocks else {})}


def _energy(rate: Mapping[str, Json]) -> Iterator[dict[str, object]]:
    """Yield the energy charges: a period in the hours of its schedule."""
    field = "energyratestructure"
    structure = _structure(rate, field)
    schedules = [
        _schedule(rate, f"energy{days}schedule", len(structure)) for days in ("weekday", "weekend")
    ]
    for period, tiers in enumerate(structure):
        pieces = _pieces(schedules[0], schedules[1], period)
        if len(tiers) > 1:
            _refuse_shared(pieces, field, period)
        for piece in pieces:
            charge = _tiers(tiers, field, "USD/kWh", {"kWh": "kWh", "kWh/kW": "h"})
            yield {"name": f"energy period {period}", **_when(piece), **charge}


def _refuse_shared(pieces: Sequence[_Piece], field: str, period: int) -> None:
    """Reject a period of different hours on weekdays and weekends: its month is one quantity."""
    months = [month for piece in pieces for month in piece.months]
    if len(months) > len(set(months)):
        _refuse(
            field,
            f"period {period} applies at different hours on weekdays and weekends, but is billed "
            "by its monthly total.",
        )


def _demand(rate: Mapping[str, Json]) -> Iterator[dict[str, object]]:
    """Yield the demand charges by time of use, without free periods."""
    field = "demandratestructure"
    structure = _structure(rate, field)
    if not _is_charged(rate.get(field)):
        return
    unit = _demand_unit(rate, "demandrateunit")
    schedules = [
        _schedule(rate, f"demand{days}schedule", len(structure)) for days in ("weekday", "weekend")
    ]
    for period, tiers in enumerate(structure):
        if not any(_is_charged(tier) for tier in tiers):
            continue
        pieces = _pieces(schedules[0], schedules[1], period)
        _refuse_shared(pieces, field, period)
        for piece in pieces:
            charge = _tiers(tiers, field, f"USD/{unit}", {unit: unit})
            yield {"name": f"demand period {period}", **_when(piece), **charge}


def _flat_demand(rate: Mapping[str, Json], without: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield the demand charges of months, with their ratchet."""
    field = "flatdemandstructure"
    structure = _structure(rate, field)
    if not _is_charged(rate.get(field)):
        return
    unit = _demand_unit(rate, "flatdemandunit")
    months = rate.get("flatdemandmonths") or [0] * _YEAR
    if not isinstance(months, list) or len(months) != _YEAR:
        _refuse("flatdemandmonths", "flatdemandmonths is not a list of 12 months.")
    ratchet = {} if "lookbackpercent" in without else _ratchet(rate)
    for period, tiers in enumerate(structure):
        inside = tuple(n for n, of in enumerate(months) if of == period)
        if not inside or not any(_is_charged(tier) for tier in tiers):
            continue
        when = _when(_Piece(inside, tuple(range(_HOURS)), ""))
        charge = _tiers(tiers, field, f"USD/{unit}", {unit: unit})
        yield {"name": f"demand, flat {period}", **when, **charge, **ratchet}


def _demand_unit(rate: Mapping[str, Json], field: str) -> str:
    unit = str(rate.get(field) or "kW")
    if unit not in ("kW", "kVA"):
        _refuse(field, f"demand in {unit[:20]!r} is not supported: kW or kVA per month.")
    return unit


def _ratchet(rate: Mapping[str, Json]) -> dict[str, object]:
    """Return the ratchet of the flat demand: share of the highest demand of some months."""
    field = "lookbackpercent"
    share = _number(rate.get("lookbackPercent", rate.get(field, 0.0)) or 0.0, field)
    if not share:
        return {}
    share = share / 100.0 if share > 1.0 else share
    months = rate.get("lookbackMonths", rate.get("lookbackmonths")) or []
    if _is_charged(rate.get("lookbackRange", rate.get("lookbackrange"))):
        _refuse("lookbackpercent", "a ratchet over a moving window of months is not supported.")
    if not isinstance(months, list):
        _refuse("lookbackpercent", "lookbackMonths is not a list of 12 months.")
    named = [MONTHS[n] for n, of in enumerate(months[:_YEAR]) if of]
    among = {"ratchet_months": ", ".join(named)} if 0 < len(named) < _YEAR else {}
    return {"ratchet": f"{100.0 * share:.6g} %", **among}
