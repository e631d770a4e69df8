"""The loader refuses a table that is not as declared, naming file, line and column."""

from collections.abc import Callable
from pathlib import Path

import pytest

from facility import catalogue
from facility.catalogue import Catalogue
from facility.core.errors import FacilityError

SCHEMA = """\
table,column,kind,unit,required,description
equipment/things,,table,,no,Things.
equipment/things,model,key,,yes,Short name.
equipment/things,size_kva,key:apparent_power,kVA,yes,Rating.
equipment/things,power_kw,active_power,kW,no,Power.
equipment/things,ambient_c,temperature,degC,no,Ambient.
equipment/things,resistance_ohm_per_kft,number,ohm/kft,no,Resistance.
equipment/things,count,integer,,no,Count.
equipment/things,listed,boolean,,no,Listed.
equipment/things,source,source,,yes,Source.
equipment/things,verified,verified,,yes,How it was obtained.
equipment/things,memory_fields,text,,no,Recalled columns.
"""
SOURCES = """\
id,title,publisher,edition,locator,verified
book,A book,A house,2nd,p. 3,read
"""
HEADER = (
    "model,size_kva,power_kw,ambient_c,resistance_ohm_per_kft,count,listed,"
    "source,verified,memory_fields\n"
)
GOOD = "A,100,1.5,25,0.05,3,yes,book,read,\nA,200,,,,,,book,read,power_kw\n"

Build = Callable[..., Catalogue]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    def make(table: str = HEADER + GOOD, schema: str = SCHEMA, sources: str = SOURCES) -> Catalogue:
        (tmp_path / "equipment").mkdir(exist_ok=True)
        (tmp_path / "equipment" / "things.csv").write_text(table, encoding="utf-8")
        (tmp_path / "schema.csv").write_text(schema, encoding="utf-8")
        (tmp_path / "sources.csv").write_text(sources, encoding="utf-8")
        return Catalogue(tmp_path)

    return make


def test_values_are_typed_and_convert(build: Build) -> None:
    row = build().table("equipment/things").get(("A", 100.0))
    assert row["power_kw"] == 1.5
    assert row.si("power_kw") == 1500.0
    assert row.si("size_kva") == 100e3
    assert row.si("ambient_c") == 25.0
    assert row["count"] == 3
    assert row.integer("count") == 3
    assert row["listed"] is True
    assert row.text("model") == "A"
    assert row.source.title == "A book"
    assert not row.is_memory("power_kw")


def test_an_empty_cell_is_unknown_not_zero(build: Build) -> None:
    row = build().table("equipment/things").get(("A", 200.0))
    assert row["power_kw"] is None
    assert row.si_or_none("power_kw") is None
    assert row.is_memory("power_kw")
    assert not row.is_memory("ambient_c")
    assert row.cite("power_kw").verified == "memory"
    with pytest.raises(FacilityError) as caught:
        row.si("power_kw", give_as="it.servers[0].max_input")
    assert caught.value.code == "UNKNOWN_VALUE"
    assert "it.servers[0].max_input" in caught.value.hint
    assert caught.value.exit_code == 3


def test_a_number_without_a_registered_unit_does_not_convert(build: Build) -> None:
    row = build().table("equipment/things").get(("A", 100.0))
    assert row["resistance_ohm_per_kft"] == 0.05
    with pytest.raises(FacilityError, match="no SI conversion"):
        row.si("resistance_ohm_per_kft")


def test_unknown_model_names_the_near_ones() -> None:
    with pytest.raises(FacilityError) as caught:
        catalogue.table("equipment/servers").get("dgxh100", "it.server")
    assert caught.value.code == "UNKNOWN_MODEL"
    assert caught.value.where == "it.server"
    assert "'DGX H100'" in caught.value.hint


def test_a_model_like_no_other_is_told_where_they_are_listed() -> None:
    with pytest.raises(FacilityError, match="facility catalogue equipment/gpus"):
        catalogue.table("equipment/gpus").get("zzzzzz")


def test_a_key_of_several_columns_may_be_written_as_text() -> None:
    table = catalogue.table("equipment/liquid_flow_tables")
    assert table.get("GB300 NVL72 / 40") is table.get(("GB300 NVL72", 40.0))
    assert "GB300 NVL72 / 40" in table.keys


def test_unknown_table_names_the_near_ones() -> None:
    with pytest.raises(FacilityError) as caught:
        catalogue.table("equipment/server")
    assert caught.value.code == "CATALOGUE_TABLE"
    assert "equipment/servers" in caught.value.hint


