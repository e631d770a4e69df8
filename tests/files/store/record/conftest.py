"""A key and a folder of heads for each test alone."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the key (``record.key``) and of the heads (``heads``)."""
    folder = tmp_path / "outside"
    monkeypatch.setenv("FACILITY_RECORD_KEY", str(folder / "record.key"))
    monkeypatch.setenv("FACILITY_RECORD_HEADS", str(folder / "heads"))
    return folder
