"""The Khronos validator of glTF files, the npm package gltf-validator, as an independent judge."""

import json
import shutil
import subprocess
from typing import NamedTuple

import pytest

VERSION = "2.0.0-dev.3.10"
SEVERITIES = ("error", "warning", "info", "hint")
PROGRAM = """
const validator = require('gltf-validator'), fs = require('fs'), path = require('path');
const read = folder => uri => fs.promises.readFile(path.join(folder, decodeURIComponent(uri)));
(async () => {
  const reports = [];
  for (const file of process.argv.slice(1)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)),
      {maxIssues: 0, externalResourceFunction: read(path.dirname(file))});
    reports.push(report.issues.messages);
  }
  console.log(JSON.stringify({version: validator.version(), reports}));
})();
"""


class Issue(NamedTuple):
    """An issue of the validator."""

    severity: str
    code: str
    place: str  # JSON pointer


def validated(*paths):
    """Return the issues of each file; skip the test without node or the package."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here")
    command = [node, "-e", PROGRAM, *map(str, paths)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Cannot find module" in ran.stderr:
        pytest.skip(f"gltf-validator is not here: npm install -g gltf-validator@{VERSION}")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    if found["version"] != VERSION:
        pytest.skip(f"gltf-validator is {found['version']}, not {VERSION}")
    return [
        [Issue(SEVERITIES[row["severity"]], row["code"], row.get("pointer", "")) for row in rows]
        for rows in found["reports"]
    ]
