"""Power and cooling over hours: each hour is the operating point at its weather and load."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from facility.model.facility import Weather
from facility.study.design.design import Design
from facility.study.loop import Sized, balance, operate
from tests.study.helpers import design_of

PROJECTS = Path(__file__).parents[1] / "golden" / "projects"
HOURS = 40
NAMES = sorted(path.stem for path in PROJECTS.glob("*.yaml"))


def hours_of(found: Design) -> tuple[Weather, np.ndarray]:
    """Return weather up to a little above that of the design, and loads of the IT."""
    random = np.random.default_rng(11)
    design = found.facility.site.design
    dry_c = random.uniform(-25.0, design.dry_bulb_c + 1.0, HOURS)
    wet_c = np.maximum(
        np.minimum(dry_c, design.wet_bulb_c) - random.uniform(0.0, 9.0, HOURS), -30.0
    )
    pressure_pa = design.pressure_pa * random.uniform(0.98, 1.02, HOURS)
    return Weather(dry_c, wet_c, pressure_pa), random.uniform(0.15, 1.0, HOURS)  # type: ignore[arg-type]


def numbers(found: object, hour: int | None = None, at: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of a balance, of one of its hours, with their places."""
    if is_dataclass(found):
        for field in fields(found):
            if field.name not in ("checks", "box", "iterations"):
                yield from numbers(getattr(found, field.name), hour, f"{at}.{field.name}")
    elif isinstance(found, tuple):
        for place, part in enumerate(found):
            yield from numbers(part, hour, f"{at}[{place}]")
    elif np.ndim(found):  # type: ignore[arg-type]
        yield at, float(found[hour])  # type: ignore[index]
    elif isinstance(found, float | int):
        yield at, float(found)


@pytest.mark.parametrize("name", NAMES)
def test_an_hour_is_the_operating_point_at_its_weather_and_load(name: str) -> None:
    found = design_of((PROJECTS / f"{name}.yaml").read_text())
    sized, (weather, load) = Sized(found.chain, found.cooling), hours_of(found)
    whole = balance(found.facility, found.it, sized, weather, load)  # type: ignore[arg-type]
    for hour in range(HOURS):
        here = Weather(*(float(getattr(weather, field.name)[hour]) for field in fields(weather)))
        alone = operate(found.facility, found.it, sized, here, float(load[hour]))
        expected = dict(numbers(alone))
        for at, value in numbers(whole, hour):
            assert value == pytest.approx(expected[at], rel=1e-10, abs=1e-6), (hour, at)
