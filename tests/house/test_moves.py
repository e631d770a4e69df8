"""Modules move with every mention of them, and with nothing that only looks like one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.moves import complaints, main

FILES = {
    "facility/__init__.py": '"""Top."""\n\n_LAZY = {"go": "facility.wing.pump_size"}\n',
    "facility/wing/__init__.py": '"""Wing."""\n',
    "facility/wing/pump_size.py": '"""Sizes."""\n\nfrom facility.core.kind import equation\n\n\n'
    '@equation("P")\ndef shaft(power_w: float) -> float:\n    """Return."""\n    return power_w\n',
    "facility/wing/pump.py": '"""Pumps, see wing/pump_size.py."""\n\nPUMP = 1\n',
    "facility/wing/fan.py": '"""Fans."""\n\nFAN = 1\n',
    "facility/core/__init__.py": '"""Core."""\n',
    "facility/core/kind.py": '"""Kinds."""\n\n\ndef equation(name):\n    """Return."""\n'
    "    return lambda function: function\n",
    "facility/box/__init__.py": '"""Box."""\n',
    "facility/box/lid.py": '"""Lid."""\n\nLID = 1\n',
    "facility/use.py": '''"""Uses."""

from facility.box.lid import LID
from facility.wing import fan, pump_size
from facility.wing.pump import PUMP


def use(facility):
    """Return ``facility.wing.pump_size`` of a variable."""
    from facility.wing import pump

    text = f"{facility.wing.fan.x} facility.wing.fan"
    return facility.wing.fan, facility.wing.pump_size.shaft, pump, fan, pump_size, PUMP, LID, text
''',
    "tests/cases.csv": "id,file,compute\na,facility/wing/pump_size.py,wing.pump_size.shaft\n"
    "b,facility/wing/fan.py,wing.fan.speed\n",
    "docs/x.md": "See `wing/pump_size.py`, wing.pump_sizes and `facility/box/`, pump_size.py.\n",
}
TABLE = """old,new,doc
,facility.wing.pumps,All pumps.
facility.wing.pump_size,facility.wing.pumps.size,
facility.wing.pump,facility.wing.fan,
facility.wing.fan,facility.wing.pump,
facility.box,facility.case,
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    (tmp_path / "map.csv").write_text(TABLE)
    return root


def test_modules_move_with_their_mentions(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tree.parent / "map.csv"), "--root", str(tree)]) == 0
    there = {path.relative_to(tree).as_posix() for path in (tree / "facility").rglob("*.py")}
    assert "facility/wing/pumps/size.py" in there
    assert not (tree / "facility/box").exists()
    assert (tree / "facility/wing/pumps/__init__.py").read_text() == '"""All pumps."""\n'
    assert '"facility.wing.pumps.size"' in (tree / "facility/__init__.py").read_text()
    assert "see wing/pumps/size.py" in (tree / "facility/wing/fan.py").read_text()
    assert "FAN = 1" in (tree / "facility/wing/pump.py").read_text()
    use = (tree / "facility/use.py").read_text()
    for line in (
        "from facility.case.lid import LID",
        "from facility.wing import pump as fan",
        "from facility.wing.fan import PUMP",
        "from facility.wing.pumps import size as pump_size",
        "    from facility.wing import fan as pump",
        '    text = f"{facility.wing.fan.x} facility.wing.fan"',
    ):
        assert f"\n{line}\n" in use
    assert "facility.wing.fan,\n        facility.wing.pump_size.shaft,\n        pump,\n" in use
    assert (tree / "tests/cases.csv").read_text().splitlines()[1:] == [
        "a,facility/wing/pumps/size.py,wing.pumps.size.shaft",
        "b,facility/wing/pump.py,wing.fan.speed",
    ]
    assert (tree / "docs/x.md").read_text() == (
        "See `wing/pumps/size.py`, wing.pump_sizes and `facility/case/`, pump_size.py.\n"
    )
    assert "docs/x.md:1: pump_size.py is not a file below the root" in capsys.readouterr().out
    code = "import facility.use"
    subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tree,
        check=True,
        env={**os.environ, "PYTHONPATH": str(tree)},
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("facility.none,facility.some", "there is no facility.none"),
        ("facility.wing.fan,facility.core.kind", "would move onto facility/core/kind.py"),
        ("facility.wing.fan,facility.wing", "facility/wing.py would be next to a folder"),
        ("facility.wing.fan,facility.use.fan", "in a folder next to facility/use.py"),
        ("facility.wing.fan,facility.wing.fan", "would move to itself"),
        ("facility.wing.fan,facility.wing.a-b", "is not a dotted path"),
        ("facility.wing.fan,facility.x\nfacility.wing.pump,facility.x", "stands twice"),
    ],
)
def test_a_table_that_cannot_be_followed_is_refused(tree: Path, row: str, words: str) -> None:
    table = tree.parent / "map.csv"
    table.write_text(f"old,new\n{row}\n")
    assert words in "; ".join(complaints(tree, table))
    before = (tree / "facility/use.py").read_text()
    assert main([str(table), "--root", str(tree)]) == 2
    assert (tree / "facility/use.py").read_text() == before
