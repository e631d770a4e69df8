"""Pinned packages of a file of requirements: name, version and the hashes of its files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
_PIN = re.compile(r"^([\w.\-]+)==([\w.!+]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class Pin:
    """One package at one version."""

    name: str  # As an index compares names
    version: str
    hashes: tuple[str, ...]  # SHA-256 of each of its files

    @property
    def purl(self) -> str:
        """Package URL."""
        return f"pkg:pypi/{self.name}@{self.version}"


def pins(path: Path) -> tuple[Pin, ...]:
    """Return the pins of a file of requirements, by name.

    Raises ValueError for a line without a pin, which would otherwise be ignored.
    """
    found = []
    for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            pin = _PIN.match(text)
            if pin is None:
                raise ValueError(f"{path.name}: {text[:80]!r} pins no version")
            hashes = tuple(sorted(_HASH.findall(text)))
            found.append(Pin(canonicalize_name(pin[1]), pin[2], hashes))
    return tuple(sorted(found, key=lambda pin: pin.name))
