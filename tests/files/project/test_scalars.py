"""Field types: what is read, what is refused, what is written back."""

from __future__ import annotations

import math
import unicodedata
from typing import Annotated

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, si_from, value_in
from facility.core.parse import Measured
from facility.files.project.file import apply_sets, parse_project
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.model.inputs.scalars import (
    Count,
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    Text,
    quantity,
)


class Sample(Section):
    name: Name | None = None
    text: Text | None = None
    count: Count | None = None
    racks: PositiveCount | None = None
    ratio: Number | None = None
    flag: Flag | None = None
    power: Annotated[Measured, quantity("active_power", plausible="rack")] | None = None
    any_power: Annotated[Measured, quantity("active_power")] | None = None
    air: Annotated[Measured, quantity("temperature")] | None = None
    part: Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)] | None = None


def refusal(**fields: object) -> tuple[str, str]:
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate(fields)
    (finding,) = caught.value.errors()
    return finding["ctx"]["code"], f"{finding['ctx']['message']} {finding['ctx']['hint']}".strip()


BOUNDED = [
    (entry.path, entry.type, KINDS[entry.kind])
    for entry in leaves(Project)
    if entry.type is not None and hasattr(entry.type, "above") and entry.kind in KINDS
]


def test_a_bound_that_a_field_states_is_allowed_in_every_unit() -> None:
    """95 % is 0.9500000000000001, and was above the 95 % that the documentation allows."""
    for path, type_, kind in BOUNDED:
        for bound in type_.limits():
            if not math.isfinite(bound) or bound == getattr(type_, "above", None):
                continue
            for unit in kind.units:
                number = np.format_float_positional(
                    value_in(kind, bound, unit), 12, fractional=False, trim="-"
                )
                read = type_.read(f"{number} {unit}".strip()).si
                assert read == pytest.approx(bound, rel=1e-9, abs=1e-9), (path, unit)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("count", "-1", "NOT_A_COUNT"),
        ("count", "4:1", "NOT_A_COUNT"),
        ("count", "010", "NOT_A_COUNT"),
        ("count", "1e3", "NOT_A_COUNT"),
        ("count", "NO", "NOT_A_COUNT"),
        ("count", "3.0", "NOT_A_COUNT"),
        ("count", True, "NOT_A_COUNT"),
        ("count", 2.5, "NOT_A_COUNT"),
        ("count", "1234567890", "NOT_A_COUNT"),
        ("racks", "0", "NOT_A_COUNT"),
        ("racks", ["3"], "NOT_A_VALUE"),
        ("racks", {}, "NOT_A_VALUE"),
        ("ratio", "4:1", "NOT_A_NUMBER"),
        ("ratio", "nan", "NOT_A_NUMBER"),
        ("ratio", float("inf"), "NOT_A_NUMBER"),
        ("ratio", "-0.5", "OUT_OF_RANGE"),
        ("flag", "maybe", "NOT_A_FLAG"),
        ("flag", "1", "NOT_A_FLAG"),
        ("any_power", "12", "UNIT_MISSING"),
        ("any_power", "12 kVA", "UNIT_WRONG"),
        ("any_power", "-12 kW", "OUT_OF_RANGE"),
        ("any_power", "twelve kW", "NOT_A_NUMBER"),
        ("any_power", "9**99999999 kW", "NOT_A_NUMBER"),
        ("air", "-274 degC", "OUT_OF_RANGE"),
        ("part", "0 %", "OUT_OF_RANGE"),
        ("part", "101 %", "OUT_OF_RANGE"),
        ("name", "", "TEXT_EMPTY"),
        ("name", "   ", "TEXT_EMPTY"),
        ("name", "x" * 65, "TEXT_TOO_LONG"),
        ("text", "x" * 1_000_000, "TEXT_TOO_LONG"),
        ("text", "two\nlines", "TEXT_CONTROL"),
        ("text", "bell \a", "TEXT_CONTROL"),
        ("text", "half \ud800", "TEXT_CONTROL"),
        ("text", "line\u2028separator", "TEXT_CONTROL"),
    ],
)
def test_wrong_value_has_one_code(field: str, value: object, code: str) -> None:
    assert refusal(**{field: value})[0] == code


