"""The project file: read, written, hashed, changed by path."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.project.file import (
    apply_sets,
    default_project,
    dump_project,
    example_names,
    example_text,
    load_project,
    parse_project,
    template_text,
)
from facility.model.inputs.document import Project, as_typed, project_sha256

FULL = """\
# a comment
schema_version: 1
project:
  name: Campus A, hall 1
  number: 010
  title: "4:1"
  status: FOR REVIEW
  originator: A. Maker
  checker: B. Checker
  revisions:
    - {rev: P1, date: 2026-01-31, by: AM, checked: BC, description: "first: issue"}
site:
  place: Loudoun County
  elevation: 300 ft
  design_dry_bulb: 104 degF
  design_wet_bulb: 28.9 °C
  mean_dry_bulb: 12.7 degC
  mean_wet_bulb: 9.5 degC
  utility_voltage: 34.5 kV
  frequency: 60 Hz
  fault_level: 500 MVA
  x_over_r: 12
  tariff: 0.0600 USD/kWh
  grid_carbon: 596.3 lb/MWh
criteria: {code: NEC, edition: 2020, continuous_factor: 1.25, growth: 20 %,
  voltage_drop_branch: 3 %, voltage_drop_feeder: 2 %, voltage_drop_total: 5 %,
  air_class: A3, liquid_class: W45}
it: {gpus: 2048, gpu_model: H100 SXM5}
house: {lighting: 12 kW, controls: 3 kW, security: 2 kW, other: 1 kW, people: 6,
  heat_per_person: 450 Btu/h, envelope: 4 kW}
