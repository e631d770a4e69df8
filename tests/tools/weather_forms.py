"""Weather files made of the lines of a shipped one: TMY3, sub-hourly, a leap year."""

from __future__ import annotations

import gzip

from facility.core.reference import reference_path

HEADER = 8
_HEADS = (
    "Date (MM/DD/YYYY),Time (HH:MM),GHI (W/m^2),Dry-bulb (C),Dry-bulb source,Dew-point (C),"
    "Dew-point source,RHum (%),RHum source,Pressure (mbar),Pressure source"
)


def epw_lines(station: str) -> list[str]:
    """Return the lines of a shipped file, without the empty one at its end."""
    packed = reference_path("weather", f"{station}.epw.gz").read_bytes()
    return gzip.decompress(packed).decode("utf-8").replace("\r", "").rstrip("\n").split("\n")


def with_cell(lines: list[str], line: int, column: int, text: str) -> list[str]:
    """Return the lines with one cell replaced; line and column count from 1."""
    cells = lines[line - 1].split(",")
    cells[column - 1] = text
    return [*lines[: line - 1], ",".join(cells), *lines[line:]]


def tmy3_lines(lines: list[str]) -> list[str]:
    """Return an EPW as a TMY3 file, pressure in mbar, whose station has a comma in its name."""
    place = lines[0].split(",")
    first = [place[5], f'"{place[1]} INTL, AP"', place[2], place[8], place[6], place[7], place[9]]
    rows = []
    for line in lines[HEADER:]:
        c = line.split(",")
        stamp = f"{int(c[1]):02d}/{int(c[2]):02d}/{c[0]},{int(c[3]):02d}:00"
        rows.append(f"{stamp},0,{c[6]},A,{c[7]},A,{c[8]},A,{float(c[9]) / 100.0:.2f},A")
    return [",".join(first), _HEADS, *rows]


def sub_hourly(lines: list[str], per_hour: int) -> list[str]:
    """Return an EPW with every hour as equal records, minutes to 60."""
    period = lines[7].split(",")
    period[2] = str(per_hour)
    rows = []
    for line in lines[HEADER:]:
        cells = line.split(",")
        for step in range(1, per_hour + 1):
            cells[4] = str(step * 60 // per_hour)
            rows.append(",".join(cells))
    return [*lines[:7], ",".join(period), *rows]


def leap(lines: list[str]) -> list[str]:
    """Return an EPW with a 29 February, a copy of the day before."""
    end = HEADER + (31 + 28) * 24
    day = [",".join([*c[:2], "29", *c[3:]]) for c in (x.split(",") for x in lines[end - 24 : end])]
    return [*lines[:end], *day, *lines[end:]]
