"""The plan of a hall and its rack elevations: every rack once, colours that the studies say."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import pytest

from facility.core.views import show
from facility.files.project.file import apply_sets, example_names, example_text, parse_project
from facility.files.svg.hall import HALL_DARK, HALL_LIGHT, elevation_svg, live_plan_svg, plan_svg
from facility.report.drawings.hall import plan as plans
from facility.report.drawings.hall.elevation import circuit_rows, elevation
from facility.report.drawings.hall.plan import HallPlan, hall_plan
from facility.report.drawings.hall.shades import (
    Mode,
    Shading,
    failure_shading,
    panel_margins,
    shading,
)
from facility.study.design.design import Design, design
from facility.study.design.rack_positions import HallLayout, RackPosition, hall_layouts
from facility.study.transient.study import transient

HOSTILE = "<script>alert(1)</script>&\"'"
MODES: tuple[Mode, ...] = ("power", "panels", "inlet", "spare")


@cache
def found(example: str, *sets: str) -> Design:
    return design(apply_sets(parse_project(example_text(example)), list(sets)))


def hall(of: Design) -> HallLayout:
    return hall_layouts(of)[0]


def coloured(of: Design, mode: Mode) -> Shading:
    return shading(mode, of, hall(of).racks)


def drawn(of: Design, mode: Mode = "power") -> HallPlan:
    return hall_plan(hall(of), coloured(of, mode), "a hall")


@pytest.mark.parametrize("example", example_names())
def test_every_rack_stands_once_in_the_rows_that_its_hall_has(example: str) -> None:
    of = found(example)
    plan = of.facility.it
    for places in hall_layouts(of):
        kinds = [rack for rack in plan.racks if rack.hall == places.hall.name]
        assert len(places.racks) == sum(rack.count for rack in kinds)
        assert len({(rack.row, rack.position) for rack in places.racks}) == len(places.racks)
        assert places.rows == min(places.hall.rows, len(places.racks))
        per_row = Counter(rack.row for rack in places.racks).values()
        assert max(per_row) - min(per_row) <= 1
    loads = {load.tag for load in of.states.network.loads if load.kind.critical}
    assert loads == {tag for one in hall_layouts(of) for rack in one.racks for tag in rack.loads}


def test_a_rack_hangs_on_the_circuits_that_the_panels_name_for_it() -> None:
    of = found("mixed-hall")
    for rack in hall(of).racks:
        assert len(rack.circuits) == len(rack.kind.circuits)
        assert {circuit.rack for _, circuit in rack.circuits} == {rack.name}
        assert [row[0] for row in circuit_rows(rack)] == [c.id for _, c in rack.circuits]
        assert [row[-1] or "" for row in circuit_rows(rack)]


@pytest.mark.parametrize("example", ["mixed-hall", "h100-10k"])
def test_cells_and_captions_keep_clear_of_each_other_and_of_the_border(example: str) -> None:
    plan = drawn(found(example))
    boxes = [(c.x_mm, c.y_mm, c.x_mm + c.wide_mm, c.y_mm + c.high_mm) for c in plan.cells]
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for caption in plan.captions:
        right = [box for box in boxes if box[1] < caption.y_mm < box[3] and box[0] > caption.x_mm]
        assert min(box[0] for box in right) - caption.x_mm == pytest.approx(2.0)
    assert min(min(box[0], box[1]) for box in boxes) > 0.0
    assert max(box[2] for box in boxes) <= plan.width_mm
    assert max(box[3] for box in boxes) <= plan.height_mm
    assert any("not to scale" in note for note in plan.notes)


@pytest.mark.parametrize("mode", MODES)
def test_every_rack_has_a_colour_and_a_value_and_the_legend_counts_them(mode: Mode) -> None:
    of = found("mixed-hall")
    shown = coloured(of, mode)
    assert len(shown.shades) == len(shown.values) == len(hall(of).racks)
    assert all(shown.values)
    for paint in (HALL_LIGHT, HALL_DARK):
        assert all(re.fullmatch("#[0-9a-f]{6}", paint.fill(shade)) for shade in shown.shades)
    if shown.legend:
        counted = sum(int(one.words.rpartition(": ")[2].replace(",", "")) for one in shown.legend)
        assert counted == len(shown.shades)


def test_power_is_the_input_of_the_rack_in_round_steps() -> None:
    of = found("mixed-hall")
    shown = coloured(of, "power")
    by_kind = {
        rack.kind.name: (shade.step, value)
        for rack, shade, value in zip(hall(of).racks, shown.shades, shown.values, strict=True)
    }
    assert by_kind["NVL72"] == (2, "132 kW")
    assert by_kind["H100"] == (0, "40.8 kW")
    assert shown.legend[0].words == "0 to 50 kW: 20"


def test_inlet_air_is_that_of_the_room_study_against_the_class() -> None:
    of = found("mixed-hall")
    rows = {row.name: row for row in of.room_air.racks}
    shown = coloured(of, "inlet")
    for rack, value in zip(hall(of).racks, shown.values, strict=True):
        assert value.startswith(f"inlet {rows[rack.kind.name].inlet_c:.1f} ")
    assert {shade.words for shade in shown.shades} == {"up to 27.0 °C, recommended"}


def test_spare_is_left_at_the_fullest_panel_of_the_rack() -> None:
    of = found("mixed-hall")
    margins = panel_margins(of.panels)
    for n, panel in enumerate(of.panels.panels):
        worst = float(of.panels.line_a[n, :, :3].max())
        assert margins[panel.tag] <= 1.0 - worst / of.panels.limit_a + 1e-12
    shown = coloured(of, "spare")
    for rack, value in zip(hall(of).racks, shown.values, strict=True):
        least = min(margins[tag] for tag in rack.panels)
        assert value.startswith(f"{show(least, 'fraction')} remaining at ")


def test_a_failure_of_cooling_shows_which_limits_racks_pass() -> None:
    of = found("mixed-hall")
    study = transient(of, storage=False)
    rounded_scores = False
    for ride in study.cases:
        shown = failure_shading(hall(of).racks, ride)
        liquid = {one.title for one, t, _ in ride.limits if t is not None and one.of_liquid}
        for rack, shade, value in zip(hall(of).racks, shown.shades, shown.values, strict=True):
            named = any(value.startswith(title) for title in liquid)
            assert not named or rack.kind.liquid_w > 0.0
            if rack.kind.liquid_w == 0.0 and shade.words.startswith("over an allowable"):
                assert not ride.holds
        rounded_scores |= len(set(shown.shades)) > 1
    assert rounded_scores


def test_neighbours_that_are_alike_are_drawn_as_one_where_there_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of = found("h100-10k")
    single = drawn(of)
    monkeypatch.setattr(plans, "MAX_CELLS", 100)
    together = drawn(of)
    assert len(together.cells) < len(single.cells) / 3
    names = [name for cell in together.cells for name in cell.racks]
    assert names == [name for cell in single.cells for name in cell.racks]
    assert any(re.match(r"\d+ racks, Compute 001 to", cell.words) for cell in together.cells)


def first(of: Design, kind: str) -> RackPosition:
    return next(rack for rack in hall(of).racks if rack.kind.name == kind)


def test_an_elevation_has_every_device_circuit_and_the_split_of_heat() -> None:
    of = found("mixed-hall")
    rack = first(of, "H100")
    shown = elevation(rack, frozenset(rack.panels[:1]))
    devices = [box for box in shown.boxes if not box.free]
    assert len(devices) == sum(placed.count for placed in rack.kind.placed) == 4
    assert [box.text for box in shown.boxes if box.free] == ["16 U free"]
    _, top, _, high = shown.frame_mm
    assert sum(box.high_mm for box in shown.boxes) == pytest.approx(high)
    assert min(box.y_mm for box in shown.boxes) == pytest.approx(top)
    assert [strip.dead for strip in shown.strips] == [True, False, False]
    assert "To air 40.8 kW" in shown.words
    wet = elevation(first(of, "NVL72"))
    assert "To coolant 115 kW" in wet.words
    assert len(wet.strips) == 8


def test_devices_are_drawn_at_their_positions() -> None:
    rack = first(found("mixed-hall"), "H100")  # 48 U, four servers of 8 U
    placed = replace(rack.kind.placed[0], u_positions=(3.0, 11.0, 19.0, 41.0))
    shown = elevation(replace(rack, kind=replace(rack.kind, placed=(placed,))))
    unit_mm, bottom_mm = shown.frame_mm[3] / 48, shown.frame_mm[1] + shown.frame_mm[3]
    spans = [
        (round((bottom_mm - box.y_mm - box.high_mm) / unit_mm), round(box.high_mm / unit_mm))
        for box in shown.boxes
    ]
    assert spans == [(0, 2), (2, 8), (10, 8), (18, 8), (26, 14), (40, 8)]
    assert [box.text for box in shown.boxes if box.free] == ["2 U free", "14 U free"]
    assert not any("schematic" in line for line in shown.words)


def test_documents_are_sound_and_texts_are_text() -> None:
    of = found("mixed-hall")
    plan = hall_plan(hall(of), coloured(of, "power"), HOSTILE)
    texts = [plan_svg(plan), live_plan_svg(plan, HALL_DARK)]
    texts += [elevation_svg(elevation(first(of, "NVL72")))]
    for text in texts:
        root = ElementTree.fromstring(text)
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "rect", "text", "g"}
        assert "<script" not in text
    ids = re.findall(' id="(k[0-9]+)"', texts[1])
    assert len(ids) == len(plan.cells) == len(set(ids))
