"""The menu of the app: its sections, and the pages in each."""

from __future__ import annotations

# Menu section: pages as file in `views`, title, icon and last part of the URL. The page with an
# empty URL is the start page: a complete result rather than a project list that is empty at the
# first visit.
MENU: dict[str, tuple[tuple[str, str, str, str], ...]] = {
    "Project": (
        ("start/projects", "Projects", "folder_open", "projects"),
        ("start/new", "New project", "add_circle", "new"),
        ("start/quick_design", "Quick design", "bolt", ""),
        ("start/inputs", "Inputs", "edit_note", "inputs"),
        ("start/inventory", "Import", "upload_file", "import"),
        ("start/revisions", "Revisions", "history", "revisions"),
        ("start/scenarios", "Scenarios", "view_column", "scenarios"),
    ),
    "Electrical": (
        ("power/network", "Power", "account_tree", "power"),
        ("power/panels", "Panels", "table_rows", "panels"),
        ("power/load_motion", "Job load", "ssid_chart", "load-that-moves"),
    ),
    "Hall": (("hall/plan", "Hall plan", "grid_on", "hall"),),
    "Mechanical": (
        ("cooling/heat_rejection", "Cooling", "mode_fan", "cooling"),
        ("cooling/compare", "Compare cooling", "compare_arrows", "compare-cooling"),
        ("cooling/ride_through", "Ride-through", "timeline", "ride-through"),
    ),
    "Energy & cost": (
        ("year/hours", "Year", "calendar_month", "year"),
        ("year/measured", "Meter logs", "monitoring", "meter-logs"),
        ("year/ranges", "Ranges", "tune", "ranges"),
        ("year/sweep", "Sweep", "scatter_plot", "sweep"),
    ),
    "Record": (
        ("record/checks", "Checks", "fact_check", "checks"),
        ("record/assumptions", "Assumptions", "rule", "assumptions"),
        ("record/export", "Export", "file_download", "export"),
    ),
}
