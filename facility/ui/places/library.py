"""Place Library: projects, their revisions, equipment."""

from facility.ui.library import catalogue, projects, revisions
from facility.ui.shell import views
from facility.ui.shell.views import View

views.show(
    "library",
    (
        View("projects", "Projects", "folder_open", projects.show_projects, of_project=False),
        View("revisions", "Revisions", "history", revisions.show_revisions),
        View("equipment", "Equipment", "inventory_2", catalogue.show_catalogue),
    ),
)
