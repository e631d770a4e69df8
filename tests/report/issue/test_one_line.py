"""One-line diagrams of the issued set: complete, as designed, and readable."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest

from facility.core.views import System
from facility.files.project.file import parse_project
from facility.power.network.build.plan import DEVICE_AT_END
from facility.power.network.graph.types import Equipment, Link, Network
from facility.report.drawings.one_line.parts import Standard
from facility.report.drawings.one_line.tree import LEVELS
from facility.report.drawings.scene import Scene, Text
from facility.report.drawings.text import LINE, TEXT_MM
from facility.report.issue.content import DrawingBlock
from facility.report.issue.one_line import (
    IssuedWords,
    neutrals,
    one_line_contents,
    one_line_sheets,
    parallel_switchgear,
    transfer_poles,
)
from facility.report.issue.paper import paper_of
from facility.report.issue.sheets import laid_out
from facility.study.design.design import Design, design
from tests.report.drawings.one_line_geometry import clashes

US = """
schema_version: 1
project: {name: us}
site: {station: ashburn, utility_voltage: 13.8 kV, fault_level: 350 MVA, x_over_r: 12}
criteria: {code: NEC, edition: 2020}
it: {gpu_model: H100 SXM5, gpus: 32, feeds: [A, B]}
power:
  redundancy: 2N
  distribution: {voltage: 480 V, rack_system: 208Y/120, pdu_transformer: 150 kVA}
  transformer: {grounding: high-resistance, grounding_current: 4 A}
  nameplates:
    - {equipment: mv-switchgear, relays: "50/51, 50N/51N", current_transformers: "100:5"}
    - {equipment: ups, output_breaker: 125 A}
    - {equipment: lv-board, meters: power quality}
cooling: {method: air}
"""
IEC = """
schema_version: 1
project: {name: iec}
site: {station: ashburn, utility_voltage: 10 kV, fault_level: 300 MVA, x_over_r: 10}
criteria: {code: IEC}
it: {gpu_model: H100 SXM5, gpus: 32, feeds: [A, B]}
power:
  redundancy: 2N
  distribution: {voltage: 400 V, rack_system: 400Y/230}
