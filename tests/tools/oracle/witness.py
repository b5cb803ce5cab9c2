"""The second witness: what three.js says, run by node."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from tests.tools.oracle.evaluate import Evaluation
from tests.tools.oracle.numbers import Arrays
from tests.tools.oracle.samples import Sample

SCRIPT = Path(__file__).with_name("three.mjs")


def folder() -> Path | None:
    """Return where three.js lies, by the variable THREE_DIR; None without it, or without node."""
    found = Path(os.environ.get("THREE_DIR", ".")).resolve()
    for each in (found, found / "node_modules" / "three"):
        if (each / "build" / "three.module.js").is_file() and shutil.which("node"):
            return each
    return None


def ask(
    three: Path,
    path: Path,
    evaluation: Evaluation,
    samples: Sequence[Sample],
    chosen: Sequence[np.ndarray],
) -> tuple[Arrays, dict[str, Any]]:
    """Return three's numbers in the arrays of `numbers.evaluate`, and its other output."""
    job = {
        "file": str(path),
        "samples": [asdict(sample) for sample in samples],
        "instances": [asdict(instance) for instance in evaluation.instances],
        "vertices": [indices.tolist() for indices in chosen],
        "skins": [skin["joints"] for skin in evaluation.document.all("skins")],
        "weights": [{"node": node} for node in evaluation.rest.weights],
    }
    with tempfile.TemporaryDirectory() as place:
        asked, told = Path(place) / "job.json", Path(place) / "out.json"
        asked.write_text(json.dumps(job))
        subprocess.run(["node", SCRIPT, three, asked, told], check=True)
        answer = json.loads(told.read_text())
    rows = answer.pop("samples")
    arrays = {name: np.array([row[name] for row in rows], np.float64) for name in rows[0]}
    for name in arrays:
        if name == "world" or name.startswith("palette_"):
            arrays[name] = arrays[name].reshape(*arrays[name].shape[:2], 4, 4)
    return arrays, answer