confirmed: [site.tariff, NO]
"""


def refusal(sets: list[str], text: str = FULL) -> FacilityError:
    with pytest.raises(FacilityError) as caught:
        apply_sets(parse_project(text), sets)
    return caught.value


def test_everything_is_kept_as_typed() -> None:
    typed = as_typed(parse_project(FULL))
    assert typed["schema_version"] == "1"
    assert typed["project"]["number"] == "010"
    assert typed["project"]["title"] == "4:1"
    assert typed["site"]["design_wet_bulb"] == "28.9 °C"
    assert typed["site"]["tariff"] == "0.0600 USD/kWh"
    assert typed["criteria"]["edition"] == "2020"
    assert typed["confirmed"] == ["site.tariff", "NO"]
    assert "power" not in typed


def test_dump_is_read_back_alike() -> None:
    project = parse_project(FULL)
    again = parse_project(dump_project(project))
    assert as_typed(again) == as_typed(project)
    assert project_sha256(again) == project_sha256(project)
    assert dump_project(again) == dump_project(project)


def test_dump_means_the_same_to_any_yaml_reader() -> None:
    text = dump_project(parse_project(FULL))
    assert "gpus: 2048\n" in text
    read = yaml.safe_load(text)
    assert read["project"]["number"] == "010"
    assert read["project"]["title"] == "4:1"
    assert read["confirmed"] == ["site.tariff", "NO"]
    assert read["it"]["gpus"] == 2048


def test_hash_ignores_order_comments_and_format() -> None:
    project = parse_project(FULL)
    typed = as_typed(project)
    backwards = json.dumps(dict(reversed(typed.items())), indent=3)
    assert project_sha256(parse_project(backwards)) == project_sha256(project)
    without_comment = FULL.replace("# a comment\n", "\n\n")
    assert project_sha256(parse_project(without_comment)) == project_sha256(project)
    assert project_sha256(parse_project(FULL + "cooling: {}\n")) == project_sha256(project)
    assert project_sha256(parse_project(FULL + "cooling:\n")) == project_sha256(project)
    other = FULL.replace("0.0600 USD/kWh", "0.06 USD/kWh")
    assert project_sha256(parse_project(other)) != project_sha256(project)


def test_json_numbers_are_their_text() -> None:
    project = parse_project('{"schema_version": 1, "it": {"gpus": 256}, "site": {"x_over_r": 1e1}}')
    assert as_typed(project) == {
        "schema_version": "1",
        "it": {"gpus": "256"},
        "site": {"x_over_r": "1e1"},
    }


def test_byte_order_mark_is_no_part_of_the_text() -> None:
    assert parse_project(b"\xef\xbb\xbfschema_version: 1").schema_version == "1"


def test_project_of_a_program_equals_that_of_a_file() -> None:
    made = Project.model_validate({"schema_version": "1", "it": {"gpus": 256}})
    assert project_sha256(made) == project_sha256(
        parse_project("schema_version: 1\nit: {gpus: 256}")
    )


@pytest.mark.parametrize("name", example_names())
def test_examples_are_valid_and_survive_a_round_trip(name: str) -> None:
    project = parse_project(example_text(name), name)
    assert as_typed(parse_project(dump_project(project))) == as_typed(project)


def test_embedded_project_and_templates() -> None:
    assert project_sha256(default_project()) == project_sha256(
        parse_project(template_text("h100-10k"))
    )
    assert as_typed(parse_project(template_text())) == {
        "schema_version": "1",
        "it": {"gpu_model": "H100 SXM5", "gpus": "256"},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    }
    with pytest.raises(FacilityError) as caught:
        template_text("h100")
    assert caught.value.code == "UNKNOWN_EXAMPLE"
    assert "'h100-10k'" in caught.value.hint


def test_sets_change_add_and_remove() -> None:
    project = parse_project(FULL)
    before = project_sha256(project)
    changed = apply_sets(
        project,
        [
            "it.gpus=4096",
            "site.tariff=",
            "house.people = 8 ",
            "confirmed.2=it.basis",
            "confirmed[0]=",
            "project.revisions[0].by=XY",
            "project.name=a=b",
        ],
    )
    typed = as_typed(changed)
    assert typed["it"]["gpus"] == "4096"
    assert "tariff" not in typed["site"]
    assert typed["house"]["people"] == "8"
    assert typed["confirmed"] == ["NO", "it.basis"]
    assert typed["project"]["revisions"][0]["by"] == "XY"
    assert typed["project"]["name"] == "a=b"
    assert project_sha256(project) == before


def test_sets_make_lists_on_the_way() -> None:
    short = parse_project(template_text())
    changed = apply_sets(short, ["it.halls.0.name=A", "it.halls[1].name=B", "it.halls.1.rows=4"])
    assert as_typed(changed)["it"]["halls"] == [{"name": "A"}, {"name": "B", "rows": "4"}]


def test_a_list_is_emptied_and_is_left_to_the_design() -> None:
    short = parse_project(template_text())
    given = apply_sets(short, ["cooling.on_ups.0=crah_fans"])
    assert as_typed(apply_sets(given, ["cooling.on_ups=[]"]))["cooling"]["on_ups"] == []
    assert as_typed(given.with_(cooling__on_ups=[]))["cooling"]["on_ups"] == []
    assert "on_ups" not in as_typed(apply_sets(given, ["cooling.on_ups="]))["cooling"]


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ("it.gpu=8", "UNKNOWN_FIELD", "it.gpu"),
        ("gpus=8", "UNKNOWN_FIELD", "gpus"),
        ("site.tariffs=", "UNKNOWN_FIELD", "site.tariffs"),
        ("it.gpus=1e3", "NOT_A_COUNT", "it.gpus"),
        ("it.gpus.x=1", "SET_INDEX", "it.gpus"),
        ("it=8", "NOT_A_SECTION", "it"),
        ("it.0=8", "UNKNOWN_FIELD", "it.0"),
        ("confirmed.5=a", "SET_INDEX", "confirmed"),
        ("confirmed.2=", "SET_INDEX", "confirmed"),
        ("confirmed.first=a", "SET_INDEX", "confirmed"),
        ("confirmed.-1=a", "SET_INDEX", "confirmed"),
        ("it.halls.3.name=a", "SET_INDEX", "it.halls"),
        ("it.halls.0=", "SET_INDEX", "it.halls"),
        ("schema_version=", "NOT_ONE_OF", "schema_version"),
        ("it.gpus", "SET_SYNTAX", "--set"),
        ("=8", "SET_SYNTAX", "--set"),
        ("it..gpus=8", "SET_SYNTAX", "--set"),
        ("it gpus=8", "SET_SYNTAX", "--set"),
        ("a." * 200 + "b=1", "SET_SYNTAX", "--set"),
        ("project.name=a\x07b", "TEXT_CONTROL", "project.name"),
    ],
)
def test_wrong_change_is_refused(change: str, code: str, where: str) -> None:
    error = refusal([change])
    assert (error.code, error.where) == (code, where)
    assert error.exit_code == (2 if code == "SET_SYNTAX" else 3)


def test_unknown_path_offers_near_matches() -> None:
    assert "'gpus'" in refusal(["it.gpu=8"]).hint
    assert refusal(["tariff=1 USD/kWh"]).hint == "Did you mean 'site.tariff'?"


def test_weather_file_is_looked_for_beside_the_project(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("schema_version: 1\nsite: {weather_file: here.epw}\n")
    project = load_project(path)
    assert project.site.folder == tmp_path
    assert apply_sets(project, ["site.tariff=1 USD/kWh"]).site.folder == tmp_path


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_change_is_applied_or_refused(path: str, value: str) -> None:
    project = parse_project(template_text())
    for change in (f"{path}={value}", f"project.name={value}", f"it.{path}=1"):
        with suppress(FacilityError):
            changed = apply_sets(project, [change])
            assert as_typed(parse_project(dump_project(changed))) == as_typed(changed)
