"""Articles of the code by subject, numbered as in each edition."""

from __future__ import annotations

from functools import cache

from facility.catalogue.loader import Catalogue, catalogue
from facility.core.sources import Source

_TABLE = "electrical/code_articles"


def article(subject: str, edition: str, code: str = "NEC") -> Source:
    """Return the article of the `code` on `subject`, numbered as in `edition`.

    Raises ``UNKNOWN_MODEL`` for a subject that the table has not.
    """
    return _article(catalogue(), subject, edition, code)


@cache
def _article(of: Catalogue, subject: str, edition: str, code: str) -> Source:
    table = of.table(_TABLE)
    earlier = (row for row in table.select(code=code, subject=subject) if row["before"])
    old = next((row for row in earlier if edition < row.text("before")), None)
    row = old or table.get((code, subject, None), "criteria.edition")
    shown = row.text("edition") or edition
    return Source(row.source.id, row.text("article"), "" if shown == "any" else shown, row.verified)
