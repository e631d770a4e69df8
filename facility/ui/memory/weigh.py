"""About how much memory a thing takes, by its content."""

from __future__ import annotations

import pickle
from typing import cast

import numpy as np

_OBJECTS = 2
"""Memory of Python's objects over the length of their pickle: 2 to 3 for designs and studies."""
_UNKNOWN = 10**6
"""Taken for what cannot be pickled."""


class Scale:
    """Weighs what hangs together: an array that several things share is counted once."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def weigh(self, found: object) -> int:
        """Return about how many bytes `found` takes beside what was weighed before."""
        length, arrays = _Length(), list[pickle.PickleBuffer]()
        try:
            # No bytes are kept: what is pickled is counted as it comes, arrays are only named.
            pickle.Pickler(length, 5, buffer_callback=arrays.append).dump(found)
        except (TypeError, AttributeError, pickle.PicklingError):
            return _UNKNOWN
        return _OBJECTS * length.bytes + sum(map(self._of_array, arrays))

    def _of_array(self, array: pickle.PickleBuffer) -> int:
        content = np.frombuffer(cast(bytes, array), np.uint8)
        place = content.ctypes.data
        if place in self._known:
            return 0
        self._known.add(place)
        return content.nbytes


class _Length:
    """A file that keeps nothing but how much was written."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, content: bytes) -> int:
        self.bytes += len(content)
        return len(content)
