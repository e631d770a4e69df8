"""How the app is served: one list of settings, on this machine only, and no orphan."""

from __future__ import annotations

import tomllib
from importlib.metadata import version

import pytest
from streamlit import config

from facility.cli.verbs.app import server_flags
from tests.tools.source_tree import ROOT

SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def flat(settings: dict[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in settings.items():
        key = prefix + name
        found |= flat(value, key + ".") if isinstance(value, dict) else {key: value}
    return found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("server.address", "127.0.0.1"),
        ("server.allowedHosts", ["127.0.0.1", "localhost"]),
        ("server.enableXsrfProtection", True),
        ("server.enableCORS", True),
        ("server.maxUploadSize", 10),
        ("server.fileWatcherType", "none"),
        ("client.showErrorDetails", "none"),
        ("client.showErrorLinks", False),
        ("client.toolbarMode", "minimal"),
        ("browser.gatherUsageStats", False),
        ("runner.magicEnabled", False),
        ("runner.fastReruns", False),
        ("runner.postScriptGC", False),
    ],
)
def test_settings_keep_the_app_to_itself(key: str, value: object) -> None:
    assert flat(SETTINGS)[key] == value


def test_the_server_knows_every_setting() -> None:
    known = config.get_config_options()
    unknown = [key for key in flat(SETTINGS) if key not in known]
    assert not unknown, version("streamlit")


def test_flags_are_the_settings() -> None:
    flags = server_flags()
    assert "--server.address=127.0.0.1" in flags
    assert "--server.headless=true" in flags
    assert [f for f in flags if f.startswith("--server.allowedHosts")] == [
        "--server.allowedHosts=127.0.0.1",
        "--server.allowedHosts=localhost",
    ]
    assert {flag[2:].partition("=")[0] for flag in flags} == set(flat(SETTINGS))


def test_the_wheel_carries_the_settings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included[".streamlit/config.toml"] == "facility/_app.toml"
