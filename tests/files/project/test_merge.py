"""Two changes of one project: what one of them changed is kept, what both changed is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.project.merge import FieldConflict, differences, merged
from facility.model.inputs.document import Project, as_typed

BASE = parse_project("""\
schema_version: 1
project: {name: Base}
site: {station: chicago}
it:
  halls:
    - name: Hall 1
      racks:
        - {name: H100, count: 16, devices: [{model: DGX H100, count: 4}], feeds: [A, B]}
        - {name: Net, count: 2, purpose: network, devices: [{model: QM9700, count: 12}]}
power: {redundancy: N+1}
cooling: {method: air}
""")
RACK = {"name": "New", "count": "1", "devices": [{"model": "DGX H100", "count": "1"}]}
EDITS: tuple[tuple[str, tuple[object, ...]], ...] = (
    ("project.name", ("Mine", "Other", None)),
    ("project.title", ("First", "Second", None)),
    ("site.tariff", ("0.07 USD/kWh", "0.08 USD/kWh", None)),
    ("it.halls.0.racks.0.count", (8, 12)),
    ("it.halls.0.racks.1.count", (1, 3)),
    ("it.halls.0.racks.0.feeds", (["A"], ["B", "A"])),
    ("it.halls.0.racks.2", (RACK,)),
    ("it.halls.0.racks.1", (None,)),
    ("power.redundancy", ("2N", "3N/2")),
    ("cost", (None, {"rate": "5 %"})),
)
Edits = dict[str, object]


def edits() -> st.SearchStrategy[Edits]:
    one = st.sampled_from(EDITS).flatmap(
        lambda edit: st.tuples(st.just(edit[0]), st.sampled_from(edit[1]))
    )
    return st.lists(one, max_size=4).map(dict)


def changed(changes: Edits) -> Project:
    # A rack is appended before one is removed, and both after what changes the racks.
    fields = [path for path in changes if not path[-1].isdigit()]
    entries = sorted(set(changes) - set(fields), reverse=True)
    return BASE.with_({path: changes[path] for path in [*fields, *entries]})


def touched(project: Project) -> set[str]:
    return {change.path for change in differences(BASE, project)}


def meet(one: str, other: str) -> bool:
    """Return whether one path is the other, or above it."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


@given(edits())
def test_what_one_side_changed_alone_is_kept(changes: Edits) -> None:
    mine = changed(changes)
    for found in (merged(BASE, mine, BASE), merged(BASE, BASE, mine), merged(BASE, mine, mine)):
        assert found.conflicts == ()
        assert found.project is not None
        assert as_typed(found.project) == as_typed(mine)


@given(edits(), edits())
def test_both_sides_are_kept_or_asked_about(one: Edits, other: Edits) -> None:
    mine, theirs = changed(one), changed(other)
    found, swapped = merged(BASE, mine, theirs), merged(BASE, theirs, mine)
    assert found.project == swapped.project
    assert [(c.path, c.mine, c.theirs) for c in found.conflicts] == [
        (c.path, c.theirs, c.mine) for c in swapped.conflicts
    ]
    for conflict in found.conflicts:
        assert conflict.mine != conflict.theirs
        assert conflict.base not in (conflict.mine, conflict.theirs)
    if not any(meet(here, there) for here in touched(mine) for there in touched(theirs)):
        assert found.project is not None
    if found.project is not None:
        # Nothing that a side changed is lost, and nothing is changed that no side changed.
        assert touched(found.project) == touched(mine) | touched(theirs)


@given(edits(), edits(), st.sampled_from(["mine", "theirs"]))
def test_a_choice_decides_and_nothing_else(one: Edits, other: Edits, side: str) -> None:
    mine, theirs = changed(one), changed(other)
    conflicts = merged(BASE, mine, theirs).conflicts
    if not conflicts:
        return
    rest = merged(BASE, mine, theirs, {conflicts[0].path: side})  # type: ignore[dict-item]
    assert rest.conflicts == conflicts[1:]
    decided = merged(BASE, mine, theirs, {c.path: side for c in conflicts})  # type: ignore[misc]
    assert decided.project is not None
    chosen = mine if side == "mine" else theirs
    elsewhere = {change.path for change in differences(chosen, decided.project)}
    assert not elsewhere & {conflict.path for conflict in conflicts}


def test_a_conflict_names_the_field_and_all_three_values() -> None:
    found = merged(BASE, changed({"power.redundancy": "2N"}), changed({"power.redundancy": "3N/2"}))
    assert found.project is None
    assert found.conflicts == (FieldConflict("power.redundancy", "N+1", "2N", "3N/2"),)


def test_entries_added_on_both_sides_are_one_question() -> None:
    path = "it.halls.0.racks"
    other = {**RACK, "name": "Other"}
    found = merged(BASE, BASE.with_({f"{path}.2": RACK}), BASE.with_({f"{path}.2": other}))
    assert [conflict.path for conflict in found.conflicts] == [path]


def test_a_section_removed_here_and_changed_there_is_asked_about() -> None:
    base = BASE.with_({"cost": {"rate": "5 %", "it_years": "5"}})
    mine, theirs = base.with_({"cost": None}), base.with_({"cost.rate": "6 %"})
    (conflict,) = merged(base, mine, theirs).conflicts
    assert (conflict.path, conflict.mine, conflict.theirs) == ("cost.rate", None, "6 %")
    assert merged(base, mine, theirs, {"cost.rate": "mine"}).project == mine


def test_changes_that_do_not_go_together_are_refused_as_a_file_would_be() -> None:
    base = BASE.with_({"project.originator": "Ann", "project.checker": "Bob"})
    mine = base.with_({"project.originator": "Cyd"})
    with pytest.raises(FacilityError, match="SAME_CHECKER"):
        merged(base, mine, base.with_({"project.checker": "Cyd"}))


def test_a_choice_for_no_conflict_is_refused() -> None:
    with pytest.raises(FacilityError, match="UNKNOWN_CONFLICT"):
        merged(BASE, BASE, BASE, {"power.redundancy": "mine"})


def test_differences_name_the_fields() -> None:
    after = BASE.with_({"it.halls.0.racks.1.count": 4, "cost": {"rate": "5 %"}})
    assert [(c.path, c.before, c.after) for c in differences(BASE, after)] == [
        ("it.halls.0.racks.1.count", "2", "4"),
        ("cost.rate", None, "5 %"),
    ]
    gone = BASE.with_({"it.halls.0.racks.1": None})
    assert [c.path for c in differences(BASE, gone)] == ["it.halls.0.racks"]
    assert differences(BASE, BASE) == ()
