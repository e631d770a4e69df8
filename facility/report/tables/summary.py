"""The summary of a design: sections and order of its results; names of load parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from facility.core.table import Results
from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.study.figures import FIGURES as DECLARED
from facility.study.figures import each

LOAD_SECTION = next(figure.section for figure in DECLARED if figure.key == "swing.utility")
"""Title of the section of dynamic load."""
_SEPARATE = ("Batteries", LOAD_SECTION)
"""Sections of the labels that the summary omits."""


LOOP_NAMES = {
    "tcs": "coolant loop",
    "fws": "facility-water loop",
    "chw": "chilled-water loop",
    "cw": "condenser-water loop",
    "fws_tower": "tower-water loop",
}
"""Names of the water loops by id."""


def _labels() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return result key and label of each figure that is printed, by section."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    labelled = sorted((figure for figure in DECLARED if figure.label), key=lambda one: one.rank)
    for key, name, figure in each(labelled, {"loop": LOOP_NAMES}):
        line = key, figure.label.format(name=name)
        found[figure.section] = (*found.get(figure.section, ()), line)
    return found


FIGURES = _labels()
"""Result keys and labels of each section, in their order."""
YEAR_FIGURES = FIGURES["Annual results"]
"""Result key and label of the annual results."""
ESTIMATE_FIGURES = tuple(line for line in FIGURES["PUE, energy and cost"] if "estimate" in line[0])
"""Result key and label of the annual estimates without hourly weather."""
_SECTIONS = {title: lines for title, lines in FIGURES.items() if title not in _SEPARATE}
LABELS: Mapping[str, str] = {
    key: label
    for lines in (FIGURES["Batteries"], *reversed(_SECTIONS.values()))
    for key, label in lines
}
"""Labels of the results by key; annual results use the annual labels."""
_OPTIONAL = {figure.key for figure in DECLARED if figure.zero}
_HEADS = ("Quantity", "Value", "Note")


def summary_tables(results: Results, system: System = "si") -> Iterator[TextTable]:
    """Yield the summary of `results`; absent quantities are omitted.

    Shows either annual results, or estimates without hourly weather.
    """
    for title, lines in _SECTIONS.items():
        if "pue.annual" in results and lines != YEAR_FIGURES:
            lines = tuple(line for line in lines if line not in ESTIMATE_FIGURES)
        elif lines == YEAR_FIGURES and "pue.annual" not in results:
            continue
        found = _table(title, results, lines, system)
        if found.keys:
            yield found


def section_table(
    section: str, results: Results, system: System = "si", *below: str, title: str = ""
) -> TextTable:
    """Return one section of the figures available in `results`."""
    return _table(title or section, results, FIGURES[section], system, below)


def _table(
    title: str,
    results: Results,
    lines: Iterable[tuple[str, str]],
    system: System,
    below: Sequence[str] = (),
) -> TextTable:
    direct = has_no_chiller(results)
    known = [
        (key, label.replace("CRAH", "CRAC").replace("Chiller", "Compressor") if direct else label)
        for key, label in lines
        if key in results and not (key in _OPTIONAL and results[key].si == 0)
    ]
    rows = [(label, results[key].shown(system), results[key].basis) for key, label in known]
    return TextTable(title, _HEADS, rows, below, [key for key, _ in known])


_WORDS = {
    "crah fans": "CRAH fans",
    "cdu pumps": "CDU pumps",
    "chw pumps": "chilled-water pumps",
    "fws pumps": "facility-water pumps",
    "condenser pumps": "condenser-water pumps",
    "rack pdu": "rack PDUs",
    "branch": "branch circuits",
    "feeder": "feeders",
    "ups": "UPS",
    "pdu transformer": "PDU transformers",
    "lv board": "LV boards",
    "transformer": "transformers",
    "house": "lights, controls, other",
}


_DIRECT_WORDS = {"crah fans": "CRAC fans", "chillers": "compressors"}
"""Names for air units with integral compressors."""


def part_name(key: str, results: Results | None = None) -> str:
    """Return the name of a part of a load, from the last word of its result key.

    results: Results of the design, which show whether it has chillers.
    """
    name = key.rpartition(".")[2].replace("_", " ")
    if results is not None and has_no_chiller(results):
        name = _DIRECT_WORDS.get(name, name)
    return _WORDS.get(name, name)


def has_no_chiller(results: Results) -> bool:
    """Return whether the compressors are integral to the air units."""
    compressors, chillers = (
        float(results[key].si) if key in results else 0.0
        for key in ("cooling.chillers", "plant.chiller_count")
    )
    return compressors > 0.0 and not chillers
