"""The one-line diagram alive: its shapes are real equipment, and what is opened is what fails."""

from __future__ import annotations

import re
from functools import cache
from typing import get_args
from xml.etree import ElementTree

import numpy as np
import pytest

from facility.core.views import show
from facility.files.project.file import apply_sets, example_names, example_text, parse_project
from facility.files.svg.shapes import DARK, LIGHT
from facility.files.svg.sheets import drawing_svg, live_svg, sheet_documents
from facility.power.network.graph.types import Outage
from facility.power.network.outages.by_kind import highest_by_kind
from facility.power.network.outages.cases import Case, cases
from facility.power.network.outages.opened import MAX_OPENED, known_parts, openable, opened_case
from facility.report.drawings.live.card import card_rows, card_title, why_key
from facility.report.drawings.live.marks import Mark, marks_of
from facility.report.drawings.live.moments import Instant, LiveState, instant_words, live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.drawings.one_line.diagram import draw, lay_out
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.state import find_case
from facility.report.drawings.one_line.tree import LEVELS, Detail
from facility.report.drawings.overview.numbers import state_numbers
from facility.report.why.pages import loading_id, of_moment
from facility.study.design.design import Design, design
from facility.study.failures.study import failures
from tests.report.drawings.one_line_geometry import clashes

NORMAL = Case(Outage("normal"), "normal")
FRAGILE = "power.redundancy=N+2"  # Of two lineups
MODULAR = "power.ups.module_rating=600 kW"  # Several modules to a system


@cache
def found(example: str, *sets: str) -> Design:
    return design(apply_sets(parse_project(example_text(example)), list(sets)))


@cache
def loads(of: Design) -> HallLoads:
    return HallLoads(of.states.network)


def live(of: Design, *opened: str, base: Case = NORMAL) -> LiveState:
    return live_state(of.states, loads(of), base, opened)


def drawn(of: Design, moment: LiveState, detail: Detail = "grouped") -> Drawing:
    diagram = lay_out(of.states.network, detail=detail)
    return loads(of).drawn(draw(diagram, moment.flow, outage=moment.drawn)[0], moment.flow)


@pytest.mark.parametrize("example", example_names())
@pytest.mark.parametrize("detail", ["grouped", "full"])
def test_every_part_of_the_network_that_is_drawn_has_a_shape_and_every_shape_a_part(
    example: str, detail: Detail
) -> None:
    network = found(example).states.network
    marks = list(marks_of(drawn(found(example), live(found(example)), detail)).values())
    tags = {kind: sorted(t for m in marks if m.kind == kind for t in m.tags)
            for kind in ("equipment", "breaker", "racks")}  # fmt: skip
    expected = [one for one in network.equipment if one.kind in LEVELS]
    assert tags["equipment"] == sorted(one.tag for one in expected)
    circuits = {link.circuit for one in expected for link in one.links if link.circuit}
    assert set(tags["breaker"]) == circuits
    assert tags["racks"] == sorted(one.tag for one in expected if one.kind == "panel")
    assert all(mark.words for mark in marks)


def test_the_ids_in_the_document_are_those_of_the_marks_and_only_where_they_are_wanted() -> None:
    picture = drawn(found("mixed-hall"), live(found("mixed-hall")))
    ids = re.findall(r' id="([^"]+)"', live_svg(picture))
    assert sorted(ids) == sorted(marks_of(picture))
    assert ' id="' not in drawing_svg(picture)
    box = ElementTree.fromstring(live_svg(picture)).get("viewBox")
    assert box == f"0 0 {picture.width_mm:.2f} {picture.height_mm:.2f}"


def test_the_saved_picture_has_racks_and_rings_as_the_screen() -> None:
    of = found("mixed-hall", FRAGILE)
    unit = next(one.tag for one in of.states.network.equipment if one.kind == "ups")
    circuit = next(link.circuit for _, link in of.states.network.links if link.circuit)
    moment = live(of, unit, circuit)
    assert set(moment.opened) == {unit, circuit}
    picture = drawn(of, moment)
    plain, saved = drawing_svg(picture), drawing_svg(picture, opened=moment.opened)
    assert all(f"<title>{strip.racks:,} racks, " in saved for strip in picture.racks)
    assert "Cabinet at a panel: its racks" in plain
    ring = 'rx="0.8" '
    assert plain.count(ring) == 0
    of_tags = (mark for mark in marks_of(picture).values() if mark.kind != "racks")
    assert saved.count(ring) == sum(bool({unit, circuit} & set(mark.tags)) for mark in of_tags)
    assert "Ringed: opened manually: " in saved
    sheets = sheet_documents(of, [picture], "opened", opened=moment.opened)
    assert sheets[0].count(ring) == saved.count(ring)


