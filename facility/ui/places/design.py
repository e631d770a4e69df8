"""Place Design: the open project, from the utility to the rack, in one workspace."""

from facility.ui.design.workspace import show_workspace
from facility.ui.shell import views
from facility.ui.shell.views import View

views.show("design", (View("workspace", "Design", "account_tree", show_workspace),))
