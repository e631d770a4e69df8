"""Rows of the failures through time: cases, limits, curves."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.views import System, show
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

CASE_HEADS = (
    "case",
    "what fails",
    "overheats first",
    "after",
    "makes it",
    "worst inlet",
    "coolant supply",
    "facility water",
    "buffer",
)
LIMIT_HEADS = ("case", "limit", "at", "passed after", "highest")
CURVE_HEADS = ("case", "quantity", "time_s", "temperature_c")


def case_rows(study: TransientStudy, system: System = "si") -> Iterator[tuple[str, ...]]:
    """Yield one row for each case: what overheats first, highest temperatures, buffer needed."""
    for found in study.cases:
        first = found.first
        yield (
            found.case.id,
            _title(study, found),
            first[0].title if first else "nothing",
            show(first[1], "time", system) if first else "",
            "yes" if found.holds else "no",
            *(_peak(found, name, system) for name in ("inlet_worst", "tcs_supply", "fws_supply")),
            buffer_text(found, system),
        )


def _title(study: TransientStudy, found: RideResult) -> str:
    if found.case.headers and not study.header_stated:
        return f"{found.case.title}; what flows then is not stated, none is taken"
    return found.case.title


def _peak(found: RideResult, name: str, system: System) -> str:
    if name not in found.series:
        return ""
    return show(float(found.series[name].max()), "temperature", system)


def buffer_text(found: RideResult, system: System = "si") -> str:
    """Return the buffers with which the case passes no allowable limit, in words."""
    storage = found.storage
    if storage is None:
        return ""
    if not storage.enough:
        return "none is enough"
    named = (("chilled water", storage.chw_m3), ("facility water", storage.fws_m3))
    return ", ".join(f"{show(v, 'volume', system)} {name}" for name, v in named if v)


def limit_rows(study: TransientStudy, system: System = "si") -> Iterator[tuple[str, ...]]:
    """Yield one row for each limit of each case."""
    for found in study.cases:
        for limit, time_s, peak_c in found.limits:
            known = limit.limit_c is not None
            yield (
                found.case.id,
                limit.title,
                show(limit.limit_c, "temperature", system) if limit.limit_c is not None else "",
                show(time_s, "time", system)
                if time_s is not None
                else "not reached"
                if known
                else "limit not known",
                show(peak_c, "temperature", system),
            )
