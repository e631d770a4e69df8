"""The drawer says how a number came about, and leads on from it and back."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.trace import Trace
from facility.core.views import show_exact
from facility.files.project.file import example_text, parse_project
from facility.report.why.derivation import why
from facility.report.why.examples import examples
from facility.report.why.known import Known, known
from facility.report.why.names import title_of
from facility.study.design.design import Design, design
from facility.study.failures.study import failures
from facility.ui.why.labels import plain
from tests.ui.canvas.test_user_text import texts_in_markup
from tests.ui.helpers import (
    ASSUMPTIONS,
    COMPARE,
    COOLING,
    FAILURES,
    HALL,
    LOAD,
    OUTAGES,
    PAGES,
    PANELS,
    RIDE,
    SUMMARY,
    YEAR,
    Frame,
    ask_canvas,
    assert_sound,
    choose,
    design_with,
    frames,
    go,
    grid,
    metrics,
    numbers,
    opened,
    pick,
    press,
    report_event,
    show_object,
    upload,
)
from tests.ui.hostile import PROJECT


@pytest.fixture(scope="module")
def small() -> Design:
    return design(parse_project(example_text("dgx-su-32")))


@pytest.fixture(scope="module")
def whole() -> Known:
    found = design_with()
    assert found.checks
    return known(found)


def texts(at: AppTest) -> list[str]:
    return [text.value for text in at.text]


def buttons(at: AppTest, group: str) -> dict[str, str]:
    """Return the labels of the numbers that lead on, by their keys."""
    return {
        button.key: button.label
        for button in at.button
        if button.key and button.key.startswith(f"why-{group}-")
    }


def test_a_key_number_leads_on_to_its_inputs_and_back() -> None:
    at = go(opened(), SUMMARY)
    found = design_with()
    assert not buttons(at, "input")
    pick(at, "Facility load")
    whole = found.trace["load.facility"]
    assert f"load.facility = {show_exact(whole.value, whole.kind)}" in texts(at)
    inputs = buttons(at, "input")
    assert list(inputs.values()) == [title_of(ref) for *_, ref in whole.inputs]
    assert buttons(at, "use")["why-use-0"] == title_of("pue.design")
    press(at, "why-input-1")
    assert any(text.startswith("load.losses = ") for text in texts(at))
    press(at, "why-input-4")
    assert any(text.startswith("losses.ups = ") for text in texts(at))
    assert list(buttons(at, "back").values()) == [
        title_of("load.facility"),
        title_of("load.losses"),
    ]
    press(at, "why-back-0")
    assert f"load.facility = {show_exact(whole.value, whole.kind)}" in texts(at)
    assert not buttons(at, "back")
    press(at, "why-use-0")
    assert [latex.value for latex in at.latex] == [
        r"$$" "\n" r"PUE = \frac{P_{facility}}{P_{IT}}" "\n" r"$$"
    ]
    assert "The tests of every release verify these examples." in texts(at)


def test_units_and_status_of_an_assumption_are_shown() -> None:
    at = opened()
    at.segmented_control(key="units").set_value("ip").run()
    at.session_state["why-trail"], at.session_state["why-open"] = ("site.design_dry_bulb",), True
    at.run()
    assert_sound(at)
    step = design_with().trace["site.design_dry_bulb"]
    shown = f"site.design_dry_bulb = {show_exact(step.value, step.kind, 'ip')}"
    assert shown.endswith("°F")
    assert shown in texts(at)
    badges = " ".join(m.value for m in at.markdown)
    assert "unconfirmed" in badges


def test_a_hostile_name_is_no_markup_in_the_drawer() -> None:
    at = opened()
    upload(at, "hostile.json", PROJECT)
    at.session_state["why-trail"], at.session_state["why-open"] = ("load.it",), True
    at.run()
    assert_sound(at)
    assert buttons(at, "use")
    assert texts_in_markup(at) == []
    assert plain(":material/bolt: <b>**x**</b> :red[r] $x$ a_b") == (
        "·material/bolt: ·b···x···/b· ·red·r· ·x· a\\_b"
    )
    assert plain("Zs Ia <= 0.95 U0, k2S2 >= I2t") == "Zs Ia ≤ 0.95 U0, k2S2 ≥ I2t"


def test_the_ledger_leads_to_the_drawer() -> None:
    at = opened()
    go(at, ASSUMPTIONS)
    pick(at, "site.design_dry_bulb", "Assumptions")
    assert not any(text.startswith("site.design_dry_bulb = ") for text in texts(at))
    press(at, "assumption-why")
    step = design_with().trace["site.design_dry_bulb"]
    assert f"site.design_dry_bulb = {show_exact(step.value, step.kind)}" in texts(at)


def choose_cell(at: AppTest, frame: Frame, row: int, column: str) -> None:
    """Click a number of a table."""
    report_event(at, frame.id, "why", id=str(row), key=frame.key(column))


def explained(found: Known) -> list[str]:
    """Return what every step, result, assumption and rule is called, each asked about."""
    ids = [
        *(step.id for step in found.trace),
        *found.results,
        *found.ledger,
        *(check.rule for check in found.checks),
    ]
    return [why(found, id).title for id in dict.fromkeys(ids)]


def test_everything_known_can_be_asked_about_and_nothing_is_run_for_it(small: Design) -> None:
    titles = explained(known(small))
    assert len(titles) > 600
    assert all(titles)
    assert not any(name in vars(small) for name in ("distribution", "outages", "hours", "checks"))
    sized = len(titles)
    assert small.checks
    everything = known(small)
    assert everything.complete
    assert len(explained(everything)) > sized


def test_inputs_and_uses_are_two_sides_of_one_thing(small: Design) -> None:
    found = known(small)
    for step in found.trace:
        for link in why(found, step.id).inputs:
            if link.id:
                assert step.id in {use.id for use in why(found, link.id).uses}
                break


def test_a_number_that_differs_from_its_derivation_is_a_defect(small: Design) -> None:
    trace: Trace = small.trace.draft()
    trace.given("load.it", 1.0, "active_power", small.trace["load.it"].source)
    found = known(small)
    spoiled = Known(found.sizing, found.results, trace, found.checks, found.ledger, False)
    with pytest.raises(Exception, match="DERIVATION_DIFFERS"):
        why(spoiled, "load.facility")
    with pytest.raises(Exception, match=r"load\.facility"):
        why(found, "load.facilty")


def test_examples_name_what_they_come_to_and_whose_they_are() -> None:
    found = examples()
    assert len(found) > 300
    assert all(example.expected and example.source for many in found.values() for example in many)


NO_RESULT = {"Breakers to move": "a count of the steps that stand beside it"}
"""Cards that show no number of the design, and why; all others can be asked."""
WORDS = {"Concurrently maintainable", "Fault tolerant", "Redundancy", "Crossover, air to liquid"}
"""Cards that show a word, or a count of something else than their key."""


def asked(at: AppTest, title: str) -> str:
    """Return what the drawer says of the card with a title, and close it."""
    keys = [b.key for b in at.button if b.label == f"Explain {title}"]
    if keys:
        press(at, keys[0])
    else:
        pick(at, title)
    (id,) = at.session_state["why-trail"]
    heads = [head.value for head in at.subheader]
    told = next(text for text in [*texts(at), *heads] if text == id or text.startswith(f"{id} = "))
    at.session_state["why-open"] = False
    at.run()
    return told.removeprefix(id).removeprefix(" = ")


SCALES = {
    ("MW", "kW"): 1e3,
    ("kA", "A"): 1e3,
    ("GWh", "MWh"): 1e3,
    ("kUSD", "USD"): 1e3,
    ("t", "kg"): 1e3,
    ("kW/s", "MW/s"): 1e-3,
    ("", "kVA"): 1e-3,
}


def numbers_agree(shown: str, told: str) -> bool:
    """Return whether a card and the drawer name one number, to the digits of the card."""
    if shown == "None":
        return told in ("0.0 kW", "0")
    number, _, unit = shown.split(" → ")[-1].split(" of ")[0].replace("%", " %").partition(" ")
    exact, _, named = told.partition(" ")
    scale = SCALES.get((unit.strip(), named), 1.0)
    card, whole = (float(text.replace(",", "")) for text in (number, exact))
    step = scale * 10.0 ** -len(number.partition(".")[2])
    return abs(scale * card - whole) <= 0.51 * step


@pytest.mark.parametrize("example", ["h100-10k", "nvl72-hall"])
@pytest.mark.parametrize("page", PAGES)
def test_every_card_of_every_page_can_be_asked(page: str, example: str) -> None:
    at = opened()
    choose(at, "Example", example)
    go(at, page)
    assert_sound(at)
    can = {b.label.removeprefix("Explain ") for b in at.button if b.label.startswith("Explain ")}
    can |= {cell["label"] for grid in numbers(at) for cell in grid["cells"] if cell["why"]}
    assert set(metrics(at)) - set(NO_RESULT) == can


@pytest.mark.parametrize("page", [FAILURES, PANELS, HALL, RIDE, COMPARE, YEAR, LOAD])
def test_the_drawer_tells_the_number_of_the_card(page: str) -> None:
    at = opened()
    choose(at, "Example", "nvl72-hall")
    go(at, page)
    if page == HALL:
        show_object(at, "Compute 01", "elevation")
    cards = metrics(at)
    assert len(cards) > 2
    for label, value in cards.items():
        if label in NO_RESULT:
            continue
        told = asked(at, label)
        assert label in WORDS or numbers_agree(value, told), (label, told)


def test_an_hour_tells_its_own_numbers() -> None:
    at = opened()
    go(at, COOLING)

    def power() -> str:
        ask_canvas(at, "load.cooling")
        told = next(text for text in texts(at) if text.startswith("load.cooling = "))
        at.session_state["why-open"] = False
        return told

    at_design = power()
    at.segmented_control(key="cooling-hour").set_value("mean").run()
    assert power() != at_design


def test_a_verdict_is_told_in_words_with_its_source() -> None:
    at = go(opened(), OUTAGES)
    rule = "CONCURRENTLY-MAINTAINABLE"
    at.session_state["why-trail"], at.session_state["why-open"] = (rule,), True
    at.run()
    assert_sound(at)
    verdict = failures(design_with()).concurrently_maintainable
    assert any(text.startswith("IT load: PASS. ") and verdict.because in text for text in texts(at))
    source = "uptime-tier-topology, concurrently maintainable; power flow of every outage"
    assert any(text.startswith(source) for text in texts(at))


def frame_with(at: AppTest, column: str) -> Frame:
    """Return the first table that has a column."""
    return next(frame for frame in frames(at) if head_of(frame, column))


def head_of(frame: Frame, column: str) -> str:
    """Return the heading of a column with its unit; empty where the table has none."""
    heads = [str(head) for head in frame.value.columns]
    return next((head for head in heads if _UNIT.sub("", head) == column or head == column), "")


def cell_told(at: AppTest, frame: Frame, row: int, column: str) -> tuple[str, str]:
    """Click a cell; return what it asks about and the value that the drawer tells, closed again."""
    choose_cell(at, frame, row, column)
    assert at.session_state["why-open"], (column, row)
    (id,) = at.session_state["why-trail"]
    told = next(text for text in texts(at) if text.startswith(f"{id} = "))
    at.session_state["why-open"] = False
    at.run()
    return id, told.partition(" = ")[2]


CELLS = {
    OUTAGES: ("Transformers",),
    PANELS: ("VA",),
    RIDE: ("Inlet, worst, maximum", "Margin"),
    YEAR: ("PUE", "Energy", "Hours exceeded"),
}
OF_OBJECTS = {
    ("POWER", "equipment"): ("Required", "Ampacity used", "First peak", "Drop", "Loading, failure"),
    ("POWER", "panels"): ("Worst line", "Margin", "Poles used"),
    ("Compute 01", "elevation"): ("Load",),
    ("COOLING", "cooling"): ("COP, design hour", "Calculated head", "Range", "Heat removed, all"),
}
"""Columns of the views of an object."""
_UNIT = re.compile(r" \(([^ ()]+)\)$")


@pytest.mark.parametrize("page", [*CELLS, *OF_OBJECTS])
def test_a_cell_of_a_table_opens_the_drawer_at_its_number(page: tuple[str, str]) -> None:
    at = opened()
    choose(at, "Example", "nvl72-hall")
    if page in OF_OBJECTS:
        show_object(at, *page)
    else:
        go(at, page)
    assert_sound(at)
    for column in {**CELLS, **OF_OBJECTS}[page]:
        frame = frame_with(at, column)
        head = head_of(frame, column)
        values = list(frame.value[head])
        row = next(n for n, one in enumerate(values) if one == one and str(one)[0].isdigit())
        shown = frame.text(row, head)
        unit = _UNIT.sub(r" \1", head.removeprefix(column))
        id, told = cell_told(at, frame, row, head)
        assert numbers_agree(shown + unit, told), (id, shown, told)


def test_the_numbers_of_grids_that_are_edited_lead_to_the_drawer() -> None:
    at = opened()
    choose(at, "Example", "mixed-hall")
    of = design(parse_project(example_text("mixed-hall")))
    go(at, PANELS)
    circuit = of.panels.panels[0].circuits[0]
    for title, number in (
        ("VA", show_exact(circuit.pole_va(0)[0], "apparent_power")),
        ("Trip (A)", show_exact(circuit.breaker_a or 0.0, "current")),
    ):
        circuits = grid(at, "circuits")
        row = list(circuits.value["Load"]).index(circuit.description)
        ids = json.loads(circuits.data["body"])["ids"]
        report_event(at, circuits.id, "why", id=ids[row], key=circuits.key(title))
        (id,) = at.session_state["why-trail"]
        assert f"{id} = {number}" in texts(at)
        at.session_state["why-open"] = False
    show_object(at, "IT", "racks")
    kind = of.facility.it.racks[0]
    racks = grid(at, "racks-list")
    row = list(racks.value["Rack"]).index(kind.name)
    ids = json.loads(racks.data["body"])["ids"]
    report_event(at, racks.id, "why", id=ids[row], key="rack.input")
    assert f"rack.input = {show_exact(kind.input_w, 'active_power')}" in texts(at)


def test_the_parts_of_each_way_to_cool_lead_to_the_drawer() -> None:
    at = opened()
    choose(at, "Example", "nvl72-hall")
    go(at, COMPARE)
    for column in ("Fans", "Water pumps", "Heat rejection", "Cost"):
        frame = frame_with(at, column)
        head = head_of(frame, column)
        values = list(frame.value[head])
        assert not isinstance(values[0], str), (column, values)
        row = next(n for n, one in enumerate(values) if one == one and one)
        _, told = cell_told(at, frame, row, head)
        shown = f"{frame.value[head][row]:,.{0 if column == 'Cost' else 1}f}"
        assert numbers_agree(shown + _UNIT.sub(r" \1", head.removeprefix(column)), told), (
            column,
            shown,
            told,
        )


def test_a_cell_without_a_number_opens_nothing() -> None:
    at = opened()
    show_object(at, "POWER", "equipment")
    choose_cell(at, frame_with(at, "Sized with circuit"), 0, "Circuit")
    assert "why-trail" not in at.session_state
