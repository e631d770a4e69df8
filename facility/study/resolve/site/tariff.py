"""The tariff, resolved: a single energy price, or the charges of a tariff, in SI."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from facility.catalogue import Row
from facility.catalogue.series import MARKET, read_series
from facility.core.errors import FacilityError
from facility.core.kinds import kind_in
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Trace
from facility.model.inputs.money.tariff import (
    DAYS,
    BlockSection,
    ChargeSection,
    DemandBlockSection,
    DemandChargeSection,
    EnergyChargeSection,
    ReactiveChargeSection,
    TariffSection,
)
from facility.model.inputs.site import SiteSection
from facility.model.load_profile import LoadProfile
from facility.model.tariff import (
    ALL_MONTHS,
    HOURS_OF_USE,
    DemandCharge,
    EnergyCharge,
    MarketPrice,
    Period,
    ReactiveCharge,
    Tariff,
    TariffBlock,
    flat_tariff,
)
from facility.study.resolve.reader import Reader
from facility.study.resolve.series import facts_of, reading_of, words_of

_PRICE_USD_PER_J = 0.05 / 3.6e6
_FIRST_DAY = "site.tariff.first_day"
_GUIDE = Source("guide-energy-cost", "10,000 GPUs", "", "secondary")


def resolve_tariff(
    section: SiteSection, land: Row | None, first_day: str, trace: Trace
) -> Tariff | None:
    """Return the electricity tariff; None if no price is known for the country.

    Prices of other countries are not substituted. `first_day` is the day of the week
    at the start of the weather record; empty if unknown.
    """
    stated, currency = section.tariff, currency_of(section, land)
    if isinstance(stated, TariffSection):
        return resolve_charges(stated, first_day, trace)
    if stated is not None:
        return flat_tariff(trace.given("site.tariff", stated.si, stated.kind, PROJECT), currency)
    if land is None or land["country"] != "US":
        return None
    price_per_j = trace.assume(
        "site.tariff",
        _PRICE_USD_PER_J,
        "energy_price",
        "price used by cluster guides; actual tariffs also have demand charges",
        _GUIDE,
    )
    return flat_tariff(price_per_j, currency, assumed=True)


def currency_of(section: SiteSection, land: Row | None) -> str:
    """Return the currency of the prices; empty if unknown from prices and country."""
    stated = section.tariff
    if isinstance(stated, TariffSection):
        return stated.currency
    if stated is not None:
        return stated.unit.partition("/")[0]
    return "" if land is None else land.text("currency")


def with_market(
    tariff: Tariff | None, section: SiteSection, site_h: float | None, trace: Trace
) -> Tariff:
    """Return a tariff with the hourly price of a file in addition to its charges.

    Without a stated tariff the hourly price is the only charge.

    Raises ``PRICE_*`` and ``SERIES_*`` for a file that cannot be used, ``CONTRADICTION`` for two
    currencies.
    """
    path = section.folder / (section.price_file or "")
    series = read_series(path, MARKET, reading_of(section.price_reading, site_h))
    stated, currency = section.tariff is not None, series.unit.currency
    if tariff is None or not stated:
        tariff = flat_tariff(0.0, currency or ("" if tariff is None else tariff.currency))
    if currency and currency != tariff.currency:
        raise FacilityError(
            "CONTRADICTION",
            "site.price_file",
            f"the prices are in {currency}, the tariff is in {tariff.currency}.",
            "Use the project currency for both; currencies are not converted.",
        )
    hourly = series.values.reshape(series.days * 24, -1).mean(axis=1)
    hourly.flags.writeable = False
    source = Source("project", f"{path.name[:60]}, SHA-256 {series.digest}")
    words = f"mean of the hours in the file{words_of(series.notes)}"
    trace.given(
        "site.price", float(hourly.mean()), kind_in("energy_price", tariff.currency), source, words
    )
    market = MarketPrice(path.name, hourly, series.digest, facts_of(series))
    return replace(tariff, market=market)


def on_the_days_of(
    tariff: Tariff | None, section: SiteSection, profile: LoadProfile, trace: Trace
) -> Tariff | None:
    """Return a tariff with the weekdays of a measured load, if not specified."""
    stated, day = section.tariff, profile.first_day
    if tariff is None or day is None:
        return tariff
    if not isinstance(stated, TariffSection) or stated.first_day is not None:
        return tariff
    words = "weekday of 1 January in the year of the measured load"
    trace.ledger.add_text(_FIRST_DAY, DAYS[day], words, DERIVED)
    return replace(tariff, first_day=day)


def resolve_charges(section: TariffSection, first_day: str, trace: Trace) -> Tariff:
    """Return the charges of a tariff, in SI."""
    read = Reader(section, "site.tariff", trace)
    minimum = read.si("power_factor")
    if minimum is not None:
        trace.given("site.tariff.power_factor", minimum, "fraction", PROJECT)
    words = "start day from the weather file"
    of_the_record = (first_day, words) if first_day in DAYS else ()
    fixed = 0.0
    if section.fixed is not None:
        fixed = trace.given("site.tariff.fixed", section.fixed.si, section.fixed.kind, PROJECT)
    return Tariff(
        section.currency,
        tuple(
            part for n, charge in enumerate(section.energy) for part in _energy(charge, n, trace)
        ),
        tuple(
            part
            for n, charge in enumerate(section.demand or ())
            for part in _demand(charge, n, trace)
        ),
        minimum,
        fixed,
        DAYS.index(read.word("first_day", section.first_day, *of_the_record)),
        tuple(_reactive(charge, n, trace) for n, charge in enumerate(section.reactive or ())),
        () if section.holidays is None else section.holidays.of,
    )


def _energy(charge: EnergyChargeSection, n: int, trace: Trace) -> Iterator[EnergyCharge]:
    """Yield the charge of each block of the energy of a month: a single one by default."""
    id, name = f"site.tariff.energy[{n}]", charge.name or f"energy {n + 1}"
    unit = HOURS_OF_USE if charge.blocks and charge.blocks[0].above.kind == "time" else "MWh"
    for at, per_j, block in _blocks(charge, id, unit, trace):
        yield EnergyCharge(name, _period(charge), per_j, at, block)


def _blocks(
    charge: EnergyChargeSection | DemandChargeSection, id: str, unit: str, trace: Trace
) -> Iterator[tuple[str, float, TariffBlock]]:
    """Yield index and price of each block of a charge, with the block."""
    blocks: tuple[BlockSection | DemandBlockSection, ...] = charge.blocks or ()
    prices = [(f"{id}.price", charge.price)]
    prices += [(f"{id}.blocks[{m}].price", block.price) for m, block in enumerate(blocks)]
    ends = [0.0, *(block.above.si for block in blocks), math.inf]
    for (at, price), (above, upto) in zip(prices, pairwise(ends), strict=True):
        yield at, trace.given(at, price.si, price.kind, PROJECT), TariffBlock(above, upto, unit)


def _reactive(charge: ReactiveChargeSection, n: int, trace: Trace) -> ReactiveCharge:
    at, price = f"site.tariff.reactive[{n}]", charge.price
    free = 0.0
    if charge.beyond is not None:
        free = trace.given(f"{at}.beyond", charge.beyond.si, "fraction", PROJECT)
    per_var_s = trace.given(f"{at}.price", price.si, price.kind, PROJECT)
    name = charge.name or f"reactive {n + 1}"
    return ReactiveCharge(name, _period(charge), per_var_s, free, f"{at}.price")


def _demand(charge: DemandChargeSection, n: int, trace: Trace) -> Iterator[DemandCharge]:
    """Yield the charge of each block of the demand: a single one by default."""
    id, apparent = f"site.tariff.demand[{n}]", charge.apparent
    ratchet = 0.0
    if charge.ratchet is not None:
        ratchet = trace.given(f"{id}.ratchet", charge.ratchet.si, "fraction", PROJECT)
    for at, price, block in _blocks(charge, id, "kVA" if apparent else "kW", trace):
        yield DemandCharge(
            charge.name or f"demand {n + 1}",
            _period(charge),
            price,
            apparent,
            ratchet,
            ALL_MONTHS if charge.ratchet_months is None else charge.ratchet_months.of,
            at,
            block,
            () if charge.coincident is None else charge.coincident.of,
        )


def _period(charge: ChargeSection) -> Period:
    return Period(charge.month_numbers, charge.half_hours, charge.day_kinds)
