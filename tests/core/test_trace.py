"""The trace records how each number came about, and explains it as a tree."""

from __future__ import annotations

import numpy as np
import pytest

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import ActivePower, Count, HeatFlow
from facility.core.ledger import Ledger
from facility.core.sources import PROJECT, Source
from facility.core.trace import SILENT, Quiet, Trace, explain

BOOK = Source("book", "eq. 3", "2020")


@equation("P_1", "P / n", BOOK)
def per_unit(power_w: ActivePower, units: Count) -> ActivePower:
    """Share a load."""
    return power_w / units


@equation("P_l", "0.8 P, 0.2 P", BOOK)
def two_parts(power_w: ActivePower) -> tuple[HeatFlow, HeatFlow]:
    """Split a load."""
    return 0.8 * power_w, 0.2 * power_w


@pytest.fixture
def trace() -> Trace:
    trace = Trace(Ledger(frozenset({"ups.growth"})))
    trace.given("load.it", 12e6, "active_power", PROJECT)
    trace.assume("ups.growth", 0.2, "fraction", "twenty per cent spare", BOOK)
    trace.choose("ups.modules", 10.0, "count", "N+1 of 9", BOOK, load="load.it")
    trace.do("ups.share", per_unit, power_w="load.it", units="ups.modules")
    return trace


def test_steps_return_their_value(trace: Trace) -> None:
    assert trace.value("ups.share") == 1.2e6
    assert trace.do("direct", per_unit, power_w=100.0, units=4) == 25.0
    assert [step.id for step in trace][:2] == ["load.it", "ups.growth"]
    assert trace["ups.share"].how == "computed"
    assert trace["ups.share"].source is BOOK
    assert "ups.share" in trace


def test_a_quiet_trace_keeps_the_numbers_alone_and_takes_arrays() -> None:
    quiet = Quiet(**{"load.it": np.array([12e6, 6e6])})
    quiet.choose("ups.modules", 10.0, "count", "N+1 of 9", BOOK, load="load.it")
    quiet.do("ups.share", per_unit, power_w="load.it", units="ups.modules")
    quiet.do("parts", two_parts, power_w="load.it")
    quiet.sum("back", "heat_flow", "both", "parts", "parts.1")
    assert list(np.asarray(quiet.value("ups.share"))) == [1.2e6, 0.6e6]
    assert list(np.asarray(quiet.value("back"))) == pytest.approx([12e6, 6e6], rel=1e-12)
    assert "ups.share" in quiet
    assert "ups.losses" not in quiet
    assert not list(quiet)


def test_a_silent_trace_gives_the_same_numbers_and_keeps_none(trace: Trace) -> None:
    terms = {"load.it": 12e6, "load.new": 0.1}
    for one in (trace, SILENT):
        load = one.link("load.it", 12e6)
        assert one.do("ups.each", per_unit, power_w=load, units=7.0) == 12e6 / 7.0
        assert one.add("load.all", "active_power", "both", terms) == 12e6 + 0.1
    assert [ref for *_, ref in trace["load.all"].inputs] == ["load.it", ""]
    assert [ref for *_, ref in trace["ups.each"].inputs] == ["load.it", ""]
    assert trace.link("load.it", 12e6 + 1e-6) == 12e6 + 1e-6
    assert "load.all" not in SILENT


def test_a_draft_goes_on_by_itself(trace: Trace) -> None:
    before = list(trace)
    draft = trace.draft()
    draft.do("ups.share", per_unit, power_w="load.it", units=4.0)
    draft.assume("ups.spare", 1.0, "count", "one", BOOK)
    assert draft.value("ups.share") == 3e6
    assert list(trace) == before
    assert [entry.id for entry in trace.ledger] == ["ups.growth"]
    assert [entry.id for entry in draft.ledger] == ["ups.growth", "ups.spare"]
    assert draft.ledger.add("ups.growth", 0.3, "fraction", "", BOOK) == 0.3
    assert [e.status for e in draft.ledger] == ["confirmed", "open"]


def test_tree_shows_formula_numbers_result_and_source(trace: Trace) -> None:
    assert explain(trace, "ups.share") == [
        "ups.share = 1,200.0 kW  (computed)",
        "  P_1 = P / n",
        "  with power_w = 12,000.0 kW, units = 10",
        "  source: book, 2020, eq. 3",
        "  load.it = 12,000.0 kW  (input)",
        "    source: project, as typed",
        "  ups.modules = 10  (selected)",
        "    with load = 12,000.0 kW",
        "    N+1 of 9",
        "    source: book, 2020, eq. 3",
        "    load.it = 12,000.0 kW  (input, shown above)",
    ]


