"""Overviews: the numbers of the state solver, few columns, and texts that stay apart."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from facility.core.views import show
from facility.files.project.file import apply_sets, example_text, parse_project
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case
from facility.report.drawings.live.moments import Instant, LiveState, live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.drawings.loops.diagram import loop_drawing
from facility.report.drawings.one_line.state import find_case
from facility.report.drawings.overview.hall_scenes import hall_scene, hall_tiles
from facility.report.drawings.overview.halls import MAX_ACROSS, MAX_ROWS, hall_rows
from facility.report.drawings.overview.lineups import (
    LineupColumn,
    PowerOverview,
    Switchgear,
    power_overview,
)
from facility.report.drawings.overview.loop_scenes import loop_scene, loop_tiles
from facility.report.drawings.overview.merge import MAX_COLUMNS, bounded
from facility.report.drawings.overview.numbers import state_numbers
from facility.report.drawings.overview.parts import (
    OverviewScene,
    Rect,
    Stroke,
    Words,
    margin_of,
    percent,
)
from facility.report.drawings.overview.power_narrow import power_tiles
from facility.report.drawings.overview.power_wide import power_scene
from facility.report.drawings.overview.related import Related
from facility.report.tables.states import case_title
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design, design
from facility.study.design.rack_positions import HallLayout, hall_layouts

BLOCKS = ("h100-10k", "power.redundancy=block-redundant")
SMALL = ("dgx-su-32", "it.gpus=32", "power.redundancy=N")  # four servers
SHAPES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("h100-10k",), "loss of MVS-A"),
    (("h100-10k",), "loss of utility"),
    (("h100-10k", "power.generator.connection=LV"), "normal"),
    (BLOCKS, "loss of UPS-P11"),
    (("nvl72-hall",), "loss of LVB-A"),
    (("dgx-su-32", "power.redundancy=2N"), "loss of UPS-A"),
    (("mixed-hall", "power.generator.count=0", "power.redundancy=N+1"), "loss of utility"),
    (("dgx-su-32", "power.redundancy=6N/5"), "normal"),
    (SMALL, "normal"),
)


@cache
def found(example: str, *sets: str) -> Design:
    return design(apply_sets(parse_project(example_text(example)), list(sets)))


@cache
def live(
    project: tuple[str, ...], state: str = "normal", instant: Instant = "settled"
) -> LiveState:
    of = found(*project)
    case = Case(Outage("normal"), "normal")
    if state != "normal":
        case = find_case(of.states.network, state)
    return live_state(of.states, HallLoads(of.states.network), case, (), instant)


def overview(project: tuple[str, ...], state: str = "normal") -> PowerOverview:
    return power_overview(live(project, state), found(*project).states.network)


def scenes(project: tuple[str, ...], state: str) -> list[OverviewScene]:
    of, now = found(*project), live(project, state)
    power = bounded(power_overview(now, of.states.network))
    halls = hall_rows(hall_layouts(of), now, of.states.network)
    loops = loop_drawing(of, cooling_hour(of, of.facility.site.design))
    return [
        power_scene(power),
        power_tiles(power),
        hall_scene(halls),
        hall_tiles(halls),
        loop_scene(loops),
        loop_tiles(loops),
    ]


def texts(scene: OverviewScene) -> list[str]:
    return [one.text for one in scene.shapes if isinstance(one, Words)]


def clashes(scene: OverviewScene) -> list[str]:
    """Return texts that overlap each other or leave the scene."""
    words = [one for one in scene.shapes if isinstance(one, Words) and not one.near]
    boxes = np.array([one.box for one in words])
    deep = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:]) - np.maximum(
        boxes[:, None, :2], boxes[None, :, :2]
    )
    pairs = [
        f"{words[n].text!r} on {words[k].text!r}"
        for n, k in np.argwhere((deep > 0.1).all(axis=-1))
        if n < k
    ]
    outside = [
        one.text
        for one in words
        if one.box[0] < -0.5 or one.box[2] > scene.width + 0.5 or one.box[3] > scene.height
    ]
    return [*pairs, *outside]


@pytest.mark.parametrize(("project", "state"), SHAPES)
def test_each_lineup_is_a_column_with_the_loadings_of_the_state_solver(
    project: tuple[str, ...], state: str
) -> None:
    of, now, shown = found(*project), live(project, state), overview(project, state)
    network = of.states.network
    units = [one.tag for one in network.equipment if one.kind == "ups"]
    assert [column.cells["ups"].tag for column in shown.columns] == units
    counted = 0
    for column in shown.columns:
        for kind, cell in column.cells.items():
            rows = [network.index[tag] for tag in cell.tags]
            counted += len(rows)
            known = [now.loading[row] for row in rows if np.isfinite(now.loading[row])]
            assert cell.loading == (max(known) if known else None), cell.tag
            if kind not in ("ats", "sts"):
                assert all(network[tag].kind in (kind, "busway") for tag in cell.tags)
            if not now.flow.live[rows[0], 0]:
                assert cell.margin == "off" or cell.status == "open"
    drawn = ("transformer", "ats", "lv-board", "ups", "sts", "pdu", "panel", "busway")
    raised = {"generator-plant"}
    whole = [
        one
        for one in network.equipment
        if one.kind in drawn and not (one.links and network[one.links[0].source].kind in raised)
    ]
    assert counted == len(whole)


def test_the_loss_of_switchgear_as_in_the_reference_picture() -> None:
    shown = overview(("h100-10k",), "loss of MVS-A")
    assert [one.name for one in shown.switchgear] == ["MVS-A", "MVS-B", "MVS-C"]
    assert [one.status for one in shown.switchgear] == ["out", "live", "live"]
    assert [len(one.columns) for one in shown.switchgear] == [6, 6, 6]
    b1 = shown.switchgear[1].columns[0]
    assert (b1.name, percent(b1.cells["ups"].loading)) == ("B1", "78.0")
    assert len(b1.cells["panel"].tags) == 7
    assert [row.basis for row in shown.rows] == [
        "% of 2,500 kVA",
        "% of 5,000 A",
        "% of 1,875 kW",
        "worst, % of 400 A",
    ]
    utility, generators = shown.sources
    assert (utility.title, utility.used) == ("Utility, 13.8 kV", True)
    assert (generators.title, generators.remark) == ("Generators, 11 × 2,750 kW", "standby")
    (hall,) = shown.halls
    assert (hall.racks, hall.panels, hall.dropped) == (387, 111, 0)


def test_transfer_switches_name_the_supply_in_use() -> None:
    shown = overview(BLOCKS, "loss of UPO-P11")
    switches = {column.name: column.cells.get("sts") for column in shown.columns}
    assert switches["R1"] is None
    lost, other = switches["P11"], switches["P12"]
    assert lost is not None
    assert other is not None
    assert lost.supply == "UPO-R1"
    assert other.supply == "UPO-P12"
    taken = next(column for column in shown.columns if column.name == "R1")
    network = found(*BLOCKS).states.network
    now = live(BLOCKS, "loss of UPO-P11")
    assert taken.cells["ups"].loading == now.loading[network.index["UPS-R1"]] > 0.5


def test_generators_that_carry_the_load_show_their_loading() -> None:
    project = ("h100-10k",)
    now = live(project, "loss of utility")
    utility, generators = power_overview(now, found(*project).states.network).sources
    loading = now.loading[found(*project).states.network.index["GEN"]]
    assert (utility.remark, utility.status) == ("out of service", "out")
    assert generators.remark == f"{show(loading, 'fraction')} loaded"


def many(count: int, sections: int = 3) -> PowerOverview:
    """Return an overview with many lineups like the first of the example, some loaded more."""
    base = overview(("h100-10k",))
    first = base.switchgear[1].columns[1]
    groups = []
    for section in range(sections):
        columns = []
        for n in range(count):
            ups = replace(
                first.cells["ups"], tag=f"UPS-{section}-{n}", tags=(f"UPS-{section}-{n}",)
            )
            if n % 7 == 3:
                ups = replace(ups, loading=0.9 + 0.0001 * n)
            name = f"{section}-{n}"
            columns.append(LineupColumn(name, (name,), {**first.cells, "ups": ups}))
        tag = f"MVS-{'ABC'[section % 3]}-{section // 3 + 1}"
        groups.append(Switchgear((tag,), "live", (("UTIL", True),), tuple(columns)))
    return replace(base, switchgear=tuple(groups))


@pytest.mark.parametrize(("count", "sections"), [(8, 3), (9, 3), (100, 3), (300, 2), (7, 30)])
def test_columns_are_few_and_lose_neither_lineups_nor_the_worst(count: int, sections: int) -> None:
    whole = many(count, sections)
    shown = bounded(whole)
    assert len(shown.columns) <= MAX_COLUMNS
    assert sorted(name for one in shown.columns for name in one.names) == sorted(
        column.name for column in whole.columns
    )
    worst = max(column.cells["ups"].loading or 0.0 for column in whole.columns)
    assert max(column.cells["ups"].loading or 0.0 for column in shown.columns) == worst
    for column in shown.columns:
        assert column.cells["ups"].tag == f"UPS-{column.name}"
    if len(whole.columns) <= MAX_COLUMNS:
        assert shown == whole
    else:
        assert any(f"×{len(one.names)}" in texts(power_scene(shown)) for one in shown.columns)
    assert not clashes(power_scene(shown))
    assert not clashes(power_tiles(shown))


@pytest.mark.parametrize(("project", "state"), SHAPES)
def test_texts_stay_apart_and_are_legible(project: tuple[str, ...], state: str) -> None:
    for scene in scenes(project, state):
        assert not clashes(scene)
        sizes = [s.size for s in scene.shapes if isinstance(s, Words) and not s.near]
        assert min(sizes) >= 11.0
        assert scene.width == 358.0 or scene.width >= 812.0
        for target in scene.targets:
            assert target.words
            assert target.x >= -0.5
            assert target.x + target.wide <= scene.width + 40.0


def test_a_phone_names_every_lineup_in_order_with_its_loading() -> None:
    shown = overview(("h100-10k",), "loss of MVS-A")
    scene = power_tiles(shown)
    names = [s for s in scene.shapes if isinstance(s, Words) and s.size == 13.0 and s.bold]
    loadings = [s for s in scene.shapes if isinstance(s, Words) and s.size == 16.0]
    order = [one.text for one in sorted(names, key=lambda one: (one.y, one.x))]
    for system in "ABC":
        listed = [column.name for column in shown.columns if column.name.startswith(system)]
        assert [name for name in order if name in listed] == listed
    assert {column.name for column in shown.columns} <= {*order}
    assert sorted(one.text for one in loadings) == sorted(
        "–" if column.cells["ups"].margin == "off" else percent(column.cells["ups"].loading)
        for column in shown.columns
    )
    rows = [one.text for one in sorted(loadings, key=lambda one: (one.y, one.x))]
    assert rows[:6] == ["–"] * 6
    assert rows[6] == "78.0"


def test_colour_is_never_the_only_sign() -> None:
    scene = power_scene(overview(("nvl72-hall",), "loss of LVB-A"))
    tight = [s for s in scene.shapes if isinstance(s, Words) and s.role == "tight"]
    assert [one.text for one in tight] == ["88.5"]
    assert all(one.bold for one in tight)
    assert any(isinstance(s, Rect) and s.fill == "tight-soft" for s in scene.shapes)
    dead = [s for s in scene.shapes if isinstance(s, Stroke) and s.dashed]
    assert dead
    assert all(one.role == "line-3" for one in dead)


@pytest.mark.parametrize(
    ("loading", "status", "margin"),
    [
        (0.85, "live", "ok"),
        (0.8501, "live", "tight"),
        (1.0, "live", "tight"),
        (1.0001, "overloaded", "over"),
        (0.9, "dead", "off"),
        (None, "live", "none"),
    ],
)
def test_margins(loading: float | None, status: str, margin: str) -> None:
    assert margin_of(loading, status) == margin  # type: ignore[arg-type]


def test_racks_have_their_most_loaded_circuit_and_the_rows_their_power() -> None:
    project = ("mixed-hall",)
    of, now = found(*project), live(project)
    (hall,) = hall_rows(hall_layouts(of), now, of.states.network)
    (layout,) = hall_layouts(of)
    squares = {one.names[0]: one for row in hall.rows for one in row.squares}
    circuits = dict(zip(of.states.network.links, now.flow.circuit_loading[:, 0], strict=True))
    for rack in layout.racks:
        own = {circuit.id for _, circuit in rack.circuits}
        highest = max(value for (_, link), value in circuits.items() if link.circuit in own)
        assert squares[rack.name].loading == pytest.approx(highest, rel=1e-12)
    for number, row in enumerate(hall.rows):
        power = sum(rack.kind.input_w for rack in layout.racks if rack.row == number)
        assert row.power_w == pytest.approx(power)


def test_racks_without_power_are_crossed() -> None:
    project = ("dgx-su-32", "power.redundancy=N")
    of, now = found(*project), live(project, "loss of LVB-1")
    halls = hall_rows(hall_layouts(of), now, of.states.network)
    lost = {tag for tag, _ in now.dropped}
    (layout,) = hall_layouts(of)
    dark = [one for row in halls[0].rows for one in row.squares if one.margin == "off"]
    assert len(dark) == halls[0].dropped == sum(bool(lost & set(r.loads)) for r in layout.racks)
    assert f"{len(dark):,} dark" in texts(hall_scene(halls))
    shapes = hall_scene(halls).shapes
    assert sum(isinstance(s, Stroke) and s.role == "over" for s in shapes) == 2 * len(dark)


def test_a_large_hall_stays_bounded() -> None:
    of, now = found("h100-10k"), live(("h100-10k",))
    (layout,) = hall_layouts(of)
    racks = tuple(
        replace(rack, row=100 * n // len(layout.racks), position=n % 60)
        for n, rack in enumerate(layout.racks)
    )
    wide = tuple(replace(rack, row=0, position=n) for n, rack in enumerate(layout.racks))
    for placed in (racks, wide):
        (hall,) = hall_rows([HallLayout(layout.hall, placed)], now, of.states.network)
        assert len(hall.rows) <= MAX_ROWS
        assert max(len(row.squares) for row in hall.rows) <= MAX_ACROSS
        names = [name for row in hall.rows for one in row.squares for name in one.names]
        assert sorted(names) == sorted(rack.name for rack in placed)


def test_what_belongs_together() -> None:
    network = found("h100-10k").states.network
    related = Related(network)
    racks = related.of("UPS-B1")
    assert racks
    for rack in racks[:3]:
        assert "UPS-B1" in related.of(rack)
        assert "UTIL" in related.of(rack)
    assert len(related.of("Hall 1")) == 387
    assert related.of("no such tag") == ()


def test_the_numbers_of_a_state_are_those_of_the_study() -> None:
    project = ("h100-10k",)
    now, network = live(project, "loss of MVS-A"), found(*project).states.network
    numbers = {one.label: one for one in state_numbers(now, network)}
    assert numbers["Racks dropped"].value == "0 of 387"
    assert numbers["Racks dropped"].margin == "ok"
    assert now.state.worst_loading is not None
    tag, loading = now.state.worst_loading
    assert numbers["Highest loading"].value == f"{show(loading, 'fraction')} {tag}"
    assert now.state.battery_s is not None
    assert numbers["Battery bridges"].value == show(now.state.battery_s, "time")
    riding = live(project, "loss of MVS-A", "on battery")
    found_loading = np.nanmax(riding.flow.loading[:, 0])
    value = {one.label: one.value for one in state_numbers(riding, network)}["Highest loading"]
    assert float(value.split()[0]) >= round(100.0 * found_loading, 1)


@pytest.mark.parametrize(
    ("state", "title"),
    [
        ("loss of MVS-A", "Loss of switchgear MVS-A"),
        ("maintenance of UPS-A1", "Maintenance of UPS-A1"),
        ("loss of TX-A1", "Loss of transformer TX-A1"),
        ("loss of utility", "Loss of utility"),
        ("loss of RPDU RPP-A01-1", "Loss of rack PDU RPP-A01-1"),
        ("maintenance of all of GEN", "Maintenance of all units of GEN"),
    ],
)
def test_states_are_named_in_words(state: str, title: str) -> None:
    case = find_case(found("h100-10k").states.network, state)
    assert case_title(replace(case, size=1)) == title
    assert case_title(replace(case, size=3)) == f"{title}, 3 identical"
