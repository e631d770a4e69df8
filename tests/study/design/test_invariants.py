"""What must hold for any project: schemes, voltage systems, codes, altitude, more of a thing."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.study.design.design import Design
from facility.study.loop import Sized, operate
from tests.study.helpers import SHORTEST, checks_of, design_of, failed_rules, reference, si

CLOSED = 1e-9
ALL_SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "block-redundant")
DESIGNED = (
    "ups.modules",
    "generator.count",
    "transformer.count",
    "crah.count",
    "plant.chiller_count",
    "plant.rejection_count",
    "panels.count",
)


def closes(found: Design) -> bool:
    parts = ("it", "losses", "cooling", "house")
    total = sum(si(found, f"load.{part}") for part in parts)
    return total == pytest.approx(si(found, "load.facility"), rel=CLOSED)


class TestSchemes:
    """Every redundancy scheme designs, and says what it costs."""

    SYSTEMS: ClassVar = dict(zip(ALL_SCHEMES, (1, 1, 1, 2, 2, 3, 4, 4), strict=True))

    @pytest.mark.parametrize("scheme", ALL_SCHEMES)
    def test_it_designs(self, scheme: str) -> None:
        found = design_of(SHORTEST, f"power.redundancy={scheme}", "it.gpus=2048")
        assert found.results["ups.scheme"].si == scheme
        assert si(found, "ups.systems") == self.SYSTEMS[scheme]
        assert closes(found)
        # Two or four sides of six supplies: 4+2 does not outlive the loss of half of them.
        allowed = {"PSU-REDUNDANCY"} if scheme in ("2N", "2(N+1)") else set()
        assert failed_rules(found, "VIOLATION") <= allowed
        normal, failure = si(found, "ups.loading_normal"), si(found, "ups.loading_failure")
        assert 0.0 < normal <= failure <= 1.0

    def test_spare_modules_are_what_the_scheme_says(self) -> None:
        """With modules of 500 kW for 2.9 MW: N, one or two more, twice N, twice N+1, 3 x N/2."""
        modules = {
            scheme: int(
                si(
                    design_of(
                        SHORTEST,
                        f"power.redundancy={scheme}",
                        "it.gpus=2048",
                        "power.ups.module_rating=500 kW",
                        "power.ups.buses=1",
                    ),
                    "ups.modules",
                )
            )
            for scheme in ALL_SCHEMES
        }
        n = modules["N"]
        assert modules["N+1"] == n + 1
        assert modules["N+2"] == n + 2
        assert modules["2N"] == 2 * n
        assert modules["2(N+1)"] == 2 * (n + 1)
        half, third = -(-n // 2), -(-n // 3)
        assert 3 * half <= modules["3N/2"] <= 3 * (half + 1)
        assert 4 * third <= modules["4N/3"] <= 4 * (third + 1)
        assert 4 * third <= modules["block-redundant"] <= 4 * (third + 1)

    def test_loading_after_the_failure_follows_the_scheme(self) -> None:
        """A lost system of 2N doubles the other's load, of 3N/2 adds half, of 4N/3 a third."""
        ratio = {}
        for scheme in ("2N", "3N/2", "4N/3"):
            found = design_of(
                SHORTEST,
                f"power.redundancy={scheme}",
                "it.gpus=2048",
                "it.network.topology=none",
                "it.storage.count=0",
                "it.management.count=0",
            )
            ratio[scheme] = si(found, "ups.loading_failure") / si(found, "ups.loading_normal")
        assert ratio["2N"] == pytest.approx(2.0, rel=1e-6)
        assert 1.4 <= ratio["3N/2"] <= 1.6
        assert 1.2 <= ratio["4N/3"] <= 1.7

    @pytest.mark.parametrize(
        ("sets", "field"),
        [
            (
                ("power.redundancy=2N", "power.feeds.0=A", "power.feeds.1=B", "power.feeds.2=C"),
                "power.feeds",
            ),
            (("power.redundancy=2N", "power.blocks=3"), "power.blocks"),
            (("power.redundancy=3N/2", "power.systems=2"), "power.systems"),
            (("power.redundancy=block-redundant", "power.blocks=40"), "power.blocks"),
        ],
    )
    def test_contradictions_are_refused(self, sets: tuple[str, ...], field: str) -> None:
        with pytest.raises(FacilityError) as caught:
            design_of(SHORTEST, *sets)
        assert (caught.value.code, caught.value.where) == ("REDUNDANCY_CONTRADICTION", field)

    def test_one_system_has_the_sides_that_the_racks_name(self) -> None:
        three = tuple(f"it.feeds.{n}={name}" for n, name in enumerate("XYZ"))
        for scheme in ("N", "N+1", "block-redundant"):
            found = design_of(SHORTEST, f"power.redundancy={scheme}", *three)
            assert found.facility.power.feeds == ("X", "Y", "Z")
            assert not failed_rules(found, "VIOLATION")
            (entry,) = [entry for entry in found.ledger if entry.id == "power.feeds"]
            assert (entry.text, entry.basis) == ("X, Y, Z", "feeds named by the racks")

    def test_a_system_for_each_side_refuses_further_sides(self) -> None:
        with pytest.raises(FacilityError) as caught:
            design_of(SHORTEST, "power.redundancy=2N", "it.feeds.0=A", "it.feeds.1=C")
        assert caught.value.code == "UNKNOWN_FEED"
        many = tuple(f"it.feeds.{n}=F{n}" for n in range(9))
        with pytest.raises(FacilityError) as caught:
            design_of(SHORTEST, "power.redundancy=N", *many)
        assert (caught.value.code, caught.value.where) == ("LIMIT", "it.feeds")

    def test_spares_of_the_cooling_count(self) -> None:
        for key, field in (
            ("crah.count", "cooling.crah"),
            ("plant.chiller_count", "cooling.plant.chiller"),
            ("plant.rejection_count", "cooling.plant.rejection"),
        ):
            none, two, twice = (
                design_of(SHORTEST, "it.gpus=512", f"{field}.redundancy={r}")
                for r in ("N", "N+2", "2N")
            )
            assert si(none, key) == si(none, f"{key}.duty")
            assert si(two, key) == si(two, f"{key}.duty") + 2
            assert si(twice, key) == 2 * si(twice, f"{key}.duty")


