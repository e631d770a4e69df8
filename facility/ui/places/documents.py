"""Place Documents: what is issued, and the other downloads."""

from facility.ui.documents import page
from facility.ui.shell import views
from facility.ui.shell.views import View

views.show("documents", (View("set", "Documents", "file_download", page.show_documents),))
