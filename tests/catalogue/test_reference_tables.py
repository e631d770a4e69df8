"""The reference data: every table loads, every row is sourced, the figures are what they say."""

import csv
import math
from pathlib import Path

import pytest

import facility
from facility import catalogue
from facility.core.kinds import KINDS
from facility.core.reference import reference_path

PACKAGE = Path(facility.__file__).parent
FORMULAS = Path(__file__).parents[1] / "formulas"
WINGS = ("electrical", "equipment", "cooling", "weather", "site", "cost", "cases", "commissioning")
SPOT_VALUES = list(
    csv.DictReader((Path(__file__).parent / "spot_values.csv").read_text("utf-8").splitlines())
)


@pytest.mark.parametrize("name", catalogue.table_names())
def test_every_table_loads_and_every_row_resolves_its_source(name: str) -> None:
    table = catalogue.table(name)
    assert table.rows
    assert table.schema.description
    for row in table.rows:
        assert row.source.title
        assert row.source is catalogue.sources()[row.source.id]
        assert row.cite("verified").id == row.source.id


def test_every_file_has_a_schema_and_every_schema_a_file() -> None:
    files = {f"{wing}/{path.stem}" for wing in WINGS for path in reference_path(wing).glob("*.csv")}
    assert files == set(catalogue.table_names())


def test_every_source_is_used() -> None:
    used = {row.source.id for name in catalogue.table_names() for row in catalogue.table(name).rows}
    code = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    rules = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("rules.csv"))
    unused = {id for id in set(catalogue.sources()) - used if f'"{id}"' not in code}
    tested = "".join(path.read_text("utf-8") for path in FORMULAS.iterdir() if path.is_file())
    unused = {id for id in unused if f",{id}," not in rules and id not in tested}
    assert unused == set()
    assert used <= set(catalogue.sources())


def test_every_column_is_described_and_cells_are_trimmed() -> None:
    for name in catalogue.table_names():
        table = catalogue.table(name)
        for column in table.schema.columns.values():
            assert column.description, f"{name}.{column.name}"
            assert column.name == column.name.lower()
        for row in table.rows:
            for column, value in row.values.items():
                if isinstance(value, str):
                    assert value == value.strip(), f"{row.label}.{column}"


def test_a_row_from_a_recalled_source_is_marked() -> None:
    for name in catalogue.table_names():
        for row in catalogue.table(name).rows:
            if row.source.verified == "memory":
                assert row.verified == "memory" or row.memory_fields, row.label


@pytest.mark.parametrize(
    "spot", SPOT_VALUES, ids=lambda s: f"{s['table']}-{s['key']}-{s['column']}"
)
def test_spot_values(spot: dict[str, str]) -> None:
    table = catalogue.table(spot["table"])
    parts = [
        float(part) if table.schema.columns[name].is_number else part
        for name, part in zip(table.schema.key_columns, spot["key"].split("|"), strict=True)
    ]
    assert table.get(tuple(parts))[spot["column"]] == pytest.approx(float(spot["expected"]))


@pytest.mark.parametrize(
    ("table", "column", "target", "key"),
    [
        ("equipment/servers", "gpu_model", "equipment/gpus", "model"),
        ("equipment/servers", "psu_efficiency_class", "equipment/psu_efficiency", "psu_class"),
        ("equipment/server_components", "server", "equipment/servers", "model"),
        ("equipment/cabinets", "system", "equipment/servers", "model"),
        ("equipment/liquid_flow_tables", "system", "equipment/servers", "model"),
        ("equipment/rack_feed_profiles", "layout", "equipment/cabinets", "layout"),
        ("equipment/chiller_part_load", "model", "equipment/chillers", "model"),
        ("equipment/chillers", "curve", "cooling/chillers_eir", "name"),
        ("equipment/pdus", "rating_kva", "electrical/transformer_standard_kva", "kva"),
        ("cooling/cooling_tower_coefficients", "model", "cooling/cooling_tower_limits", "model"),
    ],
)
def test_references_between_tables_resolve(table: str, column: str, target: str, key: str) -> None:
    known = set(catalogue.table(target).column(key))
    named = {value for value in catalogue.table(table).column(column) if value is not None}
    assert named
    assert named <= known


def test_gpu_components_carry_the_power_of_the_gpu_table() -> None:
    gpus = catalogue.table("equipment/gpus")
    for row in catalogue.table("equipment/server_components").select(component="gpu"):
        assert row.si("unit_power_w") == gpus.get(row["description"]).si("tdp_w")
        server = catalogue.table("equipment/servers").get(row["server"])
        assert server["gpu_model"] == row["description"]
        assert server["gpus_per_system"] == row["count"]


