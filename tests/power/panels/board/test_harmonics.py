"""Harmonics of circuits and panels, against currents added up over one period."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.cli.views.study import show_study
from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.files.panel_csv.cabinet import read_cabinet_csv, write_cabinet_csv
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from facility.physics.circuits.harmonics import HarmonicSpectrum
from facility.power.panels.balance.cabinet import balance_cabinet
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.harmonics import (
    HarmonicLoad,
    circuit_spectrum,
    panel_harmonics,
    rack_spectrum,
)
from facility.power.panels.board.model import Circuit
from facility.power.panels.design.neutral_checks import harmonic_checks
from facility.report.studies.balance import PanelBalanced
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import IEC, build, frame, load, panel, rack

V_LN = 208.0 / math.sqrt(3.0)
E30 = rack_spectrum(((3, 0.30), (5, 0.20), (7, 0.10)))
"""THD 37.4 %, K 2.89, K-4: the published case of the K-factor calculator."""


def amperes(name: str, current_a: float, **changes: object) -> Circuit:
    """Return a one-pole circuit of a rack that draws a current."""
    return load(name, 1, current_a * V_LN, class_code="IT-AI", **changes)


def over_a_period(lines_a: list[float], spectrum: HarmonicSpectrum) -> float:
    """Return the root mean square of the sum of three currents, sampled over one period."""
    angle = np.linspace(0.0, 2.0 * np.pi, 7200, endpoint=False)
    total = np.zeros_like(angle)
    for phase, line_a in enumerate(lines_a):
        for order, part in spectrum.currents:
            peak_a = math.sqrt(2.0) * line_a * part / spectrum.rms
            total += peak_a * np.cos(order * (angle - phase * 2.0 * np.pi / 3.0))
    return float(np.sqrt((total**2).mean()))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.0, 100.0), min_size=3, max_size=3),
    st.lists(st.floats(0.0, 0.5), min_size=5, max_size=5),
)
def test_neutral_is_that_of_the_currents_sampled(lines_a: list[float], parts: list[float]) -> None:
    spectrum = rack_spectrum(tuple(zip((3, 5, 7, 9, 11), parts, strict=True)))
    assert spectrum is not None
    made = panel(*(amperes(f"c{n}", a, position=2 * n + 1) for n, a in enumerate(lines_a)))
    found = panel_harmonics(made, spectrum)
    assert found.neutral_a == pytest.approx(over_a_period(lines_a, spectrum), rel=1e-9, abs=1e-6)


def test_a_published_spectrum_on_three_equal_lines() -> None:
    made = panel(*(amperes(f"c{n}", 106.77078, position=2 * n + 1) for n in range(3)))
    found = panel_harmonics(made, E30)
    assert found.phasor_a == pytest.approx(0.0, abs=1e-9)
    assert found.neutral_a == pytest.approx(90.0, abs=1e-4)
    assert found.distortion == pytest.approx(0.374, abs=5e-4)
    assert found.k_factor == pytest.approx(2.89, abs=0.01)
    assert found.k_rating == 4
    assert found.note == "THD 37.4%, K 2.89 (K-4)"


def alone(circuit: Circuit, racks: HarmonicSpectrum | None) -> HarmonicLoad:
    return panel_harmonics(panel(replace(circuit, position=1)), racks)


def test_a_circuit_alone() -> None:
    """One pole to neutral returns all of its current; between lines none; three poles the third."""
    assert alone(amperes("one", 10.0), E30).neutral_a == pytest.approx(10.0)
    pair = load("two", 2, 2080.0, class_code="IT-AI")
    assert alone(pair, E30).neutral_a == 0.0
    three = load("three", 3, 3.0 * 39.0 * V_LN, third_harmonic=0.5)
    found = alone(three, None)
    assert found.neutral_a == pytest.approx(58.5 / math.sqrt(1.25))
    assert found.distortion == pytest.approx(0.5)


def test_what_is_not_stated_is_not_known() -> None:
    made = panel(amperes("a", 10.0, position=1), load("fan", 1, 600.0, position=3))
    found = panel_harmonics(made, E30)
    assert (found.neutral_a, found.k_factor, found.k_rating) == (None, None, None)
    assert found.unknown == ("fan",)
    assert found.phasor_a > 0.0
    assert found.note == "harmonics not specified (1 circuits)"
    assert circuit_spectrum(load("fan", 1, 600.0), E30) is None
    own = replace(made, circuits=(made.circuits[0], replace(made.circuits[1], third_harmonic=0.0)))
    assert panel_harmonics(own, E30).neutral_a is not None
    assert panel_harmonics(panel(), E30).note == ""


def test_neutral_of_a_design_passes_fails_and_is_not_evaluated() -> None:
    found = build(rack(20))
    trace = Trace()
    (first, *_) = harmonic_checks(found, (), NEC, trace)
    assert first.outcome is Outcome.NOT_EVALUATED
    assert "power.transformer.it_harmonics" in first.why
    assert trace.value("panels.neutral_rating") == 400.0
    for third, outcome in ((0.05, Outcome.PASS), (0.6, Outcome.FAIL)):
        checks = list(harmonic_checks(found, ((3, third),), NEC, Trace()))
        assert [c.subject for c in checks] == [f"H1, feed {feed}" for feed in "ABC"]
        assert {c.outcome for c in checks} == {outcome}
    worst = max(
        panel_harmonics(p, rack_spectrum(((3, 0.6),)), s).neutral_a or 0.0
        for p in found.panels
        if p.side == "A"
        for s in range(4)
    )
    assert checks[0].value == pytest.approx(worst)
    assert checks[0].limit == pytest.approx(320.0)
    assert "annex-e" in str(next(iter(harmonic_checks(found, ((3, 0.1),), IEC, Trace()))).source)


def test_loads_between_lines_have_no_neutral_to_check() -> None:
    found = build(rack(5, breaker_a=None), basis=frame("208Y/120"))
    assert not list(harmonic_checks(found, ((3, 0.6),), NEC, Trace()))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0.1, 100.0), st.floats(0.0, 1.0)), min_size=3, max_size=6))
def test_neutral_of_loads_with_third_harmonics_of_their_own(
    loads: list[tuple[float, float]],
) -> None:
    """The sum of currents sampled over one period, each line with a distortion of its own."""
    circuits = [
        amperes(f"c{n}", a, position=n + 1, third_harmonic=third)
        for n, (a, third) in enumerate(loads)
    ]
    found = panel_harmonics(panel(*circuits), None)
    angle = np.linspace(0.0, 2.0 * np.pi, 7200, endpoint=False)
    total = np.zeros_like(angle)
    for n, (a, third) in enumerate(loads):
        turned = angle - n // 2 % 3 * 2.0 * np.pi / 3.0
        wave = np.cos(turned) + third * np.cos(3.0 * turned)
        total += math.sqrt(2.0) * a * wave / math.sqrt(1.0 + third**2)
    assert found.neutral_a == pytest.approx(float(np.sqrt((total**2).mean())), rel=1e-9, abs=1e-6)


def test_one_distorted_line_of_three() -> None:
    """10 A, of which 6 A third harmonic and 8 A fundamental, beside two clean lines of 10 A."""
    thirds = (0.75, 0.0, 0.0)
    circuits = [
        amperes(f"c{n}", 10.0, position=2 * n + 1, third_harmonic=third)
        for n, third in enumerate(thirds)
    ]
    found = panel_harmonics(panel(*circuits), None)
    assert found.neutral_a == pytest.approx(math.sqrt(6.0**2 + 2.0**2))


def test_loads_between_lines_need_no_spectrum_for_the_neutral() -> None:
    one = amperes("one", 10.0, position=1, third_harmonic=0.3)
    found = panel_harmonics(panel(one, load("two", 2, 2080.0, position=3)), None)
    assert found.neutral_a == pytest.approx(10.0)
    assert (found.distortion, found.unknown) == (None, ("two",))
    assert found.note == "harmonics not specified (1 circuits)"


CSV = """\
# panel: P-1; system: 208Y/120; poles: 12
description,poles,va,pf,breaker_a,position,fixed,harmonics
One,1,1200,1,20,1,yes,75
Two,1,1200,1,20,3,yes,0
Three,1,1200,1,20,5,yes,0
Fan,2,500,1,20,7,yes,
"""


def test_the_column_reaches_results_text_and_file(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of 1,200 VA: 0.6 of it third harmonic on A; neutral sqrt(0.6^2 + 0.2^2) of a line."""
    given = read_panel_csv(CSV)
    assert [c.third_harmonic for c in given.circuits] == [0.75, 0.0, 0.0, None]
    assert "One,1,1200,1,20,1,yes,MISC,75" in write_panel_csv(given)
    assert read_panel_csv(write_panel_csv(given)).circuits == given.circuits
    found = balance(given)
    wanted_a = math.sqrt(0.4) * 1200.0 / V_LN
    results = found.results
    assert results["current.n_harmonics"].si == pytest.approx(wanted_a)
    assert results["harmonics"].si == "harmonics not specified (1 circuits)"
    show_study(PanelBalanced(given, found), "si", json=False, checks=False)
    assert f"{wanted_a:.1f} A" in capsys.readouterr().out
    cabinet = read_cabinet_csv("# cabinet: PDU-1\n" + CSV)
    whole = balance_cabinet(cabinet).results
    assert whole["current.n_harmonics"].si == pytest.approx(wanted_a)
    assert "One,1,1200,1,20,1,yes,MISC,75" in write_cabinet_csv(cabinet)


def test_without_the_column_nothing_is_said_of_harmonics() -> None:
    plain = read_panel_csv(
        CSV.replace(",harmonics", "")
        .replace(",yes,75", ",yes")
        .replace(",yes,0", ",yes")
        .replace(",yes,\n", ",yes\n")
    )
    results = balance(plain).results
    assert not {"harmonics", "current.n_harmonics"} & set(results)
    part = read_panel_csv(CSV.replace("5,yes,0", "5,yes,"))
    assert "current.n_harmonics" not in balance(part).results
    assert balance(part).results["harmonics"].si == "harmonics not specified (2 circuits)"


@pytest.mark.parametrize("cell", ["-1", "100.1", "nan", "inf", "15 %", "x"])
def test_a_third_harmonic_that_cannot_be_is_refused(cell: str) -> None:
    with pytest.raises(FacilityError, match=r"![A-Z]3") as caught:
        read_panel_csv(CSV.replace(",yes,75", f",yes,{cell}"))
    assert caught.value.code in ("PANEL_CSV_CELL", "NOT_A_NUMBER")
