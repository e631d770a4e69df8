"""The power section: what it takes, what it refuses, and the defaults in the ledger."""

from __future__ import annotations

from typing import Any

import pytest

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.inputs.document import read_document
from facility.model.inputs.power.section import PowerSection
from facility.study.design.design import Design
from facility.study.resolve.power.chain import resolve_power
from tests.power.helpers import DATA, build, chain, criteria
from tests.study.helpers import design_of, failed_rules

SECTION_REFUSALS: list[tuple[dict[str, Any], str, str]] = [
    ({"redundancy": "3N"}, "UNKNOWN_REDUNDANCY", "power.redundancy"),
    ({"feeds": ["A", "A"]}, "FEEDS_WRONG", "power.feeds"),
    ({"feeds": []}, "FEEDS_WRONG", "power.feeds"),
    ({"ups": {"module_rating": "500 kVA"}}, "UNIT_WRONG", "power.ups.module_rating"),
    ({"ups": {"module_rating": "500"}}, "UNIT_MISSING", "power.ups.module_rating"),
    ({"ups": {"module_rating": "500 W"}}, "OUT_OF_RANGE", "power.ups.module_rating"),
    ({"ups": {"modules_per_system": "-1"}}, "NOT_A_COUNT", "power.ups.modules_per_system"),
    ({"ups": {"max_loading": "120 %"}}, "OUT_OF_RANGE", "power.ups.max_loading"),
    ({"ups": {"efficiency_25": "97 %"}}, "UPS_CURVE", "power.ups"),
    ({"ups": {"model": "DPH 500", "module_rating": "500 kW"}}, "UPS_CONTRADICTION", "power.ups"),
    ({"ups": {"output_power_factor": "0.9"}}, "UPS_CONTRADICTION", "power.ups"),
    ({"ups": {"input_power_factor": "1.2"}}, "OUT_OF_RANGE", "power.ups.input_power_factor"),
    ({"distribution": {"rack_system": "690Y/400"}}, "UNKNOWN_SYSTEM", "power.distribution"),
    ({"transformer": {"no_load_loss": "2 kW"}}, "TRANSFORMER_LOSS", "power.transformer"),
    ({"transformer": {"redundancy": "2N"}}, "UNKNOWN_REDUNDANCY", "power.transformer.redundancy"),
    ({"generator": {"model": "x", "rating": "2 MW"}}, "GENERATOR_CONTRADICTION", "power.generator"),
    ({"generators": {}}, "UNKNOWN_FIELD", "power.generators"),
]


@pytest.mark.parametrize(("section", "code", "where"), SECTION_REFUSALS)
def test_section_refuses(section: dict[str, Any], code: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        read_document({"schema_version": "1", "power": section})
    assert caught.value.code == code
    assert caught.value.where.startswith(where)


CONTRADICTIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"redundancy": "2N", "feeds": ["A", "B", "C"]}, "REDUNDANCY_CONTRADICTION", "power.feeds"),
    ({"redundancy": "3N/2", "feeds": ["A", "B"]}, "REDUNDANCY_CONTRADICTION", "power.feeds"),
    ({"redundancy": "2N", "systems": "3"}, "REDUNDANCY_CONTRADICTION", "power.systems"),
    ({"redundancy": "N+1", "systems": "2"}, "REDUNDANCY_CONTRADICTION", "power.systems"),
    ({"redundancy": "2N", "blocks": "3"}, "REDUNDANCY_CONTRADICTION", "power.blocks"),
    ({"redundancy": "block-redundant", "blocks": "40"}, "REDUNDANCY_CONTRADICTION", "power.blocks"),
    ({"distribution": {"pdu_transformer": "300 kVA"}}, "PDU_CONTRADICTION", "power.distribution"),
    ({"distribution": {"breakers": []}}, "MISSING_FIELD", "power.distribution.breakers"),
    ({"distribution": {"panel_poles": "43"}}, "OUT_OF_RANGE", "power.distribution.panel_poles"),
    (
        {"distribution": {"breakers": ["30 A", "600 A"], "panel_bus": "400 A"}},
        "CONTRADICTION",
        "power.distribution.breakers[1]",
    ),
    (
        {"distribution": {"voltage": "400 V", "rack_system": "415Y/240"}},
        "VOLTAGE_CONTRADICTION",
        "power.distribution",
    ),
    (
        {"ups": {"modules_per_system": "5", "buses": "2"}},
        "COUNT_NOT_EVEN",
        "power.ups.modules_per_system",
    ),
    (
        {"redundancy": "N+2", "ups": {"max_parallel": "2"}},
        "UPS_CONTRADICTION",
        "power.ups.max_parallel",
    ),
]