def test_opening_any_circuit_or_unit_is_the_state_that_the_failures_have_for_it() -> None:
    of = found("mixed-hall", FRAGILE)
    study = {s.case.outage.id: s for s in failures(of).states if s.case.kind == "loss"}
    seen = 0
    for case in cases(of.states.network, grouped=False):
        if case.kind != "loss":
            continue
        kept, refused = openable(of.states.network, NORMAL, (case.component,))
        if not kept:
            assert [error.code for error in refused] == ["CANNOT_OPEN"]
            continue
        mine = opened_case(of.states.network, NORMAL, kept)
        assert (mine.outage, mine.kind) == (case.outage, "loss")
        if case.outage.id in study and case.component_kind not in ("rack-pdu",):
            shown, known = live(of, case.component), study[case.outage.id]
            assert shown.dropped == known.racks
            assert shown.state.overloads == known.overloads
            assert sum(power_w for _, power_w in shown.dropped) == pytest.approx(known.dropped_w)
            seen += bool(known.racks)
    assert seen > 3


def test_what_the_diagram_counts_below_its_panels_is_what_the_state_drops() -> None:
    of = found("mixed-hall", FRAGILE)
    (part,) = (s for s in failures(of).states if s.case.outage.id == "loss of TX-11>LVB-11")
    picture = drawn(of, live(of, "TX-11>LVB-11"))
    strips = picture.racks
    assert max(strip.dropped for strip in strips) == len(part.racks) == 6
    assert clashes(picture) == []
    hit = {tag for tag, _ in part.racks}
    network = of.states.network
    for strip in strips:
        on = {network.loads[n].tag for tag in strip.panels for n in loads(of).on_panel[tag]}
        assert (strip.racks, strip.dropped) == (len(on), len(on & hit))
    assert f'fill="{LIGHT.lost}"' in live_svg(picture)


def test_several_open_breakers_are_one_outage_and_add_to_the_state_chosen() -> None:
    of = found("nvl72-hall", MODULAR)
    both = live(of, "UPO-A>RPP-A01", "UPO-B>RPP-B01")
    assert not live(of, "UPO-A>RPP-A01").dropped
    assert both.dropped == both.state.racks
    assert len(both.dropped) == 1
    assert both.case.outage.id == "UPO-A>RPP-A01, UPO-B>RPP-B01 out"
    utility = find_case(of.states.network, "loss of utility")
    more = live(of, "UPO-A>RPP-A01", "UPO-B>RPP-B01", base=utility)
    assert more.dropped == both.dropped
    assert set(utility.outage.lost) < set(more.case.outage.lost)
    assert more.case.kind == "utility"
    maintained = find_case(of.states.network, "maintenance of all of UPS-A")
    assert live(of, "UPO-A>RPP-A01", base=maintained).case.kind == "loss-during-maintenance"


def test_what_cannot_be_opened_is_refused_in_words_and_the_rest_is_shown() -> None:
    of = found("nvl72-hall", MODULAR)
    shown = live(of, "UPO-A>RPP-A01", "LVB-A>MBP-A", "MBP-A", "nothing")
    assert shown.opened == ("UPO-A>RPP-A01",)
    assert [error.code for error in shown.refused] == ["CANNOT_OPEN"] * 2 + ["NETWORK_TAG"]
    assert "closed by hand" in str(shown.refused[0])
    maintained = find_case(of.states.network, "maintenance of all of UPS-A")
    assert live(of, "LVB-A>MBP-A", base=maintained).opened == ("LVB-A>MBP-A",)
    again = live(of, "UPS-A", base=maintained)
    assert [error.code for error in again.refused] == ["CANNOT_OPEN"]
    assert again.case is maintained
    many = live(of, *known_parts(of.states.network))
    assert len(many.opened) == MAX_OPENED
    assert "the maximum is" in str(many.refused[-1])


def test_all_of_a_facility_can_be_dark() -> None:
    of = found("nvl72-hall")
    dark = live(of, *(t.tag for t in of.states.network.equipment if t.kind == "panel"))
    critical = [load for load in of.states.network.loads if load.kind.critical]
    assert len(dark.dropped) == len(critical)
    assert all(strip.dropped == strip.racks for strip in drawn(of, dark).racks)


