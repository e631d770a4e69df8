"""The summary of a design: sections and order of its results; what parts of a load are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from facility.core.table import Results
from facility.core.views import System
from facility.report.sheet.grid import TextTable

YEAR_FIGURES: tuple[tuple[str, str], ...] = (
    ("pue.annual", "PUE of the year"),
    ("ppue.cooling", "Partial PUE, cooling"),
    ("ppue.losses", "Partial PUE, electrical losses"),
    ("pue.category.1", "PUE, IT metered at the UPS (category 1)"),
    ("pue.category.2", "PUE, IT metered at the PDU (category 2)"),
    ("pue.category.3", "PUE, IT metered at its inputs (category 3)"),
    ("ere", "ERE"),
    ("erf", "ERF"),
    ("energy.annual", "Energy at the meter"),
    ("energy.annual.it", "IT"),
    ("energy.annual.losses", "Losses, meter to equipment"),
    ("energy.annual.cooling", "Cooling"),
    ("energy.annual.house", "House"),
    ("annual.peak", "Highest hour"),
    ("annual.peak_kva", "Highest hour, kVA"),
    ("annual.peak.hour", "Hour of it"),
    ("annual.p99", "99 % of the hours below"),
    ("annual.p90", "90 % of the hours below"),
    ("annual.p50", "Half of the hours below"),
    ("annual.load_factor", "Load factor at the meter"),
    ("annual.load.mean", "IT load, mean"),
    ("annual.load.highest", "IT load, highest"),
    ("annual.load.lowest", "IT load, lowest"),
    ("annual.load.steps", "Time in steps of training"),
    ("annual.load.effective", "Effective training time"),
    ("annual.load.failures", "Failures that stop a job"),
    ("annual.load.checkpoints", "Checkpoints"),
    ("annual.chiller_full_load_hours", "Full-load hours of the chillers"),
    ("annual.hours_beyond", "Hours beyond a set point or limit"),
    ("annual.short.hours", "Hours in which units as built are short"),
    ("annual.short.heat", "Heat that is then not removed"),
    ("annual.full_load_hours.crah_fans", "Full-load hours, fans of the halls"),
    ("annual.full_load_hours.cdu_pumps", "Full-load hours, coolant pumps"),
    ("annual.full_load_hours.chw_pumps", "Full-load hours, chilled-water pumps"),
    ("annual.full_load_hours.fws_pumps", "Full-load hours, facility-water pumps"),
    ("annual.full_load_hours.condenser_pumps", "Full-load hours, condenser pumps"),
    ("annual.full_load_hours.heat_rejection_fans", "Full-load hours, fans of the heat rejection"),
    ("capacity.it.p90", "IT within the utility capacity, 90 % of the hours"),
    ("capacity.it.p99", "IT within the utility capacity, 99 % of the hours"),
    ("annual.economizer.full", "Economizer takes all, hours"),
    ("annual.economizer.partial", "Economizer takes a part, hours"),
    ("annual.economizer.none", "Economizer takes nothing, hours"),
    ("annual.economizer.heat", "Heat that the economizer takes"),
    ("water.annual", "Make-up water"),
    ("wue.site", "WUE, site"),
    ("wue.source", "WUE, site and electricity"),
    ("cost.annual", "Cost of the electricity"),
    ("cost.annual.energy", "Energy"),
    ("cost.annual.demand", "Demand"),
    ("cost.annual.power_factor", "Power factor"),
    ("cost.annual.reactive", "Reactive energy"),
    ("cost.annual.fixed", "Fixed charges"),
    ("cost.price", "Price, all charges"),
    ("storage.discharged", "Heat that the tank takes in dear hours"),
    ("storage.saving", "Saved by the tank"),
    ("annual.reuse.heat", "Heat used elsewhere"),
    ("cost.month_estimate", "Cost of a mean month"),
    ("mlc.annual", "Mechanical load component"),
    ("elc.annual", "Electrical loss component"),
    ("cost.capital", "Capital, parts with a price"),
    ("cost.annuity", "Annuity of the capital"),
    ("cost.depreciation", "Depreciation, straight-line"),
    ("cost.ownership", "Cost of a year, all that is known"),
    ("cost.ownership.low", "At the lowest prices"),
    ("cost.ownership.high", "At the highest prices"),
    ("cost.unpriced", "Lines of cost without a price, by number"),
    ("cost.gpu_hour", "Cost of a GPU-hour"),
    ("cost.training_run", "Cost of the training run"),
    ("cost.it_power", "Cost of a kW of IT, a year"),
    ("cost.levelised", "Levelised cost of IT energy"),
    ("carbon.annual", "Carbon, location-based"),
    ("carbon.intensity", "Grid, mean by energy"),
    ("cue", "CUE"),
    ("carbon.embodied", "Embodied carbon, of a year"),
    ("carbon.total", "Carbon, energy and embodied"),
)
"""Result key and label of what a year came to."""

ESTIMATE_FIGURES: tuple[tuple[str, str], ...] = (
    ("pue.estimate", "PUE, estimate at mean weather"),
    ("energy.annual_estimate", "Energy per year, estimate at mean weather"),
    ("cost.month_estimate", "Cost per month, estimate"),
    ("carbon.annual_estimate", "Carbon per year, estimate at mean weather"),
)
"""Result key and label of what stands for the year where no hours are known."""

_SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("The year", YEAR_FIGURES),
    (
        "Load",
        (
            ("load.gpus", "GPUs, number"),
            ("load.gpu", "GPUs at TDP"),
            ("load.server", "Servers"),
            ("load.servers", "Servers, number"),
            ("load.racks", "Racks, all kinds"),
            ("load.racks.compute", "Compute racks"),
            ("racks.power_max", "Largest rack"),
            ("load.it", "IT load at the equipment inputs"),
            ("load.it_idle", "IT load, idle"),
            ("load.it_typical", "IT load, typical"),
            ("load.it_peak", "IT load, peak transient (EDPp)"),
            ("load.losses", "Losses, meter to equipment"),
            ("load.cooling", "Cooling"),
            ("load.house", "House"),
            ("load.facility", "Facility"),
        ),
    ),
    (
        "Power",
        (
            ("ups.scheme", "UPS scheme"),
            ("ups.model", "UPS"),
            ("ups.modules", "UPS modules installed"),
            ("ups.modules.duty", "UPS modules on duty"),
            ("ups.module_rating", "UPS module rating"),
            ("ups.module_rating_kva", "UPS module rating"),
            ("ups.loading_normal", "UPS loading, normal"),
            ("ups.loading_failure", "UPS loading, after the designed failure"),
            ("ups.efficiency", "UPS efficiency, normal"),
            ("ups.losses", "UPS losses"),
            ("generator.count", "Generators installed"),
            ("generator.count.duty", "Generators on duty"),
            ("generator.rating", "Generator rating"),
            ("transformer.count", "MV/LV transformers"),
            ("transformer.rating_kva", "Transformer rating"),
            ("pdu.count", "PDU transformers"),
            ("utility.demand_kva", "Utility demand"),
            ("battery.autonomy_failure", "Battery autonomy after the designed failure, aged"),
            ("panels.count", "Panelboards"),
            ("feeder.drop_max", "Largest voltage drop, UPS output to rack"),
            ("fault.board", "Highest fault current at an LV board"),
            ("fault.panel", "Highest fault current at a panelboard"),
            ("panels.imbalance_max", "Largest panel imbalance (max deviation / mean)"),
        ),
    ),
    (
        "Heat and cooling",
        (
            ("heat.air", "IT heat to air"),
            ("heat.liquid", "IT heat to liquid"),
            ("heat.room", "Heat the air side must remove"),
            ("crah.count", "CRAHs installed"),
            ("crah.count.duty", "CRAHs on duty"),
            ("crah.airflow", "CRAH airflow, duty"),
            ("cdu.count", "CDUs installed"),
            ("cdu.count.duty", "CDUs on duty"),
            ("cdu.flow", "TCS flow, duty"),
            ("plant.chiller_count", "Chillers installed"),
            ("plant.chiller_cop", "Chiller COP at design"),
        ),
    ),
    ("PUE, energy and cost", (("pue.design", "PUE, design hour (not annual)"), *ESTIMATE_FIGURES)),
)

_BATTERIES: tuple[tuple[str, str], ...] = (
    ("battery.technology", "Technology"),
    ("battery.model", "Block"),
    ("battery.blocks_per_string", "Blocks in series"),
    ("battery.strings.per_set", "Strings of a set"),
    ("battery.strings", "Strings"),
    ("battery.cabinets", "Cabinets"),
    ("battery.mass", "Mass"),
    ("battery.autonomy_required", "Autonomy wanted"),
    ("battery.autonomy_failure", "Autonomy after the designed failure"),
    ("battery.autonomy_normal", "Autonomy, all in service"),
    ("battery.ride_through", "Ride-through until the generators carry"),
    ("battery.charging_power", "Charging power of a set"),
    ("battery.hydrogen_airflow", "Ventilation against hydrogen"),
)
LABELS: Mapping[str, str] = {
    key: label
    for _, lines in (("Batteries", _BATTERIES), *reversed(_SECTIONS))
    for key, label in lines
}
"""What the results of the summary are called, by key; those of the year as the year calls them."""
_OPTIONAL = {"pdu.count", "cdu.count", "cdu.count.duty", "cdu.flow", "plant.chiller_count"}
_HEADS = ("Quantity", "Value", "Note")


def summary_tables(results: Results, system: System = "si") -> Iterator[TextTable]:
    """Yield the summary of `results`; quantities a design does not have are left out.

    Either the year is shown or what stands for it where no hours are known.
    """
    for title, lines in _SECTIONS:
        if "pue.annual" in results and lines != YEAR_FIGURES:
            lines = tuple(line for line in lines if line not in ESTIMATE_FIGURES)
        elif lines == YEAR_FIGURES and "pue.annual" not in results:
            continue
        found = _table(title, results, lines, system)
        if found.keys:
            yield found


def battery_table(results: Results, system: System = "si", *below: str) -> TextTable:
    """Return the summary of the batteries."""
    return _table("Batteries", results, _BATTERIES, system, below)


def _table(
    title: str,
    results: Results,
    lines: Iterable[tuple[str, str]],
    system: System,
    below: Sequence[str] = (),
) -> TextTable:
    known = [
        (key, label)
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


def part_name(key: str) -> str:
    """Return the name of a part of a load, from the last word of its result key."""
    name = key.rpartition(".")[2].replace("_", " ")
    return _WORDS.get(name, name)