def test_ip_view_changes_the_text_alone(trace: Trace) -> None:
    trace.given("heat", 3.516852842e6, "heat_flow", PROJECT)
    assert explain(trace, "heat", "ip")[0] == "heat = 12,000.0 MBH  (input)"
    assert trace.value("heat") == 3.516852842e6


def test_tuple_results_have_numbered_ids(trace: Trace) -> None:
    trace.do("heat.liquid", two_parts, power_w="load.it")
    assert trace.value("heat.liquid") == pytest.approx(9.6e6)
    assert trace.value("heat.liquid.1") == pytest.approx(2.4e6)
    total = trace.sum("heat.total", "heat_flow", "both", "heat.liquid", "heat.liquid.1")
    assert total == pytest.approx(12e6)
    assert "  = heat.liquid + heat.liquid.1" in explain(trace, "heat.total")


def test_unknown_result_offers_near_matches(trace: Trace) -> None:
    with pytest.raises(FacilityError, match=r"ups\.share") as caught:
        explain(trace, "ups.shaer")
    assert caught.value.code == "UNKNOWN_RESULT"
    with pytest.raises(FacilityError):
        trace.do("x", per_unit, power_w="nope", units=1)
    assert "x" not in trace


def test_a_step_in_terms_of_itself_ends(trace: Trace) -> None:
    trace.do("load.it", per_unit, power_w="load.it", units=2)
    with pytest.raises(FacilityError) as caught:
        explain(trace, "load.it")
    assert caught.value.code == "DERIVATION_DIFFERS"
    trace.given("none", 0.0, "active_power", PROJECT)
    trace.do("none", per_unit, power_w="none", units=2)
    lines = explain(trace, "none")
    assert lines[0] == "none = 0.0 kW  (computed)"
    assert lines[-1] == "  none = 0.0 kW  (computed, shown above)"


def test_a_circle_of_steps_ends(trace: Trace) -> None:
    trace.given("a", 8.0, "active_power", PROJECT)
    trace.do("b", per_unit, power_w="a", units=2)
    trace.do("a", per_unit, power_w="b", units=2)
    assert trace.value("a") == 2.0
    with pytest.raises(FacilityError) as caught:
        explain(trace, "a")
    assert caught.value.code == "DERIVATION_DIFFERS"


def test_a_stale_input_is_an_error_of_the_tool(trace: Trace) -> None:
    assert explain(trace, "ups.share")
    trace.given("load.it", 6e6, "active_power", PROJECT)
    with pytest.raises(FacilityError) as caught:
        explain(trace, "ups.share")
    assert (caught.value.code, caught.value.where) == ("DERIVATION_DIFFERS", "ups.share")
    assert caught.value.exit_code == 1
    assert "load.it is derived as 6000000.0" in caught.value.message


def test_a_very_long_chain_is_explained(trace: Trace) -> None:
    trace.given("s0", 1.0, "active_power", PROJECT)
    for index in range(3000):
        trace.do(f"s{index + 1}", per_unit, power_w=f"s{index}", units=1)
    assert explain(trace, "s3000")[-2] == "  " * 3000 + "s0 = 0.001 kW  (input)"


def test_powers_are_not_mixed_by_reference(trace: Trace) -> None:
    trace.given("load.va", 1e6, "apparent_power", PROJECT)
    with pytest.raises(TypeError, match=r"load\.va is of kind apparent_power"):
        trace.do("x", per_unit, power_w="load.va", units=1)
    with pytest.raises(TypeError, match=r"load\.va"):
        trace.sum("y", "active_power", "", "load.it", "load.va")
    trace.do("heat", two_parts, power_w="load.it")
    trace.do("z", per_unit, power_w="heat", units=1)
    with pytest.raises(TypeError, match="wrong"):
        trace.do("w", per_unit, wrong=1.0, units=1)


def test_assumptions_reach_the_ledger(trace: Trace) -> None:
    (entry,) = list(trace.ledger)
    assert (entry.id, entry.value, entry.status) == ("ups.growth", 0.2, "confirmed")
    assert trace["ups.growth"].because == "twenty per cent spare"


def test_drafts_are_joined_in_the_order_named_and_leave_their_trace_alone() -> None:
    trace = Trace()
    trace.given("design", 1.0, "ratio", PROJECT)
    first, second = trace.draft(), trace.draft()
    second.sum("second.sum", "ratio", "", "design")
    first.given("first.part", 2.0, "ratio", PROJECT)
    first.sum("first.sum", "ratio", "", "first.part", "design")
    both = trace.joined([first, second])
    assert [step.id for step in both] == ["design", "first.part", "first.sum", "second.sum"]
    assert both.value("first.sum") == 3.0
    assert [step.id for step in trace] == ["design"]