@pytest.mark.parametrize(("section", "code", "where"), CONTRADICTIONS)
def test_contradictions_are_refused(section: dict[str, Any], code: str, where: str) -> None:
    with pytest.raises(FacilityError) as caught:
        chain(**section)
    assert caught.value.code == code
    assert caught.value.where == where
    assert caught.value.hint or "needs" in caught.value.message


def test_open_loadings_are_of_what_the_altitude_leaves() -> None:
    """At 2,600 m: UPS 0.852 (0.86 at 2,500 m, 0.82 at 3,000 m), transformers 1 - 16 x 0.4 %."""
    pdus = {"voltage": "480 V", "rack_system": "415Y/240", "pdu_transformer": "500 kVA"}
    section = PowerSection.model_validate({"distribution": pdus})
    found = resolve_power(section, criteria(), Trace(), 2600.0)
    assert found.ups.max_loading == pytest.approx(0.852)
    assert found.transformer.max_loading == pytest.approx(0.95 * 0.936)
    assert found.wiring.pdu_max_loading == pytest.approx(0.95 * 0.952)
    stated = PowerSection.model_validate({"ups": {"max_loading": "90 %"}})
    assert resolve_power(stated, criteria(), Trace(), 2600.0).ups.max_loading == 0.9


def test_an_empty_section_is_a_complete_chain() -> None:
    trace = Trace()
    project = read_document({"schema_version": "1"})
    found = resolve_power(project.power, criteria(), trace)
    assert found.scheme.name == "N+1"
    assert found.feeds == ("A", "B")
    assert found.wiring.lv_voltage_v == found.wiring.rack_voltage_v == 415.0
    for id in (
        "power.redundancy",
        "power.feeds",
        "power.rack_system",
        "power.voltage",
        "power.branch_loss",
        "power.feeder_loss",
        "power.board_loss",
        "power.feeder_in_hall",
        "power.ups.max_loading",
        "power.ups.recharge",
        "power.ups.buses",
        "power.transformer.redundancy",
        "power.transformer.largest",
        "power.generator.redundancy",
        "power.panel_bus",
        "power.panel_poles",
        "power.listed_100",
        "power.mechanical_power_factor",
    ):
        assert id in trace.ledger, id


def test_what_is_given_is_not_assumed() -> None:
    trace = Trace()
    chain(
        trace,
        redundancy="2N",
        feeds=["Red", "Blue"],
        ups={"max_loading": "90 %", "recharge": "5 %"},
        distribution={"voltage": "415 V", "rack_system": "415/240", "panel_bus": "225 A"},
        generator={"redundancy": "N+2", "max_loading": "80 %"},
    )
    for id in (
        "power.redundancy",
        "power.feeds",
        "power.ups.max_loading",
        "power.voltage",
        "power.generator.redundancy",
        "power.panel_bus",
    ):
        assert id not in trace.ledger, id


def test_feeds_name_the_systems() -> None:
    built = build(redundancy="2N", feeds=["Red", "Blue"])
    assert built.design.ups.systems == ("Red", "Blue")
    assert [system.name for system in built.flow.systems] == ["Red", "Blue"]
    assert built.design.chain.panels.fed_from == ("UPS-Red", "UPS-Blue")


@pytest.mark.parametrize(
    ("code", "distribution", "system", "lv_v"),
    [
        ("NEC", {}, "415Y/240", 415.0),
        ("IEC", {}, "400Y/230", 400.0),
        ("NEC", {"rack_system": "208Y/120"}, "208Y/120", 480.0),
        ("NEC", {"voltage": "480 V"}, "415Y/240", 480.0),
        ("NEC", {"rack_system": "480Y/277"}, "480Y/277", 480.0),
        ("IEC", {"voltage": "415 V"}, "415Y/240", 415.0),
    ],
)
def test_default_voltages(
    code: str, distribution: dict[str, Any], system: str, lv_v: float
) -> None:
    wiring = chain(code=code, distribution=distribution).wiring
    assert (wiring.rack_system, wiring.lv_voltage_v) == (system, lv_v)


def test_panel_basis_follows_the_code() -> None:
    nec, iec = chain().panels, chain(code="IEC").panels
    assert (nec.numbering, iec.numbering) == ("US", "IEC")
    assert {20.0, 30.0, 60.0, 100.0} <= set(nec.breaker_sizes_a)
    assert {16.0, 32.0, 63.0} <= set(iec.breaker_sizes_a)
    assert max(nec.breaker_sizes_a) <= nec.bus_a
    assert nec.breaker_sizes_a == tuple(sorted(nec.breaker_sizes_a))
    own = chain(distribution={"breakers": ["60 A", "30 A"], "panel_bus": "225 A"}).panels
    assert (own.breaker_sizes_a, own.bus_a, own.main_a) == ((30.0, 60.0), 225.0, 225.0)


