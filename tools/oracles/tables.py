"""Write the tables of the oracles: CSV, plain or packed; the same data give the same bytes."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "tests" / "oracles" / "data"

COLUMNS = {
    "buses": ("id", "nominal_kv", "source_pu"),
    "branches": ("id", "from_bus", "to_bus", "r_ohm", "x_ohm", "rating_a"),
    "transformers": (
        "id",
        "from_bus",
        "to_bus",
        "sn_kva",
        "vk_percent",
        "vkr_percent",
        "pfe_kw",
        "i0_percent",
    ),
    "loads": ("bus", "p_kw", "q_kvar"),
    "racks": ("rack", "a_bus", "b_bus", "p_w", "q_var"),
    "states": ("state", "outages"),
    "recorded": ("solver", "version", "date", "what"),
}


def today() -> str:
    """Return the date a record carries, in universal time."""
    return datetime.now(timezone.utc).date().isoformat()  # noqa: UP017


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write `rows` under `header`; packed where the name ends in ``.gz``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    data = text.getvalue().encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)
