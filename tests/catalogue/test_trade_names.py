"""Names as people write them: one catalogue row, a question that lists the rows, or none."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from facility.catalogue import catalogue, match_device, match_gpu
from facility.catalogue.trade_names import DEVICES, GPUS, device_key, gpu_key
from facility.core.errors import FacilityError

_CASES = Path(__file__).parent / "trade_names.csv"
ROWS = list(csv.DictReader(_CASES.read_text("utf-8").splitlines()))


@pytest.mark.parametrize("case", ROWS, ids=[row["text"] for row in ROWS])
def test_names_as_people_write_them(case: dict[str, str]) -> None:
    match = (match_gpu if case["table"] == "gpus" else match_device)(case["text"])
    expected = case["rows"].split(";") if case["rows"] else []
    found = [match.key] if match.row is not None else [str(r["model"]) for r in match.candidates]
    assert found == expected
    assert match.is_question is (len(expected) > 1)


def test_every_key_is_its_own_name() -> None:
    for name in (GPUS, *DEVICES):
        for key in catalogue().table(name).keys:
            match = match_gpu(key) if name == GPUS else match_device(key)
            assert match.key == key
            spaced = match_gpu(f" {key.upper().replace(' ', '-')} ") if name == GPUS else None
            assert spaced is None or spaced.key == key


def test_every_alias_names_a_row() -> None:
    vendors = {row["vendor"] for name in DEVICES for row in catalogue().table(name).rows}
    vendors |= {row["vendor"] for row in catalogue().table(GPUS).rows}
    for alias in catalogue().table("equipment/aliases").rows:
        if alias["table"] == "manufacturer":
            assert alias["model"] in vendors
        else:
            keys = catalogue().table(f"equipment/{alias['table']}").keys
            assert alias["model"] in keys, alias.label


def test_a_question_lists_the_rows_with_their_power() -> None:
    with pytest.raises(FacilityError) as asked:
        gpu_key("H100", "it.gpu_model")
    assert asked.value.code == "AMBIGUOUS_MODEL"
    assert asked.value.where == "it.gpu_model"
    assert asked.value.hint == (
        "Enter one of: H100 SXM5 (NVIDIA, 700 W); H100 PCIe (NVIDIA, 350 W); "
        "H100 NVL (NVIDIA, 400 W)."
    )
    assert device_key("Frob 9000", "it.server") == "Frob 9000"


@pytest.mark.parametrize("text", ["", " ", "§", "x" * 10_000, "8" * 500, "H100\x00", "=H100"])
def test_hostile_names(text: str) -> None:
    assert match_device(text).row is None
    match_gpu(text)
