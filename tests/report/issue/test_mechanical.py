"""Cooling sheets of the issued set: balance of heat and water, tags, and a readable diagram."""

from __future__ import annotations

from functools import cache

import pytest

from facility.cooling.chain.electrical_units import UNIT_TAGS
from facility.core.views import System
from facility.files.project.file import parse_project
from facility.report.drawings.loops.flow_diagram import flow_scene
from facility.report.drawings.scene import Polyline, Scene, Text
from facility.report.issue.content import DrawingBlock, TableBlock
from facility.report.issue.mechanical.balance import LoopBalance, loop_balances
from facility.report.issue.mechanical.contents import cooling_contents, water_table
from facility.report.issue.mechanical.flow import loop_bands, pipe_size
from facility.report.issue.paper import paper_of
from facility.study.design.design import Design, design

LIQUID = """
schema_version: 1
site: {station: ashburn}
criteria: {code: NEC}
it: {gpu_model: GB200 NVL72, gpus: 144}
power: {redundancy: N}
cooling: {method: liquid}
"""
AIR = """
schema_version: 1
site: {station: ashburn}
criteria: {code: IEC}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N}
cooling: {method: air, plant: {heat_rejection: tower}}
"""
CASES: tuple[tuple[str, System], ...] = ((LIQUID, "ip"), (AIR, "si"))


@cache
def made(text: str) -> Design:
    return design(parse_project(text))


def texts(scene: Scene) -> list[Text]:
    return [shape for shape in scene.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("text", [LIQUID, AIR])
def test_heat_into_each_loop_leaves_it_and_is_what_the_flow_carries(text: str) -> None:
    found = list(loop_balances(made(text)))
    assert found
    for one in found:
        assert one.residual_w == pytest.approx(0.0, abs=1e-6 * one.in_w), one.loop.name
        # the flow carries the heat, apart from that of pumps after the return sensor
        pumps_w = sum(heat_w for name, heat_w in one.heat_in if "pumps" in name)
        assert abs(one.loop.heat_w - one.out_w) <= pumps_w + 1e-3 * one.in_w, one.loop.name


def test_rounding_of_a_balance_is_no_residual() -> None:
    """0.1 + 0.2 is 0.30000000000000004 in binary numbers."""
    loop = made(AIR).hydraulics.loops[0]
    assert LoopBalance(loop, (("a", 0.1), ("b", 0.2)), (("c", 0.3),)).residual_w == 0.0
    assert LoopBalance(loop, (("a", 2.0),), (("b", 1.0),)).residual_w == 1.0


def test_loops_together_reject_the_heat_of_the_facility() -> None:
    """Sum over the loops: what enters from racks, rooms and drives is what leaves outdoors."""
    for text in (LIQUID, AIR):
        found = made(text)
        flow, loops = found.cooling_flow, {one.loop.name: one for one in loop_balances(found)}
        outdoors_w = sum(
            heat_w for one in loops.values() for name, heat_w in one.heat_out if name == "outdoors"
        )
        if "cw" not in loops:  # air-cooled chillers reject theirs without water
            outdoors_w += flow.chiller_load_w + flow.power.chillers_w
        assert outdoors_w == pytest.approx(flow.rejected_w + flow.reused_w, rel=1e-9)


@pytest.mark.parametrize(("text", "system"), CASES)
def test_every_unit_has_its_tag_on_the_flow_diagram(text: str, system: System) -> None:
    found = made(text)
    counts = found.cooling.counts
    drawn = {one.text for one in texts(flow_scene(tuple(loop_bands(found, system))))}
    assert f"CRAH-{counts.crah}" in drawn
    assert f"CH-{counts.chillers}" in drawn
    for one in found.electrical_units:
        if one.tag.startswith("P-"):
            assert f"{one.tag}-{one.installed}" in drawn
    if counts.cdu:
        assert f"CDU-{counts.cdu}" in drawn
    water, own = found.cooling.water, found.cooling.chilled.sink
    if counts.rejection:
        assert f"{UNIT_TAGS[own.plan.kind]}-{counts.rejection}" in drawn
    if counts.fws_rejection and water is not None and water.sink is not None:
        assert f"{UNIT_TAGS[water.sink.plan.kind]}-F-{counts.fws_rejection}" in drawn


@pytest.mark.parametrize(("text", "system"), CASES)
def test_nothing_overlaps_on_the_flow_diagram(text: str, system: System) -> None:
    code = made(text).facility.criteria.code
    (content, *_) = cooling_contents(made(text), system)
    _, _, width, height = paper_of(code, large=True).area_mm
    for block in content.blocks:
        if not isinstance(block, DrawingBlock):
            continue
        scene = block.scene
        scale = min(1.0, width / scene.width_mm, height / scene.height_mm)
        boxes = [(one.text, one.box_mm) for one in texts(scene)]
        pipes = [
            (f"pipe {a} {b}", (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])))
            for one in scene.shapes
            if isinstance(one, Polyline) and one.tone in ("warm", "cold") and not one.closed
            for a, b in zip(one.points_mm, one.points_mm[1:], strict=False)
        ]
        for n, (name, box) in enumerate(boxes):
            assert box[0] >= 0.0, name
            assert box[2] <= scene.width_mm, name
            for other, place in (*boxes[:n], *pipes):
                apart = (
                    min(box[2], place[2]) <= max(box[0], place[0]) + 1e-6
                    or min(box[3], place[3]) <= max(box[1], place[1]) - 1e-6
                )
                assert apart, (name, other)
        assert all(one.size_mm * scale >= 7.0 * 25.4 / 72.0 for one in texts(scene))


