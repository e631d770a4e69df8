"""The verdict, the page Checks and the confirmations: what is said, fixed, waived, taken back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.check import Check, Outcome, Severity, counted
from facility.core.sources import Source
from facility.files.project.file import default_project
from facility.model.inputs.document import as_typed
from facility.report.tables.names import rule_title
from facility.report.tables.verdict import headline
from facility.study.design.design import design
from facility.study.fixes.propose import fixes
from facility.ui.checks.words import clause, finding
from facility.ui.session import opened as opening
from facility.ui.session.identity import SINGLE_USER
from facility.ui.work.known import KnownChecks
from tests.study.fields import AIR
from tests.study.helpers import design_of
from tests.ui.helpers import (
    ASSUMPTIONS,
    CHECKS,
    PAGES,
    REVISIONS,
    SUMMARY,
    assert_sound,
    choose,
    errors,
    forget_store,
    go,
    listed,
    lists,
    new_app,
    opened,
    pick,
    press,
    session,
    type_in,
    upload,
)

BROKEN = "power: {redundancy: 3N/2, battery: {blocks_per_string: '41'}}"
# Air-cooled: towers as small as these have a warning that no searched change clears.
PROJECT = AIR.replace("power: {redundancy: 3N/2}", BROKEN).replace("tower", "air_cooled")
PROJECT = PROJECT.replace("gpus: 64,", "gpus: 64, servers_per_rack: 4,")  # More than air takes
RULE = "BATTERY-FLOAT"
DATA = rule_title("MEMORY-DATA")


def page(file: str = CHECKS) -> AppTest:
    at = opened()
    upload(at, "p.yaml", PROJECT.encode())
    if file != SUMMARY:
        go(at, file)
        assert_sound(at)
    return at


def texts(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


_WAIVES = re.compile(r"waive-(\w{8})")
TITLE = rule_title(RULE)


def rows(at: AppTest) -> list[dict[str, str]]:
    """Return the rows of the inbox, as the browser receives them; none without a list."""
    found = listed(at, "Checks") if "Checks" in lists(at) else []
    return [row for group in found for row in group["rows"]]


def titles(at: AppTest) -> list[str]:
    return [row["title"] for row in rows(at)]


def outcomes(at: AppTest, *words: str) -> None:
    at.pills(key="checks-words").set_value(list(words)).run()
    assert_sound(at)


def test_the_verdict_is_above_every_view_and_is_that_of_the_library() -> None:
    found = design_of(PROJECT)
    at = page(SUMMARY)
    assert f"#### Verdict: {headline(found.checks)}" in [m.value for m in at.markdown]
    for view in (*PAGES, REVISIONS):  # the list of projects is of all projects
        go(at, view)
        assert_sound(at)
        badge = at.button(key="verdict-VIOLATION")
        assert badge.label == ":red-badge[1 violation]", view
        assert badge.proto.help == headline(found.checks)
    press(at, "verdict-VIOLATION")
    assert titles(at) == [TITLE]


def test_a_fix_is_applied_in_one_step_and_undone() -> None:
    at = page()
    assert "Blocks in series per string: now 41, then sized for the load." in texts(at)
    (table,) = (
        json.loads(one.proto.json)
        for one in at.get("bidi_component")
        if "With the fix" in one.proto.json
    )
    rows = [[cell["inside"][0] for cell in row["inside"]] for row in table["inside"]]
    assert ["Violations", "1", "0", "−1"] in rows
    press(at, "check-fix")
    battery = session(at).project.power.battery
    assert battery is None or battery.blocks_per_string is None
    assert TITLE not in titles(at)
    assert [one.value.startswith(f"Fixed: {TITLE}") for one in at.success] == [True]
    press(at, "undo")
    assert titles(at)[0] == TITLE
    assert not at.success


def test_a_fix_is_tried_as_a_scenario_and_the_project_stays() -> None:
    at = page()
    before = session(at).project
    press(at, "check-scenario")
    assert TITLE not in titles(at)
    at.segmented_control(key="scenario-switch").set_value("").run()
    assert_sound(at)
    assert titles(at)[0] == TITLE
    assert session(at).project == before


def test_the_fix_shows_the_numbers_of_the_design_that_proves_it() -> None:
    found = design_of(PROJECT)
    (fix,) = fixes(
        found, of=(RULE, next(c.subject for c in found.checks if c.rule == RULE))
    ).values()
    after = design(found.project.with_({path: text or None for path, text in fix.changes.items()}))
    for word, numbers in (("VIOLATION", fix.violations), ("WARNING", fix.warnings)):
        assert numbers == (counted(found.checks)[word], counted(after.checks)[word])
    failing = {(c.rule, c.subject) for c in after.checks if c.failed}
    assert set(fix.cleared) <= set(fix.solved)
    assert not failing & set(fix.solved)


def test_a_change_that_clears_a_warning_is_sought_when_it_is_asked_for() -> None:
    at = page()
    outcomes(at, "WARNING")
    at.pills(key="checks-discipline").set_value("Mechanical").run()
    title = titles(at)[0]
    press(at, "check-look")
    assert not [b for b in at.button if b.key == "check-look"]
    press(at, "check-fix")
    assert title not in titles(at)
    press(at, "undo")
    assert titles(at)[0] == title


def test_checks_are_grouped_by_the_input_that_a_fix_or_the_remedy_changes() -> None:
    at = page()
    found = {group["title"]: group for group in listed(at, "Checks")}
    fixed = found["Blocks in series per string: 41 is stated"]
    assert [row["title"] for row in fixed["rows"]] == [TITLE]
    assert fixed["remark"] == "1 violation"
    (row,) = fixed["rows"]
    check = next(c for c in design_of(PROJECT).checks if c.rule == RULE)
    value, limit = check.sides() or ("", "")
    assert (row["value"], row["limit"], row["look"]) == (value, f"of {limit}", "over")
    assert row["remark"].endswith(" % over")
    assert "Cooling method of the equipment: air is stated" in found
    every = [row["id"] for group in found.values() for row in group["rows"]]
    assert len(every) == len(set(every))


def test_checks_of_a_distant_station_are_grouped_by_the_station() -> None:
    at = opened()
    site = "country: DE, latitude: 50.116, longitude: 8.684, station: chicago"
    upload(at, "p.yaml", AIR.replace("station: ashburn", site).encode())
    go(at, CHECKS)
    found = {group["title"]: group for group in listed(at, "Checks")}
    titles = [row["title"] for row in found["Catalogue weather record: chicago is stated"]["rows"]]
    assert rule_title("SITE-DISTANCE") in titles
    assert rule_title("SITE-COUNTRY") in titles


def test_the_inbox_filters_and_shows_the_worst_with_its_remedy() -> None:
    found = design_of(PROJECT)
    at = page()
    counts = counted(found.checks)
    assert len(rows(at)) == counts["VIOLATION"] + counts["WARNING"]
    assert titles(at)[0] == TITLE
    assert "Use fewer blocks in series" in texts(at)
    assert RULE not in str(rows(at)), "its code is a detail"
    outcomes(at, "PASS")
    assert len(rows(at)) == counts["PASS"]
    at.pills(key="checks-discipline").set_value("Mechanical").run()
    assert [group["title"] for group in listed(at, "Checks")] == ["Mechanical"]
    at.selectbox(key="checks-since").set_value("session").run()
    assert_sound(at)


def test_a_row_and_the_keys_select_a_check() -> None:
    at = page()
    first, second, *_ = rows(at)
    assert f"### {first['title']}" in [m.value for m in at.markdown]
    pick(at, second["id"], "Checks")
    assert f"### {second['title']}" in [m.value for m in at.markdown]
    press(at, "checks-previous")
    assert f"### {first['title']}" in [m.value for m in at.markdown]
    press(at, "checks-next")
    assert f"### {second['title']}" in [m.value for m in at.markdown]


def test_the_inbox_is_grouped_by_object_within_discipline() -> None:
    at = page()
    outcomes(at, "WARNING", "ADVICE", "PASS")
    at.segmented_control(key="checks-order").set_value("object").run()
    assert_sound(at)
    found = listed(at, "Checks")
    assert [one["title"] for one in found] == sorted(one["title"] for one in found)
    of_data = [one["title"] for one in found for row in one["rows"] if row["title"] == DATA]
    assert set(of_data) == {"Electrical", "Mechanical"}
    discipline, count = found[0]["title"], len(rows(at))
    at.pills(key="checks-discipline").set_value(discipline).run()
    assert 0 < len(rows(at)) < count


def test_a_badge_of_the_verdict_leads_to_the_checks_it_counts() -> None:
    counts = counted(design_of(PROJECT).checks)
    at = page(SUMMARY)
    for word in ("PASS", "VIOLATION"):
        go(at, SUMMARY)
        press(at, f"badge-{word}")
        assert at.pills(key="checks-words").value == [word]
        assert len(rows(at)) == counts[word]
        at.pills(key="checks-discipline").set_value("Electrical").run()


def test_what_is_new_since_a_revision_is_known_in_another_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reload, or another visitor: what came of a revision is worked out of its text."""
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    forget_store()
    library = opening.library(SINGLE_USER)
    project = library.create(PROJECT).id
    mended = PROJECT.replace(BROKEN, "power: {redundancy: 3N/2}")
    library.save(project, mended, based_on=1, label="mended")
    at = new_app()
    at.query_params[opening.ADDRESS] = project
    at.run()
    go(at, CHECKS)
    at.pills(key="checks-words").set_value(["VIOLATION", "WARNING", "ADVICE", "PASS"]).run()
    every = len(rows(at))
    for since, some in (("session", False), ("2", False), ("1", True)):
        at.selectbox(key="checks-since").set_value(since).run()
        assert_sound(at)
        shown = titles(at)
        assert (TITLE in shown) is some
        assert len(shown) < every
    forget_store()


