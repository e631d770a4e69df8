"""The one resolver of the data folder, and its hash."""

from pathlib import Path

import pytest

from facility.core import reference
from facility.core.errors import FacilityError


def test_the_data_folder_is_found() -> None:
    assert reference.reference_path("sources.csv").is_file()
    assert reference.reference_path("equipment", "gpus.csv").is_file()


def test_missing_data_is_a_coded_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reference, "_CANDIDATES", (tmp_path / "a", tmp_path / "b"))
    reference._root.cache_clear()
    with pytest.raises(FacilityError) as caught:
        reference.reference_path()
    reference._root.cache_clear()
    assert caught.value.code == "REFERENCE_MISSING"


def test_installed_data_wins_over_a_folder_beside_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("_reference", "reference"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sources.csv").touch()
    candidates = (tmp_path / "_reference", tmp_path / "reference")
    monkeypatch.setattr(reference, "_CANDIDATES", candidates)
    reference._root.cache_clear()
    found = reference.reference_path()
    reference._root.cache_clear()
    assert found == candidates[0]


def test_the_hash_covers_names_and_content(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.csv").write_text("1")
    first = reference.tree_sha256(tmp_path)
    (tmp_path / "a" / ".swap").write_text("noise")
    assert reference.tree_sha256(tmp_path) == first
    (tmp_path / "a" / "x.csv").write_text("2")
    changed = reference.tree_sha256(tmp_path)
    (tmp_path / "a" / "x.csv").rename(tmp_path / "a" / "y.csv")
    assert len({first, changed, reference.tree_sha256(tmp_path)}) == 3


def test_the_hash_of_the_data_is_stable() -> None:
    assert reference.reference_sha256() == reference.reference_sha256()
    assert len(reference.reference_sha256()) == 64
