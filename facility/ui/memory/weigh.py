"""Estimate of the memory of an object from its content."""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Hashable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import TypeVar, cast

import numpy as np

from facility.power.panels.board.model import Circuit

_OBJECTS = 3
"""Ratio of memory to pickle length: 1.8 to 2.7 for designs and studies."""
_UNKNOWN = 10**6
"""Assumed size of an object that cannot be pickled."""
_Name = TypeVar("_Name", bound=Hashable)


class Scale:
    """Estimates the memory of related objects; shared arrays are counted once."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def weigh(self, found: object) -> int:
        """Return the approximate additional memory of `found` in bytes."""
        return self.weigh_all({"": found})[""]

    def weigh_all(self, found: Mapping[_Name, object]) -> dict[_Name, int]:
        """Return the approximate additional memory of each object in bytes."""
        length, arrays = _Length(), list[pickle.PickleBuffer]()
        # The pickle is only counted, not stored; arrays are passed by reference.
        pickler = pickle.Pickler(length, 5, buffer_callback=arrays.append)
        pickler.dispatch_table = {**copyreg.dispatch_table, Circuit: _of_circuit}
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
        address = content.ctypes.data
        if address in self._known:
            return 0
        self._known.add(address)
        return content.nbytes


_CIRCUIT = attrgetter(*(field.name for field in fields(Circuit)))


def _of_circuit(circuit: Circuit) -> tuple[type, tuple[()], object]:
    """Reduce a circuit in half the usual time; a design has thousands of them."""
    return object, (), _CIRCUIT(circuit)


class _Length:
    """A file object that only counts the bytes written."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, content: bytes) -> int:
        self.bytes += len(content)
        return len(content)
