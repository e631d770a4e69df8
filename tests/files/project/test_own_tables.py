"""Own equipment in a folder beside the project: read, validated by row, part of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

import facility
from facility.catalogue import table
from facility.catalogue.loader import catalogue
from facility.core.errors import FacilityError
from facility.files.io.zipped import zipped
from facility.files.project.companions import with_files
from facility.files.project.file import dump_project, load_project, parse_project
from facility.files.project.packed import unpacked
from facility.model.inputs.document import project_sha256

HEAD = (
    "vendor,model,rating_kva,rating_kw,output_voltage_v,eff_dc_25_pct,eff_dc_50_pct,eff_dc_75_pct,"
    "eff_dc_100_pct,input_power_factor,curve_basis"
)
OUTPUTS = "model,code,output_min_v,output_max_v\nAcme 900,NEC,480,480\n"
ROW = "Acme,Acme 900,900,900,480 / 400,97.9,98.2,98.1,97.8,0.99,read"
FILES = {"ups.csv": f"{HEAD}\n{ROW}\n".encode(), "ups_outputs.csv": OUTPUTS.encode()}
PROJECT = """\
# our hall
schema_version: 1
equipment: own
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: 2N, distribution: {voltage: 480 V}, ups: {model: Acme 900}}
"""


def folder(at: Path, rows: str = f"{HEAD}\n{ROW}\n", name: str = "ups.csv") -> Path:
    (at / "own").mkdir()
    (at / "own" / name).write_text(rows, encoding="utf-8")
    if name == "ups.csv":
        (at / "own" / "ups_outputs.csv").write_text(OUTPUTS, encoding="utf-8")
    file = at / "hall.yaml"
    file.write_text(PROJECT, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("rows", "code", "where"),
    [
        (f"{HEAD}\n{ROW.replace('98.2', 'abc')}\n", "CATALOGUE_NUMBER", "ups.csv:2:eff_dc_50_pct"),
        (
            f"{HEAD}\n{ROW.replace('900,480', '-9,480')}\n",
            "CATALOGUE_NUMBER",
            "ups.csv:2:rating_kw",
        ),
        (f"{HEAD}\n{ROW.replace('900,480', '0,480')}\n", "CATALOGUE_NUMBER", "ups.csv:2:rating_kw"),
        (f"{HEAD}\n{ROW.replace(',900,900', ',1e300,9')}\n", "CATALOGUE_NUMBER", ":2:rating_kva"),
        (f"{HEAD}\n{ROW.replace('Acme 900', '')}\n", "CATALOGUE_EMPTY", "ups.csv:2:model"),
        (f"{HEAD.replace('rating_kw', 'power_kw')}\n{ROW}\n", "CATALOGUE_COLUMN", ":1:power_kw"),
        (f"{HEAD}\n{ROW}\n{ROW}\n", "CATALOGUE_DUPLICATE", "ups.csv:3:model"),
        (f"{HEAD}\n{ROW},1\n", "CATALOGUE_ROW", "ups.csv:2"),
        (f'{HEAD}\n"{ROW}\n', "CATALOGUE_FILE", "ups.csv:2"),
        (f"{HEAD},source\n{ROW},some-sheet\n", "CATALOGUE_SOURCE", "ups.csv:2:source"),
    ],
    ids=["text", "negative", "zero", "huge", "key", "column", "twice", "long", "quote", "source"],
)
def test_a_broken_row_names_row_column_and_fault(
    tmp_path: Path, rows: str, code: str, where: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        load_project(folder(tmp_path, rows))
    assert refused.value.code == code
    assert refused.value.where.startswith("own equipment/ups.csv")
    assert refused.value.where.endswith(where)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("upss.csv", "UNKNOWN_TABLE"),
        ("stations.csv", "CATALOGUE_TABLE"),
        ("a.txt", "EQUIPMENT_FOLDER"),
    ],
)
def test_files_without_a_table(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(FacilityError) as refused:
        load_project(folder(tmp_path, name=name))
    assert refused.value.code == code


@pytest.mark.parametrize("name", ["../own", "/etc", "none", "own/../own", "own\\x", "~"])
def test_only_folders_below_the_project(tmp_path: Path, name: str) -> None:
    file = folder(tmp_path)
    file.write_text(PROJECT.replace(": own", f": '{name}'"), encoding="utf-8")
    with pytest.raises(FacilityError) as refused:
        load_project(file)
    assert refused.value.code == "EQUIPMENT_FOLDER"
    with pytest.raises(FacilityError) as refused:
        parse_project(PROJECT)
    assert refused.value.code == "EQUIPMENT_FOLDER"


def test_rows_are_part_of_hash_text_and_archive(tmp_path: Path) -> None:
    file = folder(tmp_path)
    before = load_project(file)
    assert project_sha256(parse_project(dump_project(before))) == project_sha256(before)
    text, files = with_files(PROJECT, "hall.yaml", FILES)
    assert not files
    assert text.startswith("# our hall\n")
    assert project_sha256(parse_project(text)) == project_sha256(before)
    archive = tmp_path / "hall.zip"
    archive.write_bytes(
        zipped(
            {"hall.yaml": PROJECT.encode(), **{f"own/{name}": text for name, text in FILES.items()}}
        )
    )
    assert project_sha256(load_project(unpacked(archive))) == project_sha256(before)
    folder_row = ROW.replace("98.2", "98.3")
    (tmp_path / "own" / "ups.csv").write_text(f"{HEAD}\n{folder_row}\n", encoding="utf-8")
    assert project_sha256(load_project(file)) != project_sha256(before)


def test_two_projects_keep_their_tables_apart(tmp_path: Path) -> None:
    file = folder(tmp_path)
    own = facility.design(load_project(file))
    few = {"it": {"gpu_model": "H100 SXM5", "gpus": 64}, "power": {"redundancy": "2N"}}
    other = facility.design(facility.project(few))
    assert own.results["ups.module_rating"].si == pytest.approx(900e3)
    assert (
        own.notes[-1] == "own equipment: equipment/ups (1 added), equipment/ups_outputs (1 added)"
    )
    assert other.notes[-1:] != own.notes[-1:]
    assert "Acme 900" not in table("equipment/ups").keys
    assert own.year is not None
    assert "Acme 900" not in catalogue().table("equipment/ups").keys
    with_folder = facility.project(few, equipment=tmp_path / "own")
    assert with_folder.equipment is not None
    assert with_folder.with_(it__gpus=128).equipment == with_folder.equipment


def test_own_rows_replace_shipped_ones(tmp_path: Path) -> None:
    """A DGX H100 of 9 kW in place of 10.2 kW: eight of them are 72 kW."""
    head = (
        "vendor,model,name,class,form,liquid_only,gpus_per_system,gpu_model,max_input_kw,rack_units"
    )
    row = "Own,DGX H100,DGX H100,air 8-GPU,system,no,8,H100 SXM5,9,8"
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "servers.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")
    few = {"it": {"gpu_model": "H100 SXM5", "gpus": 64, "network": {"topology": "none"}}}
    found = facility.design(facility.project(few, equipment=tmp_path / "own"))
    assert found.results["load.server"].si == pytest.approx(72_000.0, rel=1e-12)
    assert found.notes[-1] == "own equipment: equipment/servers (1 replaced)"
