"""Expected readings of the commissioning, worked once more from the design and the tables."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from facility.study.commissioning.expected import ExpectedValues
from facility.study.commissioning.model import ExpectedReading
from facility.study.commissioning.tolerances import Tolerances
from facility.study.design.design import Design
from tests.results.second import REFERENCE, differs

_PARTS = (25, 50, 75, 100)
_TEST_VALUES = {"%": 0.01, "A": 1.0, "h": 3600.0, "kPa": 1e3, "ms": 1e-3, "s": 1.0}


def _rows(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"commissioning/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _subject(name: str, volts: float = 0.0) -> Any:
    equipment = SimpleNamespace(voltage_v=volts, rating_va=2.5e6, rating_a=3e3)
    return SimpleNamespace(name=name, tags=("TAG",), equipment=equipment)


def readings_of_the_design(found: Design) -> Iterator[str]:
    """Load banks, transformers, insulation and values of tests, each as read."""
    code = found.facility.criteria.code
    values = ExpectedValues(found, Tolerances(code))

    def read(expected: str, subject: Any, rule: str = "") -> ExpectedReading:
        return values.reading("", expected, rule, "", subject)

    wanted: list[tuple[str, Any, float]] = []
    module, sets = found.chain.ups.module, found.chain.generators
    ups, gen, hall = _subject("ups"), _subject("gen"), _subject("hall-air")
    for percent in _PARTS:
        x, at = percent / 100.0, f"bank {percent}"
        loss = module.rating_w * (module.constant + module.linear * x + module.quadratic * x**2)
        wanted += [
            (f"{at} output", ups, x * module.rating_w),
            (f"{at} loss", ups, loss),
            (f"{at} input", ups, x * module.rating_w + loss),
            (f"{at} efficiency", ups, x * module.rating_w / (x * module.rating_w + loss)),
            (f"{at} output", gen, x * sets.rating_w),
            (f"{at} heat", hall, x * found.it.it_w),
        ]
        shown = read(f"{at} loss", ups, "loss")
        part = 0.01 * (x * module.rating_w + loss)
        for name, value, end in (
            ("low", shown.low, loss - part),
            ("high", shown.high, loss + part),
        ):
            yield from differs(f"{name} of the loss at {percent} %", value or 0.0, end, 1e-9)
    unit = found.chain.transformers.unit
    utility_v = found.chain.utility_voltage_v
    for volts in (400.0, 480.0):
        lv = _subject("tx", volts)
        wanted.append(("transformer ratio", lv, utility_v / volts))
    wanted += [
        ("transformer impedance", ups, unit.impedance),
        ("transformer no_load", ups, unit.no_load_w),
        ("transformer load_loss", ups, unit.load_loss_w),
        ("network rating_va", ups, 2.5e6),
    ]
    loading = found.trace.value("generator.loading")
    wanted.append(("derated generator.loading", gen, loading / sets.derate))
    for expected, subject, value in wanted:
        shown = read(expected, subject)
        yield from differs(f"{expected} of {subject.name}", float(shown.value or 0.0), value, 1e-9)
    if read("transformer ratio", _subject("tx")).value is not None:
        yield "ratio of a transformer without voltage"
    yield from _tables(read, code)


def _tables(read: Any, code: str) -> Iterator[str]:
    for volts in (120.0, 480.0, 601.0, 13800.0):
        able = [r for r in _rows("insulation") if r["code"] == code]
        able = [r for r in able if float(r["max_voltage_v"]) >= volts]
        if not able:
            continue
        row = min(able, key=lambda r: float(r["max_voltage_v"]))
        for argument, column in (("voltage", "test_voltage_v"), ("resistance", "min_mohm")):
            shown = read(f"insulation {argument}", _subject("x", volts)).value
            yield from differs(f"insulation {argument} at {volts} V", shown, float(row[column]))
    for row in _rows("test_values"):
        if row["code"] not in (code, "any") or not row["value"]:
            continue
        shown = read(f"value {row['id']}", _subject("x")).value
        wanted = float(row["value"]) * _TEST_VALUES.get(row["unit"], 1.0)
        yield from differs(f"value {row['id']}", shown, wanted)


def tolerances_of_the_table() -> Iterator[str]:
    """Ends of every tolerance: per cent of the value or of the input, points, or kelvin."""
    for code in ("NEC", "IEC"):
        own = Tolerances(code)
        for row in _rows("tolerances"):
            if row["code"] not in (code, "any"):
                continue
            value, base = 40.0, 250.0
            of = base if row["of"] == "base" else value
            size = {"%": of / 100.0, "points": 0.01, "K": 1.0}[row["unit"]]
            reading = ExpectedReading("q", 0.02 if row["unit"] == "points" else value)
            start = float(reading.value or 0.0)
            shown = own.applied(reading, row["id"], base if row["of"] == "base" else None)
            for name, end in (("low", shown.low), ("high", shown.high)):
                at = f"{name} of {row['id']} by {code}"
                if (end is None) != (not row[name]):
                    yield f"{at}: {end}"
                elif end is not None:
                    wanted = start + float(row[name]) * size
                    if row["unit"] == "points" and name == "low":
                        wanted = max(wanted, 0.0)
                    yield from differs(at, end, wanted, 1e-12)
    for rule, low, high in (("<=", None, 5.0), (">=", 5.0, None), ("=", 5.0, 5.0)):
        shown = Tolerances("NEC").applied(ExpectedReading("q", 5.0), rule)
        if (shown.low, shown.high) != (low, high):
            yield f"limits of {rule}: {shown.low}, {shown.high}"
