"""What must hold for any radial network."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.power.faults.currents import fault_currents
from facility.power.faults.impedances import conductor_branch, transformer_branch
from facility.power.faults.types import FaultBranch, FaultSource, FaultTree, Method, Sequences
from tests.power.faults.networks import VOLTAGE, motor

METHODS: tuple[Method, ...] = ("per-unit", "point-to-point", "iec-60909")
ohms = st.floats(1e-4, 0.2)


@st.composite
def trees(draw: st.DrawFn) -> FaultTree:
    """A random tree of 2 to 8 buses at 480 V with one utility and up to three motors."""
    count = draw(st.integers(1, 7))
    branches = []
    for number in range(1, count + 1):
        above = draw(st.integers(0, number - 1))
        z = complex(draw(ohms), draw(ohms))
        tag, fed_from = f"B{number}", f"B{above}"
        if draw(st.booleans()):
            branches.append(conductor_branch(tag, fed_from, 480.0, z, 1.2 * z, (3.0, 4.0)))
        else:
            group = draw(st.sampled_from(("Dyn1", "YNyn0", "Dd0")))
            branches.append(
                transformer_branch(
                    tag,
                    fed_from,
                    500e3,
                    480.0,
                    480.0,
                    draw(st.floats(0.02, 0.08)),
                    group,
                    0.9,
                    0.05,
                    4.0,
                )
            )
    z = complex(draw(ohms), draw(ohms))
    pair = Sequences(z, z)
    sources = [FaultSource("U", "B0", "utility", 480.0, pair, pair)]
    for number in range(draw(st.integers(0, 3))):
        at = f"B{draw(st.integers(0, count))}"
        sources.append(motor(f"M{number}", at, 480.0, complex(draw(ohms), 0.1 + draw(ohms))))
    return FaultTree("B0", 480.0, tuple(branches), tuple(sources))


def with_impedance(tree: FaultTree, row: int, extra: complex) -> FaultTree:
    def more(pair: Sequences) -> Sequences:
        return Sequences(pair.z1 + extra, pair.z0 + extra)

    branches = list(tree.branches)
    branch = branches[row]
    branches[row] = replace(
        branch, min_impedance=more(branch.min_impedance), max_impedance=more(branch.max_impedance)
    )
    return replace(tree, branches=tuple(branches))


def no_current_rises(tree: FaultTree, row: int, method: Method) -> bool:
    more = with_impedance(tree, row, 0.5 * tree.branches[row].min_impedance.z1)
    before = fault_currents(tree, method, "max", VOLTAGE)
    after = fault_currents(more, method, "max", VOLTAGE)
    return all(
        bool(np.all(getattr(after, name) <= getattr(before, name) * (1.0 + 1e-9)))
        for name in ("three_phase_a", "line_line_a", "line_ground_a")
    )


@settings(max_examples=60, deadline=None)
@given(trees(), st.data())
def test_adding_impedance_never_raises_a_current(tree: FaultTree, data: st.DataObject) -> None:
    """With magnitudes for any sources; as R + jX for one source.

    Several sources of unlike angle are no such case: there a rise is physics.
    """
    row = data.draw(st.integers(0, len(tree.branches) - 1))
    assert no_current_rises(tree, row, "point-to-point")
    alone = replace(tree, sources=tree.sources[:1])
    for method in METHODS:
        assert no_current_rises(alone, row, method)


@settings(max_examples=60, deadline=None)
@given(trees(), st.floats(0.1, 10.0), st.sampled_from(METHODS))
def test_rescaling_all_ratings_rescales_all_currents(
    tree: FaultTree, factor: float, method: Method
) -> None:
    def scaled(pair: Sequences | None) -> Sequences | None:
        return None if pair is None else Sequences(pair.z1 / factor, pair.z0 / factor)

    larger = replace(
        tree,
        branches=tuple(
            replace(b, min_impedance=scaled(b.min_impedance), max_impedance=scaled(b.max_impedance))
            for b in tree.branches
        ),
        sources=tuple(
            replace(s, min_impedance=scaled(s.min_impedance), max_impedance=scaled(s.max_impedance))
            for s in tree.sources
        ),
    )
    one = fault_currents(tree, method, "max", VOLTAGE)
    other = fault_currents(larger, method, "max", VOLTAGE)
    for name in ("three_phase_a", "line_line_a", "line_ground_a", "peak_a"):
        np.testing.assert_allclose(getattr(other, name), factor * getattr(one, name), rtol=1e-9)


@settings(max_examples=40, deadline=None)
@given(trees(), st.sampled_from(METHODS))
def test_currents_stand_in_order(tree: FaultTree, method: Method) -> None:
    high = fault_currents(tree, method, "max", VOLTAGE)
    low = fault_currents(tree, method, "min", VOLTAGE)
    np.testing.assert_allclose(high.line_line_a, math.sqrt(0.75) * high.three_phase_a, rtol=1e-12)
    if len(tree.sources) == 1:
        assert np.all(low.three_phase_a <= high.three_phase_a * (1.0 + 1e-12))
        assert method == "iec-60909" or np.all(low.three_phase_a < high.three_phase_a)
    assert np.all(high.peak_a >= math.sqrt(2.0) * high.three_phase_a)
    assert np.all(high.asymmetrical_a >= high.three_phase_a)
    assert np.all(high.available_a >= high.three_phase_a)


@settings(max_examples=40, deadline=None)
@given(trees(), st.data())
def test_the_solution_obeys_the_nodal_equations(tree: FaultTree, data: st.DataObject) -> None:
    """The impedance of the sweep is the diagonal of the inverse of the admittance matrix."""
    tags = [tree.root, *(b.tag for b in tree.branches)]
    rows = {tag: row for row, tag in enumerate(tags)}
    matrix = np.zeros((len(tags), len(tags)), dtype=complex)
    for branch in tree.branches:
        i, j = rows[branch.tag], rows[branch.fed_from]
        factor = 1.0 - branch.tolerance if branch.vector_group else 1.0
        y = 1.0 / (branch.min_impedance.z1 * factor)
        matrix[[i, j], [i, j]] += y
        matrix[i, j] -= y
        matrix[j, i] -= y
    for source in tree.sources:
        matrix[rows[source.bus], rows[source.bus]] += 1.0 / source.min_impedance.z1
    inverse = np.linalg.inv(matrix)
    found = fault_currents(tree, "per-unit", "max", VOLTAGE)
    np.testing.assert_allclose(
        [found.z1_ohm[found.index(tag)] for tag in tags], np.diag(inverse), rtol=1e-9
    )
    tag = data.draw(st.sampled_from(tags))
    at = rows[tag]
    share = [abs(inverse[rows[s.bus], at] / s.min_impedance.z1) for s in tree.sources]
    np.testing.assert_allclose(
        found.contribution_a[found.index(tag)],
        np.array(share) * found.three_phase_a[found.index(tag)],
        rtol=1e-9,
    )


def _stub() -> FaultBranch:
    return conductor_branch("B1", "B0", 480.0, 0.01 + 0.01j, 0.01 + 0.01j, (1.0, 1.0))


@given(st.floats(0.001, 0.1), st.floats(0.001, 0.1))
@settings(max_examples=30, deadline=None)
def test_parallel_sources_add_at_the_bus(first: float, second: float) -> None:
    """Sources of one angle: the currents add as numbers, and so do their contributions."""

    def currents(*sources: FaultSource) -> float:
        tree = FaultTree("B0", 480.0, (_stub(),), sources)
        return float(fault_currents(tree, "per-unit", "max", VOLTAGE).three_phase_a[0])

    one, other = (
        FaultSource(tag, "B0", "utility", 480.0, Sequences(z), Sequences(z))
        for tag, z in (("U1", complex(first, 8 * first)), ("U2", complex(second, 8 * second)))
    )
    np.testing.assert_allclose(currents(one, other), currents(one) + currents(other), rtol=1e-9)
