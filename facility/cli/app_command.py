"""The verb that opens the app."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from facility.cli.guard import guarded
from facility.core.errors import FacilityError

_SERVER_FLAGS = (
    "--server.headless=true",
    "--server.address=127.0.0.1",
    "--server.maxUploadSize=10",
    "--server.maxMessageSize=50",
    "--server.fileWatcherType=none",
    "--server.enableXsrfProtection=true",
    "--client.toolbarMode=minimal",
    "--client.showErrorDetails=none",
    "--client.showErrorLinks=false",
    "--runner.magicEnabled=false",
    "--browser.gatherUsageStats=false",
)


def register(cli: typer.Typer) -> None:
    """Add the verb of this module to the command line."""
    cli.command("app")(app)


@guarded("app")
def app(
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port.")] = 8501,
) -> None:
    """Open the app on this machine (127.0.0.1 only)."""
    if find_spec("streamlit") is None or find_spec("plotly") is None:
        raise FacilityError(
            "APP_NOT_INSTALLED", "", "the app needs streamlit and plotly.",
            "Install them with: pip install 'facility[app]'", exit_code=2,
        )  # fmt: skip
    spec = find_spec("facility.ui.main")
    script = "" if spec is None or spec.origin is None else spec.origin
    sys.stderr.write(f"facility app: http://127.0.0.1:{port}  (stop with Ctrl-C)\n")
    command = [sys.executable, "-m", "streamlit", "run", script, *_SERVER_FLAGS,
               f"--server.port={port}"]  # fmt: skip
    completed = subprocess.run(command, check=False)
    sys.exit(130 if completed.returncode in (-2, 130) else completed.returncode)
