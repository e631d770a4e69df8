"""Equipment that the altitude leaves too small is so in the failures as in the design."""

from __future__ import annotations

import pytest

from facility.study.failures.study import failures
from tests.study.helpers import checks_of, design_of

HIGH = """\
schema_version: 1
site: {country: BO, elevation: 4000 m, design_dry_bulb: 15 degC, design_wet_bulb: 8 degC}
it: {gpu_model: B300 SXM, gpus: 344}
power: {redundancy: 2N, ups: {module_rating: 800 kW, modules_per_system: 1, max_loading: 95 %}}
cooling: {method: air}
"""


@pytest.mark.parametrize(("elevation", "bears"), [("900 m", True), ("4000 m", False)])
def test_a_ups_that_the_altitude_leaves_too_small_bears_no_failure(
    elevation: str, bears: bool
) -> None:
    """Loaded to 91 % after a failure; 74 % of the rating are left at 4,000 m (IEC 62040-3)."""
    found = design_of(HIGH, f"site.elevation={elevation}")
    by_subject = {c.subject: c for c in checks_of(found, "ALTITUDE-RATING")}
    altitude, of_transformers = by_subject["UPS"], by_subject["MV/LV transformers"]
    assert altitude.failed is not bears
    assert (altitude.source.id, altitude.source.verified) == ("iec-62040-3-altitude", "memory")
    assert of_transformers.source.id == "ieee-c57-91-altitude"
    results = failures(found).results
    assert results["fault_tolerant"].si is bears
    assert ("without UPS supply" in str(results["fault_tolerant.because"].si)) is not bears
