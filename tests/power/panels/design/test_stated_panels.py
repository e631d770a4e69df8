"""Stated boards: they stand as said, the rest is placed around, and errors name the place."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, parse_project
from facility.files.workbook.book import workbook_bytes
from facility.files.workbook.verify import verify_workbook
from facility.model.inputs.document import as_typed, project_sha256
from facility.model.power.hall_distribution import (
    AsBuiltCircuit,
    AsBuiltCords,
    AsBuiltPanel,
    AsBuiltSpare,
)
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.power.panels.design.as_built import as_built_of
from facility.power.panels.design.halls import PanelSet
from facility.study.as_built_panels import with_panels
from facility.study.design.design import Design, design
from tests.power.panels.helpers import build, feed_powers, frame, rack
from tests.study.fields import BUILT
from tests.study.helpers import PROJECTS, checks_of, reference, results_text

SIX = ("it.halls.0.racks.0.count=6", "power.distribution.panel_poles=12")
FIVE_KW_VA = 10200.0 / 2.0 / 0.98
"""One DGX H100 of 10.2 kW at a power factor of 0.98, on two feeds in equal shares."""


def circuit(name: str, position: int | None = None, **changes: object) -> AsBuiltCircuit:
    return replace(AsBuiltCircuit(name, position=position), **changes)  # type: ignore[arg-type]


def board(
    tag: str, *circuits: AsBuiltCircuit, spares: tuple[AsBuiltSpare, ...] = ()
) -> AsBuiltPanel:
    return AsBuiltPanel(tag, circuits, spares)


def panels_of(*stated: AsBuiltPanel, poles: int = 1, system: str = "415Y/240") -> PanelSet:
    """Return the panels of one rack of one server and one of two, on two feeds."""
    racks = (
        rack(1, "AB", devices=1, poles=poles, breaker_a=125.0, name="one"),
        rack(1, "AB", devices=2, poles=poles, breaker_a=125.0, name="two"),
    )
    return build(*racks, basis=frame(system, "AB", stated=stated))


def panel(found: PanelSet | Design, tag: str) -> Panel:
    listed = found.panels if isinstance(found, PanelSet) else found.panels.panels
    return next(p for p in listed if p.tag == tag)


def positions(found: Panel) -> dict[str, int | None]:
    return {c.rack: c.position for c in found.circuits if c.rack}


@pytest.mark.parametrize("name", PROJECTS)
def test_a_design_stated_as_it_is_stays_as_it_is(name: str) -> None:
    before = reference(name)
    project = with_panels(before.project, as_built_of(before.panels.panels[:3]))
    after = design(project)
    assert project_sha256(project) != before.sha256
    assert after.panels.panels == before.panels.panels
    np.testing.assert_allclose(after.panels.line_a, before.panels.line_a, rtol=1e-12)
    assert results_text(after) == results_text(before)
    assert [c.why for c in after.panels.checks] == [c.why for c in before.panels.checks]
    again = with_panels(project, as_built_of(after.panels.panels[:3]))
    assert as_typed(again) == as_typed(project)


def test_positions_swapped_change_the_currents_as_phasors_say() -> None:
    """By hand: I = S / V_LN on the line of a pole; at 120 degrees I_N² = I_1² + I_2² - I_1 I_2."""
    one_a = FIVE_KW_VA / (415.0 / math.sqrt(3.0))
    neutral_a = math.sqrt(one_a**2 + (2 * one_a) ** 2 - one_a * 2 * one_a)
    first = panels_of(board("RPP-A01", circuit("one", 1), circuit("two", 3)))
    swapped = panels_of(board("RPP-A01", circuit("one", 3), circuit("two", 1)))
    assert first.line_a[0, 0] == pytest.approx([one_a, 2 * one_a, 0.0, neutral_a], abs=1e-9)
    assert swapped.line_a[0, 0] == pytest.approx([2 * one_a, one_a, 0.0, neutral_a], abs=1e-9)
    assert first.line_a[0, 2] == pytest.approx(2 * first.line_a[0, 0], rel=1e-12), "B lost"
    assert first.line_a[1] == pytest.approx(swapped.line_a[1]), "the other feed stays as it is"


def test_two_pole_circuits_add_at_sixty_degrees_or_on_one_pair() -> None:
    """By hand: on AB and CA, I_A² = I_1² + I_2² + I_1 I_2; both on AB, I_A = I_1 + I_2."""
    one_a = FIVE_KW_VA / 208.0
    apart = panels_of(
        board("RPP-A01", circuit("one", 1), circuit("two", 5)), poles=2, system="208Y/120"
    )
    corner_a = math.sqrt(one_a**2 + 4 * one_a**2 + 2 * one_a**2)
    expected = [corner_a, one_a, 2 * one_a, 0.0]
    assert apart.line_a[0, 0] == pytest.approx(expected, abs=1e-9)
    same = panels_of(
        board("RPP-A01", circuit("one", 1), circuit("two", 2)), poles=2, system="208Y/120"
    )
    assert same.line_a[0, 0] == pytest.approx([3 * one_a, 3 * one_a, 0.0, 0.0], abs=1e-9)


def test_banks_stand_on_the_poles_named() -> None:
    """Six supplies on two feeds: three cords of one server, one on each outlet bank of a feed."""
    cords = (AsBuiltCords("one", "A", 0, (0, 0, 1)),)
    racks = rack(1, "AB", devices=1, breaker_a=60.0, name="one")
    stated = board("RPP-A01", circuit("one", 3, banks=(2, 0, 1)))
    found = build(racks, basis=frame("415Y/240", "AB", stated=(stated,), cords=cords))
    third_a = FIVE_KW_VA / 3.0 / (415.0 / math.sqrt(3.0))
    held = found.panels[0].circuits[0]
    assert (held.position, held.banks) == (3, (2, 0, 1))
    assert found.line_a[0, 0, :3] == pytest.approx([third_a, 0.0, 2 * third_a], abs=1e-9)


def test_stated_cords_load_the_same_bank_in_the_network() -> None:
    cords = AsBuiltCords("Nodes", "B", 0, (1,) * 8)
    found = design(with_panels(parse_project(BUILT), [], [cords]))
    power_va = found.panels.panels[1].circuits[0].total_va()
    kind = found.distribution.plan.network.loads[0].kind
    alive = 2**kind.cords - 1
    assert kind.neutral_va[alive, 1] == pytest.approx([0.0, power_va, 0.0])
    assert np.abs(kind.neutral_va[alive, 0]).min() > 0.0
    banks = {c.banks.index(1): c.power_va[0] for c in found.panels.panels[1].circuits}
    assert all(abs(legs[pole]) == pytest.approx(abs(power_va)) for pole, legs in banks.items())


def test_what_is_not_named_is_placed_around_and_balanced() -> None:
    before = reference("dgx-su-32")
    tag = before.panels.panels[0].tag
    first = before.panels.panels[0].circuits[0]
    spares = (AsBuiltSpare(1, 20.0, 40), AsBuiltSpare(3, 60.0, 2))
    stated = board(tag, circuit(first.rack, 37, banks=(0, 1, 2)), spares=spares)
    after = design(with_panels(before.project, [stated]))
    found = panel(after, tag)
    assert found.circuits[0].position == 37
    taken = Counter(n for c in found.circuits for n in found.occupied(c))
    assert max(taken.values()) == 1
    assert [c.position for c in found.circuits if c.class_code == "SPARE"] == [40, 2]
    assert after.panels.imbalance[0] < 0.05
    assert all(c.position is not None for c in found.circuits)


def test_spares_carry_nothing() -> None:
    spares = (AsBuiltSpare(1, 20.0, 40), AsBuiltSpare(2, 30.0, 37), AsBuiltSpare(3, 60.0, 2))
    before = reference("dgx-su-32")
    stated = replace(as_built_of(before.panels.panels[:1])[0], spares=(spares[0], spares[1]))
    after = design(with_panels(before.project, [stated]))
    assert np.array_equal(after.panels.line_a, before.panels.line_a)
    added = [c for c in after.panels.panels[0].circuits if c.class_code == "SPARE"]
    assert [(c.id, c.rack, c.partner, c.total_va()) for c in added] == [
        ("RPP-A01-40", "", "", 0j),
        ("RPP-A01-37", "", "", 0j),
    ]
    before_poles, after_poles = (
        sum(p.poles_used for p in x.panels.panels if p.side == "A") for x in (before, after)
    )
    assert after_poles - before_poles == 3
    assert as_built_of(after.panels.panels[:1]) == (stated,)


@pytest.fixture(scope="module")
def moved() -> tuple[Design, Design]:
    """The mixed hall, and the same with a circuit of rack NVL72 01 moved from RPP-A01 to A02."""
    before = reference("mixed-hall")
    stated = board("RPP-A02", circuit("NVL72 01", description="moved here"))
    return before, design(with_panels(before.project, [stated]))


def test_a_circuit_moves_to_the_board_that_names_it(moved: tuple[Design, Design]) -> None:
    before, after = moved
    for tag, change in (("RPP-A01", -1), ("RPP-A02", 1), ("RPP-B01", 0)):
        assert len(panel(after, tag).circuits) == len(panel(before, tag).circuits) + change
    newcomer = panel(after, "RPP-A02").circuits[-1]
    assert (newcomer.rack, newcomer.ordinal, newcomer.side) == ("NVL72 01", 0, "A")
    assert newcomer.description == "moved here"
    assert newcomer.id == f"RPP-A02-{newcomer.position}"
    other = next(
        c for c in panel(after, "RPP-B01").circuits if c.rack == "NVL72 01" and c.ordinal == 0
    )
    assert (newcomer.partner, other.partner) == (other.id, newcomer.id)
    assert panel(after, "RPP-A02").paired == ("RPP-B02", "RPP-B01")
    assert panel(after, "RPP-B01").paired == ("RPP-A01", "RPP-A02")
    assert panel(after, "RPP-B02").paired == ("RPP-A02",)
    left = [p.tag for p in before.panels.panels if p != panel(after, p.tag)]
    assert set(left) <= {"RPP-A01", "RPP-B01", "RPP-A02", "RPP-B02"}


def test_load_follows_the_moved_circuit(moved: tuple[Design, Design]) -> None:
    _, after = moved
    power = [{p.tag: sum(c.total_va() for c in p.circuits) for p in d.panels.panels} for d in moved]
    newcomer = panel(after, "RPP-A02").circuits[-1].total_va()
    assert power[1]["RPP-A01"] == pytest.approx(power[0]["RPP-A01"] - newcomer)
    assert power[1]["RPP-A02"] == pytest.approx(power[0]["RPP-A02"] + newcomer)
    of_feeds = [
        {at: complex(power[0]).real for at, power in feed_powers(d.panels).items()} for d in moved
    ]
    assert of_feeds[0] == pytest.approx(of_feeds[1])
    for index, one in enumerate(after.panels.panels):
        lines = [[*load.line_a, load.neutral_a] for load in panel_loads(one)]
        np.testing.assert_allclose(after.panels.line_a[index], lines, rtol=1e-12, atol=1e-9)
    circuits = [Counter(p.side for p in d.panels.panels for _ in p.circuits) for d in moved]
    assert circuits[0] == circuits[1]


def test_the_network_feeds_it_from_its_new_board(moved: tuple[Design, Design]) -> None:
    _, after = moved
    newcomer = panel(after, "RPP-A02").circuits[-1]
    plan = after.distribution.plan
    load = next(one for one in plan.network.loads if one.tag == "NVL72 01")
    sources = {cord.link.source for cord in load.cords}
    assert f"RPDU {newcomer.id}" in sources
    assert len(sources) == len(load.cords) == 8
    assert plan.circuits[newcomer.id].source == "RPP-A02"
    feeder = next(f for f in after.distribution.feeders.feeders if f.circuit.tag == newcomer.id)
    assert feeder.circuit.source == "RPP-A02"


def test_the_workbook_of_stated_boards_is_verified(tmp_path: Path) -> None:
    project = apply_sets(parse_project(BUILT), SIX)
    stated = board(
        "RPP-A02", circuit("Nodes 01", description="=1+1"), spares=(AsBuiltSpare(1, 20.0, 12),)
    )
    roomy = ("power.distribution.panel_poles=18", "it.halls.0.racks.0.count=7")
    found = design(with_panels(apply_sets(project, roomy), [stated]))
    assert panel(found, "RPP-A02").circuits[-1].class_code == "SPARE"
    file = tmp_path / "stated.xlsx"
    file.write_bytes(workbook_bytes(found))
    assert verify_workbook(file).same


def test_a_board_that_loses_every_circuit_drops_out() -> None:
    project = apply_sets(parse_project(BUILT), ["power.distribution.panel_bus=100 A"])
    before = design(project)
    assert positions(panel(before, "RPP-A02")).keys() == {"Nodes 03"}
    stated = board("RPP-A01", circuit("Nodes 03"))
    after = design(with_panels(project, [stated]))
    assert [p.tag for p in after.panels.panels] == [
        "RPP-A01",
        "RPP-B01",
        "RPP-C01",
        "RPP-B02",
        "RPP-C02",
    ]
    assert [p.group for p in after.panels.panels] == [0, 0, 0, 1, 1]
    assert {
        link.source
        for e in after.distribution.plan.network.equipment
        for link in e.links
        if e.tag.startswith("RPDU RPP-A")
    } == {"RPP-A01"}
    kept = design(with_panels(project, [stated, board("RPP-A02")]))
    assert panel(kept, "RPP-A02").circuits == ()
    assert kept.distribution.checks


def test_a_fixed_board_does_not_move() -> None:
    before = reference("dgx-su-32")
    stated = as_built_of(before.panels.panels[:1])[0]
    fixed = tuple(replace(c, fixed=True) for c in stated.circuits)
    after = design(with_panels(before.project, [replace(stated, circuits=fixed)]))
    assert not balance(after.panels.panels[0]).moves
    assert after.panels.panels[0].circuits == tuple(
        replace(c, fixed=True) for c in before.panels.panels[0].circuits
    )


def test_groups_bind_what_is_placed_and_are_checked_where_all_stands() -> None:
    before = reference("dgx-su-32")
    near = [circuit(name, together="x") for name in ("Compute 01", "Compute 08")]
    free = design(with_panels(before.project, [board("RPP-A01", *near)]))
    first, second = (positions(free.panels.panels[0])[c.rack] for c in near)
    assert abs((first or 0) - (second or 0)) == 6, "one below the other in one column"
    assert [c.outcome for c in checks_of(free, "PANEL-GROUP")] == [Outcome.PASS]
    torn = [replace(near[0], position=1), replace(near[1], position=20)]
    found = design(with_panels(before.project, [board("RPP-A01", *torn)]))
    assert positions(found.panels.panels[0])["Compute 08"] == 20
    (check,) = checks_of(found, "PANEL-GROUP")
    assert (check.subject, check.outcome) == ("RPP-A01, together x", Outcome.FAIL)
    assert not checks_of(before, "PANEL-GROUP")
    assert any(move.rack == "Compute 08" for move in balance(found.panels.panels[0]).moves)


def test_a_name_that_two_racks_have_is_refused() -> None:
    sets = (
        "it.halls.0.racks.1.name=Nodes 01",
        "it.halls.0.racks.1.devices.0.model=DGX H100",
        "it.halls.0.racks.1.feeds.0=A",
        "it.halls.0.racks.1.feeds.1=B",
    )
    project = apply_sets(parse_project(BUILT), sets)
    with pytest.raises(FacilityError) as caught:
        design(with_panels(project, [board("RPP-A01", circuit("Nodes 01"))]))
    assert (caught.value.code, caught.value.where) == (
        "AMBIGUOUS_RACK",
        "panels.boards[0].circuits[0].rack",
    )


def test_with_panels_replaces_by_tag_and_circuit() -> None:
    project = parse_project(BUILT)
    first = with_panels(
        project,
        [board("RPP-A01", circuit("Nodes 01", 1))],
        [AsBuiltCords("Nodes", "A", 0, (0,) * 8)],
    )
    second = with_panels(
        first,
        [board("RPP-B01"), board("RPP-A01", circuit("Nodes 01", 7))],
        [AsBuiltCords("Nodes", "A", 0, (1,) * 8)],
    )
    typed = as_typed(second)["panels"]
    assert [b["tag"] for b in typed["boards"]] == ["RPP-A01", "RPP-B01"]
    assert typed["boards"][0]["circuits"] == [{"rack": "Nodes 01", "position": "7"}]
    assert typed["cords"] == [{"rack": "Nodes", "feed": "A", "circuit": "1", "banks": ["2"] * 8}]
    assert as_typed(with_panels(project, [])) == as_typed(project)


_A1 = "panels.boards.0.tag=RPP-A01"
_C0 = "panels.boards.0.circuits.0"
_CORDS = ("panels.cords.0.rack=Nodes", "panels.cords.0.feed=A")


def _bank(*banks: int) -> tuple[str, ...]:
    return tuple(f"panels.cords.0.banks.{n}={bank}" for n, bank in enumerate(banks))


@pytest.mark.parametrize(
    ("sets", "code", "where", "words"),
    [
        (("panels.boards.0.tag=RPP-A09",), "UNKNOWN_PANEL", "panels.boards[0].tag", "RPP-A01"),
        (
            (_A1, f"{_C0}.rack=Nodes 07"),
            "UNKNOWN_RACK",
            "panels.boards[0].circuits[0].rack",
            "Nodes 0",
        ),
        (
            (_A1, f"{_C0}.rack=Nodes 01", f"{_C0}.circuit=2"),
            "UNKNOWN_CIRCUIT",
            "panels.boards[0].circuits[0].circuit",
            "it has 1",
        ),
        (
            (_A1, f"{_C0}.rack=Nodes 02", "panels.boards.0.circuits.1.rack=Nodes 02"),
            "PANEL_DUPLICATE",
            "panels.boards[0].circuits[1]",
            "panels.boards[0].circuits[0]",
        ),
        (
            (
                _A1,
                "panels.boards.1.tag=RPP-A02",
                f"{_C0}.rack=Nodes 01",
                "panels.boards.1.circuits.0.rack=Nodes 01",
            ),
            "PANEL_DUPLICATE",
            "panels.boards[1].circuits[0]",
            "panels.boards[0].circuits[0]",
        ),
        ((_A1, "panels.boards.1.tag=RPP-A01"), "PANEL_DUPLICATE", "panels.boards", "RPP-A01"),
        (
            (_A1, f"{_C0}.rack=Nodes 01", f"{_C0}.position=9"),
            "PANEL_POSITION",
            "panels.boards[0].circuits[0]",
            "does not fit",
        ),
        (
            (
                _A1,
                f"{_C0}.rack=Nodes 01",
                f"{_C0}.position=1",
                "panels.boards.0.circuits.1.rack=Nodes 02",
                "panels.boards.0.circuits.1.position=3",
            ),
            "PANEL_OVERLAP",
            "panels.boards[0].circuits[1]",
            "pole 3",
        ),
        (
            (
                _A1,
                f"{_C0}.rack=Nodes 01",
                f"{_C0}.position=1",
                "panels.boards.0.spares.0.poles=1",
                "panels.boards.0.spares.0.breaker=20 A",
                "panels.boards.0.spares.0.position=5",
            ),
            "PANEL_OVERLAP",
            "panels.boards[0].spares[0]",
            "pole 5",
        ),
        (
            (_A1, *(f"panels.boards.0.circuits.{n}.rack=Nodes 0{n + 4}" for n in range(3))),
            "PANEL_FULL",
            "panels.boards[0]",
            "18 poles",
        ),
        (
            (
                _A1,
                f"{_C0}.rack=Nodes 01",
                f"{_C0}.position=3",
                "panels.boards.0.circuits.1.rack=Nodes 02",
                "panels.boards.0.circuits.1.position=4",
            ),
            "PANEL_FULL",
            "panels.boards[0]",
            "do not fit",
        ),
        (
            (_A1, f"{_C0}.rack=Nodes 01", f"{_C0}.fixed=yes"),
            "PANEL_POSITION",
            "panels.boards[0].circuits[0].fixed",
            "no position",
        ),
        (
            (_A1, f"{_C0}.rack=Nodes 01", f"{_C0}.fixed=perhaps"),
            "NOT_A_FLAG",
            "panels.boards[0].circuits[0].fixed",
            "perhaps",
        ),
        (
            (_A1, f"{_C0}.rack=Nodes 01", f"{_C0}.banks.0=1", f"{_C0}.banks.1=1"),
            "PANEL_BANKS",
            "panels.boards[0].circuits[0].banks",
            "order of the poles",
        ),
        (
            (
                _A1,
                "panels.boards.0.spares.0.poles=4",
                "panels.boards.0.spares.0.breaker=20 A",
                "panels.boards.0.spares.0.position=5",
            ),
            "OUT_OF_RANGE",
            "panels.boards[0].spares[0].poles",
            "4 poles",
        ),
        (
            (*_bank(*[1] * 8), "panels.cords.0.rack=Node", "panels.cords.0.feed=A"),
            "UNKNOWN_RACK",
            "panels.cords[0].rack",
            "Nodes",
        ),
        (
            (*_bank(*[1] * 8), "panels.cords.0.rack=Nodes", "panels.cords.0.feed=D"),
            "UNKNOWN_CIRCUIT",
            "panels.cords[0]",
            "A, B, C",
        ),
        ((*_CORDS, *_bank(1, 2, 3)), "PANEL_BANKS", "panels.cords[0].banks", "8 supplies"),
        ((*_CORDS, *_bank(0, *[1] * 7)), "PANEL_BANKS", "panels.cords[0].banks[0]", "1, 2 or 3"),
        ((*_CORDS, *_bank(4, *[1] * 7)), "PANEL_BANKS", "panels.cords[0].banks", "1, 2 or 3"),
    ],
)
def test_what_cannot_be_is_named(sets: tuple[str, ...], code: str, where: str, words: str) -> None:
    with pytest.raises(FacilityError) as caught:
        design(apply_sets(parse_project(BUILT), (*SIX, *sets)))
    error = caught.value
    assert (error.code, error.where) == (code, where)
    assert words in f"{error.message} {error.hint}"
    assert error.hint


def test_another_feed_and_another_hall_are_refused() -> None:
    hall = (
        "it.halls.1.name=Two",
        "it.halls.1.racks.0.name=Far",
        "it.halls.1.racks.0.devices.0.model=DGX H100",
        "it.halls.1.racks.0.feeds.0=A",
        "it.halls.1.racks.0.feeds.1=B",
    )
    project = apply_sets(parse_project(BUILT), (*SIX, *hall))
    with pytest.raises(FacilityError) as caught:
        design(with_panels(project, [board("RPP-A01", circuit("Far"))]))
    assert caught.value.code == "PANEL_HALL"
    assert "'Two'" in caught.value.message
    with pytest.raises(FacilityError) as caught:
        design(with_panels(project, [board("RPP-C01", circuit("Far"))]))
    assert caught.value.code == "UNKNOWN_FEED"
    assert "A, B" in caught.value.message


def test_racks_that_are_gone_are_named_with_their_board() -> None:
    project = parse_project(BUILT)
    stated = as_built_of(design(project).panels.panels[:1])
    smaller = apply_sets(with_panels(project, stated), ["it.halls.0.racks.0.count=2"])
    with pytest.raises(FacilityError) as caught:
        design(smaller)
    error = caught.value
    assert (error.code, error.where) == ("UNKNOWN_RACK", "panels.boards[0].circuits[2].rack")
    assert "RPP-A01" in error.message
    assert "'Nodes 03'" in error.message
    assert "remove this circuit" in error.hint
