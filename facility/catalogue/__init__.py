"""Sourced data: reference tables with a source for every row."""

from __future__ import annotations

from collections.abc import Mapping

from facility.catalogue.loader import Catalogue, catalogue
from facility.catalogue.schema import SchemaColumn, TableSchema
from facility.catalogue.sources import SourceEntry
from facility.catalogue.table import Row, Table, row_above
from facility.catalogue.trade_names import TradeMatch, match_device, match_gpu

__all__ = [
    "Catalogue",
    "Row",
    "SchemaColumn",
    "SourceEntry",
    "Table",
    "TableSchema",
    "TradeMatch",
    "match_device",
    "match_gpu",
    "row_above",
    "schema",
    "sources",
    "table",
    "table_names",
]


def table(name: str) -> Table:
    """Return the reference table `name`, e.g. ``"equipment/gpus"``."""
    return catalogue().table(name)


def schema(name: str) -> TableSchema:
    """Return the columns, units and description of the reference table `name`."""
    return catalogue().schema(name)


def sources() -> Mapping[str, SourceEntry]:
    """Return every source of the reference data by id."""
    return catalogue().sources


def table_names() -> tuple[str, ...]:
    """Return the names of all reference tables."""
    return tuple(catalogue().schemas)
