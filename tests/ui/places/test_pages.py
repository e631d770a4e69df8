"""Each page renders; what it shows is what the library computes, in both unit systems."""

from __future__ import annotations

import pytest

from facility.core.check import counted
from facility.files.project.file import dump_project, example_names, example_text, parse_project
from facility.report.tables.verdict import headline
from facility.study.design.design import design
from facility.ui.panels.schedule import PoleGrid
from facility.ui.session import state
from facility.ui.session.title import generated_title
from tests.ui.helpers import (
    ASSUMPTIONS,
    PAGES,
    PANELS,
    SUMMARY,
    YEAR,
    assert_sound,
    charts,
    choose,
    design_with,
    frame_rows,
    frames,
    go,
    megawatts,
    metrics,
    new_app,
    opened,
    session,
    show_object,
    shown,
    type_in,
)
from tests.ui.library import example_facts


def test_first_paint_is_a_complete_result() -> None:
    at = opened()
    found = design_with()
    assert found.year is not None
    kilo_usd = float(found.year.results["cost.month_estimate"].si) / 1e3
    assert metrics(at) == {
        "IT load": megawatts(found, "load.it"),
        "Facility load": megawatts(found, "load.facility"),
        "Annual PUE": f"{float(found.all_results['pue.annual'].si):.3f}",
        "UPS loading, after design failure": found.results["ups.loading_failure"].shown(),
        "Air-side heat load": megawatts(found, "heat.room"),
        "Average monthly cost": f"{kilo_usd:,.0f} kUSD",
    }
    flow, *others = charts(at)
    assert len(others) == 2
    losses = found.results["losses.ups"]
    assert any(mark["t"].startswith("UPS ") and mark.get("a") for mark in flow["marks"]), losses
    headings = " ".join(m.value for m in at.markdown)
    for word in ("Power flow", "PUE", "Heat by path", "Findings, worst first", "Results"):
        assert word in headings
    failed = sum(check.outcome.value != "PASS" for check in found.checks)
    assert len(frames(at)[0].value) == failed


def test_the_first_page_gives_the_verdict_and_counts_of_the_check() -> None:
    at = opened()
    found = design_with()
    headings = [m.value for m in at.markdown]
    assert f"#### Verdict: {headline(found.checks)}" in headings
    counts = counted(found.checks)
    assert counts["VIOLATION"] == 0
    assert counts["WARNING"] > 0
    badges = " ".join(button.label for button in at.button)
    for verdict, word in (("WARNING", "warning"), ("PASS", "passed")):
        assert f"{counts[verdict]} {word}" in badges


def test_results_tables_show_the_results() -> None:
    at = opened()
    found = design_with()
    rows = {row.Quantity: row.Value for frame in frames(at)[1:] for row in frame.value.itertuples()}
    for label, key in (
        ("GPUs at TDP", "load.gpu"),
        ("Servers, number", "load.servers"),
        ("UPS modules installed", "ups.modules"),
        ("CRAHs installed", "crah.count"),
        ("Annual PUE", "pue.annual"),
        ("Average monthly cost", "cost.month_estimate"),
        ("Facility load", "load.facility"),
    ):
        assert rows[label] == found.all_results[key].shown(), label
    assert not [label for label in rows if "estimate" in label]


@pytest.mark.parametrize("page", PAGES, ids="-".join)
@pytest.mark.parametrize("example", example_names())
def test_every_page_renders_every_example(page: str, example: str) -> None:
    at = opened()
    choose(at, "Example", example)
    assert session(at).project.project.name == example
    go(at, page)
    assert_sound(at)
    assert not at.error
    title = session(at).project.project.title or example
    assert any(title[:40] in text.value for text in at.text)
    if page == SUMMARY:
        example_facts.refuse_other(example, state.design_of(session(at).project))


def test_edits_and_units_survive_a_change_of_page() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "2000")
    at.segmented_control(key="units").set_value("ip").run()
    for page in (PANELS, ASSUMPTIONS, SUMMARY):
        go(at, page)
        assert_sound(at)
        assert session(at).project.it.gpus == 2000
        assert at.session_state["units"] == "ip"
    assert metrics(at)["IT load"] == design_with("it.gpus=2000").results["load.it"].shown()


