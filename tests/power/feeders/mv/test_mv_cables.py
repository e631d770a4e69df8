"""Medium-voltage cables against hand calculations, a third transcription and published values."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from facility.core.errors import FacilityError
from facility.core.trace import Trace, explain
from facility.model.facility import Criteria
from facility.model.inputs.power.mv_cables import MvCableSection
from facility.model.power.mv_cables import MvCableBasis
from facility.physics.circuits.conductors import ambient_factor
from facility.power.feeders.mv.choice import choose_mv, mv_withstand_current
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.study.resolve.power.mv_cables import resolve_mv_cables
from facility.study.verification.power.conductor_cases import COPPER, IEC
from facility.study.verification.power.panel_cases import NEC
from tests.tools.source_tree import ROOT

DATA = Path(__file__).parent / "data"
TABLES = ROOT / "reference" / "electrical"
SQRT3 = math.sqrt(3.0)
BASES = {
    "NEC": MvCableBasis(
        "cu", 90.0, "duct", 20.0, None, 1.0, "750", 20, 100.0, 75.0, 75.0, 0.5, 1.25, False
    ),
    "IEC": MvCableBasis(
        "cu", 90.0, "buried", 20.0, None, 1.0, "400", 20, 100.0, 75.0, 75.0, 0.5, 1.25, False
    ),
}
CRITERIA: dict[str, Criteria] = {"NEC": NEC, "IEC": IEC}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def demand(voltage_v: float, load_a: float, **other: Any) -> CircuitDemand:
    asked = CircuitDemand(
        continuous_a=load_a,
        other_a=0.0,
        poles=3,
        voltage_v=voltage_v,
        v_ln=voltage_v / SQRT3,
        neutral="none",
        length_m=75.0,
        power_factor=0.95,
    )
    return replace(asked, **other)


def chosen(
    code: str, asked: CircuitDemand, trace: Trace | None = None, **options: Any
) -> ConductorChoice:
    hertz = 60.0 if code == "NEC" else 50.0
    basis = replace(COPPER, mv=replace(BASES[code], **options), frequency_hz=hertz)
    return choose_mv(asked, basis, CRITERIA[code], trace or Trace(), "c")


def parsed(text: str) -> dict[str, Any]:
    pairs = (one.split("=") for one in text.split(";") if one)
    return {name: float(value) if name.endswith("_c") else value for name, value in pairs}


def of_case(row: dict[str, str]) -> ConductorChoice:
    load_a = float(row["load_kva"]) * 1e3 / (SQRT3 * float(row["voltage_v"]))
    asked = demand(
        float(row["voltage_v"]),
        load_a,
        length_m=float(row["length_m"]),
        grouped_circuits=int(row["together"]),
        fault_a=float(row["fault_ka"]) * 1e3 if row["fault_ka"] else None,
    )
    return chosen(row["code"], asked, **parsed(row["options"]))


@pytest.mark.parametrize(
    "row", rows(DATA / "hand.csv"), ids=lambda row: f"{row['case']} {row['quantity']}"
)
def test_hand_calculations(row: dict[str, str]) -> None:
    found = of_case(row)
    value = {
        "required": found.required_a,
        "pickup": found.ocpd_a,
        "size": found.size,
        "ampacity": found.ampacity_a,
        "grounding": found.egc_size,
        "insulation": found.insulation,
        "drop": found.drop_v,
    }[row["quantity"]]
    if isinstance(value, str):
        assert value == row["value"], row["by_hand"]
    else:
        assert value == pytest.approx(float(row["value"]), rel=float(row["tolerance"]) or 1e-9)


def least_size(row: dict[str, str]) -> str:
    """Return the size that a second calculation chooses: rows of the files, heat in closed form."""
    options, nec = parsed(row["options"]), row["code"] == "NEC"
    metal, kelvin = options.get("material", "cu"), options.get("conductor_c", 90.0)
    way = options.get("installation", "duct" if nec else "buried")
    base_c = 20.0 if way != "air" else 40.0 if nec else 30.0
    ambient_c = options.get("ambient_c", 20.0)
    load_a = float(row["load_kva"]) * 1e3 / (SQRT3 * float(row["voltage_v"]))
    need_a = 5.0 * math.ceil(1.25 * load_a / 5.0)
    factor = ((kelvin - ambient_c) / (kelvin - base_c)) ** 0.5
    beta, constant = {"cu": (234.5, 226.0), "al": (228.0, 148.0)}[metal]
    k = constant * math.sqrt(math.log((beta + 250.0) / (beta + kelvin)))
    if nec:
        mils = {
            one["size"]: float(one["circular_mils"]) for one in rows(TABLES / "nec_ch9_table8.csv")
        }
        volts = "5000" if float(row["voltage_v"]) <= 5000.0 else "35000"
        together = "1" if way == "air" else row["together"]
        column = "mv105_a" if kelvin > 90.0 else "mv90_a"
        sizes = [
            (one["size"], float(one[column]), mils[one["size"]] * 506.7e-6)
            for one in rows(TABLES / "nec_315_60_ampacity.csv")
            if (one["conductor"], one["installation"]) == (metal, way)
            and (one["circuits"], one["voltage_max_v"]) == (together, volts)
        ]
    else:
        group = {
            (one["installation"], one["circuits"]): float(one["factor"])
            for one in rows(TABLES / "iec_60502_2_grouping.csv")
        }
        factor *= group.get((way, row["together"]), 1.0)
        sizes = [
            (one["size_mm2"], float(one["ampacity_a"]), float(one["size_mm2"]))
            for one in rows(TABLES / "iec_60502_2_ampacity.csv")
            if (one["conductor"], one["installation"]) == (metal, way)
        ]
    fault_a = float(row["fault_ka"] or 0.0) * 1e3
    return next(
        size
        for size, table_a, mm2 in sizes
        if table_a * factor >= need_a and k * mm2 / 0.5**0.5 >= fault_a
    )


@pytest.mark.parametrize(
    "row",
    [row for row in rows(DATA / "hand.csv") if row["quantity"] == "size"],
    ids=lambda row: row["case"],
)
def test_a_second_calculation_chooses_the_same_size(row: dict[str, str]) -> None:
    assert of_case(row).size == least_size(row) == row["value"]


def test_the_table_is_that_of_a_third_transcription() -> None:
    held = {
        (one["installation"], one["conductor"], one["size"], one["voltage_max_v"]): one
        for one in rows(TABLES / "nec_315_60_ampacity.csv")
        if one["circuits"] == "1"
    }
    third = rows(DATA / "third.csv")
    assert len(held) == 2 * len(third)
    for row in third:
        for band, volts in (("low", "5000"), ("high", "35000")):
            found = held[row["installation"], row["conductor"], row["size"], volts]
            assert (found["mv90_a"], found["mv105_a"]) == (row[f"{band}_90"], row[f"{band}_105"])


@pytest.mark.parametrize("row", rows(DATA / "published.csv"), ids=lambda r: r["source"])
def test_published_factors_and_withstand(row: dict[str, str]) -> None:
    value = float(row["value"])
    if row["kind"] == "factor":
        degrees = (float(row[name]) for name in ("conductor_c", "ambient_c", "base_c"))
        assert ambient_factor.si(*degrees) == pytest.approx(value, abs=float(row["tolerance"]))
        return
    mv = replace(BASES["IEC"], clearing_s=1.0)
    found = mv_withstand_current(float(row["ambient_c"]) * 1e-6, "XLPE 8.7/15 kV", mv) / 1e3
    assert found == pytest.approx(value, rel=float(row["tolerance"]))


@pytest.mark.parametrize("code", ["NEC", "IEC"])
def test_more_load_circuits_and_fault_never_take_fewer_or_smaller_cables(code: str) -> None:
    last = (0, 0.0)
    for load_a in (10.0, 60.0, 150.0, 400.0, 900.0, 2500.0):
        found = chosen(code, demand(11000.0, load_a))
        cables = found.sets, found.area_m2
        assert cables >= last
        assert found.ampacity_a >= found.ocpd_a >= 1.25 * load_a
        for more in ({"grouped_circuits": 3}, {"fault_a": 25e3}):
            other = chosen(code, demand(11000.0, load_a, **more))
            assert (other.sets, other.area_m2) >= cables
        last = cables


def test_a_stated_pickup_is_limited_and_does_not_raise_the_cable_of_the_nec() -> None:
    """1 AWG carries 175 A: the NEC permits a pickup of 1,050 A."""
    for pickup, fails in ((8.0, False), (8.2, True)):
        found = chosen("NEC", demand(13800.0, 130.0), pickup=pickup, pickup_stated=True)
        assert (found.size, found.ocpd_a) == ("1", 5.0 * math.ceil(pickup * 130.0 / 5.0))
        (check,) = (one for one in found.checks if one.rule == "MV-PICKUP")
        assert check.failed is fails
    of_iec = chosen("IEC", demand(11000.0, 130.0), pickup=2.0, pickup_stated=True)
    assert of_iec.ampacity_a >= of_iec.ocpd_a == 260.0
    assert {one.rule for one in of_iec.checks} == {"MV-CABLE"}


@pytest.mark.parametrize(
    ("code", "voltage_v", "words"),
    [
        ("NEC", 46000.0, "2,001 to 35,000 V"),
        ("NEC", 1500.0, "2,001 to 35,000 V"),
        ("IEC", 34500.0, "Um 7.2 to 36 kV"),
        ("IEC", 2400.0, "Um 7.2 to 36 kV"),
    ],
)
def test_voltages_outside_the_tables_name_their_range(
    code: str, voltage_v: float, words: str
) -> None:
    with pytest.raises(FacilityError, match=words) as caught:
        chosen(code, demand(voltage_v, 100.0))
    assert caught.value.code == "MV_VOLTAGE"


def test_too_few_cables_are_refused_and_too_high_a_fault_is_left_to_its_check() -> None:
    with pytest.raises(FacilityError) as caught:
        chosen("NEC", demand(13800.0, 400.0), largest_size="1/0", parallel_sets=1)
    assert caught.value.code == "NO_CABLE"
    with pytest.raises(FacilityError, match="minimum size at this voltage"):
        chosen("NEC", demand(34500.0, 10.0), largest_size="1")
    bare = chosen("NEC", demand(13800.0, 50.0), largest_size="1/0", parallel_sets=1)
    bolted = demand(13800.0, 50.0, fault_a=60e3)
    assert chosen("NEC", bolted, largest_size="1/0", parallel_sets=1).size == bare.size == "1"


@pytest.mark.parametrize(("code", "load_a"), [("NEC", 4500.0), ("IEC", 5000.0)])
def test_the_largest_main_bus_of_switchgear_can_be_fed(code: str, load_a: float) -> None:
    """Main buses of 3,000 A (NEC) and 4,000 A (IEC), transformers above their load."""
    found = chosen(code, demand(11000.0, load_a))
    assert found.sets > 12
    assert found.ampacity_a >= 1.25 * load_a


def test_the_least_size_follows_the_voltage() -> None:
    """Table 315.12(A): 1/0 AWG above 28 kV; below, the tables begin at 1 AWG."""
    sizes = {
        volts: chosen("NEC", demand(volts, 20.0)).size for volts in (13800.0, 27600.0, 34500.0)
    }
    assert sizes == {13800.0: "1", 27600.0: "1", 34500.0: "1/0"}


def resolved(code: str, **fields: str) -> tuple[MvCableBasis, Trace]:
    trace = Trace()
    section = MvCableSection.model_validate(fields)
    return resolve_mv_cables(section, CRITERIA[code], trace), trace


def test_defaults_are_named_and_what_is_stated_is_not_assumed() -> None:
    nec, trace = resolved("NEC")
    assert (nec.installation, nec.ambient_c, nec.largest_size) == ("duct", 20.0, "750")
    assert resolved("NEC", installation="air")[0].ambient_c == 40.0
    iec, _ = resolved("IEC")
    assert (iec.installation, iec.ambient_c, iec.largest_size) == ("buried", 20.0, "400")
    assert resolved("IEC", installation="air")[0].ambient_c == 30.0
    fields = {entry.id.rpartition(".")[2] for entry in trace.ledger}
    assert fields == set(MvCableSection.model_fields)
    stated, trace = resolved(
        "NEC",
        material="aluminum",
        type="MV-105",
        installation="duct",
        ambient="25 degC",
        grouped_circuits="3",
        correction="0.9",
        largest_size="500 kcmil",
        parallel_sets="4",
        service_length="300 ft",
        transformer_length="10 m",
        generator_length="20 m",
        clearing_time="0.2 s",
        pickup="3",
    )
    assert not list(trace.ledger)
    assert stated == MvCableBasis(
        "al",
        105.0,
        "duct",
        25.0,
        3,
        0.9,
        "500",
        4,
        pytest.approx(91.44),
        10.0,
        20.0,
        0.2,
        3.0,
        True,
    )


def test_further_factors_count() -> None:
    plain = chosen("IEC", demand(11000.0, 300.0))
    poor = chosen("IEC", demand(11000.0, 300.0), correction=0.7)
    assert poor.area_m2 * poor.sets > plain.area_m2 * plain.sets
    assert poor.bundling_factor == pytest.approx(0.7)
    stated = chosen("NEC", demand(13800.0, 300.0), grouped_circuits=6)
    assert stated.area_m2 * stated.sets > chosen("NEC", demand(13800.0, 300.0)).area_m2


@pytest.mark.parametrize("code", ["NEC", "IEC"])
def test_the_trace_holds_ampacity_and_pickup(code: str) -> None:
    trace = Trace()
    found = chosen(code, demand(11000.0, 105.0), trace)
    ampacity = "ampacity_corrected" if code == "NEC" else "ampacity"
    assert trace.value(f"c.{ampacity}") == pytest.approx(found.ampacity_a)
    assert trace.value("c.ocpd") == found.ocpd_a
    assert "relay" in "\n".join(explain(trace, "c.ocpd"))


@pytest.mark.parametrize(
    ("voltage_v", "least_mm2"),
    [(6e3, 16.0), (10e3, 16.0), (15e3, 25.0), (20e3, 35.0), (30e3, 50.0)],
)
def test_least_size_of_the_rated_voltage(voltage_v: float, least_mm2: float) -> None:
    """IEC 60502-2, insulation thickness: 12/20 kV from 35 mm2; the ratings start at 16 mm2."""
    found = chosen("IEC", demand(voltage_v, 20.0, length_m=5.0))
    assert float(found.size) == least_mm2