def test_what_is_new_is_told_project_by_project() -> None:
    """Another project is not held against this one; an edit of each is, saved since or not."""

    def new(at: AppTest) -> list[str]:
        go(at, CHECKS)
        at.pills(key="checks-words").set_value(["VIOLATION", "WARNING", "ADVICE", "PASS"]).run()
        at.selectbox(key="checks-since").set_value("session").run()
        assert_sound(at)
        return titles(at)

    at = page()
    assert new(at) == []
    outcomes(at, "VIOLATION", "WARNING")
    at.selectbox(key="checks-since").set_value("all").run()
    press(at, "check-fix")
    assert TITLE in new(at)
    choose(at, "Example", "nvl72-hall")
    assert new(at) == []
    go(at, SUMMARY)
    type_in(at, "Number of GPUs", "64")
    assert new(at) != []
    press(at, "undo")
    assert new(at) == []


def test_a_check_is_waived_with_a_reason_and_the_waiver_taken_back() -> None:
    at = page()
    assert not [t for t in at.text_input if t.key.startswith("waive-reason")]
    (mark,) = {found[1] for box in at.get("popover") if (found := _WAIVES.search(str(box.proto)))}
    at.session_state[f"waive-{mark}"] = True
    at.run()
    assert at.button(key=f"waive-now-{mark}").disabled
    at.text_input(key=f"waive-reason-{mark}").set_value("=cells of the maker").run()
    at.text_input(key=f"waive-by-{mark}").set_value("A. Owner").run()
    press(at, f"waive-now-{mark}")
    section = session(at).project.checks
    assert section is not None
    assert [(w.rule, w.reason, w.by) for w in section.waived or ()] == [
        (RULE, "=cells of the maker", "A. Owner")
    ]
    at.pills(key="checks-words").set_value(["WAIVED"]).run()
    assert titles(at) == [TITLE]
    assert "Waived by A. Owner: =cells of the maker. Found:" in texts(at)
    press(at, "check-unwaive")
    section = session(at).project.checks
    assert section is None or not section.waived
    press(at, "undo")
    section = session(at).project.checks
    assert section is not None
    assert section.waived


