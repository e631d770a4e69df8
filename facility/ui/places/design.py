"""Place Design: the open project, from the utility to the rack."""

from facility.ui import sidebar
from facility.ui.design import cooling, hall, inputs, network, panels, summary
from facility.ui.shell import views
from facility.ui.shell.views import View

views.show(
    "design",
    (
        View("summary", "Summary", "bolt", summary.show_summary),
        View("one-line", "One-line", "account_tree", network.show_network),
        View("hall", "Hall plan", "grid_on", hall.show_hall),
        View("cooling", "Cooling loops", "mode_fan", cooling.show_cooling),
        View("panels", "Panels", "table_rows", panels.show_panels),
        View("inputs", "Inputs", "edit_note", inputs.show_inputs),
    ),
)
sidebar.show()
