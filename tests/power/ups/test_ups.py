"""UPS modules: loss curve, choice from the catalogue, kW and kVA limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.physics.machines.ups import fit_loss_curve, modules_needed, ups_loss
from facility.power.ups.modules import catalogue_module, catalogue_modules, voltages_fit
from facility.power.ups.sizing import MAX_PARALLEL
from tests.power.helpers import LOSSLESS, bare, build, criteria, demand

LOADS = (0.25, 0.5, 0.75, 1.0)
_POINTS = ("efficiency_25", "efficiency_50", "efficiency_75", "efficiency_100")
READ_CURVE = (0.970, 0.973, 0.970, 0.964)


def test_fit_of_the_read_curve_is_the_published_one() -> None:
    """Acceptance case of the equipment notes: 0.0060 - 0.0008 x + 0.0320 x2, residual 0.00025."""
    constant, linear, quadratic, residual = fit_loss_curve(LOADS, READ_CURVE)
    assert constant == pytest.approx(0.0060, abs=5e-5)
    assert linear == pytest.approx(-0.0008, abs=5e-5)
    assert quadratic == pytest.approx(0.0320, abs=5e-5)
    assert residual == pytest.approx(0.00025, abs=5e-6)


def test_catalogue_module_gives_back_its_efficiencies() -> None:
    module = catalogue_module("9395XR-1935")
    for load, eta in zip(LOADS, READ_CURVE, strict=True):
        output_w = load * module.rating_w
        loss_w = ups_loss.si(
            output_w, 1, module.rating_w, module.constant, module.linear, module.quadratic
        )
        assert output_w / (output_w + loss_w) == pytest.approx(eta, abs=0.001)


def test_efficiency_goes_to_zero_with_the_load() -> None:
    module = catalogue_module("9395XR-1935")
    no_load_w = ups_loss.si(
        0.0, 2, module.rating_w, module.constant, module.linear, module.quadratic
    )
    assert no_load_w == pytest.approx(2 * 0.006 * module.rating_w, rel=0.01)


def test_a_model_of_the_catalogue_takes_the_curve_of_its_data_sheet() -> None:
    """27 MW in parallel, of 400 kW each: 67 (Vertiv, Trinergy page)."""
    model = "Trinergy Cube core 400 kW"
    with pytest.raises(FacilityError, match="efficiency"):
        catalogue_module(model)
    found = catalogue_module(model, tuple(zip(LOADS, READ_CURVE, strict=True)))
    assert (found.max_parallel, found.own_curve, found.curve) == (67, True, "as stated")
    read = catalogue_module("9395XR-1935")
    assert (found.constant, found.linear, found.quadratic) == pytest.approx(
        (read.constant, read.linear, read.quadratic)
    )


@pytest.mark.parametrize("eta", [0.9, 0.945, 0.955, 0.97, 0.985])
def test_one_efficiency_at_every_load_is_a_loss_in_proportion(eta: float) -> None:
    """P (1 - eta) / eta, whatever the last bits of the fit say of no load."""
    found = fit_loss_curve(LOADS, [eta] * len(LOADS))
    assert found[0] >= 0.0
    assert found == pytest.approx((0.0, (1.0 - eta) / eta, 0.0, 0.0), abs=1e-15)


@pytest.mark.parametrize(
    "points", [(0.97, 0.97, 0.97), (1.0, 0.97, 0.97, 0.96), (0.5, 0.9, 0.97, 0.995)]
)
def test_impossible_curves_are_refused(points: tuple[float, ...]) -> None:
    with pytest.raises(FacilityError) as caught:
        fit_loss_curve(LOADS[: len(points)] if len(points) == 4 else (1.0, 1.1), points[:4])
    assert caught.value.code == "UPS_CURVE"


@pytest.mark.parametrize(
    ("model", "volts", "fits"),
    [
        ("9395XR-1935", 415.0, True),
        ("9395XR-1935", 400.0, False),
        ("Galaxy VX 1500", 415.0, True),
        ("Galaxy VX 1500", 460.0, False),
        ("Galaxy VXL 1250", 415.0, False),
        ("Trinergy (2023) 1500/2000/2500", 480.0, True),
        ("Galaxy VS 150", 208.0, False),
        ("Galaxy VS 75 (208 V)", 208.0, True),
    ],
)
def test_voltages_of_a_data_sheet(model: str, volts: float, fits: bool) -> None:
    """415; 480 or 380-440; 480 / 400; 400/480; 208 up to 75 kW, as the data sheets list them."""
    assert voltages_fit(catalogue_module(model), volts) is fits


@pytest.mark.parametrize(
    ("code", "given", "it_w", "modules"),
    [
        ("NEC", {}, 999e3, 2),
        ("IEC", {}, 984e3, 2),
        ("IEC", {}, 986e3, 3),
        ("IEC", {"modules_per_system": "2"}, 999e3, 2),
    ],
)
def test_open_modules_leave_room_for_conductors_loaded_up_to_their_ampacity(
    code: str, given: dict[str, str], it_w: float, modules: int
) -> None:
    """Two modules of 500 kW, 1.5 % of them free: 985 kW; at 125 % of the load conductors lose less.

    Block-redundant, London, 400 V: 2.2 % lost in cables where 1.5 % is reckoned, UPS at 100.8 %.
    """
    ups = {"module_rating": "500 kW", **given}
    built = build(
        bare(it_w), by=criteria(code=code), redundancy="N", ups=ups, distribution=LOSSLESS
    )
    assert built.design.ups.modules == modules


def test_kva_asks_for_more_modules_than_kw() -> None:
    by_kw = build(
        bare(900e3), redundancy="N", ups={"module_rating": "500 kW"}, distribution=LOSSLESS
    )
    by_kva = build(
        bare(900e3, 0.8), redundancy="N", ups={"module_rating": "500 kW"}, distribution=LOSSLESS
    )
    assert by_kw.design.ups.modules == 2
    assert by_kva.design.ups.modules == 3


def test_module_given_by_kva_and_power_factor() -> None:
    """A 100 kVA UPS of 0.8 output power factor is an 80 kW one (E48)."""
    own = {"module_rating_kva": "100 kVA", "output_power_factor": "0.8"}
    built = build(bare(160e3), redundancy="N", ups=own, distribution=LOSSLESS)
    assert built.design.ups.module.rating_w == pytest.approx(80e3)
    assert built.design.ups.modules == 2


@pytest.mark.parametrize("it_w", [40e3, 0.3e6, 2e6, 13.6e6])
def test_the_module_has_the_least_loss_within_a_tenth_of_the_least_installed_power(
    it_w: float,
) -> None:
    """The criterion worked again from the ratings and loss curves of the modules that suit."""
    built = build(demand(it_w), redundancy="3N/2")
    ups, output_w = built.design.ups, built.trace.value("ups.design_output")
    unit, installed_w = ups.module, ups.modules * ups.module.rating_w
    per_unit = output_w / installed_w
    loss = unit.constant + unit.linear * per_unit + unit.quadratic * per_unit**2
    least_w = min(one.installed_w for one in ups.trials)
    near = [one for one in ups.trials if one.installed_w <= 1.1 * least_w]
    near = [one for one in near if not one.recalled] or near
    equal_w = 1.01 * min(one.loss_w for one in near)
    fewest = min(one.modules for one in near if one.loss_w <= equal_w)
    assert installed_w <= 1.1 * least_w
    assert loss * installed_w <= equal_w * (1 + 1e-9)
    assert ups.modules == fewest
    assert len(ups.shortlist) == 3
    assert "power.ups.model" in built.trace.ledger


@pytest.mark.parametrize("stated", [{}, dict.fromkeys(_POINTS, "96 %")])
@pytest.mark.parametrize(("code", "fails"), [("IEC", False), ("NEC", True)])
def test_output_made_for_sites_of_the_other_code_is_told(
    code: str, fails: bool, stated: dict[str, str]
) -> None:
    """415 V of the Galaxy VS 50 is that of its IEC specification, 380/400/415 V."""
    volts = {"voltage": "415 V", "rack_system": "415Y/240"}
    ups = {"model": "Galaxy VS 50", **stated}
    built = build(
        bare(30e3), redundancy="N", by=criteria(code=code), ups=ups, distribution=LOSSLESS | volts
    )
    found = built.check("UPS-VOLTAGE")
    assert found.failed is fails
    assert ("not suitable for 415 V under the NEC" in found.why) is fails


def test_curve_recalled_of_another_module_is_no_better_known_than_its_own() -> None:
    """Galaxy VL 200 and VS 50 stand on recalled curves of VL 500 and VS 150."""
    tiers = {module.model: module.tier for module in catalogue_modules(400.0, "IEC")}
    assert tiers["Galaxy VL 200"] == tiers["Galaxy VL 500"] == 2
    assert tiers["Galaxy VS 50"] == tiers["Galaxy VS 150"] == 2
    assert tiers["9395XR-600"] == 1  # That of 9395XR-1935, which was read
    assert catalogue_module("Galaxy VL 200", ((0.25, 0.96), (0.5, 0.97), (1.0, 0.965))).tier < 2


def test_parallel_limit_holds_for_the_chosen_module() -> None:
    for it_w in (0.3e6, 2e6, 5e6, 8e6):
        ups = build(demand(it_w), redundancy="N+1").design.ups
        assert ups.modules_per_system <= (ups.module.max_parallel or MAX_PARALLEL)


def test_recalled_module_is_advised_on() -> None:
    built = build(redundancy="N+1", ups={"model": "Galaxy VX 1500"})
    advice = [c for c in built.design.checks if c.rule == "MEMORY-DATA" and c.failed]
    assert any("Galaxy VX 1500" in c.subject for c in advice)
    assert built.check("UPS-CURVE").failed


def test_module_of_unknown_curve_is_refused_with_the_way_out() -> None:
    with pytest.raises(FacilityError) as caught:
        build(redundancy="N", ups={"model": "Trinergy Cube core 400 kW"})
    assert caught.value.code == "UNKNOWN_VALUE"
    assert "efficiency_25" in caught.value.hint


def test_unknown_module_offers_near_matches() -> None:
    with pytest.raises(FacilityError) as caught:
        build(redundancy="N", ups={"model": "9395XR-1953"})
    assert caught.value.code == "UNKNOWN_MODEL"
    assert "9395XR-1935" in caught.value.hint


def test_wrong_voltage_is_a_violation() -> None:
    built = build(
        redundancy="N",
        ups={"model": "9395XR-1935"},
        distribution={"voltage": "480 V", "rack_system": "480Y/277"},
    )
    assert built.check("UPS-VOLTAGE").failed


def test_own_efficiency_curve_is_used() -> None:
    points = {
        f"efficiency_{p}": e
        for p, e in zip((25, 50, 75, 100), ("94 %", "95.5 %", "95.5 %", "95 %"), strict=True)
    }
    own = build(
        bare(500e3),
        redundancy="N",
        ups={"module_rating": "500 kW", **points},
        distribution=LOSSLESS,
    )
    assert own.flow.ups.output_w / own.flow.ups.input_w == pytest.approx(0.95, abs=0.002)
    assert own.check("UPS-CURVE").outcome == "PASS"


def test_as_built_count_is_used_and_checked() -> None:
    ups = {"module_rating": "500 kW", "modules_per_system": "2"}
    built = build(bare(960e3), redundancy="N+1", ups=ups, distribution=LOSSLESS)
    assert built.design.ups.modules == 2
    assert built.check("UPS-SPARE").failed
    assert built.check("UPS-LOADING-FAILURE").failed
    assert built.flow.ups.loading.failure == pytest.approx(1.92)
    assert built.check("UPS-LOADING-NORMAL").outcome == "PASS"


def test_the_only_module_cannot_be_its_own_spare() -> None:
    """N+1 with one module installed: with one lost nothing is left, whatever its rating."""
    ups = {"module_rating": "2000 kW", "modules_per_system": "1"}
    built = build(bare(960e3), redundancy="N+1", ups=ups, distribution=LOSSLESS)
    assert built.check("UPS-LOADING-FAILURE").failed
    assert built.check("UPS-VOLTAGE").outcome == "NOT_EVALUATED"


def test_peak_transient_is_held_against_the_rating() -> None:
    steady = build(bare(960e3), redundancy="N", ups={"module_rating": "500 kW"})
    assert steady.check("PEAK-TRANSIENT").outcome == "NOT_EVALUATED"
    calm = build(demand(peak=1.01), redundancy="2N")
    assert calm.check("PEAK-TRANSIENT").outcome == "PASS"
    wild = build(demand(peak=1.5), redundancy="N")
    assert wild.check("PEAK-TRANSIENT").failed
    assert wild.check("PEAK-TRANSIENT").severity == "ADVICE"


def test_every_catalogue_curve_gives_a_rising_loss() -> None:
    """Residual below 0.06 % of the rating: the efficiencies are printed to 0.1 %."""
    x = np.linspace(0.05, 1.0, 20)
    for module in {
        m.model: m for v in (400.0, 415.0, 480.0) for m in catalogue_modules(v, "IEC")
    }.values():
        loss = ups_loss.si(
            x * module.rating_w,
            1,
            module.rating_w,
            module.constant,
            module.linear,
            module.quadratic,
        )
        assert np.all(np.diff(loss) > 0)
        assert module.residual < 6e-4


@given(
    load_w=st.floats(1e3, 1e8),
    more=st.floats(1.0, 3.0),
    module_w=st.floats(1e4, 3e6),
    power_factor=st.floats(0.7, 1.0),
    max_loading=st.floats(0.3, 1.0),
)
def test_module_count_is_enough_least_and_monotone(
    load_w: float, more: float, module_w: float, power_factor: float, max_loading: float
) -> None:
    load_va = load_w / power_factor
    n = modules_needed.si(load_w, load_va, module_w, module_w, max_loading)
    assert load_va <= n * module_w * max_loading * (1 + 1e-8)
    assert load_va >= (n - 1) * module_w * max_loading * (1 - 1e-8)
    assert modules_needed.si(load_w * more, load_va * more, module_w, module_w, max_loading) >= n
