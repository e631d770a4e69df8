"""In a browser: the set is previewed, issued and downloaded."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.ui.browsing import WRITING_MS, Watched, served

pytestmark = pytest.mark.browser


def test_the_set_is_previewed_issued_and_downloaded(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACILITY_STORE", str(tmp_path / "projects.sqlite"))
    with served() as url:
        visitor = Watched(browser)
        visitor.come(f"{url}/documents")
        page = visitor.page
        sheet = page.get_by_role("img", name="Sheet E-101, One-line diagram")
        expect(sheet).to_be_visible(timeout=WRITING_MS)
        page.get_by_role("button", name="Calculation package (", exact=False).click(
            timeout=WRITING_MS
        )
        expect(page.get_by_role("img", name="Sheet G-101")).to_be_visible(timeout=WRITING_MS)
        for name in ("Panel schedules", "Labels", "Workbook (.xlsx)"):
            page.get_by_role("checkbox", name=f"Include {name}").set_checked(False, force=True)
        with page.expect_download(timeout=WRITING_MS) as download:
            page.get_by_role("button", name="Issue and download the set").click()
        expect(page.get_by_text("Issue revision C")).to_be_visible(timeout=WRITING_MS)
        assert download.value.suggested_filename.endswith("-B.zip")
        content = Path(download.value.path()).read_bytes()
        visitor.close()
    archive = zipfile.ZipFile(io.BytesIO(content))
    names = archive.namelist()
    assert json.loads(archive.read("set.json"))["revision"] == "B"
    assert {"set.json", "dxf/E-101.dxf"} <= set(names)
    assert len([name for name in names if name.endswith(".pdf")]) == 1
    assert not [name for name in names if name.endswith(".xlsx")]
