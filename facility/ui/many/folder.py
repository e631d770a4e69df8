"""Names in the folder of a run, which the server and the process that makes the designs share."""

from __future__ import annotations

ASKED, PROJECT = "asked.json", "project.yaml"
OUTCOME, ERRORS = "outcome.json", "errors.txt"
ROWS, PARQUET = "rows.csv", "rows.parquet"
FRONT = "front"
"""Folder of a search for the best, as `facility optimise --out` writes it."""
