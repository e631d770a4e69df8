"""Pack the gazetteer of the package from the GeoNames dump ``cities500.txt``.

``python -m tools.gazetteer cities500.txt`` writes ``reference/site/places.csv.gz``. GeoNames data
are licensed CC BY 4.0.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "reference" / "site" / "places.csv.gz"
HEADING = (
    "name", "ascii", "country", "region", "latitude_deg", "longitude_deg", "elevation_m",
    "population", "time_zone",
)  # fmt: skip
MIN_POPULATION = 5000
_PARTS = ("PPLX", "PPLH", "PPLQ", "PPLW")
"""Feature codes of parts of cities, and of abandoned, historical or destroyed places."""
_NAME, _ASCII, _FEATURE, _LATITUDE, _LONGITUDE, _COUNTRY, _REGION = 1, 2, 7, 4, 5, 8, 10
_POPULATION, _ELEVATION, _MODEL_ELEVATION, _ZONE = 14, 15, 16, 17
_NO_ELEVATION = -9999


def packed(dump: str) -> bytes:
    """Return the packed gazetteer of a GeoNames dump, its places by country, region and name."""
    rows = [line.split("\t") for line in dump.splitlines()]
    kept = [
        row
        for row in rows
        if int(row[_POPULATION] or 0) >= MIN_POPULATION and row[_FEATURE] not in _PARTS
    ]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADING)
    for row in sorted(kept, key=lambda row: (row[_COUNTRY], row[_REGION], row[_ASCII])):
        elevation = row[_ELEVATION] or row[_MODEL_ELEVATION]
        writer.writerow(
            (
                row[_NAME],
                row[_ASCII] if row[_ASCII] != row[_NAME] else "",
                row[_COUNTRY],
                row[_REGION] if row[_COUNTRY] == "US" else "",
                f"{float(row[_LATITUDE]):.3f}",
                f"{float(row[_LONGITUDE]):.3f}",
                "" if not elevation or int(elevation) == _NO_ELEVATION else elevation,
                row[_POPULATION],
                row[_ZONE],
            )
        )
    return gzip.compress(text.getvalue().encode(), 9, mtime=0)


if __name__ == "__main__":
    TARGET.write_bytes(packed(Path(sys.argv[1]).read_text("utf-8")))