def test_assumptions_are_confirmed_and_opened_again() -> None:
    at = page(ASSUMPTIONS)
    sections = listed(at, "Assumptions")
    ids = [row["id"] for row in sections[0]["rows"]]
    assert sum(len(one["rows"]) for one in sections) == len(list(design_of(PROJECT).ledger))
    press(at, "confirm")
    assert session(at).project.confirmed == (ids[0],)
    pick(at, ids[1], "Assumptions")
    press(at, "confirm-section")
    assert set(session(at).project.confirmed or ()) == set(ids)
    pick(at, ids[0], "Assumptions")
    press(at, "unconfirm")
    assert set(session(at).project.confirmed or ()) == set(ids[1:])
    press(at, "undo")
    assert set(session(at).project.confirmed or ()) == set(ids)
    at.pills(key="assumptions-words").set_value(["confirmed"]).run()
    assert [row["id"] for one in listed(at, "Assumptions") for row in one["rows"]] == ids


def known_with(**parts: object) -> KnownChecks:
    empty: dict[str, object] = {
        "design": None, "checks": (), "found": {}, "going": {}, "stopped": {}, "failed": {},
        "results": None, "looking": None, "first": frozenset(),
    }  # fmt: skip
    return KnownChecks(**(empty | parts))  # type: ignore[arg-type]


