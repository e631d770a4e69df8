"""All inputs: every field of the project can be found, changed, confirmed and left open."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.files.project.file import apply_sets, default_project, parse_project, template_text
from facility.model.inputs.change import declared_path
from facility.model.inputs.declare import Entry
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import fields, value_at, with_entries
from facility.report.objects.designed import designed
from facility.report.objects.inputs import every_path
from facility.report.objects.known_names import known_names
from facility.study.design.design import design
from facility.ui.session.edits import Session, with_entry
from tests.study.fields import BASES, EXCEPTIONS, FIELDS
from tests.ui.helpers import (
    INPUTS,
    assert_sound,
    box,
    choose,
    edit_cells,
    errors,
    frames,
    go,
    grid,
    inputs,
    opened,
    pick,
    press,
    session,
    show_object,
)

# What a field cannot be without, entered first: it waits.
_TOGETHER = {
    "ranges.0.": ("ranges.0.field=it.diversity", "ranges.0.range=0.8 .. 0.9"),
    "project.revisions.0.": (
        "project.revisions.0.rev=A",
        "project.revisions.0.date=2026-11-21",
        "project.revisions.0.by=One",
    ),
    "criteria.component_limits_edition": ("criteria.mlc_limit=0.25",),
    "site.tariff.": ("site.tariff.energy.0.price=0.1 USD/kWh",),
    "site.tariff.demand.": ("site.tariff.demand.0.price=10 USD/kW",),
    "site.tariff.reactive.": ("site.tariff.reactive.0.price=0.02 USD/kvarh",),
    "site.weather_file": ("site.station=",),
    "it.job.full_power": ("it.job.power_file=run.csv",),
    "panels.boards.0.": ("panels.boards.0.tag=RPP-1",),
    "panels.boards.0.circuits.0.": (
        "panels.boards.0.circuits.0.rack=R1",
        "panels.boards.0.circuits.0.position=1",
    ),
    "panels.boards.0.spares.0.": (
        "panels.boards.0.spares.0.poles=1",
        "panels.boards.0.spares.0.breaker=20 A",
    ),
    "cooling.crah.rating.": (
        "cooling.crah.rating.net_sensible=100 kW",
        "cooling.crah.rating.airflow=7 m3/s",
        "cooling.crah.rating.return_air=36 degC",
        "cooling.crah.rating.water_in=18 degC",
        "cooling.crah.rating.water_out=26 degC",
    ),
}
_VALUES = {
    "schema_version": "1",
    "ranges.0.field": "it.demand_factor",
    "ranges.0.range": "0.7 .. 0.9",
    "project.revisions.0.date": "2026-12-24",
    "site.weather_file": "own.epw",
    "site.grid_carbon_file": "carbon.csv",
    "site.price_file": "price.csv",
    "it.load_profile.file": "load.csv",
    "it.job.power_file": "run.csv",
    "cooling.crah.rating.supply_air": "24 degC",
    **dict.fromkeys(
        (f"cooling.thermal.{what}_mass" for what in ("coil", "plate", "server", "structure")),
        "5e6 J/K",
    ),
}


def other_value(field: Entry) -> str:
    """Return a value that a field may have, and its base project does not state."""
    if field.words:
        return field.words[-1]
    if field.type is None or not field.kind:
        return "true" if field.type is not None and field.type.bounds() else "Another"
    if field.kind == "count":
        return "3"
    default = field.declared.default
    usual = default.value if default is not None and isinstance(default.value, float) else 1.0
    for value in (1.1 * usual, 0.9 * usual, 0.5, 2.0, 20.0, 600.0, 5e3, 1e5, 1e8):
        text = f"{value:.6g} {KINDS[field.kind].si}".strip()
        try:
            field.type.read(text)
        except FacilityError:
            continue
        return text
    raise AssertionError(field.path)


def enter(session: Session, text: str) -> Session:
    path, _, value = text.partition("=")
    return with_entry(session, path, value, lambda _: None)


def test_every_field_of_the_declaration_is_listed() -> None:
    listed = every_path(as_typed(default_project()))
    assert {declared_path(path) for path in listed} == set(fields())
    halls = parse_project("schema_version: 1\nit: {halls: [{name: A}, {name: B}]}\n")
    names = [path for path in every_path(as_typed(halls)) if path.endswith(".name")]
    assert [f"it.halls.{n}.name" for n in range(3)] == names[: names.index("it.halls.2.name") + 1][
        -3:
    ]


@pytest.mark.parametrize("path", sorted({*FIELDS, *EXCEPTIONS} - {"schema_version"}))
def test_another_value_of_every_field_changes_the_project(path: str) -> None:
    if path in FIELDS:
        change = FIELDS[path]
        base = apply_sets(parse_project(BASES[change.base]), list(change.one))
        after = Session(base)
        for text in change.two:
            after = enter(after, text)
        assert as_typed(after.project) == as_typed(apply_sets(base, list(change.two)))
    else:
        base, used = parse_project(BASES["built"]), path.replace("[]", ".0")
        after = Session(base)
        for beginning, texts in _TOGETHER.items():
            for text in texts if used.startswith(beginning) else ():
                after = enter(after, text)
        if used.startswith("power.reliability"):
            for time in ("mtbf=9e5 h", "mttr=9 h"):
                after = enter(after, f"{used.rpartition('.')[0]}.{time}")
        value = _VALUES.get(used) or other_value(fields()[path])
        after = enter(after, f"{used}={value}")
        entered = [value] if fields()[path].many else value
        assert value_at(as_typed(after.project), used) == entered
    assert not after.refused
    assert as_typed(after.project) != as_typed(base)


def test_every_field_is_varied_here() -> None:
    assert set(FIELDS) | set(EXCEPTIONS) == set(fields())


def test_many_entries_that_wait_are_tried_a_limited_number_of_times() -> None:
    tries = 0

    def never(_: object) -> None:
        nonlocal tries
        tries += 1
        raise FacilityError("NO_SOLUTION", "", "none.")

    after = Session(default_project())
    for path in list(FIELDS)[:12]:
        if "[]" not in path:
            after = with_entry(after, path, "nonsense", never)
    assert after.refused
    before = tries
    after = with_entry(after, "it.gpus", "8", never)
    assert tries - before < 400


WORKED_OUT = (
    "it.network.leaf", "it.network.spine", "power.transformer.count", "power.transformer.rating",
    "power.generator.count", "power.generator.voltage", "power.battery.strings",
    "power.battery.blocks_per_string", "cooling.crah.count", "cooling.plant.chiller.count",
    "cooling.plant.rejection.count", "house.lighting",
)  # fmt: skip


@pytest.mark.parametrize("path", WORKED_OUT)
def test_the_designed_value_stated_leads_to_the_same_design(path: str) -> None:
    project = parse_project(template_text())
    found = design(project)
    made = designed(found, path, "si")
    assert made is not None
    assert not made.assumption
    again = design(with_entries(project, {path: made.text.replace(",", "")}))
    for key in ("load.facility", "ups.modules", "transformer.count", "battery.strings",
                "generator.count", "crah.count", "plant.chiller_count", "pue.design"):  # fmt: skip
        assert again.results[key].si == pytest.approx(found.results[key].si, rel=1e-5), key


def test_defaults_come_from_the_ledger_with_their_basis() -> None:
    found = design(parse_project(template_text()))
    for path, id in (
        ("power.ups.max_loading", "power.ups.max_loading"),
        ("power.distribution.panel_poles", "power.panel_poles"),
        ("power.faults.motor_multiple", "faults.motor_multiple"),
        ("it.halls.0.route_rule", "it.hall.1.route_rule"),
        ("site.frequency", "site.frequency"),
    ):
        made = designed(found, path, "si")
        assert made is not None
        assert made.assumption == id
        (said,) = (one for one in found.ledger if one.id == id)
        assert (made.basis, made.source) == (said.basis, str(said.source))
    for path in ("power.generator.first_step", "power.battery.capacity", "power.nothing"):
        assert designed(found, path, "si") is None


def at_field(at: AppTest, path: str) -> AppTest:
    """Open a field in all inputs."""
    at.session_state["inputs-filter"] = path
    go(at, INPUTS)
    at.session_state["design-input"] = path
    at.run()
    assert_sound(at)
    return at


def value_box(at: AppTest, path: str) -> str:
    return box(at, f"inspector-value {path}")


def unit_box(at: AppTest, path: str) -> str:
    return box(at, f"inspector-unit {path}")


def texts(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


def test_known_names_are_offered() -> None:
    at = at_field(opened(), "it.server")
    assert "DGX B200" in at.selectbox(key=value_box(at, "it.server")).options
    assert "known names in the list" in texts(at)
    path = "power.redundancy"
    at_field(at, path)
    at.selectbox(key=value_box(at, path)).set_value("2N").run()
    assert session(at).project.power.redundancy == "2N"
    assert_sound(at)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("power.battery.model", "EP65-12"),
        ("power.distribution.rack_system", "480Y/277"),
        ("it.network.switch", "QM9700"),
        ("it.storage.model", "NVMe storage node 2U"),
        ("it.halls.0.racks.2.devices.1.model", "DGX B200"),
        ("it.halls.0.racks.2.circuits.0.rack_pdu", "NA 415 V 3ph 60 A"),
        ("it.devices.0.supplies.efficiency_class", "80 PLUS Titanium"),
        ("cooling.cdu.fluid", "PG25"),
        ("cooling.crah.redundancy", "N+2"),
        ("cooling.crah.fan_curve", "ideal cube law"),
        ("cooling.plant.rejection.fan_curve", "variable speed"),
    ],
)
def test_a_field_offers_the_names_of_its_table(path: str, name: str) -> None:
    found = known_names(path)
    assert name in found
    assert len(set(found)) == len(found)


def test_a_quantity_is_entered_in_a_unit_and_left_open_again() -> None:
    path = "power.ups.max_loading"
    at = at_field(opened(), path)
    assert "Assumed: 100.0 %" in texts(at)
    assert "Basis: full rating after the design failure" in texts(at)
    at.selectbox(key=unit_box(at, path)).set_value("%").run()
    at.text_input(key=value_box(at, path)).set_value("85").run()
    assert_sound(at)
    assert session(at).project.power.ups is not None
    assert as_typed(session(at).project)["power"]["ups"]["max_loading"] == "85 %"
    assert "Without this value: 100.0 %" in texts(at)
    press(at, f"reset-inspector{path}")
    assert "max_loading" not in as_typed(session(at).project)["power"]["ups"]
    press(at, "undo")
    assert at.text_input(key=value_box(at, path)).value == "85 %"


def test_a_unit_chosen_writes_the_same_quantity_in_it() -> None:
    path = "site.utility_voltage"
    at = at_field(opened(), path)
    at.text_input(key=value_box(at, path)).set_value("13800").run()
    assert session(at).refused == {}
    at.selectbox(key=unit_box(at, path)).set_value("kV").run()
    assert_sound(at)
    assert as_typed(session(at).project)["site"]["utility_voltage"] == "13.8 kV"


def test_a_refused_entry_is_marked_at_its_field_and_put_back() -> None:
    path = "cooling.supply_air"
    at = at_field(opened(), path)
    at.text_input(key=value_box(at, path)).set_value("often").run()
    assert "NOT_A_NUMBER" in session(at).refused[path].error.code
    assert inputs(at)["Stated"][path]["remark"] == "Not applied"
    press(at, f"put-back-inspector-{path}")
    assert not session(at).refused
    assert at.text_input(key=value_box(at, path)).value == ""


def test_an_assumption_is_overridden_with_a_reason_where_it_stands() -> None:
    path = "power.ups.recharge"
    at = at_field(opened(), path)
    for name, text in (("value", "10 %"), ("reason", "data sheet of the UPS"), ("by", "A. B.")):
        at.text_input(key=f"override-{name}-{path}").set_value(text).run()
    press(at, "override-now")
    (one,) = session(at).project.overridden or ()
    assert (one.assumption, one.reason, one.by) == (path, "data sheet of the UPS", "A. B.")
    assert any("Overridden by A. B.: data sheet" in text.value for text in at.text)
    press(at, f"reset-inspector{path}")
    assert session(at).project.overridden is None
    assert session(at).project.power.ups is None or session(at).project.power.ups.recharge is None


def test_words_are_a_choice_and_assumptions_are_confirmed_and_withdrawn() -> None:
    path = "power.generator.performance_class"
    at = at_field(opened(), path)
    assert at.selectbox(key=value_box(at, path)).options[0] == "Automatic: G3"
    press(at, "inspector-confirm")
    assert session(at).project.confirmed == (path,)
    press(at, "inspector-withdraw")
    assert session(at).project.confirmed in ((), None)
    press(at, "inspector-confirm")
    at.selectbox(key=value_box(at, path)).set_value("G2").run()
    assert_sound(at)
    assert not session(at).refused
    assert not session(at).project.confirmed
    assert as_typed(session(at).project)["power"]["generator"] == {"performance_class": "G2"}


def test_entries_of_lists_are_added_field_by_field_and_removed() -> None:
    at = at_field(opened(), "it.halls.0.name")
    at.text_input(key=value_box(at, "it.halls.0.name")).set_value("North").run()
    assert session(at).project.it.halls is not None
    assert inputs(at)["Stated"]["it.halls.0.name"]["value"] == "North"
    press(at, "inspector-remove")
    assert not session(at).project.it.halls


def test_a_field_is_found_by_its_meaning() -> None:
    at, path = go(opened(), INPUTS), "cooling.crah.count"
    assert set(inputs(at)) == {"Stated", "Default"}  # and others below them
    at.text_input(key="inputs-filter").set_value("air handlers spares").run()
    assert_sound(at)
    (row,) = (rows[path] for rows in inputs(at).values() if path in rows)
    assert row["title"] == "Air handlers of the halls, including spares"
    assert row["text"] == path
    pick(at, path, "Inputs")
    assert value_box(at, path)
    at.pills(key="inputs-origins").set_value(["Stated"]).run()
    assert not inputs(at)


def at_inputs() -> AppTest:
    return show_object(opened(), "IT", "racks")


def test_a_rack_list_is_entered_corrected_and_accepted() -> None:
    at = at_inputs()
    rows = [
        {"hall": "H1", "rack": "Nodes", "count": "4", "device": "DGX H10", "devices": "4"},
        {"hall": "H1", "rack": "Fabric", "count": "two", "device": "QM9700", "devices": "12"},
    ]
    edit_cells(at, "racks-list", added_rows=rows)
    problems = next(d.value for d in frames(at) if "Code" in d.value)
    assert list(problems["Location"]) == ["row 1, device", "row 2, count"]
    assert list(problems["Code"]) == ["UNKNOWN_MODEL", "NOT_A_COUNT"]
    assert at.button(key="racks-accept").disabled
    assert not session(at).project.it.halls
    edit_cells(at, "racks-list", edited_rows={0: {"device": "DGX H100"}, 1: {"count": "2"}})
    assert at.button(key="racks-accept").label == "Apply 6 racks"
    press(at, "racks-accept")
    racks = session(at).project.it.halls[0].racks  # type: ignore[index]
    assert [(rack.name, rack.count) for rack in racks or ()] == [("Nodes", 4), ("Fabric", 2)]
    assert session(at).project.it.gpus is None
    listed = grid(at, "racks-list").value.to_dict("records")
    assert [row["Rack"] for row in listed] == ["Nodes", "Fabric"]
    press(at, "undo")
    assert session(at).project.it.gpus == 10_000
    assert grid(at, "racks-list").value.empty
    assert "racks-accept" not in [button.key for button in at.button]
    press(at, "redo")
    assert grid(at, "racks-list").value.to_dict("records") == listed
    assert "racks-accept" not in [button.key for button in at.button]


def test_rows_that_cannot_be_designed_are_refused_and_stay() -> None:
    at = at_inputs()
    row = {"rack": "Nodes", "device": "DGX H100", "feeds": "X, Y"}
    edit_cells(at, "racks-list", added_rows=[row])
    press(at, "racks-accept")
    assert any(one.startswith("Rack list not applied:") for one in errors(at))
    assert session(at).project.it.gpus == 10_000
    press(at, "racks-discard")
    assert not at.error


def test_a_unit_of_the_catalogue_is_tried_and_chosen() -> None:
    at = opened()
    choose(at, "Example", "dgx-su-32")
    show_object(at, "GEN", "models")
    at.segmented_control(key="shortlist-unit").set_value("Generator set").run()
    press(at, "shortlist-run")
    options = next(d.value for d in frames(at) if "Margin (%)" in d.value)
    able = [
        m for m, no in zip(options["Model"], options["Not feasible because"], strict=True) if not no
    ]
    assert len(able) > 2
    at.selectbox(key="shortlist-model").set_value(able[1]).run()
    press(at, "shortlist-choose")
    generator = session(at).project.power.generator
    assert generator is not None
    assert generator.model == able[1]
    assert any("specified by the project" in text.value for text in at.text)
