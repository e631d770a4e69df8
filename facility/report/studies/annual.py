"""Presentation of the typical year of a design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from facility.core.table import Results
from facility.core.views import System, show, view_unit, view_value
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, StudyReport
from facility.report.tables.annual import (
    CARBON,
    LEFT_OUT,
    LIMIT_EXCEEDANCES,
    MONTHS,
    NOTE,
    PARTS,
    PEAK_LOADINGS,
    component_tables,
    parts_of,
)
from facility.report.tables.bill import Charge, MonthBill, bill_tables, charges_of, months_of
from facility.report.tables.ownership import capital_table, ownership_tables
from facility.report.tables.summary import summary_tables
from facility.study.annual.components import LoadPoint
from facility.study.annual.result import AnnualStudy, Month, PeakLoading


@dataclass(frozen=True)
class Annual(StudyReport):
    """The typical year: energy, PUE, water, carbon."""

    study: AnnualStudy
    verb = "annual"

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return components, limits, peak loadings, months, bill by charge and month."""
        bill, found = self.study.bill, self.design.components
        charges = () if bill is None else charges_of(bill)
        owned = self.study.ownership
        return {
            "components": [] if found is None else [loaded_object(x) for x in found.points],
            "limits": [] if found is None else [asdict(limit) for limit in found.limits],
            "held": LIMIT_EXCEEDANCES.objects(self.study.exceedances),
            "carried": [loaded_object(x) for x in self.study.peak_loads],
            "months": [month_object(month) for month in self.study.months],
            "charges": [charge_object(charge) for charge in charges],
            "capital": [] if owned is None else capital_table(owned).objects(owned.parts),
            "bills": [] if bill is None else [bill_object(x, charges) for x in months_of(bill)],
        }

    def opening(self) -> Iterator[str]:
        """Return weather and load profile, and the energy price if it is assumed."""
        yield f"Year: {self.study.title}."
        for entry in self.design.ledger:
            if entry.id == "site.tariff" and entry.status == "open" and entry.value is not None:
                price = show(entry.value, entry.kind)
                yield f"Energy price: {price}, assumed. Enter a price or a tariff (site.tariff)."

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return figures, months, and energy by end use."""
        shown = {k: v for k, v in self.study.results.items() if not _a_part(k)}
        yield from summary_tables(Results(shown), system)
        yield MONTHS.text(self.study.months, system)
        yield PARTS.text(parts_of(self.study), system)
        if self.study.carbon_kg_s is not None:
            yield CARBON.text(self.study.months, system)
        yield LIMIT_EXCEEDANCES.text(self.study.exceedances, system)
        yield PEAK_LOADINGS.text(self.study.peak_loads, system)
        if self.study.bill is not None:
            yield from bill_tables(self.study.bill, system)
        if self.design.components is not None:
            yield from component_tables(self.design.components, system)
        if self.study.ownership is not None:
            yield from ownership_tables(self.study.ownership, system)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the annual model."""
        return (*LEFT_OUT, NOTE)


def _a_part(key: str) -> bool:
    return key.startswith(("annual.it", "annual.losses.", "annual.cooling.", "annual.house"))


def month_object(month: Month) -> Object:
    """Return a month as a JSON object: energy in MWh, power in kW, water in m3."""
    return {
        "month": month.number,
        "energy": {group: view_value(j, "energy") for group, j in month.energy_j.items()},
        "facility": view_value(month.facility_j, "energy"),
        "pue": month.pue,
        "peak": view_value(month.peak_w, "active_power"),
        "water": view_value(month.water_m3, "volume"),
        "carbon": None if month.carbon_kg is None else view_value(month.carbon_kg, "mass"),
    }


def loaded_object(one: PeakLoading | LoadPoint) -> Object:
    """Return a peak loading as a JSON object: load in %, other fields unchanged."""
    return {**asdict(one), "load": view_value(one.load, "fraction")}


def charge_object(charge: Charge) -> Object:
    """Return a charge as a JSON object, with its annual cost."""
    return {
        "id": charge.key,
        "name": charge.name,
        "applies": charge.when,
        "price": {"value": view_value(*charge.price), "unit": view_unit(charge.price.kind)},
        "ratchet": charge.ratchet,
        "charged": {"value": view_value(*charge.used), "unit": view_unit(charge.used.kind)},
        "by_power_factor": None if charge.added is None else view_value(*charge.added),
        "cost": charge.cost,
    }


def bill_object(month: MonthBill, charges: Sequence[Charge]) -> Object:
    """Return the bill of a month: money in the currency of the tariff, MWh, kW, kVA and Mvarh."""
    pairs = zip(charges, month.used, strict=True)
    return {
        "month": month.number,
        "charged": {charge.key: view_value(used, charge.used.kind) for charge, used in pairs},
        "energy": month.energy,
        "demand": month.demand,
        "power_factor": month.power_factor,
        "reactive": month.reactive,
        "fixed": month.fixed,
        "bill": month.total,
    }
