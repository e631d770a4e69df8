"""The inputs beside the pages: changes, refusals, files in and out."""

from __future__ import annotations

from pathlib import Path

import pytest

from facility.files.project.file import default_project, dump_project
from facility.study.design.design import design
from tests.ui.helpers import (
    PANELS,
    SUMMARY,
    assert_sound,
    choose,
    design_with,
    errors,
    go,
    metrics,
    opened,
    session,
    shown,
    type_in,
    upload,
)

BOMB = b"schema_version: 1\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"


@pytest.mark.parametrize(
    ("label", "value", "sets", "changed"),
    [
        ("Number of GPUs", "2048", ["it.gpus=2048"], "IT load"),
        (
            "UPS redundancy",
            "2N",
            ["power.redundancy=2N", "it.feeds=", "it.cords="],
            "UPS loading, after design failure",
        ),
        ("Weather station", "phoenix", ["site.station=phoenix"], "Annual PUE"),
        ("Tariff", "0.10 USD/kWh", ["site.tariff=0.10 USD/kWh"], "Average monthly cost"),
        (
            "GPU",
            "B200 SXM",
            ["it.gpu_model=B200 SXM", "it.server=", "it.servers_per_rack=", "it.cords="],
            "IT load",
        ),
    ],
)
def test_an_input_changes_the_design(label: str, value: str, sets: list[str], changed: str) -> None:
    at = opened()
    before = metrics(at)
    (type_in if label in ("Number of GPUs", "Tariff") else choose)(at, label, value)
    assert not at.error
    assert metrics(at)[changed] != before[changed]
    expected = design_with(*sets)
    assert expected.year is not None
    pue = float(expected.year.results["pue.annual"].si)
    cost = float(expected.year.results["cost.month_estimate"].si)
    assert metrics(at)["Annual PUE"] == f"{pue:.3f}"
    assert metrics(at)["Average monthly cost"] == f"{cost / 1e3:,.0f} kUSD"
    assert (
        metrics(at)["UPS loading, after design failure"]
        == expected.results["ups.loading_failure"].shown()
    )
    assert shown(at, label) == value


def test_cooling_changes_the_design_of_a_liquid_cooled_hall() -> None:
    at = opened()
    choose(at, "Example", "nvl72-hall")
    before = metrics(at)
    choose(at, "Cooling", "liquid")
    assert not at.error
    assert session(at).project.cooling.method == "liquid"
    again = design(session(at).project)
    assert again.year is not None
    assert metrics(at)["Annual PUE"] == again.year.results["pue.annual"].shown()
    choose(at, "Cooling", "air")
    assert errors(at)[0] == "Entry not applied: LIQUID_REQUIRED"
    assert metrics(at)["IT load"] == before["IT load"]


@pytest.mark.parametrize(
    ("label", "value", "code"),
    [
        ("Number of GPUs", "abc", "NOT_A_COUNT"),
        ("Tariff", "132", "UNIT_MISSING"),
        ("Tariff", "12", "UNIT_MISSING"),
        ("GPU", "GB200 NVL72", "LIQUID_REQUIRED"),
    ],
)
def test_a_refusal_is_shown_and_loses_nothing(label: str, value: str, code: str) -> None:
    at = opened()
    before = metrics(at)
    (choose if label == "GPU" else type_in)(at, label, value)
    assert errors(at) == [f"Entry not applied: {code}"]
    assert metrics(at) == before
    assert shown(at, label) == value
    for page in (PANELS, SUMMARY):
        go(at, page)
        assert_sound(at)
        assert errors(at)[0] == f"Entry not applied: {code}"
        assert shown(at, label) == value
    choose(at, "Weather station", "chicago")
    assert session(at).project.site.station == "chicago"
    assert errors(at)[0] == f"Entry not applied: {code}"
    assert shown(at, label) == value


def test_a_choice_taken_away_is_designed_again() -> None:
    at = opened()
    choose(at, "Weather station", "")
    assert session(at).project.site.station is None
    assert "site.station" in {a.id for a in design(session(at).project).ledger}


