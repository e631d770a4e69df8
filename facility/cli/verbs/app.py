"""The verb app: the app in a browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from facility.cli.guard import EXIT_INTERRUPTED, verb
from facility.cli.verbs.library import StoreOption
from facility.core.errors import FacilityError
from facility.files.store.opening import SINGLE_USER, VARIABLE

_PACKAGE = Path(__file__).resolve().parents[2]
_SETTINGS = (_PACKAGE / "_app.toml", _PACKAGE.parent / ".streamlit" / "config.toml")
"""The settings file in a wheel and in a clone; the contents are identical."""


@verb("app")
def app(
    port: Annotated[
        int, typer.Option("--port", min=1, max=65535, metavar="N", help="TCP port.")
    ] = 8501,
    store: StoreOption = None,
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="NAME", help="Host name of a reverse proxy; repeatable."),
    ] = None,
    single_user: Annotated[
        bool,
        typer.Option(
            "--single-user", help="Open a store used with sign-in: anyone can then edit it."
        ),
    ] = False,
) -> None:
    """Start the app on this computer (127.0.0.1 only)."""
    if find_spec("streamlit") is None:
        raise FacilityError(
            "APP_NOT_INSTALLED",
            "",
            "the app requires streamlit.",
            "Install it with: pip install 'facility[app]'",
        )
    if store is not None:
        from facility.files.store.connection import url_of

        url_of(store)
    hosts = (f"--server.allowedHosts={name}" for name in host or ())
    flags = (*server_flags(), *hosts, f"--server.port={port}")
    command = [sys.executable, "-m", "facility.ui.serve", *flags]
    sys.stderr.write(f"facility app: http://127.0.0.1:{port}  (stop with Ctrl-C)\n")
    own = {VARIABLE: store} if store else {}
    own |= {SINGLE_USER: "1"} if single_user else {}
    sys.exit(_run(command, {**os.environ, **own}))


def server_flags() -> list[str]:
    """Return the settings of the app as flags of its server, which override any settings file.

    Raises ``REFERENCE_MISSING`` when the settings are missing from the installation.
    """
    for path in _SETTINGS:
        if path.is_file():
            settings = tomllib.loads(path.read_text(encoding="utf-8"))
            return list(_flags(settings, ""))
    raise FacilityError(
        "REFERENCE_MISSING",
        "_app.toml",
        "the settings of the app were not found.",
        "Reinstall the package.",
    )


def _flags(settings: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in settings.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            yield from _flags(value, f"{key}.")
            continue
        if (
            name == "headingFontSizes"
        ):  # Streamlit reads the last of several flags of this list only
            yield f"--{key}={json.dumps(value)}"
            continue
        for item in value if isinstance(value, list) else [value]:
            text = str(item).lower() if isinstance(item, bool) else str(item)
            yield f"--{key}={text}"


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the server until it ends; stop it when this process is terminated."""
    with subprocess.Popen(command, env=environment) as server:
        signal.signal(signal.SIGTERM, lambda *_: server.terminate())
        try:
            code = server.wait()
        except KeyboardInterrupt:
            server.terminate()
            return EXIT_INTERRUPTED
    return 128 - code if code < 0 else code