@pytest.mark.parametrize(("text", "system"), CASES)
def test_schedules_state_the_figures_of_the_design(text: str, system: System) -> None:
    found = made(text)
    listings = [
        block.table
        for content in cooling_contents(found, system)
        for block in content.blocks
        if isinstance(block, TableBlock)
    ]
    titles = [table.title for table in listings]
    assert "Chillers" in titles
    assert "Set points and limits" in titles
    pumps = next(table for table in listings if table.title == "Pumps of the water loops")
    duty = {row[0].split("-1")[0]: row[3:5] for row in pumps.rows}
    for one in found.electrical_units:
        if one.tag in duty:
            assert duty[one.tag] == [str(one.duty), str(one.installed)]


def test_ip_schedules_are_in_tons_feet_of_head_and_horsepower() -> None:
    """12,000 Btu/h are a ton, 2,989 Pa a foot of water, 745.7 W a horsepower."""
    found = made(LIQUID)
    listed = {
        block.table.title: [
            dict(zip(block.table.heads, row, strict=True)) for row in block.table.rows
        ]
        for content in cooling_contents(found, "ip")
        for block in content.blocks
        if isinstance(block, TableBlock)
    }
    chiller = listed["Chillers"][0]
    tons = found.cooling.chilled.capacity_w / 3516.85
    assert chiller["Capacity, each, at design"] == f"{tons:,.1f} tons"
    assert chiller["Power, design hour, all"].endswith(" kW")
    pump = next(row for row in listed["Pumps of the water loops"] if row["Tag"].startswith("P-CHW"))
    loop = next(one for one in found.hydraulics.loops if one.name == "chw")
    assert pump["Head"] == f"{(loop.pump_head_pa or 0.0) / 2989.07:,.1f} ftH2O"
    assert pump["Power"].endswith(" hp")
    si = " ".join(
        text
        for content in cooling_contents(found, "si")
        for block in content.blocks
        if isinstance(block, TableBlock)
        for row in block.table.rows
        for text in row
    )
    assert not any(unit in si for unit in (" tons", " ftH2O", " hp"))


def test_a_chiller_that_is_not_selected_has_no_model() -> None:
    (found,) = (
        block.table
        for content in cooling_contents(made(LIQUID), "ip")
        for block in content.blocks
        if isinstance(block, TableBlock) and block.table.title == "Chillers"
    )
    row = dict(zip(found.heads, next(iter(found.rows)), strict=True))
    assert row["Model"] == "not selected"
    assert made(LIQUID).cooling.chilled.plan.chiller.model in found.below[0]


def test_water_in_is_water_out() -> None:
    found = made(AIR).all_results
    parts = ("evaporation", "drift", "blowdown")
    total = sum(float(found[f"water.{name}"].si) for name in parts)
    assert float(found["water.makeup"].si) == pytest.approx(total, rel=1e-6)
    table = water_table(made(AIR), "si")
    makeup = next(row for row in table.rows if row[0].startswith("Make-up"))
    assert makeup[1] == found["water.makeup"].shown()


def test_pipe_sizes_in_the_trade_unit() -> None:
    """ASME B36.10: DN 65 is NPS 2-1/2, DN 20 is NPS 3/4."""
    assert pipe_size(65, "ip") == "NPS 2-1/2"
    assert pipe_size(20, "ip") == "NPS 3/4"
    assert pipe_size(300, "ip") == "NPS 12"
    assert pipe_size(300, "si") == "DN 300"
