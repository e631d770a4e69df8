"""The one-line diagram: what it says of each state, labels apart, safe and the same each time."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, example_names, example_text, parse_project
from facility.files.svg.shapes import DARK, LIGHT
from facility.files.svg.sheets import drawing_svg
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case, cases
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.one_line.diagram import draw, lay_out
from facility.report.drawings.one_line.parts import Drawing, Label, Symbol
from facility.report.drawings.one_line.state import Moment, find_case, state_drawings
from facility.report.drawings.one_line.status import STATUS_WORDS
from facility.report.drawings.text import TEXT_MM
from facility.study.design.design import design
from tests.report.drawings.one_line_geometry import clashes

HOSTILE = "<script>alert(1)</script>]]>&\"'\x00\ud800 <img src=x onerror=alert(1)>"

MODULAR = ("power.ups.module_rating=600 kW",)
"""Two modules to a system of the NVL72 hall."""
MOMENTS: tuple[Moment, ...] = ("settled", "on battery")


@cache
def solver(example: str, *sets: str) -> StateSolver:
    found = design(apply_sets(parse_project(example_text(example)), list(sets)))
    return found.states


def drawn(
    example: str,
    state: str = "normal",
    moment: Moment = "settled",
    name: str = "",
    sets: tuple[str, ...] = (),
) -> Drawing:
    found = solver(example, *sets)
    diagram = lay_out(found.network)
    return state_drawings(diagram, found, find_case(found.network, state), moment, name)[0]


def symbol(drawing: Drawing, tag: str) -> Symbol:
    return next(one for one in drawing.symbols if tag in one.members)


def one_of_each(found: StateSolver) -> list[Case]:
    """Return one state by kind of outage and of component."""
    first: dict[tuple[str, str], Case] = {}
    for case in cases(found.network):
        first.setdefault((case.kind, case.component_kind), case)
    return list(first.values())


@pytest.mark.parametrize("example", example_names())
def test_labels_do_not_overlap_in_any_kind_of_state(example: str) -> None:
    found = solver(example)
    diagram = lay_out(found.network)
    for case in one_of_each(found):
        for moment in MOMENTS:
            drawing = state_drawings(diagram, found, case, moment)[0]
            assert clashes(drawing) == [], (case.outage.id, moment)


@pytest.mark.parametrize("redundancy", ["N+1", "2N", "4N/3", "block-redundant"])
def test_labels_do_not_overlap_in_any_scheme(redundancy: str) -> None:
    scheme = f"power.redundancy={redundancy}"
    found = solver("nvl72-hall", scheme)
    first_ups = next(one.unit_tags[0] for one in found.network.equipment if one.kind == "ups")
    for state in ("normal", "loss of utility", f"loss of {first_ups}"):
        assert clashes(drawn("nvl72-hall", state, sets=(scheme,))) == []


def test_a_label_is_as_wide_as_its_longest_line_and_clashes_are_seen() -> None:
    label = Label(("ab", "abcd"), 50.0, 5.0, "end", bold=False)
    left, top, right, bottom = label.box
    wide = (3 * 1139 + 1024) / 2048 * TEXT_MM  # a, b, d and c in the font's own units
    assert (left, right) == pytest.approx((50.0 - wide, 50.0))
    assert bottom - top == pytest.approx(TEXT_MM * (0.74 + 1.2 + 0.22))
    for gap, expected in ((0.1, 0), (-0.1, 1)):
        other = Label(("ab",), right + gap, 5.0, "start", bold=False)
        both = tuple(
            Symbol("panel", ("",), x, 40.0, (x, x), one, "live", "live")
            for x, one in ((10.0, label), (30.0, other))
        )
        assert len(clashes(Drawing("", 99.0, 99.0, both, ()))) == expected


@pytest.mark.parametrize("example", example_names())
def test_everything_down_to_the_panels_is_drawn_once(example: str) -> None:
    network = solver(example).network
    members = [tag for one in drawn(example).symbols for tag in one.members]
    expected = [one.tag for one in network.equipment if one.kind != "rack-pdu"]
    assert sorted(members) == sorted(expected)


def test_the_normal_state_has_generators_and_bypasses_ready() -> None:
    drawing = drawn("nvl72-hall")
    assert symbol(drawing, "GEN").status == "standby"
    assert symbol(drawing, "SBP-A").status == "standby"
    assert symbol(drawing, "MBP-A").status == "open"
    for tag in ("UTIL", "TX-A", "LVB-A", "UPS-A", "UPO-A", "RPP-A01"):
        assert symbol(drawing, tag).status == "live", tag


def test_the_loss_of_the_utility_in_both_its_moments() -> None:
    before = drawn("nvl72-hall", "loss of utility", "on battery")
    assert symbol(before, "UTIL").status == "out"
    assert symbol(before, "LVB-A").status == "dead"
    assert symbol(before, "GEN").label.lines[-1] == "not running"
    assert {symbol(before, tag).status for tag in ("UPS-A", "UPO-A", "RPP-A01")} == {"battery"}
    after = drawn("nvl72-hall", "loss of utility")
    assert symbol(after, "TX-A").status == "dead"
    assert {symbol(after, tag).status for tag in ("GEN", "ATS-A", "UPS-A", "RPP-A01")} == {"live"}


def test_maintenance_of_a_ups_closes_its_bypass_and_a_loss_does_not() -> None:
    maintained = drawn("nvl72-hall", "maintenance of all of UPS-A", sets=MODULAR)
    assert symbol(maintained, "UPS-A").status == "out"
    assert symbol(maintained, "MBP-A").status == "bypass"
    assert {symbol(maintained, tag).status for tag in ("UPO-A", "RPP-A01")} == {"bypass"}
    assert symbol(maintained, "RPP-B01").status == "live"


def test_one_of_several_units_and_members_is_named_and_the_rest_stays_in_service() -> None:
    unit = symbol(drawn("nvl72-hall", "loss of UPS-A-1", sets=MODULAR), "UPS-A")
    assert unit.status == "live"
    assert "1 of 2 out" in unit.label.lines
    group = symbol(drawn("h100-10k", "loss of RPP-A01"), "RPP-A01")
    assert (group.status, group.best) == ("out", "live")
    assert f"1 of {len(group.members)} OUT" in group.label.lines


def test_an_overload_is_said_in_words_and_with_its_loading() -> None:
    found = solver("nvl72-hall")
    flow = found.settled(Outage("normal"))
    row = found.network.index["TX-A"]
    flow.loading[row, 0] = 1.234
    overloaded = symbol(draw(lay_out(found.network), flow)[0], "TX-A")
    assert overloaded.status == "overloaded"
    assert overloaded.label.lines[-2:] == ("123.4 %", "OVERLOAD")


def test_a_circuit_out_is_marked_on_its_wire() -> None:
    wires = drawn("nvl72-hall", "loss of UTIL>MVS-A").wires
    assert [wire.used for wire in wires if wire.status == "out"] == [False]
    assert not [wire for wire in drawn("nvl72-hall").wires if wire.status == "out"]


def pictures() -> set[str]:
    states: tuple[tuple[str, Moment], ...] = (
        ("normal", "settled"),
        ("loss of utility", "settled"),
        ("loss of utility", "on battery"),
        ("loss of UPS-A-1", "settled"),
    )
    return {
        drawing_svg(drawn("nvl72-hall", state, moment, sets=MODULAR), paint)
        for state, moment in states
        for paint in (LIGHT, DARK)
    }


def test_the_bytes_depend_on_state_moment_and_colours_alone() -> None:
    first = pictures()
    assert len(first) == 8
    solver.cache_clear()
    assert pictures() == first


def test_hostile_names_are_text() -> None:
    text = drawing_svg(drawn("nvl72-hall", name=HOSTILE))
    root = ElementTree.fromstring(text)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags == {"svg", "title", "rect", "text", "g", "polyline", "path", "tspan", "circle"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or "href" in name]
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert (title.text or "").startswith("<script>alert(1)</script>]]>&\"'")
    assert "<script" not in text
    text.encode("utf-8")


def test_the_legend_names_every_status_and_each_has_a_pen_of_its_own() -> None:
    text = drawing_svg(drawn("nvl72-hall"))
    pens = re.findall(r'<path d="M[\d. ]+h8" stroke="[^"]+" ([^/]+)/>', text)
    assert len(pens) == len(set(pens)) == len(STATUS_WORDS)
    for words in STATUS_WORDS.values():
        assert f">{words}</text>" in text


def test_the_size_on_the_screen_is_that_of_the_document() -> None:
    root = ElementTree.fromstring(drawing_svg(drawn("h100-10k")))
    box = [float(part) for part in root.attrib["viewBox"].split()]
    size = round(float(root.attrib["width"])), round(float(root.attrib["height"]))
    assert size == (round(4.0 * box[2]), round(4.0 * box[3]))


def test_two_outages_at_once_and_a_state_that_is_not_there() -> None:
    id = "loss of UPS-B-1 during maintenance of UPS-A-1"
    drawing = drawn("nvl72-hall", id, sets=MODULAR)
    for tag in ("UPS-A", "UPS-B"):
        assert any("1 of 2 out" in line for line in symbol(drawing, tag).label.lines)
    with pytest.raises(FacilityError, match="loss of UPS-A-") as caught:
        drawn("nvl72-hall", "loss of UPS-A", sets=MODULAR)
    assert (caught.value.code, caught.value.exit_code) == ("UNKNOWN_STATE", 2)
