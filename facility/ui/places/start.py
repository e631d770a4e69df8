"""Place Start: a new project, and the import of racks."""

import streamlit as st

from facility.ui.imports import inventory
from facility.ui.shell import views
from facility.ui.shell.views import VIEW, View
from facility.ui.start import new

# One view at a time is offered: an import is reached by its button, and needs no list.
_IMPORT = st.query_params.get(VIEW) == "import"
views.show(
    "start",
    (
        View("import", "Import", "upload_file", inventory.show_inventory)
        if _IMPORT
        else View("new", "New project", "add_circle", new.show_new, of_project=False),
    ),
)
