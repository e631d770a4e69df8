"""Entries change the project, wait when refused, and never lose what was typed."""

from __future__ import annotations

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import default_project, example_text, parse_project
from facility.model.power.redundancy import SCHEMES
from facility.study.design.design import design
from facility.ui.session.edits import (
    BELONGS_TO,
    Session,
    shown_value,
    with_changes,
    with_entry,
    without,
)

SHORT = "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 256}\npower: {redundancy: N+1}\n"
SHORT += "cooling: {method: air}\n"


def fresh() -> Session:
    return Session(default_project())


def enter(session: Session, path: str, value: str) -> Session:
    return with_entry(session, path, value, design)


def codes(session: Session) -> dict[str, str]:
    return {path: entry.error.code for path, entry in session.refused.items()}


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("it.gpus", "abc", "NOT_A_COUNT"),
        ("it.gpus", "-8", "NOT_A_COUNT"),
        ("it.gpus", "", "MISSING_FIELD"),
        ("site.tariff", "132", "UNIT_MISSING"),
        ("site.tariff", "0.05 USD/kW", "UNIT_WRONG"),
        ("site.station", "atlantis", "UNKNOWN_MODEL"),
        ("it.gpu_model", "B200 NVL72", "LIQUID_REQUIRED"),
        ("cooling.method", "liquid", "NO_LIQUID_RACKS"),
    ],
)
def test_a_refused_entry_changes_nothing_and_is_kept(path: str, value: str, code: str) -> None:
    before = fresh()
    after = enter(before, path, value)
    assert after.project is before.project
    assert codes(after) == {path: code}
    assert shown_value(after, path) == value


def test_a_refused_entry_outlives_other_changes_until_it_is_mended() -> None:
    session = enter(enter(fresh(), "it.gpus", "abc"), "site.station", "chicago")
    assert session.project.site.station == "chicago"
    assert codes(session) == {"it.gpus": "NOT_A_COUNT"}
    assert shown_value(session, "it.gpus") == "abc"
    session = enter(session, "it.gpus", "512")
    assert session.project.it.gpus == 512
    assert not session.refused


@pytest.mark.parametrize("liquid_first", [True, False])
def test_two_changes_that_only_hold_together_are_made_one_after_the_other(
    liquid_first: bool,
) -> None:
    entries = [("cooling.method", "hybrid"), ("it.gpu_model", "B200 NVL72")]
    session = Session(parse_project(SHORT))
    first, second = entries if liquid_first else entries[::-1]
    session = enter(session, *first)
    assert list(session.refused) == [first[0]]
    session = enter(session, *second)
    assert not session.refused
    assert session.project.cooling.method == "hybrid"
    assert session.project.it.gpu_model == "B200 NVL72"


def test_what_holds_is_applied_while_the_rest_waits() -> None:
    session = enter(fresh(), "it.gpu_model", "B200 NVL72")
    session = enter(session, "it.gpus", "many")
    session = enter(session, "cooling.method", "hybrid")
    assert codes(session) == {"it.gpus": "NOT_A_COUNT"}
    assert session.project.it.gpu_model == "B200 NVL72"
    assert session.project.cooling.method == "hybrid"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_redundancy_can_be_chosen_on_the_embedded_project(scheme: str) -> None:
    session = enter(fresh(), "power.redundancy", scheme)
    assert not session.refused
    assert session.project.power.redundancy == scheme
    assert set(session.released) <= set(BELONGS_TO["power.redundancy"])


def test_fields_left_for_an_entry_are_named() -> None:
    session = enter(fresh(), "it.gpu_model", "B200 SXM")
    assert "it.server" in session.released
    assert session.project.it.server is None


def test_nothing_is_left_where_nothing_contradicts() -> None:
    session = enter(fresh(), "it.gpus", "5000")
    assert session.released == ()
    assert session.project.it.server == "DGX H100"


def test_a_confirmation_of_what_is_assumed_no_longer_is_left() -> None:
    session = enter(fresh(), "confirmed", "site.frequency, it.diversity")
    assert not session.refused
    session = enter(session, "it.diversity", "90 %")
    assert not session.refused
    assert session.project.confirmed == ("site.frequency",)
    assert session.released == ("confirmed: it.diversity",)


def test_changes_at_once_are_made_whole_or_not_at_all() -> None:
    before = enter(fresh(), "it.gpus", "many")
    after = with_changes(
        before, {"it.gpus": "2,048", "power.ups.model": "", "power.ups.buses": ""}, design
    )
    assert after.project.it.gpus == 2048
    assert after.project.power.ups is None
    assert not after.refused
    with pytest.raises(FacilityError):
        with_changes(before, {"power.ups.buses": "", "power.redundancy": "nothing"}, design)
    assert codes(without(before, "it.gpus")) == {}


def test_a_title_block_entry_keeps_the_other_entries_of_an_example() -> None:
    example = parse_project(example_text("dgx-su-32"))
    signed = enter(Session(example), "project.originator", "J. Doe")
    before = example.project.model_dump()
    assert signed.project.project.model_dump() == before | {"originator": "J. Doe"}
    changed = enter(Session(example), "power.redundancy", "2N").project.project
    assert (changed.number, changed.started_from) == (None, "dgx-su-32")
