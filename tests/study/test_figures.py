"""The table of figures: one row per result of a study, with what its step needs."""

from __future__ import annotations

import re
from collections import Counter

from facility.core.kinds import KINDS
from facility.report.tables.summary import FIGURES as PRINTED
from facility.study.figures import FIGURES, each
from tests.study.helpers import reference


def test_a_study_names_a_result_once() -> None:
    named = Counter((figure.study, figure.section, figure.key) for figure in FIGURES)
    of_the_design = Counter(figure.key for figure in FIGURES if figure.study == "design")
    assert max(named.values()) == max(of_the_design.values()) == 1


def test_a_step_of_the_study_has_a_kind_and_a_reason() -> None:
    steps = [figure for figure in FIGURES if figure.kind or figure.reason]
    assert all(figure.kind in KINDS and figure.reason for figure in steps)
    assert {figure.study for figure in steps} == {"design"}


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
