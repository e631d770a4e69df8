"""The table of figures: one row per result of a study, with what its step needs."""

from __future__ import annotations

import re
from collections import Counter

from facility.core.kinds import KINDS
from facility.core.trace import Trace
from facility.physics.facility.metrics import (
    annual_power_usage_effectiveness,
    carbon_usage_effectiveness,
)
from facility.report.tables.summary import FIGURES as PRINTED
from facility.study.figures import FIGURES, Figures, each
from tests.study.helpers import reference


def test_a_study_names_a_result_once() -> None:
    named = Counter((figure.study, figure.section, figure.key) for figure in FIGURES)
    of_the_design = Counter(figure.key for figure in FIGURES if figure.study == "design")
    assert max(named.values()) == max(of_the_design.values()) == 1


def test_a_step_that_a_study_notes_has_a_kind_and_a_reason() -> None:
    noted = [figure for figure in FIGURES if figure.kind]
    assert all(figure.kind in KINDS and figure.reason for figure in noted)
    assert {figure.study for figure in noted} == {"design", "distribution", "year", "load"}


def test_a_row_says_why_its_figure_is_what_it_is() -> None:
    found = Figures(Trace())
    assert found.figure("capacity.it.p90", 2e6, 5.0, ": none") == 2e6
    found.figure("swing.burn", 3.6e9)
    found.do("pue.annual", annual_power_usage_effectiveness, facility_j=12.0, it_j=10.0)
    found.do("cue", carbon_usage_effectiveness, "of a month", carbon_kg=1.0, it_j=3.6e6)
    kinds = {key: value.kind for key, value in found.results.items()}
    assert kinds["capacity.it.p90"] == "active_power"
    assert kinds["swing.burn"] == "energy"
    reasons = {step.id: step.because for step in found.trace}
    words = "constant IT load with metered demand up to 5 MW in 90 % of hours: none"
    assert reasons["capacity.it.p90"] == found.results["capacity.it.p90"].basis == words
    assert (reasons["pue.annual"], reasons["cue"]) == ("annual", "of a month")
    found.figure("fault.inverter.held", 3.0)
    assert found.trace["fault.inverter.held"].because == "stated by the manufacturer"
    assert found.results["fault.inverter.held"].basis == "time to inverter shutdown"


def test_a_family_is_named_member_by_member() -> None:
    halls = [figure for figure in FIGURES if figure.family == "hall"]
    found = [(key, name) for key, name, _ in each(halls, {"hall": {"1": "East", "2": "{x}"}})]
    assert found[0] == ("it.hall.1.racks", "East")
    assert found[len(halls)] == ("it.hall.2.racks", "{x}")
    assert len(found) == 2 * len(halls)


def test_results_stand_in_the_order_of_the_table() -> None:
    results = list(reference("dgx-su-32").results)
    rows = [figure.key for figure in FIGURES if figure.study == "design" and not figure.family]
    listed = [key for key in results if key in {*rows}]
    assert listed == [key for key in rows if key in {*listed}]
    assert {"load.it", "ups.efficiency", "pue.design"} < {*listed}


def test_labels_have_no_placeholder_left() -> None:
    labels = [label for lines in PRINTED.values() for _, label in lines]
    assert not [label for label in labels if re.search("[{}]", label)]