def test_the_moments_follow_one_another() -> None:
    of = found("nvl72-hall")
    utility = find_case(of.states.network, "loss of utility")
    before, riding, final = (
        live_state(of.states, loads(of), utility, (), instant) for instant in get_args(Instant)
    )
    assert before.drawn.id == "normal"
    assert instant_words(before) == "Everything is in service."
    assert "UPS on battery, minimum autonomy" in instant_words(riding)
    assert "GEN starts" in instant_words(final)
    assert riding.flow.on_battery.any()
    assert not final.flow.on_battery.any()
    assert not final.dropped
    panels = [one.tag for one in of.states.network.equipment if one.kind == "panel"]
    dark = live(of, *panels)
    total_w = sum(power_w for _, power_w in dark.dropped)
    assert total_w > 1e6
    numbers = {one.label: one.value for one in state_numbers(dark, of.states.network)}
    assert numbers["IT load dropped"] == show(total_w, "active_power")
    assert numbers["Racks dropped"] == "8 of 8"
    circuit = live_state(of.states, loads(of), NORMAL, ("UPO-A>RPP-A01",), "on battery")
    assert instant_words(circuit).startswith("No UPS is on battery")


def test_a_card_has_rating_loading_and_source_of_the_state_shown() -> None:
    of = found("mixed-hall", MODULAR)
    network = of.states.network
    shown = live(of, "UPS-A-1")
    titles = {}
    for one in network.equipment:
        rows = {row.quantity: row[1:3] for row in card_rows(of, one, shown.flow)}
        assert "Voltage" in rows, one.tag
        titles[one.kind] = card_title(one)
        loading = shown.flow.loading[network.index[one.tag], 0]
        if np.isfinite(loading):
            assert rows["Loading in this state"][1] == "power flow in this state"
    assert titles["ups"] == "UPS-C"
    ups = {row.quantity: row[1:3] for row in card_rows(of, network["UPS-A"], shown.flow)}
    assert ups["Out of service"][0] == "1 of 2"
    assert ups["Supplied from"][0] == "LVB-A"
    assert why_key(of, network["UPS-A"]) == "ups.module_rating"
    assert why_key(of, network["RPP-A01"]) == "panel.RPP-A01.current_max"
    assert why_key(of, network["LVB-A"]) == ""
    dead = live(of, "UPS-A", "UPO-A>RPP-A01")
    rows = {row.quantity: row.value for row in card_rows(of, network["RPP-A01"], dead.flow)}
    assert rows["In this state"] == "without power or not running"


def test_an_overload_is_counted_and_the_worst_is_named() -> None:
    of = found("h100-10k")
    shown = live(of, "UTIL", *(f"GEN-{n}" for n in range(1, 6)))
    (tag, loading), *_ = shown.state.overloads
    numbers = {one.label: one for one in state_numbers(shown, of.states.network)}
    assert numbers["Overloads"].value == str(len(shown.state.overloads))
    assert numbers["Highest loading"].value == f"{show(loading, 'fraction')} {tag}"
    assert numbers["Highest loading"].margin == "over"


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255.0 for n in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("paint", [LIGHT, DARK])
def test_every_colour_of_the_diagram_stands_out_from_its_paper(paint: object) -> None:
    assert paint in (LIGHT, DARK)
    chosen = LIGHT if paint is LIGHT else DARK
    paper = luminance(chosen.paper)
    for colour in (chosen.text, chosen.lost, *chosen.lines.values()):
        high, low = max(paper, luminance(colour)), min(paper, luminance(colour))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


def test_a_mark_says_how_many_it_stands_for() -> None:
    of = found("h100-10k")
    marks = marks_of(drawn(of, live(of)))
    group = next(m for m in marks.values() if m.kind == "breaker" and len(m.tags) > 1)
    assert isinstance(group, Mark)
    assert group.words == f"breaker {group.tags[0]} and {len(group.tags) - 1} equal, in service"


@pytest.mark.parametrize("example", example_names())
def test_the_fullest_of_a_kind_is_told_by_what_it_carries_over_a_rating(example: str) -> None:
    """By hand: what stands as carried over what stands as rated gives the loading."""
    of = found(example)
    network = of.states.network
    moment = live(of, "UPS-A" if "UPS-A" in network.index else "UPS-A1")
    told = of_moment(moment, network).trace
    highest = highest_by_kind(network, moment.loading)
    for kind, loading in highest.items():
        step = told[loading_id(kind)]
        assert step.value == loading
        given = {name: value for name, value, *_ in step.inputs}
        parts = [
            given[carried] / given[rated]
            for carried, rated in (
                ("apparent_power", "rated_apparent_power"),
                ("active_power", "rated_active_power"),
                ("largest_current", "rated_current"),
            )
            if rated in given
        ]
        one = next(e for e in network.equipment if e.tag in step.because)
        units = range(1, len(one.unit_tags) + 1)
        assert any(loading == pytest.approx(p / n, rel=0.12) for p in parts for n in units), kind