def test_asking_for_an_undeclared_column(build: Build) -> None:
    row = build().table("equipment/things").rows[0]
    with pytest.raises(FacilityError) as caught:
        row["power_w"]
    assert caught.value.code == "CATALOGUE_COLUMN"
    assert "power_kw" in caught.value.hint


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("power_kw,ambient_c", "power_kw,ambient", "CATALOGUE_COLUMN", "things.csv:1:ambient"),
        ("power_kw,ambient_c", "power_kw,power_kw", "CATALOGUE_COLUMN", "things.csv:1:power_kw"),
        ("A,100,1.5,25,", "A,100,1.5,", "CATALOGUE_ROW", "things.csv:2"),
        ("A,200,", "A,100,", "CATALOGUE_DUPLICATE", "things.csv:3:model,size_kva"),
        ("1.5,25", "1.5 kW,25", "CATALOGUE_NUMBER", "things.csv:2:power_kw"),
        ("1.5,25", "nan,25", "CATALOGUE_NUMBER", "things.csv:2:power_kw"),
        ("1.5,25", "-inf,25", "CATALOGUE_NUMBER", "things.csv:2:power_kw"),
        ("1.5,25", "1e999,25", "CATALOGUE_NUMBER", "things.csv:2:power_kw"),
        ("1.5,25", "1_5,25", "CATALOGUE_NUMBER", "things.csv:2:power_kw"),
        ("1.5,25", '"1,5",25', "CATALOGUE_NUMBER", "things.csv:2:power_kw"),
        ("0.05,3,", "0.05,3.5,", "CATALOGUE_NUMBER", "things.csv:2:count"),
        (",yes,book", ",Yes,book", "CATALOGUE_BOOLEAN", "things.csv:2:listed"),
        ("A,100,1.5", ",100,1.5", "CATALOGUE_EMPTY", "things.csv:2:model"),
        ("yes,book,read", "yes,,read", "CATALOGUE_SOURCE", "things.csv:2:source"),
        ("yes,book,read", "yes,boke,read", "CATALOGUE_SOURCE", "things.csv:2:source"),
        ("yes,book,read", "yes,book,checked", "CATALOGUE_VERIFIED", "things.csv:2:verified"),
        ("yes,book,read", "yes,book,", "CATALOGUE_VERIFIED", "things.csv:2:verified"),
        ("read,power_kw", "read,power", "CATALOGUE_COLUMN", "things.csv:3:memory_fields"),
        ("A,100,1.5", 'A,"100,1.5', "CATALOGUE_FILE", "things.csv"),
    ],
)
def test_a_spoiled_table_is_refused(
    build: Build, old: str, new: str, code: str, where: str
) -> None:
    good = HEADER + GOOD
    assert old in good
    with pytest.raises(FacilityError) as caught:
        build(table=good.replace(old, new, 1)).table("equipment/things")
    assert caught.value.code == code
    assert caught.value.where == f"equipment/{where}"
    assert caught.value.exit_code == 6


def test_a_missing_column_is_refused(build: Build) -> None:
    header, first, second = (HEADER + GOOD).splitlines()
    lines = [header.removesuffix(",memory_fields"), first[:-1], second.rpartition(",")[0]]
    with pytest.raises(FacilityError) as caught:
        build(table="\n".join(lines)).table("equipment/things")
    assert caught.value.code == "CATALOGUE_COLUMN"
    assert caught.value.where == "equipment/things.csv:1:memory_fields"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("active_power,kW", "power,kW", "CATALOGUE_SCHEMA"),
        ("active_power,kW", "active_power,kVA", "CATALOGUE_SCHEMA"),
        ("integer,,no", "integer,W,no", "CATALOGUE_SCHEMA"),
        ("integer,,no", "integer,,maybe", "CATALOGUE_SCHEMA"),
        ("integer,,no", "integer,,no,no", "CATALOGUE_SCHEMA"),
        ("source,source,", "source,text,", "CATALOGUE_SCHEMA"),
        (",count,", ",power_kw,", "CATALOGUE_DUPLICATE"),
        ("table,column", "table,columns", "CATALOGUE_SCHEMA"),
    ],
)
def test_a_spoiled_schema_is_refused(build: Build, old: str, new: str, code: str) -> None:
    assert old in SCHEMA
    with pytest.raises(FacilityError) as caught:
        build(schema=SCHEMA.replace(old, new, 1)).table("equipment/things")
    assert caught.value.code == code
    assert caught.value.where.startswith("schema.csv:")


def test_a_table_without_a_key_is_refused(build: Build) -> None:
    schema = SCHEMA.replace("key:apparent_power", "apparent_power").replace(",key,", ",text,")
    with pytest.raises(FacilityError, match="no key column"):
        build(schema=schema).table("equipment/things")


@pytest.mark.parametrize(
    ("sources", "code"),
    [
        ("id,title\nbook,A book\n", "CATALOGUE_SOURCE"),
        (SOURCES + "book,Again,,,,read\n", "CATALOGUE_DUPLICATE"),
        (SOURCES + "other,,,,,read\n", "CATALOGUE_SOURCE"),
        (SOURCES + "other,Other,,,,surely\n", "CATALOGUE_VERIFIED"),
    ],
)
def test_spoiled_sources_are_refused(build: Build, sources: str, code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        build(sources=sources).table("equipment/things")
    assert caught.value.code == code


def test_a_missing_file_and_a_file_in_another_encoding_are_refused(
    build: Build, tmp_path: Path
) -> None:
    spoiled = build()
    path = tmp_path / "equipment" / "things.csv"
    path.write_bytes((HEADER + GOOD).replace("A,", "Å,").encode("latin-1"))
    with pytest.raises(FacilityError) as caught:
        spoiled.table("equipment/things")
    assert caught.value.code == "CATALOGUE_FILE"
    path.unlink()
    with pytest.raises(FacilityError) as caught:
        spoiled.table("equipment/things")
    assert caught.value.code == "CATALOGUE_FILE"


def test_a_table_is_read_once() -> None:
    assert catalogue.table("equipment/gpus") is catalogue.table("equipment/gpus")


def test_select_and_column() -> None:
    table = catalogue.table("equipment/rpps")
    assert [row["poles"] for row in table.select(rated_a=400.0)] == [84, 168]
    assert table.column("rated_a") == (225.0, 400.0, 400.0)
