"""Redundancy schemes: their names, their states, and module counts and loadings by state."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.model.power.redundancy import SCHEMES, build_scheme, default_feeds, scheme_name
from facility.physics.circuits.distribution import share_after_loss
from facility.power.network.build.loads import shared_kind
from facility.power.train.schemes import (
    FeedGroup,
    cooling_shares,
    cooling_systems,
    equal_groups,
    even_shares,
    feed_groups,
    feed_shares,
    system_shares,
)
from facility.power.train.types import ChainDemand
from tests.power.helpers import DATA, LOSSLESS, bare, build, criteria
from tests.power.it.helpers import plan_of

ABC = ("A", "B", "C")


def _cases() -> list[dict[str, str]]:
    with (DATA / "schemes.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, strict=True))


@pytest.mark.parametrize("case", _cases(), ids=lambda c: f"{c['scheme']}-{c['load_kw']}")
def test_modules_and_loadings_of_published_cases(case: dict[str, str]) -> None:
    module = f"{case['module_kw']} kW"
    built = build(
        bare(1e3 * float(case["load_kw"])),
        by=criteria(growth=float(case["growth_pct"]) / 100.0),
        redundancy=case["scheme"],
        ups={"module_rating": module},
        distribution=LOSSLESS,
    )
    ups, grown = built.design.ups, 1.0 + float(case["growth_pct"]) / 100.0
    assert ups.modules == int(case["installed"])
    assert ups.duty == int(case["duty"])
    within = float(case["tolerance_pct"])
    normal = 100.0 * built.flow.ups.loading.normal * grown
    failure = 100.0 * built.flow.ups.loading.failure * grown
    assert normal == pytest.approx(float(case["loading_normal_pct"]), abs=within)
    assert failure == pytest.approx(float(case["loading_failure_pct"]), abs=within)
    assert not [c for c in built.design.checks if c.rule.startswith("UPS-LOADING") and c.failed]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("n + 1", "N+1"),
        ("2n", "2N"),
        ("2 (N + 1)", "2(N+1)"),
        ("2N+2", "2(N+1)"),
        ("2n + 1", "2(N+1)"),
        ("3n/2", "3N/2"),
        ("4 N / 3", "4N/3"),
        ("Block Redundant", "block-redundant"),
        ("catcher", "block-redundant"),
        ("3-to-make-2", "3N/2"),
    ],
)
def test_spellings(typed: str, meant: str) -> None:
    assert scheme_name(typed, "") == meant


@pytest.mark.parametrize("typed", ["3N", "2N/3", "N+1.5", "distributed", "", "7N/9"])
def test_unknown_schemes_are_refused_with_near_matches(typed: str) -> None:
    with pytest.raises(FacilityError) as caught:
        scheme_name(typed, "power.redundancy")
    assert caught.value.code == "UNKNOWN_REDUNDANCY"
    assert any(name in caught.value.hint for name in SCHEMES)


def test_three_systems_share_as_the_pairs_say() -> None:
    shares = feed_shares(ABC, equal_groups(ABC))
    assert shares.normal == pytest.approx([1 / 3] * 3)
    assert shares.after[1] == pytest.approx([0.5, 0.0, 0.5])
    assert share_after_loss.si(0.5, 0.5) == 1.0


def test_unequal_groups_are_sized_on_their_worst_state() -> None:
    """All racks on A and B: the third system idles, and A carries everything when B is lost."""
    groups = (FeedGroup(1.0, (("A", 0.5), ("B", 0.5))),)
    shares = feed_shares(ABC, groups)
    assert shares.worst == pytest.approx([1.0, 1.0, 0.0])


def test_load_on_one_feed_alone_is_dropped_with_it() -> None:
    shares = feed_shares(("A", "B"), (FeedGroup(1.0, (("A", 1.0),)),))
    assert shares.after[0] == (0.0, 0.0)
    assert shares.after[1] == (1.0, 0.0)


def test_the_reserve_catches_one_block() -> None:
    scheme = build_scheme("block-redundant", ("A", "B"), 4, "power")
    shares = system_shares(scheme, ("A", "B"), equal_groups(("A", "B")))
    assert scheme.systems == ("P1", "P2", "P3", "P4", "R")
    assert shares.normal == (0.25, 0.25, 0.25, 0.25, 0.0)
    assert shares.after[2] == (0.25, 0.25, 0.0, 0.25, 0.25)
    assert shares.after[4] == shares.normal


def test_groups_follow_the_supplies_of_the_racks() -> None:
    plan = plan_of(ABC, gpu_model="H100 SXM5", gpus=256)
    groups = feed_groups(plan.racks, ABC)
    assert sum(group.weight for group in groups) == pytest.approx(1.0)
    shares = feed_shares(ABC, groups)
    assert sum(shares.normal) == pytest.approx(1.0)
    with pytest.raises(FacilityError) as caught:
        feed_groups(plan.racks, ("X", "Y", "Z"))
    assert caught.value.code == "UNKNOWN_FEED"


@st.composite
def _groups(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[FeedGroup, ...]]:
    feeds = tuple("ABCDE"[: draw(st.integers(2, 5))])
    count = draw(st.integers(1, 4))
    weights = [draw(st.floats(0.01, 1.0)) for _ in range(count)]
    groups = []
    for weight in weights:
        used = draw(st.lists(st.sampled_from(feeds), min_size=2, max_size=5, unique=True))
        parts = [draw(st.floats(0.05, 1.0)) for _ in used]
        shares = tuple((f, p / sum(parts)) for f, p in zip(used, parts, strict=True))
        groups.append(FeedGroup(weight / sum(weights), shares))
    return feeds, tuple(groups)


@given(_groups())
def test_every_state_carries_the_whole_load(
    case: tuple[tuple[str, ...], tuple[FeedGroup, ...]],
) -> None:
    feeds, groups = case
    shares = feed_shares(feeds, groups)
    for index, parts in enumerate((shares.normal, *shares.after)):
        assert sum(parts) == pytest.approx(1.0)
        assert index == 0 or parts[index - 1] == 0.0
    assert all(w >= n for w, n in zip(shares.worst, shares.normal, strict=True))


@pytest.mark.parametrize("name", SCHEMES)
def test_shares_of_every_scheme_sum_to_one(name: str) -> None:
    feeds = default_feeds(name)
    scheme = build_scheme(name, feeds, 3, "power")
    for shares in (system_shares(scheme, feeds, equal_groups(feeds)), even_shares(scheme.systems)):
        for parts in (shares.normal, *shares.after):
            assert sum(parts) == pytest.approx(1.0)


def test_cooling_on_the_ups_is_shared_by_the_systems_that_the_network_gives_it() -> None:
    """Three primaries, racks 900 kW and cooling 90 kW: 330 kW each; one lost: 300 + 45 on two.

    The reserve catches the 300 kW of racks behind the transfer switches, and no cooling.
    """
    load = ChainDemand(900e3, 900e3, 900e3, 90e3, 0.0, 0.0, 0.0)
    built = build(
        load,
        redundancy="block-redundant",
        blocks=3,
        ups={"module_rating": "500 kW"},
        distribution=LOSSLESS,
    )
    assert built.flow.ups.system_w_worst == pytest.approx(345e3)
    assert built.flow.ups.loading.normal == pytest.approx(0.66)
    assert built.flow.ups.loading.failure == pytest.approx(0.69)
    assert built.design.worst_share == pytest.approx(345 / 990)
    shares = cooling_shares(built.design.chain.scheme)
    kind = shared_kind("MECH-UPS", 90e3, 1.0, len(cooling_systems(built.design.chain.scheme)))
    by_cord_w = kind.neutral_va.sum(axis=2).real
    assert by_cord_w[0b111] == pytest.approx([90e3 * part for part in shares.normal[:3]])
    assert by_cord_w[0b110] == pytest.approx([90e3 * part for part in shares.after[0][:3]])
    assert shares.after[0] == (0.0, 0.5, 0.5, 0.0)


def test_cooling_of_a_single_block_is_taken_from_the_reserve_too() -> None:
    scheme = build_scheme("block-redundant", ("A", "B"), 1, "power")
    assert cooling_shares(scheme).normal == (0.5, 0.5)
    assert cooling_shares(scheme).after[0] == (0.0, 1.0)


@pytest.mark.parametrize(("module", "count"), [("516 kW", 2), ("515 kW", 3)])
def test_one_system_carries_what_a_lost_feed_makes_the_other_lose(module: str, count: int) -> None:
    """1,000 kW of racks, branches losing 1 %: 1,010 kW; all on one feed they lose twice: 1,020.

    As much as branches lose, 1 %, is left of the modules: 515.15 kW each.
    """
    lossy = LOSSLESS | {"branch_loss": "1 %"}
    built = build(bare(1e6), redundancy="N", ups={"module_rating": module}, distribution=lossy)
    assert built.flow.ups.output_w == pytest.approx(1010e3)
    assert built.design.ups.modules == count
    rating_w = built.design.ups.module.rating_w
    assert built.flow.ups.most_loaded_phase == pytest.approx(1020e3 / (count * rating_w))
    assert not built.check("UPS-FULLEST-PHASE").failed


def test_modules_as_built_that_a_lost_feed_overloads_fail() -> None:
    lossy = LOSSLESS | {"branch_loss": "1 %"}
    given = {"module_rating": "509 kW", "modules_per_system": 2}
    built = build(bare(1e6), redundancy="N", ups=given, distribution=lossy)
    check = built.check("UPS-FULLEST-PHASE")
    assert check.failed
    assert check.value == pytest.approx(1020 / 1018)
