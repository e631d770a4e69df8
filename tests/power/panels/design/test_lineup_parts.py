"""Parts of the load behind the output buses of each UPS system."""

from __future__ import annotations

import pytest

from facility.model.power.redundancy import build_scheme
from facility.power.panels.design.lineups import bus_parts
from tests.power.helpers import panel_loads

SCHEME = build_scheme("3N/2", ("A", "B", "C"), 0, "test")
THREE_GROUPS = panel_loads(
    *((feed, group, 100e3) for group, feeds in enumerate(("AB", "BC", "AC")) for feed in feeds)
)
"""Groups take the buses in turn: 0 and 2 hang on the first bus, 1 on the second."""


@pytest.mark.parametrize(
    ("system", "parts"),
    [("", (2 / 3, 1 / 3)), ("A", (1.0, 0.0)), ("B", (0.5, 0.5)), ("C", (0.5, 0.5))],
)
def test_each_system_has_the_parts_of_its_own_panels(
    system: str, parts: tuple[float, float]
) -> None:
    assert bus_parts(THREE_GROUPS, SCHEME, 2, 0.5, system) == pytest.approx(parts)
