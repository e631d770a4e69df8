"""Time to read a year of one-minute readings: ``python benchmarks/series.py``."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from facility.catalogue.series import LOAD, Reading
from facility.catalogue.series.read import _read

FORMS = {"ISO": "%Y-%m-%d %H:%M", "US": "%m/%d/%Y %H:%M"}


def main() -> None:
    """Print seconds for 525,600 rows in two layouts of the timestamp."""
    import pandas as pd

    times = pd.date_range("2025-01-01", "2026-01-01", freq="min")[:-1]
    values = np.round(70.0 + 20.0 * np.sin(np.arange(len(times)) / 229.0), 2).tolist()
    for name, form in FORMS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.csv"
            rows = (f"{t},{v}" for t, v in zip(times.strftime(form), values, strict=True))
            path.write_text("timestamp,load_kw\n" + "\n".join(rows))
            begin = time.perf_counter()
            found = _read(path, LOAD, Reading())
            print(f"{name}: {len(found.values):,} readings in {time.perf_counter() - begin:.2f} s")


if __name__ == "__main__":
    main()