def test_units_change_what_is_shown_and_nothing_else() -> None:
    at = opened()
    stored = dump_project(session(at).project)
    at.segmented_control(key="units").set_value("ip").run()
    found = design_with()
    rows = {row.Quantity: row.Value for frame in frames(at)[1:] for row in frame.value.itertuples()}
    assert metrics(at)["Air-side heat load"].endswith(" MBH")
    assert rows["IT heat to air"] == found.results["heat.air"].shown("ip")
    assert rows["CRAH airflow, duty"] == found.results["crah.airflow"].shown("ip")
    assert " MBH" in charts(at)[2]["marks"][0]["t"]
    go(at, PANELS)
    assert metrics(at)["Longest circuit"].endswith(" ft")
    go(at, ASSUMPTIONS)
    ledger = frames(at)[0].value.set_index("Id")["Value"]
    assert ledger["site.design_dry_bulb"].endswith("°F")
    assert dump_project(session(at).project) == stored
    at.segmented_control(key="units").set_value("si").run()
    assert frames(at)[0].value.set_index("Id")["Value"]["site.design_dry_bulb"].endswith("°C")


def test_panel_page_shows_the_panel_in_each_state() -> None:
    at = opened()
    go(at, PANELS)
    found = design_with().panels
    index = next(i for i, panel in enumerate(found.panels) if panel.tag == "RPP-B02")
    show_object(at, "RPP-B02", "schedule")
    at.selectbox(key="panel-state").set_value(1).run()
    assert_sound(at)
    panel, amps = found.panels[index], found.line_a[index]
    shown = metrics(at)
    lines = [f"{amps[1, n]:.1f} A" for n in range(3)]
    assert [shown[f"Phase {name}"] for name in "ABC"] == lines
    assert any("paired with RPP-A02, RPP-C02" in text.value for text in at.text)
    schedule, partners = frames(at)
    assert list(partners.value["Panel"]) == ["RPP-A02", "RPP-B02", "RPP-C02"]
    rows = PoleGrid(panel, 1).grid("").rows
    assert frame_rows(schedule.value) == [list(row.values) for row in rows]
    show_object(at, "RPP-B02", "panels")
    assert len(frames(at)[0].value) == found.count


def test_panel_page_keeps_its_choice_and_survives_fewer_panels() -> None:
    at = opened()
    go(at, PANELS)
    last = design_with().panels.panels[100].tag
    show_object(at, last, "schedule")
    at.selectbox(key="panel-state").set_value(3).run()
    go(at, YEAR)
    go(at, PANELS)
    assert at.session_state["design-object"] == last
    assert at.selectbox(key="panel-state").value == 3
    choose(at, "Example", "nvl72-hall")
    go(at, PANELS)
    assert_sound(at)
    panels = design(parse_project(example_text("nvl72-hall"))).panels
    assert at.session_state["design-object"] == panels.panels[0].tag
    assert at.selectbox(key="panel-state").value < len(panels.panels[0].states)


@pytest.mark.parametrize(("link", "unit"), [("IP", "MBH"), ("<script>", "MW"), ("", "MW")])
def test_a_link_carries_the_units_and_nothing_else(link: str, unit: str) -> None:
    at = new_app()
    at.query_params["units"], at.query_params["view"] = link, "summary"
    at.run()
    assert_sound(at)
    assert metrics(at)["Air-side heat load"].endswith(f" {unit}")


def test_the_title_is_edited_where_it_stands_and_is_then_kept() -> None:
    at = opened()
    assert "Title" not in [field.label for field in at.text_input]
    at.session_state["title-edit"] = True
    at.run()
    type_in(at, "Title", "Hall at the mill")
    type_in(at, "Project name, used in file names", "mill")
    type_in(at, "Number of GPUs", "2048")
    said = session(at).project.project
    assert (said.title, said.name) == ("Hall at the mill", "mill")
    assert shown(at, "Title") == "Hall at the mill"
    type_in(at, "Title", "")
    assert session(at).project.project.title == generated_title(session(at).project)
