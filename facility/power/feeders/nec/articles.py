"""Articles of the NEC by subject, numbered as in each edition."""

from __future__ import annotations

from facility.core.sources import Source

_OLD_ARTICLES = {
    "ampacity": "Table 310.15(B)(16)",
    "ambient": "310.15(B)(2)(a)",
    "bundling": "310.15(B)(3)(a)",
    "neutral": "310.15(B)(5)",
    "parallel": "310.10(H)",
}
_ARTICLES = {
    "ampacity": ("nec-310-16", "Table 310.16"),
    "ambient": ("nec-310-15-b1-1", "310.15(B)(1)"),
    "bundling": ("nec-310-15-c1", "310.15(C)(1)"),
    "neutral": ("nec-310-15-e", "310.15(E)"),
    "parallel": ("nec-310-10", "310.10(G)"),
    "termination": ("nec-110-14", "110.14(C)(1)"),
    "next size up": ("nec-240-4", "240.4(B)"),
    "over 800 A": ("nec-240-4", "240.4(C)"),
    "small conductors": ("nec-240-4", "240.4(D)"),
    "standard ratings": ("nec-240-6", "240.6(A)"),
    "EGC": ("nec-250-122", "250.122"),
    "EGC upsized": ("nec-250-122", "250.122(B)"),
    "EGC parallel": ("nec-250-122", "250.122(F)"),
    "jumper": ("nec-250-66", "250.102(C)"),
    "neutral load": ("nec-220-61", "220.61"),
    "fill": ("nec-chapter-9-table-4", "chapter 9, tables 1, 4 and 5"),
    "drop": ("nec-chapter-9-table-9", "chapter 9, table 9"),
    "withstand": ("nec-240-92", "110.10, 240.92(B)"),
}


def article(subject: str, edition: str) -> Source:
    """Return the article on `subject`, numbered as in `edition`: some moved in 2020."""
    id, locator = _ARTICLES[subject]
    return Source(id, _OLD_ARTICLES.get(subject, locator) if edition < "2020" else locator, edition)
