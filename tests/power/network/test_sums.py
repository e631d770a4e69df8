"""Sums over rows against a sparse matrix of ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from facility.power.network.flow import sums as network_sums
from facility.power.network.flow.sums import row_sums


def test_each_sum_adds_up_its_own_rows() -> None:
    values = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0], [8.0, 80.0]])
    sums = row_sums(np.array([2, 0, 2]), np.array([3, 1, 0]), 4)
    assert sums.of(values).tolist() == [[2.0, 20.0], [0.0, 0.0], [9.0, 90.0], [0.0, 0.0]]


@pytest.mark.parametrize("block", [1, 1000, 1 << 17])
def test_the_sums_are_to_the_bit_those_of_a_sparse_matrix(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_sums, "_BLOCK", block)
    random = np.random.default_rng(5)
    for count, rows, columns in ((1, 40, 2), (30, 400, 6), (400, 400, 64)):
        sums = random.integers(0, count, rows)
        values = random.standard_normal((rows, columns)) * 10.0 ** random.integers(-9, 9, columns)
        ones = csr_matrix((np.ones(rows), (sums, np.arange(rows))), shape=(count, rows))
        assert np.array_equal(row_sums(sums, np.arange(rows), count).of(values), ones @ values)
