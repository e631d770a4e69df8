"""Sheets of the one-line diagram: nothing overlaps, everything stands once, all is referred to."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from facility.core.views import System
from facility.files.project.file import apply_sets, example_names, example_text, parse_project
from facility.files.svg.sheets import PAGE_MM, sheet_documents
from facility.power.network.flow.compile import compile_network
from facility.power.network.graph.types import Network
from facility.power.network.outages.cases import cases
from facility.power.network.outages.states import StateSolver
from facility.report.drawings.one_line.diagram import Diagram, lay_out
from facility.report.drawings.one_line.facts import facts_of
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.one_line.sheets import MAX_LEAVES, SHEET_MM
from facility.report.drawings.one_line.state import Moment, find_case, state_drawings
from facility.report.drawings.one_line.tree import Detail
from facility.report.drawings.text import TEXT_MM
from facility.study.design.design import Design, design
from tests.power.network.schemes import SchemeOptions, scheme_network
from tests.report.drawings.one_line_geometry import clashes, renamed

SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "block-redundant")
CAPITALS = 1409.0 / 2048.0
"""Height of capitals of Liberation Sans over the size of its letters (OS/2 table, sCapHeight)."""
DETAILS: tuple[Detail, ...] = ("grouped", "full")
SYSTEMS: tuple[System, ...] = ("si", "ip")
HOSTILE = "Switchgear <&> of a very long name, MMMMMMMMMMMMMMMMMMMMMMMMMMMM-WWWWWWWWWWWWW "


@cache
def made(example: str, *sets: str) -> Design:
    return design(apply_sets(parse_project(example_text(example)), list(sets)))


def states_of(network: Network) -> list[str]:
    """Return one state by kind of outage and of component."""
    first: dict[tuple[str, str], str] = {}
    for case in cases(network):
        first.setdefault((case.kind, case.component_kind), case.outage.id)
    return list(first.values())


def drawn(
    diagram: Diagram, state: str = "normal", moment: Moment = "settled", name: str = ""
) -> tuple[Drawing, ...]:
    solver = StateSolver(compile_network(diagram.scene.network))
    return state_drawings(diagram, solver, find_case(solver.network, state), moment, name)


def of_example(example: str, detail: Detail, system: System = "si") -> Diagram:
    return of_design(made(example), detail, system)


def of_design(found: Design, detail: Detail, system: System = "si") -> Diagram:
    network = found.distribution.plan.network
    return lay_out(network, facts_of(found), detail=detail, sheets=True, system=system)


def assert_clean(diagram: Diagram, states: list[str]) -> None:
    solver = StateSolver(compile_network(diagram.scene.network))
    for state in states:
        case = find_case(solver.network, state)
        for moment in ("settled", "on battery"):
            for number, drawing in enumerate(state_drawings(diagram, solver, case, moment), 1):
                assert (drawing.width_mm, drawing.height_mm) == SHEET_MM
                assert clashes(drawing) == [], (state, moment, number)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("example", example_names())
def test_nothing_overlaps_on_the_sheets_of_a_project(
    example: str, detail: Detail, system: System
) -> None:
    diagram = of_example(example, detail, system)
    states = states_of(diagram.scene.network)
    assert_clean(diagram, states if (system, detail) == ("si", "grouped") else states[:3])


@pytest.mark.parametrize(
    ("scheme", "racks", "ties"),
    [
        *((scheme, 24, ties) for scheme in SCHEMES for ties in (False, True)),
        ("N+1", 500, False),
        ("2N", 500, True),
        ("4N/3", 500, True),
        ("block-redundant", 500, True),
    ],
)
def test_nothing_overlaps_in_any_scheme(scheme: str, racks: int, ties: bool) -> None:
    network = scheme_network(scheme, 40e3 * racks, SchemeOptions(racks=racks, ties=ties))
    for detail in DETAILS:
        diagram = lay_out(network, detail=detail, sheets=True)
        ups = next(one.unit_tags[0] for one in network.equipment if one.kind == "ups")
        assert_clean(diagram, ["normal", "loss of utility", f"loss of {ups}"])


@pytest.mark.parametrize("scheme", ["2N", "block-redundant"])
def test_nothing_overlaps_with_hostile_tags(scheme: str) -> None:
    options = SchemeOptions(racks=300, ties=True)
    network = renamed(scheme_network(scheme, 12e6, options), HOSTILE)
    for detail in DETAILS:
        assert_clean(lay_out(network, detail=detail, sheets=True), ["normal"])


def test_many_lineups_are_split_over_sheets() -> None:
    options = SchemeOptions(racks=240, blocks=11)
    network = scheme_network("block-redundant", 12e6, options)
    diagram = lay_out(network, detail="full", sheets=True)
    assert_clean(diagram, ["normal"])
    assert len(drawn(diagram)) > 4


def test_letters_are_at_least_two_millimetres_high() -> None:
    assert CAPITALS * TEXT_MM >= 2.0
    found = made("h100-10k")
    documents = sheet_documents(found, drawn(of_example("h100-10k", "full")), "normal")
    for text in documents:
        root = ElementTree.fromstring(text)
        assert (root.attrib["width"], root.attrib["height"]) == ("420mm", "297mm")
        assert [float(part) for part in root.attrib["viewBox"].split()] == [0.0, 0.0, *PAGE_MM]
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', text)]
        assert CAPITALS * min(sizes) >= 2.0
        assert "scale(" not in text


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("example", example_names())
def test_everything_stands_on_one_sheet_and_references_are_right(
    example: str, detail: Detail
) -> None:
    sheets = drawn(of_example(example, detail))
    network = made(example).distribution.plan.network
    members = [
        tag for sheet in sheets for one in sheet.symbols if not one.reference for tag in one.members
    ]
    assert sorted(members) == sorted(e.tag for e in network.equipment if e.kind != "rack-pdu")
    home = {
        tag: number
        for number, sheet in enumerate(sheets, 1)
        for one in sheet.symbols
        if not one.reference
        for tag in one.members
    }
    for sheet in sheets:
        for one in (one for one in sheet.symbols if one.reference):
            tag = one.members[0]
            assert one.label.lines == (f"from {tag}", f"sheet {home[tag]}")


def test_the_first_sheet_of_many_panels_is_the_plant_and_others_refer_to_it() -> None:
    network = scheme_network("2N", 20e6, SchemeOptions(racks=1600, panels_per_pdu=2))
    pdus = sum(one.kind == "pdu" for one in network.equipment)
    assert pdus > MAX_LEAVES
    sheets = drawn(lay_out(network, detail="full", sheets=True))
    kinds = [{one.kind for one in sheet.symbols if not one.reference} for sheet in sheets]
    assert {"utility", "ups", "ups-output"} <= kinds[0]
    assert all(found <= {"pdu", "panel"} for found in kinds[1:])
    arrows = {arrow.label.lines[0] for arrow in sheets[0].arrows}
    onward = {number for text in arrows for number in numbers(text)}
    assert onward == set(range(2, len(sheets) + 1))


def numbers(text: str) -> set[int]:
    """Return the sheets that "to sheets 2, 4-6" names."""
    found: set[int] = set()
    for part in text.removeprefix("to sheet").removeprefix("s").split(","):
        first, _, last = part.strip().partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def test_forty_panels_are_one_sheet_where_they_fit_and_more_are_split() -> None:
    few = scheme_network("N", 1e6, SchemeOptions(racks=8, feeds=("A",)))
    assert len(drawn(lay_out(few, detail="full", sheets=True))) == 1
    many = scheme_network(
        "N", 1e6, SchemeOptions(racks=48, feeds=("A",), racks_per_panel=1, panels_per_pdu=1)
    )
    assert len(drawn(lay_out(many, detail="full", sheets=True))) > 1
    assert len(drawn(lay_out(many, detail="grouped", sheets=True))) == 1


def test_sheets_are_the_same_in_every_state() -> None:
    diagram = of_example("h100-10k", "full")
    places = [
        [[(one.members, one.x_mm, one.y_mm) for one in sheet.symbols] for sheet in sheets]
        for sheets in (drawn(diagram), drawn(diagram, "loss of utility", "on battery"))
    ]
    assert places[0] == places[1]


def test_fault_currents_are_those_of_the_design_and_missing_ones_are_explained() -> None:
    found = made("nvl72-hall")
    sheet = drawn(of_example("nvl72-hall", "grouped"))[0]
    labels = {one.members[0]: one.label.lines for one in sheet.symbols}
    board_a = found.all_results["fault.board"].si
    shown = [line for line in labels["LVB-A"] if line.startswith("Isc")]
    assert shown == [f"Isc {board_a / 1e3:,.2f} kA"]
    assert found.facility.site.fault_level_va is None
    assert not [line for line in labels["UTIL"] if line.startswith("Isc")]
    assert any("utility fault level is not specified" in note for note in sheet.notes)


def test_devices_and_name_plates_are_those_of_the_design() -> None:
    found = made("nvl72-hall", "power.ups.module_rating=600 kW")  # Two modules to a system
    sheet = drawn(of_design(found, "full"))[0]
    chosen = {
        f.circuit.tag: f.choice.ocpd_a for f in found.distribution.feeders.feeders if f.choice
    }
    ups = next(one for one in sheet.symbols if one.members == ("UPS-A",))
    above = next(
        d
        for d in sheet.devices
        if d.x_mm == ups.x_mm and d.y_mm < ups.y_mm and ups.y_mm - d.y_mm < 20.0
    )
    assert above.label is not None
    runs = len(found.distribution.plan.network["UPS-A"].unit_tags)
    parallel = f"{runs} x " if runs > 1 else ""
    assert above.label.lines == (f"{parallel}{chosen['LVB-A>UPS-A']:,.0f} A LSI",)
    plate = next(one for one in sheet.symbols if one.members == ("TX-A",)).label.lines
    chain = found.chain
    assert chain.chain.transformer.vector_group == "Dyn11"  # "delta-wye" on a US drawing
    expected = f"delta-wye, Z {chain.transformers.unit.impedance:.2%}"
    assert expected.replace("%", " %") in plate


def test_cooling_and_house_load_stand_on_the_bus_that_feeds_them() -> None:
    found = made("nvl72-hall")
    sheet = drawn(of_example("nvl72-hall", "full"))[0]
    labels = {one.members[0]: one.label.lines for one in sheet.symbols}
    feeders = [f for f in found.distribution.feeders.feeders if f.circuit.stage == "mechanical"]
    assert {f.circuit.target for f in feeders} >= {"MECH", "HOUSE", "MECH-UPS"}
    for feeder in feeders:
        assert feeder.choice is not None
        runs = f"{feeder.circuit.runs} x " if feeder.circuit.runs > 1 else ""
        line = f"{feeder.circuit.target}, {runs}{feeder.choice.ocpd_a:,.0f} A"
        assert line in labels[feeder.circuit.source]
    board = " ".join(labels["LVB-A"])
    assert f"{found.cooling.counts.chillers} CH" in board
    assert f"{found.cooling.counts.cdu} CDU" in " ".join(labels["UPO-A"])


def test_the_title_block_says_whose_sheet_it_is() -> None:
    found = made("h100-10k")
    sheets = drawn(of_example("h100-10k", "full"))
    texts = sheet_documents(found, sheets, "normal")
    assert len(texts) == len(sheets) > 1
    identity = found.facility.identity
    for number, text in enumerate(texts, 1):
        for words in (
            identity.title,
            identity.number,
            identity.revisions[-1][0],
            identity.revisions[-1][1],
            identity.status,
            found.sha256[:12],
            f"{number} of {len(texts)}",
        ):
            assert words in text, words
    assert texts == sheet_documents(found, drawn(of_example("h100-10k", "full")), "normal")