def test_known_components_stay_below_the_data_sheet_maximum() -> None:
    totals: dict[str, float] = {}
    for row in catalogue.table("equipment/server_components").rows:
        power = row.si_or_none("unit_power_w")
        totals[row.text("server")] = totals.get(row.text("server"), 0.0) + (
            row.integer("count") * power if power is not None else 0.0
        )
    for server, total in totals.items():
        maximum = catalogue.table("equipment/servers").get(server).si("max_input_kw")
        assert 0.75 * maximum < total < maximum


def test_supplies_needed_never_exceed_supplies_installed() -> None:
    for table in ("equipment/servers", "equipment/network_storage"):
        for row in catalogue.table(table).rows:
            if row["psu_needed"] is not None:
                assert 0 < row.integer("psu_needed") < row.integer("psu_count"), row.label


def test_heat_fractions_add_up_to_one() -> None:
    for row in catalogue.table("equipment/servers").rows:
        if row["liquid_heat_fraction"] is not None:
            assert row.si("liquid_heat_fraction") + row.si("air_heat_fraction") == pytest.approx(
                1.0
            )


def test_chiller_rows_agree_with_their_part_load_and_curve_rows() -> None:
    curves = catalogue.table("cooling/chillers_eir")
    for row in catalogue.table("equipment/chillers").rows:
        if row["cop"] is not None and row["power_input_kw"] is not None:
            ratio = row.si("capacity_kw") / row.si("power_input_kw")
            assert row.si("cop") == pytest.approx(ratio, rel=0.02)
        if row["curve"] is not None:
            curve = curves.get(row["curve"])
            assert row.si("capacity_kw") == pytest.approx(curve.si("cap_ref_kw"), rel=1e-3)
            assert row.si("cop") == pytest.approx(curve.si("cop_ref"), abs=0.006)
    for row in catalogue.table("equipment/chiller_part_load").select(load_pct=100.0):
        rated = catalogue.table("equipment/chillers").get(row["model"])
        assert row.si("capacity_kw") == rated.si("capacity_kw")
        assert row.si("power_kw") == rated.si("power_input_kw")


def test_nplv_of_wsc100m_recomputes_from_its_part_load_points() -> None:
    points = {
        row["load_pct"]: row.si("cop")
        for row in catalogue.table("equipment/chiller_part_load").select(model="WSC100M")
    }
    weights = {100.0: 0.01, 75.0: 0.42, 50.0: 0.45, 25.0: 0.12}  # AHRI 550/590
    nplv = sum(weight * points[load] for load, weight in weights.items())
    rated = catalogue.table("equipment/chillers").get("WSC100M")
    assert nplv == pytest.approx(rated.si("iplv_nplv_cop"), abs=5e-4)


def test_nec_temperature_factors_follow_the_formula() -> None:
    for row in catalogue.table("electrical/nec_310_15_b1_temperature").rows:
        upper = row.si("ambient_max_c")
        for rating in (60.0, 75.0, 90.0):
            factor = row.si_or_none(f"factor_{rating:.0f}c")
            if factor is not None:
                expected = math.sqrt((rating - upper) / (rating - 30.0))
                assert factor == pytest.approx(expected, abs=0.0051)


def test_iec_temperature_factors_follow_the_formula() -> None:
    rating = {"PVC": 70.0, "XLPE": 90.0}
    for row in catalogue.table("electrical/iec_60364_temperature").select(medium="air"):
        hot = rating[row.text("insulation")]
        expected = math.sqrt((hot - row.si("ambient_c")) / (hot - 30.0))
        assert row.si("factor") == pytest.approx(expected, abs=0.0101)


def test_conduit_areas_are_circles_and_their_fills() -> None:
    for row in catalogue.table("electrical/nec_ch9_table4_conduit").rows:
        area = row.si("total_area_in2")
        assert area == pytest.approx(math.pi / 4.0 * row.si("internal_diameter_in") ** 2, rel=0.005)
        in2 = KINDS["area"].units["in2"][0]
        rounding = 0.001 * in2  # the code prints three decimals, some truncated
        assert row.si("fill_over_2_wires_40pct_in2") == pytest.approx(0.40 * area, abs=rounding)
        assert row.si("fill_1_wire_53pct_in2") == pytest.approx(0.53 * area, abs=rounding)


def test_transformer_losses_follow_from_their_efficiency() -> None:
    for row in catalogue.table("electrical/transformer_standard_kva").rows:
        efficiency = row.si_or_none("doe2016_min_efficiency_pct")
        if efficiency is not None:
            loss = 0.35 * row.si("kva") * (1.0 / efficiency - 1.0)
            assert row.si("max_loss_at_35pct_load_w") == pytest.approx(loss, abs=0.51)
        for volts in (480.0, 415.0, 400.0, 208.0):
            current = row.si("kva") / (math.sqrt(3.0) * volts)
            assert row.si(f"fla_{volts:.0f}v_a") == pytest.approx(current, abs=0.051)