def test_no_verdict_is_given_before_every_study_has_run() -> None:
    checks = design_of(PROJECT).checks
    fine = tuple(check for check in checks if check.word == "PASS")
    for where, words in (
        ("going", "still running"),
        ("stopped", "cancelled"),
        ("failed", "failed"),
    ):
        now = known_with(checks=fine, **{where: {"outages": None}})
        assert now.answer == "Pending: 1 of 10 studies not finished"
        assert now.still == f"1 {words}"
        assert not now.whole
        against = known_with(checks=checks, **{where: {"outages": None}})
        assert against.answer == "1 violation so far"
    assert known_with(checks=fine).answer.endswith("; no violations")


def test_an_assumption_is_overridden_with_a_reason_and_taken_back() -> None:
    at = opened()
    go(at, ASSUMPTIONS)
    pick(at, "power.ups.recharge", "Assumptions")
    for name, text in (("value", "12 %"), ("reason", "measured"), ("by", "A. Owner")):
        assert at.button(key="override-now").disabled
        at.text_input(key=f"override-{name}-power.ups.recharge").set_value(text).run()
    press(at, "override-now")
    (one,) = session(at).project.overridden or ()
    assert (one.assumption, one.reason, one.by) == ("power.ups.recharge", "measured", "A. Owner")
    ledger = design(session(at).project).ledger
    (entry,) = (entry for entry in ledger if entry.status == "overridden")
    assert entry.value == pytest.approx(0.12)
    assert any("1 overridden with a reason" in text.value for text in at.text)
    press(at, "override-take")
    assert session(at).project.overridden is None
    # The first change took the name and number of the example away.
    left, example = (as_typed(one) for one in (session(at).project, default_project()))
    assert left | {"project": {}} == example | {"project": {}}


def test_a_refused_value_overrides_nothing() -> None:
    at = opened()
    go(at, ASSUMPTIONS)
    pick(at, "power.ups.recharge", "Assumptions")
    for name, text in (("value", "twelve"), ("reason", "measured"), ("by", "A. Owner")):
        at.text_input(key=f"override-{name}-power.ups.recharge").set_value(text).run()
    press(at, "override-now")
    assert any("Change not applied" in error for error in errors(at))
    assert session(at).project.overridden is None


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (Source("nec-210-20", "210.20(A)", "2020"), "NFPA 70, 2020, 210.20(A)"),
        (
            Source("nvidia-dgx-h100-user-guide", "equipment/servers[DGX H100]"),
            "NVIDIA, DGX H100/H200 System User Guide, row DGX H100 of the table equipment/servers",
        ),
        (Source("criteria", "growth", verified="memory"), "criteria, growth, unverified"),
    ],
)
def test_a_clause_is_told_by_its_title_where_the_reference_data_has_it(
    source: Source, told: str
) -> None:
    assert clause(source) == told


def test_a_source_cited_in_a_finding_is_in_the_line_of_the_sources() -> None:
    row = "memory-switchgear-ratings, electrical/switchgear_ratings[lv-board IEC 1000 V 100 kA]"
    why = f"120 kA, rated 100 kA: the largest standard rating ({row} [unverified]); resize"
    at = Source("criteria", "growth")
    found = Check("FAULT-INTERRUPTING", "LVB", Severity.VIOLATION, Outcome.FAIL, at, why)
    text, source = finding(found, "si")
    assert "the largest standard rating; resize" in text
    assert "unverified" not in text
    assert source.startswith("criteria, growth; ")
    assert source.endswith(
        "lv-board IEC 1000 V 100 kA of the table electrical/switchgear_ratings, unverified"
    )