cooling: {method: air}
"""
WYE = (
    US.replace("voltage: 480 V, rack_system: 208Y/120, ", "voltage: 415 V, ")
    .replace("pdu_transformer: 150 kVA", "rack_system: 415Y/240")
    .replace("  transformer: {grounding: high-resistance, grounding_current: 4 A}\n", "")
)
CASES: tuple[tuple[str, System, Standard], ...] = ((US, "ip", "IEEE 315"), (IEC, "si", "IEC 60617"))


@cache
def made(text: str) -> Design:
    return design(parse_project(text))


def scenes(text: str, system: System) -> list[Scene]:
    (content,) = one_line_contents(made(text), system)
    return [block.scene for block in content.blocks if isinstance(block, DrawingBlock)]


def texts(text: str, system: System) -> list[Text]:
    found = scenes(text, system)
    return [shape for scene in found for shape in scene.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize(("text", "system", "standard"), CASES)
def test_every_tag_of_the_network_and_every_load_is_drawn(
    text: str, system: System, standard: Standard
) -> None:
    found = made(text).distribution
    drawn = {shape.text for shape in texts(text, system) if shape.key.endswith(":tag")}
    expected = {one.tag for one in found.plan.network.equipment if one.kind in LEVELS}
    loads = {f.circuit.target for f in found.feeders.feeders if f.circuit.stage == "mechanical"}
    assert drawn >= expected | loads
    (content,) = one_line_contents(made(text), system)
    assert f"Symbols, {standard}" in {getattr(block, "text", "") for block in content.blocks}


@pytest.mark.parametrize(("text", "system", "standard"), CASES)
def test_each_device_has_the_trip_rating_of_the_design(
    text: str, system: System, standard: Standard
) -> None:
    found = made(text).distribution
    network = found.plan.network
    drawn = {
        shape.key.removesuffix(":device"): shape.text
        for shape in texts(text, system)
        if shape.key.endswith(":device")
    }
    checked = 0
    for feeder in found.feeders.feeders:
        circuit, choice = feeder.circuit, feeder.choice
        if circuit.stage in ("branch",) or choice is None:
            continue
        amperes = [int(n.replace(",", "")) for n in re.findall(r"([\d,]+) A", drawn[circuit.tag])]
        assert amperes == [round(choice.ocpd_a)], (circuit.tag, drawn[circuit.tag])
        checked += 1
    assert checked >= len([one for one in network.equipment if one.kind in LEVELS]) // 2


@pytest.mark.parametrize(("text", "system", "standard"), CASES)
def test_nothing_overlaps_and_letters_have_7_pt(
    text: str, system: System, standard: Standard
) -> None:
    for drawing in one_line_sheets(made(text), system):
        assert clashes(drawing) == []
    code = made(text).facility.criteria.code
    _, _, width, height = paper_of(code, large=True).area_mm
    for scene in scenes(text, system):
        scale = min(1.0, width / scene.width_mm, height / scene.height_mm)
        for shape in scene.shapes:
            if isinstance(shape, Text):
                assert shape.size_mm * scale >= 7.0 * 25.4 / 72.0
                left, top, right, bottom = shape.box_mm
                assert 0.0 <= left <= right <= scene.width_mm, shape
                assert 0.0 <= top <= bottom <= scene.height_mm, shape


@pytest.mark.parametrize(("text", "system", "standard"), CASES)
def test_each_reference_names_the_sheet_on_which_the_equipment_is(
    text: str, system: System, standard: Standard
) -> None:
    (content,) = one_line_contents(made(text), system)
    pages = list(laid_out(content, made(text).facility.criteria.code))
    drawn = [[one for one in page.body if isinstance(one, Text)] for page in pages]
    references = 0
    for page in drawn:
        for one, other in pairwise(page):
            if one.text.startswith("from "):
                tag, number = one.text.removeprefix("from "), other.text.removeprefix("sheet E-1")
                keys = {shape.key for shape in drawn[int(number) - 1]}
                assert f"{tag}:tag" in keys, (tag, other.text)
                references += 1
    assert references


@pytest.mark.parametrize(("text", "system", "standard"), CASES)
def test_a_device_is_drawn_at_its_end_of_the_cable(
    text: str, system: System, standard: Standard
) -> None:
    """A breaker at a transformer switch is below the lines of its cable, others are above."""
    ends = {
        feeder.circuit.tag
        for feeder in made(text).distribution.feeders.feeders
        if feeder.circuit.stage in DEVICE_AT_END
    }
    checked = set()
    for drawing in one_line_sheets(made(text), system):
        for symbol in drawing.devices:
            label = symbol.label
            if label is None or not any(key.endswith(":length") for key in label.keys):
                continue
            at = [key.rpartition(":")[2] for key in label.keys]
            step = LINE * TEXT_MM
            y = [label.y_mm + n * step for n in range(len(at))]
            assert abs(symbol.y_mm - y[at.index("device")]) < step
            after = at.index("device") > at.index("length")
            assert after == bool(set(symbol.circuits) & ends), symbol.circuits
            checked.add(after)
    assert checked == {True, False}


def test_poles_of_transfer_switches_follow_the_grounding() -> None:
    """A 480 V system of three wires has no neutral to switch; 400/230 V with two earthed has."""
    assert set(transfer_poles(made(US)).values()) == {"3-pole, no neutral"}
    assert set(transfer_poles(made(IEC)).values()) == {"4-pole, neutral switched"}
    drawn = [shape.text for shape in texts(IEC, "si")]
    assert any("4-pole" in text for text in drawn)
    wye = made(WYE)
    assert set(transfer_poles(wye).values()) == {"4-pole, neutral switched"}
    assert any("250.30" in note for note in one_line_sheets(wye, "ip")[0].notes)


def test_winding_and_neutral_are_in_the_words_of_the_code() -> None:
    us = " ".join(shape.text for shape in texts(US, "ip"))
    assert "delta-wye" in us
    assert "neutral HRG 4 A" in us
    assert "Dyn" not in us
    assert "208Y/120 V, 4W" in us
    assert "480 V, 3W" in us
    assert all(text in us for text in ("50/51, 50N/51N", "CT 100:5", "UOB 125 A"))
    assert "meter: power quality" in us
    iec = " ".join(shape.text for shape in texts(IEC, "si"))
    assert "Dyn11" in iec
    assert "400/230 V, 3P+N" in iec
    assert "neutral solidly earthed" in iec
    assert set(neutrals(made(US)).values()) == {"resistor"}
    assert set(neutrals(made(IEC)).values()) == {"solid"}
    (content,) = one_line_contents(made(IEC), "si")
    notes = [getattr(block, "text", "") for block in content.blocks]
    missing = next(note for note in notes if "Not stated" in note)
    assert "current transformer ratios" in missing
    assert "trip of the UPS output breakers" in missing
    assert not any("not stated" in shape.text for shape in texts(IEC, "si"))
    assert "mm²" in iec
    assert "AWG" not in iec


def test_earthing_interlocks_and_bus_ratings_are_in_the_notes() -> None:
    us, iec = (" ".join(one_line_sheets(made(text), "si")[0].notes) for text in (US, IEC))
    assert "TN-S" in iec
    assert "4-pole" in iec
    assert "TN-S" not in us
    assert all("all their source devices" in notes for notes in (us, iec))


def test_switchgear_of_utility_and_generators_has_interlocked_mains() -> None:
    network = Network(
        (
            Equipment("UTIL", "utility", 13.8e3),
            Equipment("GEN", "generator-plant", 480.0),
            Equipment("GSU", "transformer", 13.8e3, (Link("GEN"),)),
            Equipment("MVS-1", "mv-switchgear", 13.8e3, (Link("UTIL"), Link("GSU"))),
            Equipment("MVS-2", "mv-switchgear", 13.8e3, (Link("UTIL"),)),
        ),
        (),
    )
    assert parallel_switchgear(network) == ["MVS-1"]


def test_a_panel_with_a_neutral_in_its_feeder_has_four_wires() -> None:
    found = IssuedWords(made(US), "ip")
    panels = [one.tag for one in found.network.equipment if one.kind == "panel"]
    assert {dict(found.voltages())[tag] for tag in panels} == {"208Y/120 V, 4W"}
