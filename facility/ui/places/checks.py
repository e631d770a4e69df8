"""Place Checks: all checks of the project, and the assumptions they rest on."""

from facility.ui.inbox import assumptions, checks
from facility.ui.shell import views
from facility.ui.shell.views import View

views.show(
    "checks",
    (
        View("checks", "Checks", "fact_check", checks.show_checks),
        View("assumptions", "Assumptions", "rule", assumptions.show_assumptions),
    ),
)
