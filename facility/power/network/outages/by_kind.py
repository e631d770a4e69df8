"""Highest loading of each type of equipment in a state of the power network."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from facility.core.rounding import argmax_within_rounding
from facility.power.network.graph.types import Equipment, EquipmentKind, Network

KIND_NAMES: dict[EquipmentKind, str] = {
    "generator-plant": "Generators",
    "mv-switchgear": "MV switchgear",
    "transformer": "Transformers",
    "generator-bus": "Generator bus",
    "ats": "ATS",
    "tie": "Ties",
    "lv-board": "LV boards",
    "ups": "UPS",
    "static-bypass": "Static bypass",
    "maintenance-bypass": "Maint. bypass",
    "ups-output": "UPS output",
    "sts": "STS",
    "pdu": "PDU",
    "panel": "Panels",
    "busway": "Busways",
    "rack-pdu": "Rack PDUs",
}


def highest_by_kind(network: Network, loading: NDArray[np.float64]) -> dict[str, float | None]:
    """Return the maximum loading of each type; None without rating or load."""
    kinds = _kinds(network)
    known = np.isfinite(loading) & (kinds >= 0)
    highest = np.full(len(KIND_NAMES), -np.inf)
    np.maximum.at(highest, kinds[known], loading[known])
    found = zip(KIND_NAMES.values(), highest.tolist(), strict=True)
    return {name: max(0.0, value) for name, value in found if value > -np.inf}


def most_loaded_by_kind(network: Network, loading: NDArray[np.float64]) -> dict[str, Equipment]:
    """Return the equipment of each type with the loading of `highest_by_kind`, first of equals."""
    kinds, found = _kinds(network), {}
    for index, name in enumerate(KIND_NAMES.values()):
        rows = np.flatnonzero(np.isfinite(loading) & (kinds == index))
        if rows.size:
            found[name] = network.equipment[rows[argmax_within_rounding(loading[rows])]]
    return found


def _kinds(network: Network) -> NDArray[np.intp]:
    """Return the index in `KIND_NAMES` of each equipment item, -1 for other types."""
    if network not in _KINDS:
        indices = {kind: n for n, kind in enumerate(KIND_NAMES)}
        found = [indices.get(one.kind, -1) for one in network.equipment]
        _KINDS[network] = np.array(found, dtype=np.intp)
    return _KINDS[network]


_KINDS: WeakKeyDictionary[Network, NDArray[np.intp]] = WeakKeyDictionary()
