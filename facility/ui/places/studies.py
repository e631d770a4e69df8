"""Place Studies: the year, failures, comparisons and many designs."""

from facility.ui.shell import views
from facility.ui.studies.cooling_methods import COOLING
from facility.ui.studies.failures import FAILURES
from facility.ui.studies.job_load import JOB_LOAD
from facility.ui.studies.meter_logs import METER_LOGS
from facility.ui.studies.ranges import RANGES
from facility.ui.studies.ride_through import RIDE_THROUGH
from facility.ui.studies.scenarios import SCENARIOS
from facility.ui.studies.sweep import SWEEP
from facility.ui.studies.year import YEAR

_STUDIES = (YEAR, FAILURES, RIDE_THROUGH, RANGES, COOLING, SCENARIOS, SWEEP, JOB_LOAD, METER_LOGS)

views.show("studies", [study.view for study in _STUDIES])
