"""Phase of a pole, and whether breakers fit a panelboard."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.power.panels.board.layout import LAYOUTS
from facility.power.panels.board.model import check_layout
from facility.power.panels.board.pack import ANY, Packer
from tests.power.panels.helpers import load, panel

US, IEC = LAYOUTS["US"], LAYOUTS["IEC"]


def test_both_circuits_of_a_row_share_the_phase() -> None:
    assert [US.phases(n, 1) for n in range(1, 8)] == ["A", "A", "B", "B", "C", "C", "A"]
    assert [US.phases(n, 1) for n in (41, 42, 83, 84)] == ["C"] * 4
    assert US.occupied(7, 3) == (7, 9, 11)
    assert US.phases(7, 3) == "ABC"
    assert US.phases(4, 2) == "BC"
    assert US.phases(5, 2) == "CA"


def test_iec_ways_have_three_poles_and_hold_a_device_whole() -> None:
    assert [IEC.label(n) for n in (1, 2, 3, 4, 36)] == ["1L1", "1L2", "1L3", "2L1", "12L3"]
    assert IEC.phases(4, 3) == "ABC"
    assert IEC.may_start(4, 3, 36)
    assert not IEC.may_start(5, 3, 36)
    assert not IEC.may_start(3, 2, 36)
    assert US.may_start(5, 2, 42)


@pytest.mark.parametrize(
    ("position", "poles", "fits"),
    [
        (37, 3, True),
        (38, 3, True),
        (39, 3, False),
        (41, 1, True),
        (42, 2, False),
        (0, 1, False),
        (43, 1, False),
    ],
)
def test_breakers_end_inside_the_panel(position: int, poles: int, fits: bool) -> None:
    assert US.may_start(position, poles, 42) is fits


@given(
    st.integers(3, 42),
    st.integers(0, 8),
    st.integers(0, 5),
    st.integers(0, 4),
    st.sets(st.integers(1, 42), max_size=6),
    st.sampled_from([US, IEC]),
)
@settings(max_examples=60, deadline=None)
def test_what_is_packed_stands_apart_and_inside(
    poles: int, ones: int, twos: int, threes: int, taken: set[int], layout: object
) -> None:
    chosen = US if layout is US else IEC
    wanted = Counter({(1, 0): ones, (2, ANY): twos, (3, ANY): threes})
    slots = Packer(chosen, poles, taken).pack(wanted)
    if slots is None:
        return
    assert Counter({want: len(found) for want, found in slots.items()}) == +wanted
    used = [n for (k, _), found in slots.items() for p in found for n in chosen.occupied(p, k)]
    assert len(used) == len(set(used))
    assert not set(used) & taken
    assert all(chosen.may_start(p, k, poles) for (k, _), found in slots.items() for p in found)
    assert all(chosen.phase(p) == 0 for p in slots.get((1, 0), []))


def test_a_full_panel_is_packed_to_the_last_pole() -> None:
    packer = Packer(US, 42)
    assert packer.pack({(3, ANY): 14}) is not None
    assert packer.pack({(3, ANY): 15}) is None
    assert packer.pack({(1, 0): 14, (1, 1): 14, (1, 2): 14}) is not None
    assert packer.pack({(1, 0): 15}) is None
    assert packer.pack({(2, ANY): 20, (1, ANY): 2}) is not None
    assert packer.pack({(2, ANY): 21}) is None  # 21 rows a column: one is always left over


def test_circuits_in_each_others_way_are_refused() -> None:
    cases = {
        "PANEL_OVERLAP": panel(load("a", 3, 1.0, position=1), load("b", 1, 1.0, position=5)),
        "PANEL_POSITION": panel(load("a", 3, 1.0, position=41)),
        "PANEL_DUPLICATE": panel(load("a", 1, 1.0), load("a", 1, 1.0)),
        "PANEL_FULL": panel(*(load(str(n), 3, 1.0) for n in range(15))),
    }
    for code, wrong in cases.items():
        with pytest.raises(FacilityError) as caught:
            check_layout(wrong, tuple(c.id for c in wrong.circuits))
        assert caught.value.code == code
    with pytest.raises(FacilityError, match="Choose one of 1, 2, 3, …, 38, or leave it empty"):
        check_layout(cases["PANEL_POSITION"], ("row",))
    with pytest.raises(FacilityError, match="no position"):
        check_layout(panel(load("a", 1, 1.0, fixed=True)), ("row",))


def test_spaces_are_the_positions_without_a_breaker() -> None:
    placed = panel(load("a", 3, 1.0, position=1), load("b", 1, 1.0, position=2), poles=6)
    assert placed.spaces == (4, 6)
    assert placed.poles_used == 4
    assert placed.placed
    assert placed.phases(placed.circuits[0]) == "ABC"
