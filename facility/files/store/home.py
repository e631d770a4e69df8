"""The home folder of the user, required for default locations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from facility.core.errors import FacilityError


@contextmanager
def home_needed() -> Iterator[None]:
    """Convert a missing home folder into a coded error.

    Raises ``STORE_UNREACHABLE``.
    """
    try:
        yield
    except RuntimeError:  # Of `Path.home`
        raise FacilityError(
            "STORE_UNREACHABLE",
            "home folder",
            "the user has no home folder, the default location of the store and its record.",
            "Set HOME, or FACILITY_STORE, FACILITY_RECORD_KEY and FACILITY_RECORD_HEADS.",
        ) from None
