"""About how much memory a thing takes, by its content."""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Hashable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import TypeVar, cast

import numpy as np
from plotly.graph_objects import Figure

from facility.power.panels.board.model import Circuit

_OBJECTS = 3
"""Memory of objects over the length of their pickle: 1.8 to 2.7 for designs and studies."""
_UNKNOWN = 10**6
"""Taken for what cannot be pickled."""
_Name = TypeVar("_Name", bound=Hashable)


class Scale:
    """Weighs what hangs together: an array that several things share is counted once."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def weigh(self, found: object) -> int:
        """Return about how many bytes `found` takes beside what was weighed before."""
        return self.weigh_all({"": found})[""]

    def weigh_all(self, found: Mapping[_Name, object]) -> dict[_Name, int]:
        """Return about how many bytes each takes beside those before it."""
        length, arrays = _Length(), list[pickle.PickleBuffer]()
        # No bytes are kept: what is pickled is counted as it comes, arrays are only named.
        pickler = pickle.Pickler(length, 5, buffer_callback=arrays.append)
        pickler.dispatch_table = {
            **copyreg.dispatch_table,
            Figure: _of_figure,
            Circuit: _of_circuit,
        }
        weights = {}
        for name, one in found.items():
            length.bytes = 0
            arrays.clear()
            try:
                pickler.dump(one)
            except (TypeError, AttributeError, pickle.PicklingError):
                weights[name] = _UNKNOWN
            else:
                weights[name] = _OBJECTS * length.bytes + sum(map(self._of_array, arrays))
        return weights

    def _of_array(self, array: pickle.PickleBuffer) -> int:
        content = np.frombuffer(cast(bytes, array), np.uint8)
        place = content.ctypes.data
        if place in self._known:
            return 0
        self._known.add(place)
        return content.nbytes


def _of_figure(figure: Figure) -> tuple[type, tuple[()], object]:
    """Return a figure as it is: to be pickled it would copy all that it holds."""
    return object, (), (figure._data, figure._layout)


_CIRCUIT = attrgetter(*(field.name for field in fields(Circuit)))


def _of_circuit(circuit: Circuit) -> tuple[type, tuple[()], object]:
    """Return a circuit, of which a design has thousands, in half of the time."""
    return object, (), _CIRCUIT(circuit)


class _Length:
    """A file that keeps nothing but how much was written."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, content: bytes) -> int:
        self.bytes += len(content)
        return len(content)
