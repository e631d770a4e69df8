"""Electricity tariff by charge: ``site.tariff`` with more than a single price.

A charge applies in its months, days and hours; in all if none are
specified. Energy prices must cover each hour of the year once; each may change with the energy
of a month. Demand is charged on the peak hourly demand of each month, at a price that may
change with it; demand charges may overlap, as may reactive energy charges.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import model_validator
from pydantic.json_schema import JsonSchemaValue

from facility.core.errors import FacilityError, near_matches
from facility.core.parse import Measured, parse_quantity
from facility.core.sources import Source
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Name, Scalar, Section, problem, quantity
from facility.model.tariff import ALL_DAYS

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MAX_CHARGES = 24
_MAX_BLOCKS = 8
_LONGEST = 240
_LEAP_YEAR = 2000
_HOURS = re.compile(r"(\d{1,2})(?::(00|30))?\s*-\s*(\d{1,2})(?::(00|30))?", re.ASCII)
_DATE = re.compile(r"(\d{1,2})(?:\s*-\s*(\d{1,2}))?\s+([A-Za-z]{3})", re.ASCII)
_MOMENT = re.compile(r"(.+?)\s+(\d{1,2})(?::00)?", re.ASCII)
_DAY = 48
_EPW_DAY = Source("epw-data-period", "start day of the data period")


@dataclass(frozen=True)
class Spans:
    """Months or half hours, as typed and as numbers."""

    text: str
    of: tuple[int, ...]


class _SpansOf(Scalar):
    kind = ""

    def _validate(self, value: object) -> object:
        return super()._validate(value.text if isinstance(value, Spans) else value)

    def read(self, text: str) -> Spans:
        clean = " ".join(text.split())
        found: set[int] = set()
        for part in clean.split(",") if len(clean) <= _LONGEST else [""]:
            inside = tuple(self.span(part.strip()))
            if found & {*inside}:
                raise self.refused(part.strip(), "is listed twice")
            found |= {*inside}
        return Spans(clean, tuple(sorted(found)))

    def write(self, value: object) -> str:
        return value.text if isinstance(value, Spans) else str(value)

    def span(self, text: str) -> Iterator[int]:
        raise NotImplementedError

    def refused(self, text: str, why: str) -> FacilityError:
        raise NotImplementedError

    def json_schema(self) -> JsonSchemaValue:
        return {"type": ["string", "integer"], "maxLength": _LONGEST, "description": self.bounds()}


class _Months(_SpansOf):
    def bounds(self) -> str:
        """Return the format of months."""
        return "months as 'Jun-Sep' or 'Jan, Nov-Dec'"

    def span(self, text: str) -> Iterator[int]:
        first, dash, last = (part.strip() for part in text.partition("-"))
        start = self._month(first, text)
        stop = self._month(last, text) if dash else start
        return (month % 12 + 1 for month in range(start, start + (stop - start) % 12 + 1))

    def refused(self, text: str, why: str) -> FacilityError:
        near = near_matches(text, MONTHS)
        hint = f"Write e.g. 'Jun-Sep' or 'Jan, Nov-Dec'. {near}".strip()
        return FacilityError("TARIFF_MONTHS", "", f"{text[:40]!r} {why}.", hint)

    def _month(self, text: str, whole: str) -> int:
        """Return the number of a month, from 0."""
        short = text.capitalize()
        if short in MONTHS:
            return MONTHS.index(short)
        if re.fullmatch(r"\d{1,2}", text, re.ASCII) and 1 <= int(text) <= len(MONTHS):
            return int(text) - 1
        raise self.refused(whole, "is not a month")


class _Dates(_SpansOf):
    def bounds(self) -> str:
        """Return the format of dates."""
        return "dates as '1 Jan, 4 Jul, 24-26 Dec'"

    def span(self, text: str) -> Iterator[int]:
        """Yield the dates: 100 times the month, and the day of it."""
        found = _DATE.fullmatch(text)
        month = found[3].capitalize() if found else ""
        if found is None or month not in MONTHS:
            raise self.refused(text, "is not a date")
        number = MONTHS.index(month) + 1
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= monthrange(_LEAP_YEAR, number)[1]:
            raise self.refused(text, "is not a date")
        return (100 * number + day for day in range(first, last + 1))

    def refused(self, text: str, why: str) -> FacilityError:
        hint = "Write e.g. '1 Jan, 4 Jul, 24-26 Dec'."
        return FacilityError("TARIFF_DATES", "", f"{text[:40]!r} {why}.", hint)


class _Moments(_Dates):
    def bounds(self) -> str:
        """Return the format of hours of a year."""
        return "hours of the year by start time as '24 Jun 17, 9 Jul 16'"

    def span(self, text: str) -> Iterator[int]:
        """Yield the hour: 10,000 times the month, 100 times the day of it, and the hour."""
        found = _MOMENT.fullmatch(text)
        hour = int(found[2]) if found else _DAY
        if found is None or hour >= _DAY // 2 or "-" in text or text.lower().startswith("29 feb"):
            raise self.refused(text, "is not an hour of every year")
        return (100 * date + hour for date in super().span(found[1]))

    def refused(self, text: str, why: str) -> FacilityError:
        hint = "Write e.g. '24 Jun 17, 9 Jul 16': hours from 0 to 23, by start time."
        return FacilityError("TARIFF_DATES", "", f"{text[:40]!r} {why}.", hint)


class _HoursOf(_SpansOf):
    def bounds(self) -> str:
        """Return the format of hours."""
        return "hours as '12-18' or '0-8:30, 21:30-24'"

    def span(self, text: str) -> Iterator[int]:
        """Yield the half hours, by number."""
        found = _HOURS.fullmatch(text)
        first, last = (_half(found[1], found[2]), _half(found[3], found[4])) if found else (0, 0)
        if first >= _DAY or last > _DAY or first == last:
            raise self.refused(text, "is not a range of hours of a day")
        return (half % _DAY for half in range(first, last if last > first else last + _DAY))

    def refused(self, text: str, why: str) -> FacilityError:
        hint = "Write e.g. '12-18', '8:30-21:30' or '22-7': in hours or half hours."
        return FacilityError("TARIFF_HOURS", "", f"{text[:40]!r} {why}.", hint)


def _half(hour: str, minute: str | None) -> int:
    return 2 * int(hour) + (minute == "30")


_Price = Annotated[Measured, quantity("energy_price")]
_DemandPrice = Annotated[Measured, quantity("demand_price")]
_ReactivePrice = Annotated[Measured, quantity("reactive_price")]
_Money = Annotated[Measured, quantity("money")]
_Ratchet = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Free = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=2.0)]
_PowerFactor = Annotated[Measured, quantity("fraction", minimum=0.5, maximum=1.0)]


class ChargeSection(Section):
    """Period in which a charge applies."""

    name: Name | None = optional("Name of the charge, as on the bill")
    months: Annotated[Spans, _Months()] | None = optional("Months of the charge; default all")
    days: Literal["weekdays", "weekends", "saturdays", "sundays"] | None = optional(
        "Days of the charge; default all; holidays count as Sundays"
    )
    hours: Annotated[Spans, _HoursOf()] | None = optional("Hours of the charge; default all")

    @property
    def month_numbers(self) -> tuple[int, ...]:
        """Months in which it applies, 1 to 12."""
        return tuple(range(1, 13)) if self.months is None else self.months.of

    @property
    def half_hours(self) -> tuple[int, ...]:
        """Half hours of the day in which it applies, by number."""
        return tuple(range(_DAY)) if self.hours is None else self.hours.of

    @property
    def day_kinds(self) -> tuple[str, ...]:
        """Kinds of day on which it applies."""
        if self.days == "weekends":
            return ("saturdays", "sundays")
        return ALL_DAYS if self.days is None else (self.days,)


class _OfMonth(Scalar):
    """An energy of a month, or hours of use of the peak demand of the month."""

    kind = "energy"

    def _validate(self, value: object) -> object:
        return super()._validate(value.text if isinstance(value, Measured) else value)

    def read(self, text: str) -> Measured:
        found = parse_quantity(text, self.unit_kind(text))
        if found.si <= 0.0:
            raise FacilityError("OUT_OF_RANGE", "", f"{text!r} is not above 0.", "")
        return found

    def unit_kind(self, text: str) -> str:
        """Return the kind determined by the unit."""
        return "time" if text.rstrip().endswith(" h") else "energy"

    def write(self, value: object) -> str:
        return value.text if isinstance(value, Measured) else str(value)

    def bounds(self) -> str:
        """Return the format of the energy."""
        return "energy of a month as '210 MWh', or hours of peak demand as '300 h'"

    def json_schema(self) -> JsonSchemaValue:
        return {"type": "string", "maxLength": 64, "description": self.bounds()}


class _OfDemand(_OfMonth):
    """A demand of a month."""

    kind = "active_power"

    def unit_kind(self, text: str) -> str:
        return "apparent_power" if text.rstrip().endswith("VA") else "active_power"

    def bounds(self) -> str:
        """Return the format of the demand."""
        return "demand of a month as '50 kW' or '1000 kVA', as it is priced"


class BlockSection(Section):
    """Price of monthly energy above a threshold."""

    above: Annotated[Measured, _OfMonth()] = required(
        "Monthly energy, or hours of use of the monthly peak demand, above which the price applies"
    )
    price: _Price = required("Price of energy in the block, never below zero")


class DemandBlockSection(Section):
    """Price of monthly demand above a threshold."""

    above: Annotated[Measured, _OfDemand()] = required(
        "Monthly demand above which the price applies, in kW or kVA as priced"
    )
    price: _DemandPrice = required(
        "Price of demand in the block, per kW or kVA as in the first block"
    )


def _rising(blocks: Sequence[BlockSection | DemandBlockSection]) -> None:
    above = [block.above for block in blocks]
    for n, (one, next_) in enumerate(pairwise(above), 1):
        if one.kind != next_.kind or one.si >= next_.si:
            raise problem(
                "CONTRADICTION",
                f"{next_.text} is not above {one.text}, the start of the previous block.",
                "Write the blocks in ascending order, all in one unit.",
                f"blocks[{n}].above",
            )


class EnergyChargeSection(ChargeSection):
    """A price of energy, in a period."""

    price: _Price = required("Price of energy in the first block, never below zero")
    blocks: tuple[BlockSection, ...] | None = optional(
        "Prices above monthly energies, in ascending order", max_count=_MAX_BLOCKS
    )

    @model_validator(mode="after")
    def _blocks_rise(self) -> EnergyChargeSection:
        _rising(self.blocks or ())
        return self


class DemandChargeSection(ChargeSection):
    """Price of the peak demand of each month, in a period."""

    price: _DemandPrice = required("Price of monthly demand in the first block, per kW or kVA")
    blocks: tuple[DemandBlockSection, ...] | None = optional(
        "Prices above monthly demands, in ascending order", max_count=_MAX_BLOCKS
    )
    ratchet: _Ratchet | None = optional("Minimum billed fraction of the annual peak demand")
    ratchet_months: Annotated[Spans, _Months()] | None = optional(
        "Months considered by the ratchet; default all"
    )

    coincident: Annotated[Spans, _Moments()] | None = optional(
        "Hours of the year whose mean demand is billed in each month instead of the peak demand "
        "(coincident grid peaks)"
    )

    @model_validator(mode="after")
    def _hours_are_named_once(self) -> DemandChargeSection:
        named = [name for name in ("hours", "days", "ratchet") if getattr(self, name) is not None]
        if self.coincident is not None and named:
            raise problem(
                "CONTRADICTION",
                f"coincident specifies the billed hours, but {named[0]} is specified too.",
                f"Remove {named[0]}; months of billing may remain.",
                "coincident",
            )
        return self

    @model_validator(mode="after")
    def _ratchet_is_whole(self) -> DemandChargeSection:
        if self.ratchet_months is not None and self.ratchet is None:
            raise problem(
                "CONTRADICTION",
                "ratchet_months are specified without a ratchet.",
                "Enter ratchet, e.g. '80 %', or remove ratchet_months.",
                "ratchet_months",
            )
        return self

    @property
    def apparent(self) -> bool:
        """Whether the price is per kVA."""
        return self.price.kind.startswith("apparent")

    @model_validator(mode="after")
    def _blocks_rise(self) -> DemandChargeSection:
        _rising(self.blocks or ())
        for n, block in enumerate(self.blocks or ()):
            for name, found in (("above", block.above), ("price", block.price)):
                if found.kind.startswith("apparent") != self.apparent:
                    raise problem(
                        "CONTRADICTION",
                        f"{found.text} and {self.price.text} are not both in kW or in kVA.",
                        "Write price and blocks of a charge all in kW or all in kVA.",
                        f"blocks[{n}].{name}",
                    )
        return self


class ReactiveChargeSection(ChargeSection):
    """A price of reactive energy, in a period."""

    price: _ReactivePrice = required("Price of reactive energy, never below zero")
    beyond: _Free | None = optional(
        "Free reactive energy over active energy of the month and period; default none",
        symbol=r"\tan\varphi_{free}",
    )


class TariffSection(Section):
    """Tariff by charge, in one currency; items not listed are not charged."""

    energy: tuple[EnergyChargeSection, ...] = required(
        "Energy prices, which together cover each hour of the year once", max_count=_MAX_CHARGES
    )
    demand: tuple[DemandChargeSection, ...] | None = optional(
        "Demand prices; may overlap", max_count=_MAX_CHARGES
    )
    reactive: tuple[ReactiveChargeSection, ...] | None = optional(
        "Reactive energy prices; may overlap", max_count=_MAX_CHARGES
    )
    holidays: Annotated[Spans, _Dates()] | None = optional(
        "Dates charged as Sundays; default: as their weekday"
    )
    power_factor: _PowerFactor | None = optional(
        "Minimum power factor; below it, billed kW are kVA times this value",
        symbol=r"\cos\varphi_{least}",
    )
    fixed: _Money | None = optional("Fixed monthly charge")
    first_day: (
        Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] | None
    ) = optional(
        "Weekday of 1 January (the months of a typical year are from several years)",
        Default(
            "sunday",
            "from the timestamps of the load or the weather file; typical years start on it",
            _EPW_DAY,
        ),
    )

    @property
    def currency(self) -> str:
        """Currency of its prices."""
        return self.energy[0].price.unit.partition("/")[0]

    @model_validator(mode="after")
    def _complete(self) -> TariffSection:
        self._refuse_gaps()
        for path, price in self._prices():
            if price.unit.partition("/")[0].removeprefix("k") != self.currency:
                raise problem(
                    "CONTRADICTION",
                    f"{price.text} is not in {self.currency}, the currency of the first price.",
                    "Write all prices in the currency of the project; currencies are not "
                    "converted.",
                    path,
                )
        charges = (*self.energy, *(self.demand or ()), *(self.reactive or ()))
        if self.holidays is not None and all(charge.days is None for charge in charges):
            raise problem(
                "CONTRADICTION",
                "holidays are charged as Sundays, but no charge specifies days.",
                "Enter days for the charges, or remove holidays.",
                "holidays",
            )
        in_kw = any(not charge.apparent for charge in self.demand or ())
        if self.power_factor is not None and not in_kw:
            raise problem(
                "CONTRADICTION",
                "a minimum power factor raises the billed kW, but no demand charge is in kW.",
                "Enter a demand charge per kW; a charge per kVA already includes the power factor.",
                "power_factor",
            )
        return self

    def _prices(self) -> Iterator[tuple[str, Measured]]:
        """Yield all prices with their path."""
        for n, energy in enumerate(self.energy):
            yield f"energy[{n}].price", energy.price
            for m, block in enumerate(energy.blocks or ()):
                yield f"energy[{n}].blocks[{m}].price", block.price
        for n, demand in enumerate(self.demand or ()):
            yield f"demand[{n}].price", demand.price
            for m, step in enumerate(demand.blocks or ()):
                yield f"demand[{n}].blocks[{m}].price", step.price
        for n, reactive in enumerate(self.reactive or ()):
            yield f"reactive[{n}].price", reactive.price
        if self.fixed is not None:
            yield "fixed", self.fixed

    def _refuse_gaps(self) -> None:
        if not self.energy:
            raise problem("TARIFF_GAP", "no energy price is specified.", "Enter one.", "energy")
        covered: dict[tuple[int, str, int], int] = {}
        for n, charge in enumerate(self.energy):
            for at in _cells(charge):
                if at in covered:
                    raise problem(
                        "TARIFF_OVERLAP",
                        f"energy[{covered[at]}] and energy[{n}] both cover {_words(at)}.",
                        "Enter one price for each hour; add surcharges to it.",
                        f"energy[{n}]",
                    )
                covered[at] = n
        missing = next((at for at in _cells(ChargeSection.unstated()) if at not in covered), None)
        if missing is not None:
            raise problem(
                "TARIFF_GAP",
                f"no energy price covers {_words(missing)}.",
                "Extend the months, days and hours of the prices to the whole year.",
                "energy",
            )


def _cells(charge: ChargeSection) -> Iterator[tuple[int, str, int]]:
    """Yield month, kind of day and half hour to which a charge applies."""
    for month in charge.month_numbers:
        for days in charge.day_kinds:
            for half in charge.half_hours:
                yield month, days, half


def _words(at: tuple[int, str, int]) -> str:
    month, days, half = at
    return f"{MONTHS[month - 1]}, {days}, from {hour_text(half)}"


def hour_text(half: int) -> str:
    """Return the start time of a half hour of the day: ``8:30``, ``9``."""
    return f"{half // 2}:30" if half % 2 else str(half // 2)