def test_watts_for_a_rack_name_the_unit_likely_meant() -> None:
    code, text = refusal(power="132 W")
    assert code == "IMPLAUSIBLE"
    assert text == "132 W looks like kW (typical 5-250 kW). Enter '132 kW'."
    assert refusal(power="0 kW")[1].startswith("0 kW is not plausible (typical 5-250 kW)")
    assert refusal(power="132000 kW")[1].endswith("Enter '132000 W'.")


@pytest.mark.parametrize(
    ("typed", "bound"),
    [
        ("power.ups.module_rating=30 MW", "at most 20 MW."),
        ("power.ups.module_rating=30000 kW", "at most 20,000 kW."),
        ("power.ups.module_rating=30000000 W", "at most 20,000,000 W."),
        ("it.measured_power=20000 MW", "at most 10,000 MW here."),
        ("it.measured_power=20000000000 W", "at most 10,000,000,000 W here."),
        ("it.load_factor=0.1 %", "at least 1 % here."),
        ("site.elevation=20000 ft", "at most 16,404.2 ft."),
    ],
)
def test_a_bound_is_told_in_the_unit_typed_without_powers_of_ten(typed: str, bound: str) -> None:
    with pytest.raises(FacilityError) as caught:
        apply_sets(parse_project("schema_version: 1\nit: {gpus: 8}\n"), (typed,))
    assert caught.value.code == "OUT_OF_RANGE"
    assert caught.value.hint.endswith(bound)


def test_kva_for_kw_says_what_to_write() -> None:
    assert "power factor" in refusal(any_power="12 kVA")[1]


def test_values_are_kept_as_typed() -> None:
    typed = {
        "name": "R1",
        "text": "1e3",
        "count": "0",
        "racks": "12",
        "ratio": "0.50",
        "flag": "true",
        "power": "10.20 kW",
        "air": "-5 degC",
        "part": "80 %",
    }
    sample = Sample.model_validate(typed)
    assert sample.model_dump(mode="json", exclude_none=True) == typed
    assert sample.power is not None
    assert sample.power.si == pytest.approx(10200.0, rel=1e-15)
    assert sample.flag is True
    assert sample.count == 0


def test_numbers_and_quantities_of_a_program_are_taken() -> None:
    sample = Sample.model_validate({"count": 3, "ratio": 0.25, "flag": False})
    assert (sample.count, sample.ratio and sample.ratio.si, sample.flag) == (3, 0.25, False)
    again = Sample.model_validate({"ratio": sample.ratio})
    assert again.ratio == sample.ratio


def test_sections_are_frozen() -> None:
    sample = Sample.model_validate({"count": "3"})
    with pytest.raises(FacilityError, match="READ_ONLY"):
        sample.count = 4  # type: ignore[misc]


@given(st.floats(0.0, 1e9, allow_nan=False), st.sampled_from(sorted(KINDS["active_power"].units)))
def test_any_power_survives_reading(value: float, unit: str) -> None:
    text = f"{value:.6g} {unit}"
    sample = Sample.model_validate({"any_power": text})
    assert sample.any_power is not None
    assert sample.any_power.si == si_from(KINDS["active_power"], float(f"{value:.6g}"), unit)
    assert sample.model_dump(mode="json", exclude_none=True) == {"any_power": text}


@given(st.text(max_size=80))
def test_any_text_is_kept_or_refused(text: str) -> None:
    try:
        sample = Sample.model_validate({"text": text})
    except ValidationError:
        bad = {"Cc", "Cs", "Cn", "Zl", "Zp"}
        assert any(unicodedata.category(c) in bad for c in text)
    else:
        assert sample.text == text.strip()


def test_a_forgiven_bound_is_the_bound() -> None:
    """What is beyond a bound by rounding alone computes as the bound: a power factor above 1 has
    no reactive power."""
    kind = Annotated[Measured, quantity("fraction", minimum=0.5, maximum=1.0)]
    one = type("One", (Section,), {"__annotations__": {"ratio": kind}})
    assert one(ratio="1.0000000005").ratio.si == 1.0
    assert one(ratio="0.49999999995").ratio.si == 0.5
