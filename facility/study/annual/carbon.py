"""Carbon of a year: of the energy, by a constant or an hourly grid, and of the making."""

from __future__ import annotations

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.trace import Findings
from facility.model.facility import Site
from facility.physics.facility.metrics import (
    carbon,
    carbon_usage_effectiveness,
    embodied_carbon,
)
from facility.study.annual.result import Year

_WEIGHTED = "mean over the hours, each by its energy"


def carbon_rate(year: Year, site: Site) -> FloatArray | None:
    """Return the carbon of each hour [kg/s], where the grid is known by the hour.

    Raises ``CARBON_ROWS`` where its hours are not as many as those of the weather record.
    """
    hourly = site.hourly_carbon
    if hourly is None:
        return None
    parts = round(3600.0 / year.hours.step_s)
    if len(hourly.kg_per_j) * parts != len(year.hours):
        raise FacilityError(
            "CARBON_ROWS",
            "site.grid_carbon_file",
            f"the file has {len(hourly.kg_per_j):,} hours, the weather record "
            f"{year.hours.whole:,.0f}.",
            "Give as many hours as the weather record has.",
            exit_code=3,  # the file was taken; the project does not go together
        )
    return np.asarray(year.facility_w * np.repeat(hourly.kg_per_j, parts))


def carbon_figures(year: Year, found: Findings, site: Site, rate_kg_s: FloatArray | None) -> None:
    """Record location-based carbon and the CUE where the grid is known, and embodied carbon."""
    if site.carbon_kg_per_j is not None:
        _of_the_energy(year, found, site.carbon_kg_per_j, rate_kg_s)
    if site.embodied is None:
        return
    mass = found.trace.link("site.embodied_carbon", site.embodied.kg)
    years = found.trace.link("site.embodied_years", site.embodied.years)
    words = "a year's part of the figure given"
    found.do("carbon.embodied", embodied_carbon, words, mass_kg=mass, years=years)
    if "carbon.annual" in found.results:
        parts = ("carbon.annual", "carbon.embodied")
        found.trace.sum("carbon.total", "mass", "energy and embodied, of a year", *parts)
        found.show("carbon.total")


def _of_the_energy(
    year: Year, found: Findings, mean_kg_per_j: float, rate_kg_s: FloatArray | None
) -> None:
    if rate_kg_s is None:
        intensity = found.trace.link("site.grid_carbon", mean_kg_per_j)
    else:
        weighted = year.hours.total(rate_kg_s) / year.hours.total(year.facility_w)
        kind, mean = "carbon_intensity", {"mean": "site.grid_carbon"}
        found.note("carbon.intensity", weighted, kind, _WEIGHTED, **mean)
        intensity = "carbon.intensity"
    found.do(
        "carbon.annual",
        carbon,
        "location-based",
        energy_j="energy.annual",
        intensity_kg_per_j=intensity,
    )
    found.do(
        "cue",
        carbon_usage_effectiveness,
        "of the year",
        carbon_kg="carbon.annual",
        it_j="energy.annual.it",
    )
