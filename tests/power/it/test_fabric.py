"""Switch counts against published fabrics."""

from __future__ import annotations

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.catalogue import table
from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.power.it.fabric import (
    Topology,
    design_fabric,
    fabric_checks,
    largest_fabric,
    leaf_ports,
)
from tests.power.it.helpers import DATA, load_of, plan_of

with (DATA / "fabrics.csv").open(newline="", encoding="utf-8") as _stream:
    PUBLISHED = list(csv.DictReader(_stream))


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["source"])
def test_published_switch_counts(row: dict[str, str]) -> None:
    fabric = design_fabric(
        row["topology"],
        int(row["nodes"]),
        int(row["rails"]),
        int(row["radix"]),
        planes=int(row["planes"]),
    )
    counts = (fabric.leaf, fabric.spine, fabric.core)
    assert counts == (int(row["leaf"]), int(row["spine"]), int(row["core"]))


RADIX = {"QM9700": (64, 1), "Q3400-RA": (144, 1), "SN5610/SN5600D": (128, 2)}


@pytest.mark.parametrize(
    "row",
    [r for r in table("equipment/cluster_layouts").rows if r["compute_leaf"] is not None],
    ids=lambda row: row.label,
)
def test_every_catalogue_layout_with_switch_counts(row) -> None:
    radix, planes = RADIX[row.text("switch_model")]
    nodes = row.integer("gpus") // 8
    fabric = design_fabric("rail-optimised", nodes, 8, radix, planes=planes)
    assert (fabric.leaf, fabric.spine) == (
        row.integer("compute_leaf"),
        row.integer("compute_spine"),
    )


def test_limits_of_two_and_three_tiers() -> None:
    """radix^2/2 and radix^3/4: 2,048 and 65,536 endpoints on 64 ports."""
    assert largest_fabric(64, 1.0, 2) == 2048
    assert largest_fabric(64, 1.0, 3) == 65536
    assert design_fabric("fat-tree", 2048, 1, 64).tiers == 2
    assert design_fabric("fat-tree", 2049, 1, 64).tiers == 3
    assert design_fabric("fat-tree", 65536, 1, 64).switches == 5 * 64**2 // 4
    with pytest.raises(FacilityError) as error:
        design_fabric("fat-tree", 65537, 1, 64)
    assert (error.value.code, error.value.exit_code) == ("FABRIC_TOO_LARGE", 4)


@pytest.mark.parametrize("topology", ["fat-tree", "rail-optimised"])
@pytest.mark.parametrize("oversubscription", [1.0, 3.0])
def test_the_remedy_of_a_fabric_too_large_works(
    topology: Topology, oversubscription: float
) -> None:
    """The radix that the message names carries the cluster, the even one below it does not."""
    with pytest.raises(FacilityError) as error:
        design_fabric(topology, 2500, 8, 16, oversubscription)
    found = re.search(r"it\.network\.radix: (\d+)", error.value.hint)
    assert found is not None
    radix = int(found[1])
    assert design_fabric(topology, 2500, 8, radix, oversubscription).tiers == 3
    with pytest.raises(FacilityError):
        design_fabric(topology, 2500, 8, radix - 2, oversubscription)


def test_one_switch_is_enough_for_its_ports() -> None:
    fabric = design_fabric("rail-optimised", 8, 8, 64)
    assert (fabric.tiers, fabric.switches) == (1, 1)


def test_ten_thousand_gpus_on_64_ports() -> None:
    """40 groups of 32 nodes with 8 leaves each; equal links from pod to core."""
    fabric = design_fabric("rail-optimised", 1250, 8, 64)
    assert (fabric.leaf, fabric.spine, fabric.core) == (320, 320, 256)


def test_oversubscription_saves_spines() -> None:
    assert leaf_ports(64, 3.0) == (48, 16)
    blocking, free = (design_fabric("fat-tree", 1024, 1, 64, o) for o in (3.0, 1.0))
    assert blocking.down / blocking.up <= 3.0
    assert blocking.spine < free.spine
    assert blocking.leaf < free.leaf


@pytest.mark.parametrize(
    ("radix", "oversubscription"), [(63, 1.0), (2, 1.0), (64, 0.5), (64, 1e12)]
)
def test_impossible_ports_are_refused(radix: int, oversubscription: float) -> None:
    with pytest.raises(FacilityError) as error:
        leaf_ports(radix, oversubscription)
    assert error.value.code == "FABRIC_PORTS"


@given(
    st.integers(1, 3000),
    st.integers(1, 50),
    st.sampled_from(["fat-tree", "rail-optimised"]),
    st.sampled_from([32, 64, 128]),
)
def test_more_nodes_never_need_fewer_switches(
    nodes: int, more: int, topology: str, radix: int
) -> None:
    if (nodes + more) * 8 <= largest_fabric(radix, 1.0, 3) // 2:
        small = design_fabric(topology, nodes, 8, radix)
        large = design_fabric(topology, nodes + more, 8, radix)
        assert large.switches >= small.switches
        assert large.leaf * large.down >= (nodes + more) * 8


@given(st.integers(65, 4000))
def test_links_are_equal_and_fit_the_ports(endpoints: int) -> None:
    fabric = design_fabric("fat-tree", endpoints, 1, 64)
    if fabric.tiers == 2:
        assert fabric.up % fabric.spine == 0
        assert fabric.leaf * fabric.up // fabric.spine <= 64
    else:
        assert fabric.core * 64 >= fabric.spine * 32


def test_counts_as_built_are_used_and_checked() -> None:
    load = load_of(
        gpu_model="H100 SXM5",
        servers="32",
        network={"spine": "2", "leaf": "8", "other_switches": "0"},
    )
    assert load.network_w == pytest.approx(10 * 1720.0)
    by_tier = {c.subject: c.outcome for c in load.checks if c.rule == "FABRIC-SWITCHES"}
    assert by_tier == {"network leaf": Outcome.PASS, "network spine": Outcome.FAIL}
    assert fabric_checks(design_fabric("fat-tree", 64, 1, 64), {"leaf": None}) == ()


def test_hundred_thousand_gpus_take_a_switch_with_more_ports() -> None:
    plan = plan_of(gpu_model="H100 SXM5", gpus="100000")
    switches = {
        p.device.model for rack in plan.racks for p in rack.placed if p.device.category == "switch"
    }
    assert switches == {"SN5610"}


def test_optics_of_a_switch() -> None:
    """QM9700: 1,720 W with active, 747 W with passive cables; a transceiver on 64 ports."""
    each = {}
    for optics in ("active", "passive", "400G optic"):
        network = {"optics": optics, "leaf": "10", "spine": "0", "core": "0", "other_switches": "0"}
        load = load_of(gpu_model="H100 SXM5", servers="32", network=network)
        each[optics] = load.network_w / 10
    assert each["active"] == pytest.approx(1720.0)
    assert each["passive"] == pytest.approx(747.0)
    assert each["400G optic"] == pytest.approx(747.0 + 64 * 10.0)
    with pytest.raises(FacilityError, match="not a transceiver"):
        load_of(gpu_model="H100 SXM5", servers="32", network={"optics": "400G optics"})
