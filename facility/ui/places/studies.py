"""Place Studies: the year, failures, comparisons and many designs."""

from facility.ui.shell import views
from facility.ui.shell.views import View
from facility.ui.studies import (
    cooling_methods,
    job_load,
    meter_logs,
    ranges,
    ride_through,
    scenarios,
    sweep,
    year,
)

views.show(
    "studies",
    (
        View("year", "Year", "calendar_month", year.show_year),
        View("ride-through", "Ride-through", "timeline", ride_through.show_ride_through),
        View("job-load", "Job load", "ssid_chart", job_load.show_job_load),
        View("ranges", "Ranges", "tune", ranges.show_ranges),
        View(
            "cooling", "Cooling comparison", "compare_arrows", cooling_methods.show_cooling_methods
        ),
        View("scenarios", "Scenarios", "view_column", scenarios.show_scenarios),
        View("sweep", "Sweep", "scatter_plot", sweep.show_sweep),
        View("meter-logs", "Meter logs", "monitoring", meter_logs.show_meter_logs),
    ),
)
