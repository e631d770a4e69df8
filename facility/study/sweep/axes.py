"""Axes of a sweep: values of fields, as typed, and the number of designs."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from facility.core.errors import FacilityError, refuse_other
from facility.model.inputs.change import as_text, normal_path

MAX_ROWS = 1_000_000
"""Maximum number of designs in a sweep: more than a day at a tenth of a second each."""
SITE = "site"
"""Name of the axis of sites; not a field."""

NUMBER = r"[+-]?\d+(?:\.\d+)?"
UNIT = r"(?:\s*(?![eE][+-]?\d)[^\d\s.,/+-][^.,]*?)?"
_RANGE = re.compile(
    rf"\s*({NUMBER})({UNIT})\s*\.\.\s*({NUMBER})({UNIT})\s*/\s*({NUMBER})({UNIT})\s*", re.ASCII
)
_MAX_DIGITS = 40


@dataclass(frozen=True)
class Axis:
    """Fields that vary together, and their values in sequence."""

    paths: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # One value per path; empty to let the design size the field


def axis_of(text: str) -> Axis:
    """Return the axis that ``path=v1,v2,...`` or ``path=start..stop/step`` describes.

    Raises ``SWEEP_VALUES`` for any other text, ``SWEEP_TOO_LARGE``.
    """
    path, equals, values = text.partition("=")
    if not equals:
        raise _no_values(text[:80], "is not a path with values.")
    return _listed(path, values)


def axes_of(vary: Mapping[str, str | Sequence[object]]) -> list[Axis]:
    """Return the axes of values by path: text as `axis_of` takes it, or the values themselves.

    Raises the errors of `axis_of`; ``INPUT_TYPE`` for a value that no field accepts.
    """
    return [
        _listed(path, values)
        if isinstance(values, str)
        else Axis(
            (normal_path(path),), tuple((_plain(path, value),) for value in _many(path, values))
        )
        for path, values in vary.items()
    ]


def _many(path: str, values: object) -> Iterable[object]:
    if not isinstance(values, Iterable):
        hint = "Enter a list of values, or a range, e.g. 64..256/64."
        refuse_other(values, "Sequence", path, hint)
    return values  # type: ignore[return-value]


def samples_axis(samples: Sequence[Mapping[str, object]]) -> Axis:
    """Return the axis of samples: values by path, the same paths in every one.

    Raises ``SWEEP_SAMPLES`` without samples, or if the paths differ; ``INPUT_TYPE``.
    """
    paths = tuple(samples[0]) if samples else ()
    wrong = next((n for n, one in enumerate(samples) if set(one) != set(paths)), None)
    if not paths or wrong is not None:
        raise FacilityError(
            "SWEEP_SAMPLES",
            "samples" if wrong is None else f"samples[{wrong}]",
            "there are no samples." if wrong is None else "paths differ from the first sample.",
            "Enter a value for the same paths in each sample.",
        )
    rows = (tuple(_plain(path, one[path]) for path in paths) for one in samples)
    return Axis(tuple(map(normal_path, paths)), tuple(rows))


def refuse_too_many(axes: Sequence[Axis]) -> int:
    """Return the number of designs that the axes make together.

    Raises ``SWEEP_TOO_LARGE`` with the number.
    """
    count = math.prod(len(axis.rows) for axis in axes)
    if count > MAX_ROWS:
        sizes = " x ".join(f"{len(axis.rows):,}" for axis in axes)
        raise too_many(count, "sweep", f" ({sizes})" if len(axes) > 1 else "")
    return count


def too_many_rows(where: str) -> FacilityError:
    """Return the error at the first sample above the maximum."""
    return FacilityError(
        "SWEEP_TOO_LARGE",
        where,
        f"this row exceeds the maximum of {MAX_ROWS:,} designs in a sweep.",
        "Use fewer samples.",
    )


def _listed(path: str, text: str) -> Axis:
    path = normal_path(path)
    if ".." in text:
        return Axis((path,), tuple((value,) for value in _steps(path, text)))
    try:
        values = next(csv.reader([text], strict=True, skipinitialspace=True), [])
    except csv.Error as error:
        raise _no_values(path, f"cannot be read: {error}.") from None
    values = [value.strip() for value in values]
    if not values or not all(values):
        raise _no_values(path, "has an empty value.")
    return Axis((path,), tuple((value,) for value in values))


def _steps(path: str, text: str) -> list[str]:
    found = _RANGE.fullmatch(text) if len(text) <= 3 * _MAX_DIGITS else None
    if found is None:
        raise _no_values(path, f"{text.strip()[:60]!r} is not a range with a step.")
    start, stop, step = (Decimal(found[n]) for n in (1, 3, 5))
    units = {unit.strip() for unit in (found[2], found[4])} - {""} or {found[6].strip()} - {""}
    if len(units) > 1 or found[6].strip() not in {"", "K", *units}:
        units |= {found[6].strip()} - {""}
        raise _no_values(
            path,
            "start, stop and step need the same unit, not " + " and ".join(sorted(units)) + ".",
        )
    if step == 0 or (stop - start) * step < 0:
        raise _no_values(path, f"a step of {step} does not lead from {start} to {stop}.")
    count = int((stop - start) / step) + 1
    if count > MAX_ROWS:
        raise too_many(count, path)
    unit = "".join(f" {unit}" for unit in units)
    return [f"{start + n * step:f}{unit}" for n in range(count)]


def _plain(path: str, value: object) -> str:
    text = as_text(value, path)
    if isinstance(text, dict | list):
        raise FacilityError(
            "INPUT_TYPE",
            path,
            "a varied value must be text, a number or a quantity.",
            "Vary the fields of the section.",
        )
    return text or ""


def _no_values(where: str, message: str) -> FacilityError:
    return FacilityError(
        "SWEEP_VALUES",
        f"--vary {where}",
        message,
        "Write path=v1,v2,... or path=start..stop/step, e.g. it.gpus=256..1024/256.",
    )


def too_many(count: int, where: str, of: str = "") -> FacilityError:
    """Return the error for too many designs, or values of one axis; `of` states their product."""
    return FacilityError(
        "SWEEP_TOO_LARGE",
        where,
        f"{count:,} designs{of} are requested; the maximum is {MAX_ROWS:,}.",
        "Use fewer values, larger steps, or samples.",
    )