class TestChosenForTheSupplies:
    """Feeds and voltage left open follow the supplies of the racks that are stated."""

    @staticmethod
    def built(model: str, count: int, *sets: str) -> Design:
        racks = f"[{{name: R, count: 4, devices: [{{model: {model}, count: {count}}}]}}]"
        text = f"schema_version: 1\nit: {{halls: [{{name: H, racks: {racks}}}]}}\n"
        return design_of(text, *sets)

    @pytest.mark.parametrize(
        ("model", "sides"),
        [
            # 4+2: a third of six is two; 5+1: the sixth of six is one, and no capped mode is known.
            ("DGX H100", 3),
            ("XE9680 H100", 6),
            # 5+1, capped by the maker to 14.3 - 8 x 0.2 = 12.7 kW, four supplies of 3.3 kW: three
            # sides leave four.
            ("DGX B200", 3),
            # 3+3: half are enough.
            ("DGX A100", 2),
        ],
    )
    def test_one_system_takes_the_sides_that_the_supplies_need(
        self, model: str, sides: int
    ) -> None:
        found = self.built(model, 1, "power.redundancy=N+1", "cooling.method=air")
        assert len(found.facility.power.feeds) == sides
        assert "PSU-REDUNDANCY" not in failed_rules(found, "VIOLATION")

    @pytest.mark.parametrize(
        ("code", "model", "system"),
        [
            # Shelves of 346 to 480 V, three phases; DGX supplies take 200 to 240 V to neutral.
            ("IEC", "GB200 NVL72", "400Y/230"),
            ("IEC", "DGX H100", "400Y/230"),
            # 2 x 600 kW lose 41.17 kW at either voltage; of 415 V no row is better, of 480 V more
            # are listed, and its feeders carry 415 / 480 of the current.
            ("NEC", "GB200 NVL72", "480Y/277"),
            ("NEC", "DGX H100", "415Y/240"),
        ],
    )
    def test_the_voltage_is_one_that_the_supplies_take(
        self, code: str, model: str, system: str
    ) -> None:
        method, count = ("hybrid", 1) if "NVL72" in model else ("air", 2)
        found = self.built(model, count, f"criteria.code={code}", f"cooling.method={method}")
        assert found.facility.power.panels.system == system
        assert "SUPPLY-VOLTAGE" not in failed_rules(found, "VIOLATION")


class TestSmallLoads:
    """The voltage of small loads follows from loss and installed power."""

    @staticmethod
    def built(power: str, *sets: str) -> Design:
        text = (
            "schema_version: 1\ncooling: {method: air}\nit:\n  devices:\n"
            f"    - {{model: Box, category: server, maximum_power: {power}, rack_units: 8,"
            " supplies: {count: 2, needed: 1}}\n"
            "  halls: [{name: H, racks: [{name: R, count: 4, devices: [{model: Box, count: 1}]}]}]"
        )
        return design_of(text, *sets)

    @pytest.mark.parametrize(
        ("power", "sets", "system"),
        [
            # What is stated stays, and what the supply of the country is.
            ("12.4 kW", ("power.distribution.rack_system=415Y/240",), "415Y/240"),
            ("12.4 kW", ("criteria.code=IEC",), "400Y/230"),
        ],
    )
    def test_what_is_stated_is_no_choice(
        self, power: str, sets: tuple[str, ...], system: str
    ) -> None:
        found = self.built(power, *sets)
        assert found.facility.power.panels.system == system

    @pytest.mark.parametrize("power", ["2 kW", "6 kW", "12.4 kW", "20 kW"])
    def test_the_losing_voltage_is_worse_by_the_criterion(self, power: str) -> None:
        found = self.built(power, "power.redundancy=N+1")
        choice = next(one for one in found.choices if one.subject == "power chain")
        first, *losing = choice.candidates
        assert {one.item.system for one in choice.candidates} == {"415Y/240", "208Y/120"}
        most_w = 1.1 * min(one.installed_w for one in choice.candidates)
        assert first.installed_w <= most_w
        near = first.loss_w / 1.01  # Losses within 1 % are equal
        assert all(
            one.loss_w >= near for one in losing if one.installed_w <= most_w and not one.recalled
        )
        chosen = {a.id: a for a in found.ledger}["power.rack_system"]
        assert all(one.figures in chosen.basis for one in choice.candidates)
        assert not failed_rules(found, "VIOLATION")

    def test_eight_gpus_are_not_fed_from_a_ups_fifty_times_too_large(self) -> None:
        """11.1 kW of IT: less is lost in the UPS chosen than in one of 600 kW (3.6 kW)."""
        text = (DATA / "projects" / "edge.yaml").read_text()
        towers = "cooling.plant.heat_rejection=tower"
        found = design_of(text, towers)
        stated = "power.distribution.rack_system=415Y/240", "power.ups.module_rating=600 kW"
        other = design_of(text, towers, *stated)
        assert found.results["pue.design"].si < 1.5 < other.results["pue.design"].si
