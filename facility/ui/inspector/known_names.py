"""The names that a field takes from a table: of the catalogue, or of the schemes that are known."""

from __future__ import annotations

from facility.catalogue import table
from facility.model.inputs.power.battery import ARRANGEMENTS
from facility.model.inputs.power.plant import SPARES
from facility.model.power.battery import TECHNOLOGIES
from facility.model.power.redundancy import SCHEMES
from facility.study.resolve.it.devices import SERVERS, lacking
from facility.study.resolve.it.short_form import offered_gpus
from facility.study.shortlist import CHOICES

_TABLES = {"site.station": "weather/stations"} | {one.field: one.table for one in CHOICES}
_WORDS: dict[str, tuple[str, ...]] = {
    "power.redundancy": SCHEMES,
    "power.transformer.redundancy": tuple(SPARES),
    "power.generator.redundancy": tuple(SPARES),
    "power.battery.technology": TECHNOLOGIES,
    "power.battery.arrangement": ARRANGEMENTS,
}


def known_names(path: str) -> tuple[str, ...]:
    """Return the names that are known for the field at `path`; others may be typed too."""
    if path in _TABLES:
        return table(_TABLES[path]).keys
    if path == "it.server":
        return tuple(name for name in table(SERVERS).keys if not lacking(name))
    return offered_gpus() if path == "it.gpu_model" else _WORDS.get(path, ())
