"""The wheel, in an empty environment outside the project, designs and opens its app."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import venv
from importlib import metadata
from pathlib import Path

import pytest

from tests.house.test_requirements import pins

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.wheel

RUN_APP = """
import facility.ui, pathlib
from streamlit.testing.v1 import AppTest
main = pathlib.Path(facility.ui.__file__).with_name("main.py")
app = AppTest.from_file(str(main), default_timeout=120).run()
assert not app.exception, app.exception
print([block.proto.json for block in app.get("bidi_component")])
"""


def run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def lay_out(name: str, version: str, packages: Path) -> None:
    """Put a distribution of the tests' own environment into another, as pip left it there.

    The tests run where pip has installed all pins by their hashes, those of the app among them
    (`tests/house/test_requirements.py`): to unpack the same 600 MB again would tell nothing.
    """
    found = metadata.distribution(name)
    assert found.version == version, f"{name} {found.version} is installed, {version} is pinned"
    assert found.files
    for file in found.files:
        if not {"..", "__pycache__"} & {*file.parts}:
            target = packages / file
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(str(found.locate_file(file)), target)
            except OSError:  # another file system
                shutil.copy2(str(found.locate_file(file)), target)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment that holds the wheel and its dependencies alone."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        folder,
        ROOT,
        cwd=folder,
    )
    (wheel,) = folder.glob("facility-*.whl")
    venv.create(folder / "env")
    binaries = folder / "env" / "bin"
    (packages,) = folder.glob("env/lib/python*/site-packages")
    for name, version in pins("app").items():
        lay_out(name, version, packages)
    # The pip of the tests installs into it; what is never imported need not be compiled.
    pip = (sys.executable, "-m", "pip", "--python", binaries / "python")
    run(*pip, "install", "--quiet", "--no-compile", "--no-deps", wheel, cwd=folder)
    run(*pip, "check", cwd=folder)
    return binaries


def test_the_command_designs(installed: Path, tmp_path: Path) -> None:
    body = json.loads(run(installed / "facility", "design", "--json", cwd=tmp_path))
    assert body["ok"] is True
    assert body["results"]["load.servers"] == 1250
    where = run(
        installed / "python", "-c", "import facility; print(facility.__file__)", cwd=tmp_path
    )
    assert str(ROOT) not in where


def test_the_workbook_is_written_and_verified(installed: Path, tmp_path: Path) -> None:
    run(installed / "facility", "new", "short.yaml", cwd=tmp_path)
    run(installed / "facility", "export", "xlsx", "short.yaml", "--out", "short.xlsx", cwd=tmp_path)
    assert run(installed / "facility", "verify", "short.xlsx", cwd=tmp_path).startswith("same")


def test_the_store_carries_its_migrations(installed: Path, tmp_path: Path) -> None:
    new = tmp_path / "projects.sqlite"
    said = run(installed / "facility", "library", "list", "--store", new, cwd=tmp_path)
    assert said.startswith("no projects")


def test_the_app_renders(installed: Path, tmp_path: Path) -> None:
    assert "IT load" in run(installed / "python", "-W", "ignore", "-c", RUN_APP, cwd=tmp_path)


def test_the_app_is_served_on_loopback(installed: Path, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [str(installed / "facility"), "app", "--port", str(port)],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert answers(f"http://127.0.0.1:{port}/_stcore/health") == "ok"
    finally:
        os.killpg(server.pid, 15)
        server.wait(timeout=30)


def answers(address: str, patience_s: float = 60.0) -> str:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=5) as response:
                return str(response.read().decode())
        except OSError:
            time.sleep(0.5)
    return "no answer"