class TestVoltages:
    """The four voltage systems, and the IEC."""

    @pytest.mark.parametrize("system", ["415Y/240", "400Y/230", "208Y/120"])
    def test_it_designs_without_violation(self, system: str) -> None:
        found = design_of(SHORTEST, f"power.distribution.rack_system={system}")
        assert not failed_rules(found, "VIOLATION")
        assert found.panels.basis.system == system

    def test_servers_take_208_volts_between_lines(self) -> None:
        found = design_of(SHORTEST, "power.distribution.rack_system=208Y/120")
        dgx = [c for c in checks_of(found, "SUPPLY-VOLTAGE") if c.subject.startswith("DGX H100")]
        assert [c.failed for c in dgx] == [False]
        assert "208 V" in dgx[0].why

    def test_480_volts_at_the_rack_is_a_violation(self) -> None:
        found = design_of(SHORTEST, "power.distribution.rack_system=480Y/277")
        assert "SUPPLY-VOLTAGE" in failed_rules(found, "VIOLATION")

    def test_another_voltage_than_the_ups_takes_pdu_transformers(self) -> None:
        found = design_of(
            SHORTEST, "power.distribution.voltage=480 V", "power.distribution.rack_system=415Y/240"
        )
        assert si(found, "pdu.count") >= si(found, "pdu.count.duty") > 0
        assert si(found, "losses.pdu_transformer") > 0
        assert closes(found)

    def test_iec_project(self) -> None:
        found = design_of(SHORTEST, "criteria.code=IEC", "site.frequency=50 Hz")
        assert not failed_rules(found, "VIOLATION")
        assert found.panels.basis.system == "400Y/230"
        assert found.facility.criteria.continuous_factor == 1.0
        sources = {str(c.source) for c in checks_of(found, "BRANCH-LOAD")}
        assert sources
        assert not any("nec" in source.lower() or "NFPA" in source for source in sources)
        cited = {c.source.id for c in found.checks}
        assert not {id for id in cited if id.startswith("nec-")}

    @pytest.mark.parametrize("edition", ["2017", "2020", "2023"])
    def test_article_numbers_name_the_edition(self, edition: str) -> None:
        found = design_of(SHORTEST, f"criteria.edition={edition}")
        assert {c.source.edition for c in checks_of(found, "BRANCH-LOAD")} == {edition}


