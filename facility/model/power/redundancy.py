"""Redundancy schemes of the UPS, with their usual names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from facility.core.errors import FacilityError, near_matches

SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "5N/4", "6N/5", "block-redundant")
_MADE = {"3N/2": 3, "4N/3": 4, "5N/4": 5, "6N/5": 6}
"""Distributed redundant: this number of systems, of which all but one suffice."""

_SPELLINGS = {
    **{re.sub(r"\s", "", name).casefold(): name for name in SCHEMES},
    "2n+2": "2(N+1)",
    "2n+1": "2(N+1)",
    "2x(n+1)": "2(N+1)",
    "2*(n+1)": "2(N+1)",
    "n+n": "2N",
    "2xn": "2N",
    "tri-redundant": "3N/2",
    **{f"{n}-to-make-{n - 1}": name for name, n in _MADE.items()},
    **{f"{n}tomake{n - 1}": name for name, n in _MADE.items()},
    **{f"{n}/{n - 1}n": name for name, n in _MADE.items()},
    "blockredundant": "block-redundant",
    "block_redundant": "block-redundant",
    "catcher": "block-redundant",
    "capacityn": "N",
    "parallelredundant": "N+1",
}
ONE_SYSTEM = {"N": 0, "N+1": 1, "N+2": 2}
"""Single-system schemes, and their spare modules."""

_SYSTEMS = ("2(N+1)", "2N", "3N/2", "4N/3", "5N/4", "6N/5")
"""Schemes that carry the load after the loss of one system, by installed / required capacity."""
_MEETS = {
    "N": SCHEMES,
    "N+1": tuple(name for name in SCHEMES if name != "N"),
    "N+2": ("N+2", "2(N+1)"),
    "block-redundant": ("block-redundant", *_SYSTEMS),
} | {name: _SYSTEMS[: n + 1] for n, name in enumerate(_SYSTEMS)}
"""Schemes with at least the redundancy of the required scheme. N+2 covers any two modules, 2N only
two of one system."""
_SIDES = {"2N": "AB", "2(N+1)": "AB"} | {name: "ABCDEF"[:n] for name, n in _MADE.items()}
MAX_BLOCKS = 11
"""Limit: with the reserve, no more systems than circuits per network load."""


@dataclass(frozen=True)
class Scheme:
    """Redundancy scheme: systems, and spare modules in each."""

    name: str  # One of `SCHEMES`
    # Names of the UPS systems, each a group of modules on a separate output bus.
    systems: tuple[str, ...]
    spare_modules: int  # Spare modules in each system
    # Reserve system, unloaded until it takes over the load of another; empty if none.
    reserve: str = ""

    @property
    def one_system(self) -> bool:
        """Whether one system supplies all feeds."""
        return len(self.systems) == 1

    @property
    def carrying(self) -> int:
        """Number of systems that suffice for the whole load."""
        return max(1, len(self.systems) - 1)

    @property
    def spare_units(self) -> int:
        """Spare units of a single system; 0 if another system takes over."""
        return self.spare_modules if self.one_system else 0

    @property
    def failure(self) -> str:
        """Design failure of the scheme, as text."""
        if self.reserve:
            return f"one primary system lost, its load on {self.reserve}"
        if not self.one_system:
            return "one system lost"
        return ("none", "one module lost", "two modules lost")[self.spare_modules]


def scheme_name(text: str, where: str) -> str:
    """Return the scheme named by `text`, as spelled in `SCHEMES`.

    Raises ``UNKNOWN_REDUNDANCY`` with the nearest names.
    """
    folded = re.sub(r"\s", "", text).casefold()
    if folded not in _SPELLINGS:
        raise FacilityError(
            "UNKNOWN_REDUNDANCY",
            where,
            f"{text!r} is not a redundancy scheme.",
            near_matches(text, SCHEMES) or "Known: " + ", ".join(SCHEMES) + ".",
        )
    return _SPELLINGS[folded]


def meets(name: str, goal: str) -> bool:
    """Return whether the scheme `name` has at least the redundancy of the scheme `goal`."""
    return name in _MEETS[goal]


def build_scheme(name: str, feeds: tuple[str, ...], blocks: int, where: str) -> Scheme:
    """Return the scheme `name` with its systems.

    name: One of `SCHEMES`.
    feeds: Names of the feeds; with one system per feed also names of the systems.
    blocks: Primary systems of a block-redundant scheme.

    Raises ``REDUNDANCY_CONTRADICTION`` if feeds or blocks do not fit the scheme.
    """
    if name in ONE_SYSTEM:
        return Scheme(name, ("1",), ONE_SYSTEM[name])
    if name == "block-redundant":
        if not 1 <= blocks <= MAX_BLOCKS:
            raise FacilityError(
                "REDUNDANCY_CONTRADICTION",
                f"{where}.blocks",
                f"a block-redundant scheme needs 1 to {MAX_BLOCKS} primary systems; got {blocks}.",
                "Use fewer, larger systems (power.ups.buses splits them), or divide the plant into"
                " separate projects.",
            )
        return Scheme(name, (*(f"P{n + 1}" for n in range(blocks)), "R"), 0, "R")
    if len(feeds) != len(_SIDES[name]):
        raise FacilityError(
            "REDUNDANCY_CONTRADICTION",
            f"{where}.feeds",
            f"{name} has {len(_SIDES[name])} systems with one feed each; got {len(feeds)} feeds.",
            f"Enter {len(_SIDES[name])} feeds, e.g. [{', '.join(_SIDES[name])}], or leave the"
            " field out.",
        )
    return Scheme(name, feeds, 1 if name == "2(N+1)" else 0)


def system_scheme(systems: int) -> str:
    """Return the scheme with this number of systems, of which all but one carry the load."""
    return next((name for name, count in _MADE.items() if count == systems), "2N")


def default_feeds(name: str) -> tuple[str, ...]:
    """Return the default feeds of the scheme `name`.

    One per system; two sides of distribution, A and B, if one system or a static transfer
    switch feeds both.
    """
    return tuple(_SIDES.get(name, "AB"))
