"""The sheet of a study that was not run, with the reason."""

from __future__ import annotations

from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading


def refused_sheet(name: str, refusal: str, page_setup: PageSetup) -> Sheet:
    """Return the sheet of a study that has no model for the design, with the reason."""
    sheet = Sheet(name, page=page_setup.page(fit_height=1))
    write_heading(sheet, name, "Not evaluated.")
    sheet.set_widths(100)
    word = refusal.partition(" ")[0].rstrip(",.;:")
    is_word = word.isalpha()  # a path of the project stays as it is typed
    sheet.put(4, 1, f"{refusal[0].upper()}{refusal[1:]}" if is_word else refusal, "wrap")
    fit_heights(sheet, 3)
    return sheet
