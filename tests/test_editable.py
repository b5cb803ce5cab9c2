"""The program of a checkout: which code it runs, and that its imports give no warnings."""

import os
import subprocess
import sys
from pathlib import Path

from rigview.__main__ import _report_other_checkout

ROOT = Path(__file__).resolve().parents[1]


def test_the_program_of_a_copied_checkout_says_whose_code_it_runs(tmp_path, capsys):
    (tmp_path / "app").mkdir()
    _report_other_checkout(str(tmp_path / ".venv" / "bin" / "rigview"))
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert f"the program in {ROOT};" in line
    assert f"that in {tmp_path}," in line
    assert "make run" in line


def test_the_program_of_this_checkout_says_nothing(tmp_path, capsys):
    _report_other_checkout(str(ROOT / ".venv" / "bin" / "rigview"))
    _report_other_checkout(str(tmp_path / ".venv" / "bin" / "rigview"))
    _report_other_checkout("/usr/bin/rigview")
    _report_other_checkout(str(ROOT / "app" / "__main__.py"))
    assert not capsys.readouterr().err


def test_modules_of_pictures_are_imported_without_warnings(tmp_path):
    """Also where nothing of them was compiled before: pyrr's docstrings have invalid escapes."""
    program = (
        "import numpy, sys, warnings; sys.dont_write_bytecode = True;"
        f"sys.pycache_prefix = {str(tmp_path)!r}; warnings.simplefilter('error');"
        "import rigview.scene.camera"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT / ".ci" / "editable")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