def test_three_phase_ratings_are_root_three_volts_amperes() -> None:
    for table in ("equipment/rack_pdus", "equipment/busway"):
        for row in catalogue.table(table).rows:
            power = math.sqrt(3.0) * row.si("voltage_v") * row.si("continuous_derated_a")
            assert row.si("rating_kva") == pytest.approx(power, rel=0.006)


def test_class_rows_of_air_handlers_close_their_heat_balance() -> None:
    rows = catalogue.table("equipment/crah_crac").select(data_basis="derived")
    assert len(rows) == 5
    for row in rows:
        rise = row.si("return_air_c") - row.si("supply_air_c")
        air = 1.2 * 1006.0 * row.si("airflow_m3_h") * rise
        assert row.si("net_sensible_kw") == pytest.approx(air, rel=1e-4)
        water = 4.19e6 * row.si("water_flow_l_s") * (row.si("water_out_c") - row.si("water_in_c"))
        assert row.si("net_sensible_kw") == pytest.approx(water, rel=2e-3)
        assert row.is_memory("fan_kw")


def test_published_flow_table_returns_at_55_c() -> None:
    for row in catalogue.table("equipment/liquid_flow_tables").select(system="GB300 NVL72"):
        flow = 29.5 * 60.0 / (55.0 - row.si("tcs_supply_temp_c"))
        assert row["required_flow_l_min"] == pytest.approx(flow, abs=1.0)
        assert row.si("pressure_drop_psi") == pytest.approx(row.si("pressure_drop_kpa"), rel=0.01)


def test_fuel_chart_conversions() -> None:
    for row in catalogue.table("electrical/generator_diesel").rows:
        for load in (25, 50, 75, 100):
            printed = row.si(f"gal_per_h_{load}pct")
            litres_h = 1e-3 / 3600.0
            assert row.si(f"l_per_h_{load}pct_calc") == pytest.approx(printed, abs=0.051 * litres_h)


@pytest.mark.parametrize("fluid", ["water", "PG25", "PG25 mass", "EG25 mass"])
def test_coolant_properties_against_coolprop(fluid: str) -> None:
    name = {
        "water": "Water",
        "PG25": "INCOMP::AL[0.25]",
        "PG25 mass": "INCOMP::MPG[0.25]",
        "EG25 mass": "INCOMP::MEG[0.25]",
    }[fluid]
    props = pytest.importorskip("CoolProp.CoolProp").PropsSI  # 3 s, not of who only collects
    columns = {"D": "rho_kg_m3", "C": "cp_j_kgk", "V": "mu_mpas", "L": "k_w_mk"}
    rows = catalogue.table("cooling/fluid_properties").select(fluid=fluid)
    assert len(rows) == 12
    for row in rows:
        for output, column in columns.items():
            expected = props(output, "T", row.si("t_c") + 273.15, "P", 300e3, name)
            assert row.si(column) == pytest.approx(expected, rel=2e-4)
        prandtl = row.si("cp_j_kgk") * row.si("mu_mpas") / row.si("k_w_mk")
        assert row.si("pr") == pytest.approx(prandtl, rel=1e-3)


def test_chiller_curves_that_miss_their_reference_point_say_so() -> None:
    for table, last in (
        ("chillers_eir", "eirfplr_at_1"),
        ("chillers_reformulated_eir", "eirfplr_at_ref"),
    ):
        for row in catalogue.table(f"cooling/{table}").rows:
            off = max(
                abs(row.si(column) - 1.0) for column in ("capft_at_ref", "eirft_at_ref", last)
            )
            assert ("miss their own reference point" in row.text("notes")) == (off > 0.05)


def test_curve_coefficients_reproduce_the_published_checks() -> None:
    for row in catalogue.table("cooling/chillers_eir").rows:
        x, y = row.si("t_chw_lvg_ref_c"), row.si("t_cond_ent_ref_c")
        terms = {"1": 1.0, "x": x, "x2": x * x, "y": y, "y2": y * y, "xy": x * y}
        for curve in ("capft", "eirft"):
            value = sum(row.si(f"{curve}_{term}") * factor for term, factor in terms.items())
            assert value == pytest.approx(row.si(f"{curve}_at_ref"), abs=1e-4)
    for row in catalogue.table("cooling/fan_pump_part_load").rows:
        half = sum(row.si(f"c{power}") * 0.5**power for power in range(4))
        assert half == pytest.approx(row.si("value_at_half"), abs=1e-5)
