"""Place Checks: all checks of the project, and the assumptions they rest on."""

from facility.ui.checks import assumptions, inbox
from facility.ui.shell import views
from facility.ui.shell.views import View

views.show(
    "checks",
    (
        View("checks", "Checks", "fact_check", inbox.show_checks),
        View("assumptions", "Assumptions", "rule", assumptions.show_assumptions),
    ),
)
