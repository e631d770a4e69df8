"""Place Start: a new project, and the import of racks."""

from facility.ui.shell import views
from facility.ui.shell.views import View
from facility.ui.start import inventory, new

views.show(
    "start",
    (
        View("new", "New project", "add_circle", new.show_new, of_project=False),
        View("import", "Import", "upload_file", inventory.show_inventory),
    ),
)
