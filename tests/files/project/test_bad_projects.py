"""Bad input: one clear coded error each, with its place and exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.io.read_text import MAX_BYTES
from facility.files.project.file import load_project, parse_project, problems

HEAD = "schema_version: 1\n"


def refusal(content: str | bytes, name: str = "p.yaml") -> FacilityError:
    with pytest.raises(FacilityError) as caught:
        parse_project(content, name)
    error = caught.value
    assert error.code.isupper()
    assert error.message
    assert "Traceback" not in str(error)
    assert len(str(error)) < 700
    return error


CONTENT = [
    ("it: {gpus: 8}", "MISSING_FIELD", "schema_version"),
    ("schema_version: 2", "NOT_ONE_OF", "schema_version"),
    (HEAD + "it: {gpu: 8}", "UNKNOWN_FIELD", "it.gpu"),
    (HEAD + "gpus: 8", "UNKNOWN_FIELD", "gpus"),
    (HEAD + "<<: {it: {gpus: 8}}", "UNKNOWN_FIELD", "<<"),
    (HEAD + "it: {gpus: -8}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: 4:1}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: NO}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: 010}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: 1e3}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: 0x10}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: 1_000}", "NOT_A_COUNT", "it.gpus"),
    (HEAD + "it: {gpus: [8]}", "NOT_A_VALUE", "it.gpus"),
    (HEAD + "it: {rack_power: 132 W}", "IMPLAUSIBLE", "it.rack_power"),
    (HEAD + "it: {rack_power: 132 kVA}", "UNIT_WRONG", "it.rack_power"),
    (HEAD + "it: {rack_power: 132}", "UNIT_MISSING", "it.rack_power"),
    (HEAD + "it: 8", "NOT_A_SECTION", "it"),
    (HEAD + "it: {halls: 8}", "NOT_A_LIST", "it.halls"),
    (HEAD + "it: {halls: [{rows: 2}]}", "MISSING_FIELD", "it.halls[0].name"),
    (HEAD + "it: {halls: [{name: A}, {name: B, row: 2}]}", "UNKNOWN_FIELD", "it.halls[1].row"),
    (HEAD + "site: {fault_level: 500 MW}", "UNIT_WRONG", "site.fault_level"),
    (HEAD + "site: {fault_level: 500 VA}", "IMPLAUSIBLE", "site.fault_level"),
    (HEAD + "site: {utility_voltage: 13.8 V}", "IMPLAUSIBLE", "site.utility_voltage"),
    (HEAD + "site: {frequency: 55 Hz}", "NOT_ONE_OF", "site.frequency"),
    (HEAD + "site: {tariff: 0.05}", "UNIT_MISSING", "site.tariff"),
    (HEAD + "site: {tariff: '0,05 USD/kWh'}", "NOT_A_NUMBER", "site.tariff"),
    (HEAD + "site: {elevation: 9000 m}", "OUT_OF_RANGE", "site.elevation"),
    (HEAD + "site: {weather_file: ../a.epw}", "WEATHER_PATH", "site.weather_file"),
    (HEAD + "site: {weather_file: /etc/a.epw}", "WEATHER_PATH", "site.weather_file"),
    (HEAD + "site: {weather_file: a.txt}", "WEATHER_PATH", "site.weather_file"),
    (HEAD + "site: {weather_file: a.epw, station: miami}", "CONTRADICTION", "site"),
    (HEAD + "criteria: {code: nec}", "NOT_ONE_OF", "criteria.code"),
    (HEAD + "criteria: {edition: 2018}", "NOT_ONE_OF", "criteria.edition"),
    (HEAD + "criteria: {code: IEC, edition: 2023}", "NOT_ONE_OF", "criteria.edition"),
    (HEAD + "criteria: {growth: 10}", "OUT_OF_RANGE", "criteria.growth"),
    (HEAD + "criteria: {continuous_factor: 0.8}", "OUT_OF_RANGE", "criteria.continuous_factor"),
    (HEAD + "house: {lighting: 1 kW, lighting_density: 5 W/m2}", "CONTRADICTION", "house"),
    (HEAD + "house: {people: -1}", "NOT_A_COUNT", "house.people"),
    (HEAD + "project: {status: DRAFT}", "NOT_ONE_OF", "project.status"),
    (HEAD + "project: {originator: A. B., checker: a. b.}", "SAME_CHECKER", "project.checker"),
    (HEAD + 'project: {name: "a\\x07b"}', "TEXT_CONTROL", "project.name"),
    (HEAD + f"project: {{name: {'x' * 1_000_000}}}", "TEXT_TOO_LONG", "project.name"),
    (
        HEAD + "project: {revisions: [{rev: A, date: 31.1.2026, by: X}]}",
        "NOT_A_DATE",
        "project.revisions[0].date",
    ),
    (
        HEAD + "project: {revisions: [{rev: A, date: 2026-02-30, by: X}]}",
        "NOT_A_DATE",
        "project.revisions[0].date",
    ),
    (
        HEAD + "project: {revisions: [{rev: A, date: 2026-02-20, by: X, checked: X}]}",
        "SAME_CHECKER",
        "project.revisions[0].checked",
    ),
    (
        HEAD + "project: {revisions: [{rev: A, date: 2026-02-20, by: X},"
        " {rev: A, date: 2026-02-20, by: X}]}",
        "DUPLICATE_REVISION",
        "project.revisions",
    ),
    (HEAD + "confirmed: site.tariff", "NOT_A_LIST", "confirmed"),
    ('{"schema_version": 1, "project": {"name": "\\ud800"}}', "TEXT_CONTROL", "project.name"),
    ('{"schema_version": 1, "it": {"gpus": 8.0}}', "NOT_A_COUNT", "it.gpus"),
    ('{"schema_version": 1, "it": {"gpus": true}}', "NOT_A_COUNT", "it.gpus"),
]

STRUCTURE = [
    (HEAD + "it: {}\nit: {}", "DUPLICATE_KEY", "p.yaml:3:1", 3),
    (HEAD + "it: {gpus: 8, gpus: 9}", "DUPLICATE_KEY", "p.yaml:2:15", 3),
    (HEAD + "it: &a {gpus: 8}\npower: *a", "YAML_ALIAS", "p.yaml:2:5", 3),
    (HEAD + "it: *a", "YAML_ALIAS", "p.yaml:2:5", 3),
    (HEAD + "it: !!python/object/apply:os.system [id]", "YAML_TAG", "p.yaml:2:5", 3),
    (HEAD + "it: {gpus: !!int 8}", "YAML_TAG", "p.yaml:2:12", 3),
    (HEAD + "it: {gpus: !mine 8}", "YAML_TAG", "p.yaml:2:12", 3),
    (HEAD + "---\nschema_version: 1", "YAML_DOCUMENTS", "p.yaml:2:1", 3),
    (HEAD + "? {a: b}\n: c", "YAML_KEY", "p.yaml:2:3", 3),
    ("hello", "NOT_A_PROJECT", "p.yaml", 3),
    ("- a\n- b", "NOT_A_PROJECT", "p.yaml", 3),
    (HEAD + "it: {gpus: 8", "YAML_SYNTAX", "p.yaml:3:1", 6),
    (HEAD + "it:\n  gpus: 8\n power: x", "YAML_SYNTAX", "p.yaml:4:2", 6),
    (HEAD + "it: 'unfinished", "YAML_SYNTAX", "p.yaml:2:16", 6),
    (HEAD + "it:\n\tgpus: 8", "YAML_SYNTAX", "p.yaml:3:1", 6),
    ("", "FILE_EMPTY", "p.yaml", 6),
    (" \n\n", "FILE_EMPTY", "p.yaml", 6),
    (b"PK\x03\x04" + bytes(range(256)), "FILE_NOT_TEXT", "p.yaml", 6),
    (b"schema_version: 1\n# caf\xe9", "FILE_NOT_TEXT", "p.yaml", 6),
    ("schema_version: 1\n".encode("utf-16"), "FILE_NOT_TEXT", "p.yaml", 6),
    (b"schema_version: 1\x00", "FILE_NOT_TEXT", "p.yaml", 6),
    (HEAD + "project: {name: a\x1b[2J}", "FILE_NOT_TEXT", "p.yaml", 6),
    (HEAD + "project: {name: \ud800}", "FILE_NOT_TEXT", "p.yaml", 6),
    (HEAD + "#" * MAX_BYTES, "FILE_TOO_LARGE", "p.yaml", 6),
    ("a: " + "[" * 10_000, "FILE_TOO_DEEP", "p.yaml:1:35", 6),
    ("- " * 10_000, "FILE_TOO_DEEP", "p.yaml:1:65", 6),
    ('{"a":' * 10_000 + "1" + "}" * 10_000, "FILE_TOO_DEEP", "p.yaml", 6),
    ('{"a": ' + "[" * 40 + "]" * 40 + "}", "FILE_TOO_DEEP", "p.yaml", 6),
    (HEAD + "confirmed:\n" + "- a\n" * 120_000, "FILE_TOO_COMPLEX", "p.yaml:99998:3", 6),
    ('{"a": [' + "1," * 120_000 + "1]}", "FILE_TOO_COMPLEX", "p.yaml", 6),
    ('{"schema_version": 1, "it": {"gpus": NaN}}', "JSON_NUMBER", "p.yaml", 3),
    ('{"schema_version": 1, "it": {"gpus": -Infinity}}', "JSON_NUMBER", "p.yaml", 3),
    ('{"schema_version": 1, "it": {}, "it": {}}', "DUPLICATE_KEY", "p.yaml", 3),
    ('{"schema_version": 1,\n "it": {gpus: 8}}', "JSON_SYNTAX", "p.yaml:2:9", 6),
    ('{"schema_version": 1} trailing', "JSON_SYNTAX", "p.yaml:1:23", 6),
]


@pytest.mark.parametrize(("content", "code", "where"), CONTENT, ids=lambda v: str(v)[-50:])
def test_wrong_content_is_invalid_input(content: str, code: str, where: str) -> None:
    error = refusal(content)
    assert (error.code, error.where, error.exit_code) == (code, where, 3)


@pytest.mark.parametrize(
    ("content", "code", "where", "exit_code"), STRUCTURE, ids=lambda v: str(v)[:30]
)
def test_wrong_structure_is_refused(
    content: str | bytes, code: str, where: str, exit_code: int
) -> None:
    error = refusal(content)
    assert (error.code, error.where, error.exit_code) == (code, where, exit_code)


def test_alias_bomb_is_refused_at_its_first_anchor() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for last, name in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{name}: &{name} [{','.join([f'*{last}'] * 9)}]\n"
    error = refusal(bomb)
    assert (error.code, error.where) == ("YAML_ALIAS", "p.yaml:1:4")


def test_ten_megabytes_are_not_read(tmp_path: Path) -> None:
    big = tmp_path / "big.yaml"
    big.write_bytes(b"schema_version: 1\n" + b"#" * 10_000_000)
    with pytest.raises(FacilityError) as caught:
        load_project(big)
    assert (caught.value.code, caught.value.exit_code) == ("FILE_TOO_LARGE", 6)


@pytest.mark.parametrize(
    ("name", "code"),
    [("none.yaml", "FILE_MISSING"), (".", "FILE_UNREADABLE"), ("nul\0.yaml", "FILE_UNREADABLE")],
)
def test_file_that_cannot_be_read(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        load_project(tmp_path / name)
    assert (caught.value.code, caught.value.exit_code) == (code, 6)


def test_json_by_name_is_read_as_json() -> None:
    error = refusal("{schema_version: 1}", "p.json")
    assert (error.code, error.where) == ("JSON_SYNTAX", "p.json:1:2")
    assert parse_project("{schema_version: 1}", "p.yaml").schema_version == "1"


def test_unknown_field_offers_near_and_misplaced_names() -> None:
    assert "'gpus'" in refusal(HEAD + "it: {gpu: 8}").hint
    assert refusal(HEAD + "tariff: 0.05 USD/kWh").hint == "Did you mean 'site.tariff'?"
    rack = refusal(HEAD + "power: {rack_system: 480Y/277}")
    assert rack.hint == "Did you mean 'power.distribution.rack_system'?"
    place = refusal(HEAD + "site: {location: Phoenix}")
    assert place.hint == "Did you mean 'site.station' or 'site.weather_file' or 'site.place'?"
    assert refusal(HEAD + "it: {gpu: 8}").hint == "Did you mean 'gpus', 'gpu_model'?"
    tag = refusal(HEAD + "panels: {banks: 3}").hint
    assert tag == "Did you mean 'panels.cords[].banks' or 'panels.boards[].circuits[].banks'?"
    assert "'design_wet_bulb'" in refusal(HEAD + "site: {design_wetbulb: 27 degC}").hint


@pytest.mark.parametrize(
    "text", ["it: {gpu_model: H100 SXM5, gpus: 1,000}", "project: {title: A hall, air-cooled}"]
)
def test_a_comma_that_cuts_a_value_is_told(text: str) -> None:
    error = refusal(HEAD + text)
    assert error.code == "UNKNOWN_FIELD"
    assert "comma" in error.hint


def test_unknown_word_offers_the_known_ones() -> None:
    hint = refusal(HEAD + "criteria: {air_class: A5}").hint
    assert "Did you mean" in hint
    assert "A1, A2, A3, A4, H1" in hint


def test_several_problems_are_counted_and_listed() -> None:
    text = HEAD + "site: {frequency: 55 Hz, tariff: 5}\nit: {gpus: 1e3}\nhouse: {lights: 1}"
    error = refusal(text)
    assert error.code == "UNKNOWN_FIELD"
    assert "(3 more problems in the project.)" in error.message
    found = {(problem.code, problem.where) for problem in problems(text)}
    assert found == {
        ("UNKNOWN_FIELD", "house.lights"),
        ("NOT_ONE_OF", "site.frequency"),
        ("UNIT_MISSING", "site.tariff"),
        ("NOT_A_COUNT", "it.gpus"),
    }
    assert [problem.code for problem in problems("a: [")] == ["YAML_SYNTAX"]
    assert problems(HEAD) == []


@pytest.mark.parametrize(
    "content",
    [
        HEAD + "".join(f"a{i}: 1\n" for i in range(45_000)),
        HEAD + "it: {halls: [" + "{}," * 45_000 + "]}",
        "{" + ",".join(f'"k{i}":1' for i in range(80_000)) + "}",
        HEAD + "project: {name: '" + "x" * 1_000_000,
        HEAD + "a: " + "b " * 500_000,
        "[" * 1_000_000,
        "{" * 1_000_000,
        "? " * 500_000,
        "&a " * 300_000,
        "\t" * 1_000_000 + "x",
        HEAD + 'a: "' + "\\n" * 500_000,
    ],
    ids=lambda v: v[18:40],
)
@pytest.mark.usefixtures("ends")
def test_hostile_megabyte_is_refused(content: str) -> None:
    refusal(content)
