"""Impedance seen from every bus of a radial network with sources on several buses.

Two passes over the tree carry admittances to the common reference: up from the ends, what each
bus finds below it; down from the root, what it finds above. Each admittance is kept as the parts
of the sources, which a branch divides all alike, so that the shares of the fault current fall out.
"""

from __future__ import annotations

import numpy as np

from facility.core.kinds import ComplexArray


def admittances(
    parent: tuple[int, ...], branch_pu: ComplexArray, own_pu: ComplexArray
) -> ComplexArray:
    """Return the admittance to the reference at every bus, split by source.

    parent: Row of the bus above each bus; buses stand after the one above them, the root first.
    branch_pu: Impedance of the branch to each bus; infinite for an open one; the first is not used,
        shape (buses,).
    own_pu: Admittance of each source at its own bus, shape (buses, sources).

    Returns
    -------
    ndarray, (buses, sources)
        The sum over the sources is the admittance seen from the bus; 1 over it the impedance.
    """
    count = len(parent)
    children: list[list[int]] = [[] for _ in range(count)]
    for row in range(1, count):
        children[parent[row]].append(row)
    below = own_pu.astype(np.complex128)
    through = np.zeros_like(below)
    for row in range(count - 1, 0, -1):
        through[row] = _behind(below[row], branch_pu[row])
        below[parent[row]] += through[row]
    above = np.zeros_like(below)
    for row in range(count):
        _hand_down(above, through, own_pu[row] + above[row], children[row], branch_pu)
    return np.asarray(below + above)


def _behind(parts: ComplexArray, impedance: complex) -> ComplexArray:
    """Return the parts of an admittance as seen through an impedance in series."""
    if np.isinf(impedance) or not parts.any():
        return np.zeros_like(parts)
    return np.asarray(parts / (1.0 + parts.sum() * impedance))


def _hand_down(
    above: ComplexArray,
    through: ComplexArray,
    here: ComplexArray,
    rows: list[int],
    branch_pu: ComplexArray,
) -> None:
    """Give each child what its parent finds everywhere but below that child.

    The others are added up from both ends: subtracting the child from the sum would lose its
    brothers behind a source of low impedance.
    """
    after = [np.zeros_like(here)]
    for row in reversed(rows):
        after.append(after[-1] + through[row])
    before = here
    for position, row in enumerate(rows):
        rest = before + after[len(rows) - 1 - position]
        above[row] = _behind(rest, branch_pu[row])
        before = before + through[row]