class TestAltitude:
    """At altitude the same heat takes more volume of thinner air, and engines give less."""

    def test_mile_high_site(self) -> None:
        sea, high = (reference("dgx-su-32", f"site.elevation={e} m") for e in (0, 1609))
        for key in ("load.it", "load.house", "heat.air", "load.gpu", "load.server"):
            assert si(high, key) == pytest.approx(si(sea, key), rel=CLOSED), key
        assert si(high, "heat.room") == pytest.approx(si(sea, "heat.room"), rel=1e-3)
        # Server fans keep the rise, so the flow follows the specific volume. Standard atmosphere at
        # 1,609 m: 101.325 kPa x (1 - 2.25577e-5 x 1609)^5.2559 = 83.43 kPa. At one dew point
        # thinner air holds more moisture, which the volume (1 + 1.608 W) and the specific heat
        # (1.006 + 1.86 W) both follow by about 0.4 %, so that their ratio moves by less than 0.1 %.
        thinner = 101.325 / 83.43
        flow = si(high, "crah.airflow") / si(sea, "crah.airflow")
        assert flow == pytest.approx(thinner, rel=1e-3)
        rises = [
            si(found, "crah.return_temperature") - si(found, "crah.supply_temperature")
            for found in (high, sea)
        ]
        assert rises[0] == pytest.approx(rises[1], rel=1e-3)
        # Fan laws: density times the cube of the flow of the same units; moisture is 0.2 % of it.
        fans = [float(found.all_results["air.fans.duty"].si) for found in (high, sea)]
        assert fans[0] / fans[1] == pytest.approx(flow**3 / thinner, rel=2e-3)
        assert si(high, "crah.count") >= si(sea, "crah.count")
        # Of the same sets, which are derated; sets left to the tool may be larger ones up there.
        sets = "power.generator.model=C15 GC 500 ekW standby"
        loadings = [
            si(reference("dgx-su-32", f"site.elevation={e} m", sets), "generator.loading")
            for e in (0, 1609)
        ]
        assert loadings[1] >= loadings[0]


class TestMore:
    """More of a thing never gives less of what it needs."""

    @settings(max_examples=8)
    @given(fraction=st.floats(0.2, 0.95), step=st.floats(0.01, 0.05))
    def test_more_load_on_fixed_equipment_takes_more_power(
        self, fraction: float, step: float
    ) -> None:
        found = reference("mixed-hall")
        sized = Sized(found.chain, found.cooling)
        less, more = (
            operate(found.facility, found.it, sized, found.facility.site.design, part)
            for part in (fraction, fraction + step)
        )
        assert more.facility_w > less.facility_w
        assert more.flow.losses_w > less.flow.losses_w
        assert more.heat.room_w > less.heat.room_w

    @settings(max_examples=8)
    @given(gpus=st.integers(8, 2000), more=st.integers(1, 2000))
    def test_more_gpus_never_need_less_equipment(self, gpus: int, more: int) -> None:
        """At one lineup: four lineups of two transformers replace three of three."""
        small, large = (design_of(SHORTEST, f"it.gpus={n}", *FIXED) for n in (gpus, gpus + more))
        for key in ("load.it", "load.servers", "load.racks", "load.facility", "crah.airflow"):
            assert si(large, key) >= si(small, key) * (1 - 1e-9), key
        for key in (*DESIGNED, "load.servers", "load.racks"):
            assert si(large, key) >= si(small, key), key
        assert closes(small)
        assert closes(large)

    @settings(max_examples=6)
    @given(growth=st.integers(0, 80), more=st.integers(1, 60))
    def test_growth_buys_plant_but_no_load(self, growth: int, more: int) -> None:
        now, later = (
            design_of(SHORTEST, "it.gpus=512", *FIXED, f"criteria.growth={g} %")
            for g in (growth, growth + more)
        )
        assert si(now, "load.it") == si(later, "load.it")
        for key in ("ups.modules", "crah.count", "generator.count"):
            assert si(later, key) >= si(now, key), key

    @settings(max_examples=6)
    @given(order=st.permutations(range(3)))
    def test_the_order_of_racks_changes_nothing_but_rounding(self, order: list[int]) -> None:
        kinds = (
            "{name: One, count: 4, devices: [{model: DGX H100, count: 4}], feeds: [A, B, C]}",
            "{name: Two, count: 2, devices: [{model: QM9700, count: 8}], feeds: [A, B]}",
            "{name: Three, devices: [{model: management node 1U, count: 20}], feeds: [B, C]}",
        )
        text = (
            "schema_version: 1\nit: {halls: [{name: Hall, racks: ["
            + ", ".join(kinds[k] for k in order)
            + "]}]}\npower: {redundancy: 3N/2}\ncooling: {method: air}\n"
        )
        first, other = design_of(text), design_of(text.replace("schema_version", "schema_version"))
        assert si(first, "load.facility") == si(other, "load.facility")
        base = design_of(
            "schema_version: 1\nit: {halls: [{name: Hall, racks: ["
            + ", ".join(kinds)
            + "]}]}\npower: {redundancy: 3N/2}\ncooling: {method: air}\n"
        )
        for key in ("load.it", "load.facility", "ups.loading_failure", "crah.airflow"):
            assert si(first, key) == pytest.approx(si(base, key), rel=1e-9), key


# One model of every unit, so that a larger load is not met by fewer but larger ones.
FIXED = (
    "power.ups.module_rating=250 kW",
    "power.ups.buses=1",
    "power.generator.rating=500 kW",
    "power.transformer.rating=1000 kVA",
    "cooling.plant.chiller.capacity=400 kW",
)