def test_fields_left_to_be_designed_are_named_and_taken_back() -> None:
    at = opened()
    before = metrics(at)
    choose(at, "UPS redundancy", "2N")
    assert "`it.feeds`" in at.warning[0].value
    at.button(key="take-back").click().run()
    assert_sound(at)
    assert not at.warning
    assert metrics(at) == before
    assert shown(at, "UPS redundancy") == "3N/2"


def test_an_example_refreshes_every_input_and_can_be_chosen_again() -> None:
    at = opened()
    type_in(at, "Number of GPUs", "abc")
    choose(at, "Example", "dgx-su-32")
    assert not at.error
    assert shown(at, "Number of GPUs") == "256"
    type_in(at, "Number of GPUs", "512")
    choose(at, "Example", "dgx-su-32")
    assert shown(at, "Number of GPUs") == "256"
    assert session(at).project.it.gpus == 256


def test_listed_racks_close_the_inputs_they_replace() -> None:
    at = opened()
    choose(at, "Example", "mixed-hall")
    boxes = [*at.selectbox, *at.text_input]
    disabled = {box.label.partition(" · ")[0] for box in boxes if box.disabled}
    assert disabled == {"GPU", "Number of GPUs"}


def test_upload_of_a_project() -> None:
    at = opened()
    text = dump_project(default_project()).replace("gpus: 10000", "gpus: 4096")
    upload(at, "mine.yaml", text.encode())
    assert not at.error
    assert session(at).project.it.gpus == 4096
    assert shown(at, "Number of GPUs") == "4096"
    upload(at, "mine.json", b'{"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}')
    assert session(at).project.it.gpus == 64


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("bomb.yaml", BOMB, "YAML_ALIAS"),
        ("binary.yaml", bytes(range(256)) * 8, "FILE_NOT_TEXT"),
        ("zip.yaml", b"PK\x03\x04" + b"\x00" * 64, "FILE_NOT_TEXT"),
        ("large.yaml", b"schema_version: 1\n" + b"#" * 2_000_000, "FILE_TOO_LARGE"),
        ("tag.yaml", b"schema_version: 1\nit: !!python/object/apply:os.system [id]", "YAML_TAG"),
        ("cut.yaml", b"schema_version: 1\nit: {gpus: 8", "YAML_SYNTAX"),
        ("empty.yaml", b"", "FILE_EMPTY"),
        ("deep.json", b'{"a":' * 10_000, "FILE_TOO_DEEP"),
        ("<b>x</b>.yaml", b"schema_version: 1\nit: {gpus: NO}", "NOT_A_COUNT"),
        (
            "weather.yaml",
            b"schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 64}\n"
            b"site: {weather_file: secret.epw}",
            "FILE_NOT_GIVEN",
        ),
        (
            "power.yaml",
            b"schema_version: 1\n"
            b"it: {gpu_model: H100 SXM5, gpus: 64, job: {power_file: secret.csv}}",
            "FILE_NOT_GIVEN",
        ),
        ("path.yaml", b"schema_version: 1\nsite: {weather_file: /etc/passwd.epw}", "WEATHER_PATH"),
        (
            "load.yaml",
            b"schema_version: 1\n"
            b"it: {gpu_model: H100 SXM5, gpus: 64, load_profile: {file: secret.csv}}",
            "FILE_NOT_GIVEN",
        ),
    ],
)
def test_a_hostile_file_is_one_coded_refusal(name: str, content: bytes, code: str) -> None:
    at = opened()
    upload(at, name, content)
    assert errors(at) == [f"Action not completed: {code}"]
    assert session(at).project == default_project()


def test_an_upload_reads_no_file_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file exists in the folder that the server runs in, and is still not opened."""
    (tmp_path / "secret.epw").write_text("LOCATION,Secret place\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    at = opened()
    upload(
        at,
        "w.yaml",
        b"schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 64}\n"
        b"site: {weather_file: secret.epw}\n",
    )
    assert errors(at)[0] == "Action not completed: FILE_NOT_GIVEN"
    assert not any("Secret place" in text.value for text in at.text)
