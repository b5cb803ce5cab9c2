"""How far stored numbers are from what the evaluator says now.

python -m tests.tools.oracle.compare NUMBERS MODELS, such as ../shared/oracle ../shared/models
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tests.tools.oracle.document import read
from tests.tools.oracle.evaluate import Evaluation, Reading
from tests.tools.oracle.numbers import QUANTITIES, differences, evaluate
from tests.tools.oracle.samples import Sample


def compare(numbers: Path, models: Path) -> np.ndarray:
    """Return the greatest difference of every quantity [6] of one .npz."""
    with np.load(numbers) as archive:
        stored = dict(archive)
    meta = json.loads(stored["meta"].tobytes())
    evaluation = Evaluation(read(models / meta["file"]), Reading())
    samples = [
        Sample(int(clip), float(time), bool(loop), evaluation.end(int(clip)), "")
        for clip, time, loop in zip(stored["clip"], stored["time"], stored["loop"], strict=True)
    ]
    assert np.allclose([each.t_eff for each in samples], stored["t_eff"], rtol=0, atol=1e-12)
    chosen = [stored[f"vidx_{i}"] for i in range(len(meta["instances"]))]
    ours = evaluate(evaluation, samples, chosen)
    return differences(ours, stored, meta["scene_size"]).max(axis=0)


def main() -> None:
    """Print a line for each .npz of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", type=Path, help="folder of .npz files")
    parser.add_argument("models", type=Path, help="folder that their `file` is relative to")
    options = parser.parse_args()
    _line("", QUANTITIES)
    for path in sorted(options.numbers.glob("*.npz")):
        _line(path.stem, (f"{each:.1e}" for each in compare(path, options.models)))


def _line(name: str, columns: Iterable[str]) -> None:
    sys.stdout.write(f"{name:54}" + "".join(f"{each:>10}" for each in columns) + "\n")


if __name__ == "__main__":
    main()
