"""The verdict, the page Checks and the confirmations: what is said, fixed, waived, taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.check import counted
from facility.core.sources import Source
from facility.files.project.file import default_project
from facility.model.inputs.document import as_typed
from facility.report.tables.verdict import headline
from facility.study.design.design import design
from facility.ui.checks.known import KnownChecks
from facility.ui.checks.words import clause
from facility.ui.session import opened as opening
from facility.ui.session.identity import SINGLE_USER
from tests.study.fields import AIR
from tests.study.helpers import design_of
from tests.ui.helpers import (
    ASSUMPTIONS,
    CHECKS,
    HALL,
    MAIN,
    PAGES,
    REVISIONS,
    SUMMARY,
    assert_sound,
    choose,
    forget_store,
    frames,
    go,
    opened,
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


def page(file: str = CHECKS) -> AppTest:
    at = opened()
    upload(at, "p.yaml", PROJECT.encode())
    if file != SUMMARY:
        go(at, file)
        assert_sound(at)
    return at


def texts(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


_WAIVES = re.compile(r"-waive-(chosen-\w+)")


def key_of(at: AppTest, start: str) -> str:
    return next(str(b.key) for b in at.button if str(b.key).startswith(start))


def test_the_verdict_is_above_every_view_and_is_that_of_the_library() -> None:
    found = design_of(PROJECT)
    at = page(SUMMARY)
    assert f"##### Verdict: {headline(found.checks)}" in [m.value for m in at.markdown]
    for view in (*PAGES, REVISIONS):  # the list of projects is of all projects
        go(at, view)
        assert_sound(at)
        badge = at.button(key="verdict-VIOLATION")
        assert badge.label == ":red-badge[1 violation]", view
        assert badge.proto.help == headline(found.checks)
    press(at, "verdict-VIOLATION")
    assert RULE in texts(at)


def test_a_fix_is_applied_in_one_step_and_undone() -> None:
    at = page(SUMMARY)
    assert "Clear power.battery.blocks_per_string (41) for automatic sizing" in texts(at)
    press(at, key_of(at, "fix-"))
    battery = session(at).project.power.battery
    assert battery is None or battery.blocks_per_string is None
    assert not [m for m in at.markdown if m.value.endswith("; 1 violation")]
    press(at, "undo")
    assert [m for m in at.markdown if m.value.endswith("; 1 violation")]


def test_a_change_that_clears_a_warning_is_sought_when_it_is_asked_for() -> None:
    at = page()
    at.pills(key="checks-words").set_value(["WARNING"]).run()
    at.pills(key="checks-discipline").set_value("Mechanical").run()
    at.segmented_control(key="checks-order").set_value("By object").run()
    rule = frames(at)[0].value["Rule"][0]
    press(at, key_of(at, "look-chosen-"))
    assert not [b for b in at.button if str(b.key).startswith("look-chosen-")]
    press(at, key_of(at, "fix-chosen-"))
    assert not any(rule in list(frame.value["Rule"]) for frame in frames(at)[:1])
    press(at, "undo")
    assert frames(at)[0].value["Rule"][0] == rule


def test_the_inbox_filters_and_shows_the_worst_with_its_remedy() -> None:
    found = design_of(PROJECT)
    at = page()
    counts = counted(found.checks)
    listed = frames(at)[0].value
    assert len(listed) == counts["VIOLATION"] + counts["WARNING"]
    assert listed["Rule"][0] == RULE
    assert "Remedy: Use fewer blocks in series" in texts(at)
    at.pills(key="checks-words").set_value(["PASS"]).run()
    passed = frames(at)[0].value
    assert len(passed) == counts["PASS"]
    margins = [margin for margin in passed["Margin (%)"] if margin == margin]
    assert margins == sorted(margins)
    at.pills(key="checks-discipline").set_value("Mechanical").run()
    assert set(frames(at)[0].value["Discipline"]) == {"Mechanical"}
    at.selectbox(key="checks-since").set_value("session").run()
    assert_sound(at)


def test_the_inbox_is_grouped_by_object_within_discipline() -> None:
    at = page()
    at.pills(key="checks-words").set_value(["WARNING", "ADVICE", "PASS"]).run()
    at.segmented_control(key="checks-order").set_value("By object").run()
    assert_sound(at)
    listed = frames(at)[0].value
    assert list(listed)[:2] == ["Discipline", "Subject"]
    groups = list(zip(listed["Discipline"], listed["Subject"], strict=True))
    assert [one[0] for one in groups] == sorted(one[0] for one in groups)
    of_rule = zip(listed["Rule"], listed["Discipline"], strict=True)
    assert {place for rule, place in of_rule if rule == "MEMORY-DATA"} == {
        "Electrical",
        "Mechanical",
    }
    discipline, count = groups[0][0], len(groups)
    at.pills(key="checks-discipline").set_value(discipline).run()
    assert 0 < len(frames(at)[0].value) < count


def test_a_badge_of_the_verdict_leads_to_the_checks_it_counts() -> None:
    counts = counted(design_of(PROJECT).checks)
    at = page(HALL)
    for word in ("PASS", "VIOLATION"):
        go(at, HALL)
        press(at, f"badge-{word}")
        assert at.pills(key="checks-words").value == [word]
        assert len(frames(at)[0].value) == counts[word]
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
    at = AppTest.from_file(str(MAIN), default_timeout=180)
    at.query_params[opening.ADDRESS] = project
    at.run()
    go(at, CHECKS)
    at.pills(key="checks-words").set_value(["VIOLATION", "WARNING", "ADVICE", "PASS"]).run()
    every = len(frames(at)[0].value)
    for since, some in (("session", False), ("2", False), ("1", True)):
        at.selectbox(key="checks-since").set_value(since).run()
        assert_sound(at)
        rules = list(frames(at)[0].value["Rule"]) if frames(at) else []
        assert (RULE in rules) is some
        assert len(rules) < every
    forget_store()


def test_what_is_new_is_told_project_by_project() -> None:
    """Another project is not held against this one; an edit of each is, saved since or not."""

    def new(at: AppTest) -> list[str]:
        go(at, CHECKS)
        at.pills(key="checks-words").set_value(["VIOLATION", "WARNING", "ADVICE", "PASS"]).run()
        at.selectbox(key="checks-since").set_value("session").run()
        assert_sound(at)
        return list(frames(at)[0].value["Rule"]) if frames(at) else []

    at = page()
    assert new(at) == []
    press(at, key_of(at, "fix-"))
    assert RULE in new(at)
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
    assert list(frames(at)[0].value["Rule"]) == [RULE]
    assert "Waived by A. Owner: =cells of the maker. Found:" in texts(at)
    press(at, key_of(at, "unwaive-chosen"))
    section = session(at).project.checks
    assert section is None or not section.waived
    press(at, "undo")
    section = session(at).project.checks
    assert section is not None
    assert section.waived


def test_assumptions_are_confirmed_and_opened_again() -> None:
    at = page(ASSUMPTIONS)
    choice = next(m for m in at.multiselect if m.key.startswith("confirm-ids"))
    ids = [choice.options[0], choice.options[3]]
    choice.set_value(ids).run()
    press(at, "confirm")
    assert session(at).project.confirmed == tuple(ids)
    other = next(m for m in at.multiselect if m.key.startswith("unconfirm-ids"))
    other.set_value(ids[:1]).run()
    press(at, "unconfirm")
    assert session(at).project.confirmed == (ids[1],)
    press(at, "undo")
    assert session(at).project.confirmed == tuple(ids)


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
    at.selectbox(key="override-id@0").set_value("power.ups.recharge").run()
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
    at.selectbox(key="override-id@0").set_value("power.ups.recharge").run()
    for name, text in (("value", "twelve"), ("reason", "measured"), ("by", "A. Owner")):
        at.text_input(key=f"override-{name}-power.ups.recharge").set_value(text).run()
    press(at, "override-now")
    assert any("Override not applied" in error.value for error in at.error)
    assert session(at).project.overridden is None


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (Source("nec-210-20", "210.20(A)", "2020"), "NFPA 70, 2020, 210.20(A)"),
        (
            Source("nvidia-dgx-h100-user-guide", "equipment/servers[DGX H100]"),
            "NVIDIA, DGX H100/H200 System User Guide, row DGX H100 of the table equipment/servers",
        ),
        (Source("criteria", "growth", verified="memory"), "criteria, growth [unverified]"),
    ],
)
def test_a_clause_is_told_by_its_title_where_the_reference_data_has_it(
    source: Source, told: str
) -> None:
    assert clause(source) == told
