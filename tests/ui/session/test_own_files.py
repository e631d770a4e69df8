"""Files that a project names, in the app: brought, checked, kept with it, and taken along."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.files.io.zipped import MAX_FILES, unzipped, zipped
from facility.files.panel_csv.document import write_panel_csv
from facility.files.project.companions import COMPANIONS, content_name, is_content_name, named
from facility.files.project.file import dump_project, load_project
from facility.files.store.library import Library
from facility.study.design.design import design
from facility.ui.downloads.project_file import project_file
from facility.ui.inspector.field import take
from facility.ui.memory import spool
from facility.ui.server.stack import lifespan
from facility.ui.session import opened as opening
from facility.ui.session.designs import designed
from facility.ui.session.identity import SINGLE_USER
from tests.ui.helpers import (
    INPUTS,
    PROJECTS,
    SUMMARY,
    YEAR,
    assert_sound,
    choose,
    errors,
    forget_store,
    go,
    metrics,
    opened,
    press,
    session,
)
from tests.ui.imports.test_panels import moved
from tests.ui.library.test_library import at_address, saved

EPW = reference_path("weather", "fargo.epw.gz").read_bytes()
PROJECT = b"""\
schema_version: 1  # of a customer
it: {gpu_model: H100 SXM5, gpus: 64}
site: {weather_file: weather/fargo.epw.gz}
"""
LOAD = "hour,load_percent\n" + "".join(f"{n},{60 + n % 24}\n" for n in range(1, 8761))
CARBON = "hour,carbon_g_per_kwh\n" + "".join(f"{n},{300 + n % 24}\n" for n in range(1, 8761))
POWER = "time (s),power (kW)\n" + "".join(f"{n},{30 + 10 * (n // 5 % 2)}\n" for n in range(200))


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """Give the library of a server whose files are in a folder of the test."""
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    (tmp_path / "spool").mkdir()
    monkeypatch.setenv(spool.VARIABLE, str(tmp_path / "spool"))
    yield opening.library(SINGLE_USER)
    forget_store()


def brought(*files: tuple[str, bytes]) -> AppTest:
    """Return the app after files were chosen for the import, all at once."""
    at = opened()
    go(at, PROJECTS)
    at.file_uploader[0].set_value([(name, text, "text/plain") for name, text in files]).run()
    assert_sound(at)
    return at


def forget_files() -> None:
    """Be a server that was started again."""
    shutil.rmtree(spool.folder())
    spool.folder().mkdir()


def by_hand(tmp_path: Path) -> Path:
    """Return the project as on a disk, beside its file."""
    (tmp_path / "hand" / "weather").mkdir(parents=True)
    (tmp_path / "hand" / "weather" / "fargo.epw.gz").write_bytes(EPW)
    file = tmp_path / "hand" / "project.yaml"
    file.write_bytes(PROJECT)
    return file


def test_a_project_with_its_weather_is_what_the_command_line_makes_and_outlives_the_server(
    library: Library, tmp_path: Path
) -> None:
    alone = design(load_project(by_hand(tmp_path)))
    assert alone.year is not None
    at = brought(("mine.yaml", PROJECT), ("fargo.epw.gz", EPW))
    assert not at.error
    kept = content_name("fargo.epw.gz", EPW)
    assert is_content_name(kept)
    saved(at)
    (entry,) = library.entries()
    assert library.text(entry.id) == PROJECT.decode().replace("weather/fargo.epw.gz", kept)
    assert library.files.names(entry.id) == [kept]
    go(at, SUMMARY)
    shown = metrics(at)
    assert shown["Annual PUE"] == alone.year.results["pue.annual"].shown()
    forget_files()
    assert metrics(at_address(entry.id)) == shown
    go(at, PROJECTS)
    press(at, f"duplicate-{entry.id}")
    library.delete(entry.id)
    (copy,) = library.entries()
    forget_files()
    assert metrics(at_address(copy.id)) == shown


def test_a_project_is_taken_along_with_its_files_and_brought_back(library: Library) -> None:
    at = brought(("mine.yaml", PROJECT), ("fargo.epw.gz", EPW))
    file = project_file(session(at).project, "mine")
    assert file.name == "mine.zip"
    content = file.make()
    assert content == file.make()
    assert set(unzipped(content, "x")) == {"mine.yaml", content_name("fargo.epw.gz", EPW)}
    before = dump_project(session(at).project)
    forget_files()
    with pytest.raises(FacilityError, match="FILE_NOT_GIVEN"):
        file.make()
    again = brought(("mine.zip", content))
    assert not again.error
    assert dump_project(session(again).project) == before
    saved(again)
    assert [library.files.names(one.id) for one in library.entries()].count([]) == 0


def test_own_equipment_comes_with_a_project_and_stays_in_it(library: Library) -> None:
    text = PROJECT.replace(b"weather_file: weather/fargo.epw.gz", b"station: fargo")
    text += b"equipment: own\npower: {ups: {model: Acme 900}, distribution: {voltage: 480 V}}\n"
    rows = (
        "vendor,model,rating_kva,rating_kw,output_voltage_v,eff_dc_25_pct,eff_dc_50_pct,"
        "eff_dc_75_pct,eff_dc_100_pct,input_power_factor\n"
        "Acme,Acme 900,900,900,480,97.9,98.2,98.1,97.8,0.99\n"
    )
    outputs = b"model,output_min_v,output_max_v\nAcme 900,480,480\n"
    files = {"mine.yaml": text, "own/ups.csv": rows.encode(), "own/ups_outputs.csv": outputs}
    at = brought(("mine.zip", zipped(files)))
    assert not at.error
    assert [own.table for own in session(at).project.equipment or ()] == [
        "equipment/ups",
        "equipment/ups_outputs",
    ]
    go(at, SUMMARY)
    assert_sound(at)
    assert any("Own equipment: equipment/ups (1 added)" in note.value for note in at.info)
    (entry,) = library.entries()
    assert "Acme 900" in library.text(entry.id)
    assert project_file(session(at).project, "mine").name == "mine.yaml"


def test_a_panel_that_comes_with_a_project_becomes_a_panel_of_it(tmp_path: Path) -> None:
    project = tmp_path / "mine.yaml"
    project.write_text("schema_version: 1  # kept\nit: {gpu_model: H100 SXM5, gpus: 64}\n")
    panel = design(load_project(project)).panels.panels[0]
    edited, _, free = moved(panel)
    files = ("mine.yaml", project.read_bytes()), ("x.csv", write_panel_csv(edited).encode())
    at = brought(*files)
    assert not at.error
    (board,) = session(at).project.panels.boards or ()
    assert board.tag == panel.tag
    assert free in [one.position for one in board.circuits or ()]
    other = write_panel_csv(replace(edited, tag="RPP-Z9")).encode()
    at = brought(files[0], ("x.csv", other))
    assert errors(at) == ["Action not completed: UNKNOWN_PANEL"]


def test_a_file_is_brought_at_its_field_and_a_revision_before_it_can_be_restored(
    library: Library,
) -> None:
    at = opened()
    choose(at, "Weather station", "phoenix")
    before = metrics(at)
    at.session_state["inputs-filter"] = "site.weather_file"
    go(at, INPUTS)
    at.session_state["design-input"] = "site.weather_file"
    at.run()
    assert_sound(at)
    uploader = next(one for one in at.file_uploader if one.label.startswith("Upload weather file"))
    uploader.set_value(("f.epw", b"LOCATION,Fargo\nshort", "text/plain")).run()
    assert_sound(at)
    assert any("WEATHER_" in error for error in errors(at))
    assert any("site.weather_file" in text.value for text in at.text)
    uploader = next(one for one in at.file_uploader if one.label.startswith("Upload weather file"))
    uploader.set_value(("fargo.epw.gz", EPW, "application/gzip")).run()
    assert_sound(at)
    site = session(at).project.site
    assert (site.station, site.weather_file) == (None, content_name("fargo.epw.gz", EPW))
    go(at, YEAR)
    assert_sound(at)
    saved(at)
    (entry,) = library.entries()
    press(at, "undo")
    go(at, SUMMARY)
    assert metrics(at) == before
    press(at, "redo")
    choose(at, "Weather station", "phoenix")
    assert session(at).project.site.weather_file is None
    forget_files()
    text = library.text(entry.id, 3)
    with pytest.raises(FacilityError, match="FILE_NOT_GIVEN"):
        designed(text)
    opening.fetch_files(library, entry.id, text)
    assert designed(text).year is not None


@pytest.mark.parametrize(
    ("path", "name", "sound", "spoilt", "at"),
    [
        ("it.load_profile.file", "load.csv", LOAD, LOAD.replace("\n9,", "\n7,"), "row 10"),
        ("site.grid_carbon_file", "grid.csv", CARBON, CARBON.replace("\n9,309", "\n9,x"), "row 10"),
        ("it.job.power_file", "job.csv", POWER, POWER.replace("\n9,40", "\n9,-"), "row 11"),
    ],
)
def test_every_file_is_read_before_it_is_taken(
    path: str, name: str, sound: str, spoilt: str, at: str
) -> None:
    assert spoilt != sound
    app = AppTest.from_function(_taking)
    for content in (spoilt, sound):
        app.session_state["asked"] = (path, name, content.encode())
        app.run(timeout=60)
        assert not app.exception
        error: FacilityError | None = app.session_state["said"]
        assert (error is None) == (content is sound), error
        if error is not None:
            assert at in error.where
            assert str(spool.folder()) not in str(error)
    project = app.session_state["session"].project
    assert named(project)[path] == content_name(name, sound.encode())
    assert designed(dump_project(project)).sha256


def _taking() -> None:
    import streamlit as st

    from facility.ui.inspector.field import take

    st.session_state["said"] = take(*st.session_state["asked"])


def test_no_name_opens_a_file_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "spool" / "plain.epw").write_bytes(EPW)
    (tmp_path / "secret-0123456789abcdef.epw").write_bytes(EPW)
    for name in (
        "plain.epw",
        "../secret-0123456789abcdef.epw",
        "a/secret-0123456789abcdef.epw",
        "secret-0123456789abcdef.epw",
        ".-0123456789abcdef.epw",
    ):
        with pytest.raises(FacilityError, match=r"FILE_NOT_GIVEN|WEATHER_PATH"):
            designed(f"schema_version: 1\nit: {{gpus: 8}}\nsite: {{weather_file: '{name}'}}")
        with pytest.raises(FacilityError, match="FILE_NOT_GIVEN"):
            spool.put(name, b"other")
    assert sorted(one.name for one in (tmp_path / "spool").iterdir()) == ["plain.epw"]


def test_a_server_that_is_ended_leaves_no_file_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(spool.VARIABLE)
    made = spool.folder()
    spool.put(content_name("a.csv", b"a"), b"a")
    assert made.stat().st_mode & 0o077 == 0

    async def served() -> None:
        async with lifespan(None):
            assert made.exists()

    asyncio.run(served())
    assert not made.exists()


def test_an_archive_is_unpacked_under_caps_and_into_no_folder() -> None:
    assert unzipped(zipped({"../../etc/a.csv": b"x"}), "z") == {"a.csv": b"x"}
    twice = io.BytesIO()
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("a/x.csv", "1")
        archive.writestr("b/x.csv", "2")
    bomb = zipped({f"{n}.csv": bytes(20_000_000) for n in range(4)})
    many = zipped({f"{n}.csv": b"" for n in range(MAX_FILES + 1)})
    for content in (b"PK", twice.getvalue(), bomb, many):
        with pytest.raises(FacilityError, match="ZIP_FILE"):
            unzipped(content, "z")


def test_what_is_brought_without_its_file_or_too_large_is_refused(library: Library) -> None:
    at = brought(("mine.yaml", PROJECT))
    assert errors(at) == ["Action not completed: FILE_NOT_GIVEN"]
    at = brought(("a.yaml", PROJECT), ("b.yaml", PROJECT))
    assert errors(at) == ["Action not completed: FILE_NOT_GIVEN"]
    error = take("it.load_profile.file", "x.csv", bytes(10_000_001))
    assert error is not None
    assert error.code == "FILE_TOO_LARGE"
    assert library.entries() == []
    assert set(COMPANIONS) >= set(named(session(at).project))


def test_what_a_killed_server_has_left_goes_with_the_start_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv(spool.VARIABLE)
    names = ("left", "held", "fresh")
    left, held, fresh = (tmp_path / f"facility-files-{name}" for name in names)
    aside, link = tmp_path / "aside", tmp_path / "facility-files-link"
    for folder in (left, held, fresh, aside):
        folder.mkdir()
        (folder / "year.epw").write_bytes(EPW)
        if folder != fresh:
            os.utime(folder, (0, 0))
    link.symlink_to(aside)
    hold = spool._locked(held)
    made = spool.folder()
    try:
        assert spool._locked(made) == -1, "another server would take it"
        assert {*tmp_path.glob("facility-files-*")} == {held, fresh, link, made}
        assert (aside / "year.epw").exists()
    finally:
        os.close(hold)
        spool.clear()
    assert not made.exists()
