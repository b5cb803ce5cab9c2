"""Measures loading to CPU arrays without images, as ../shared/bench does for other loaders.

python -m tests.bench.load [MODEL...]: milliseconds of the first load, and the median of later ones.
Without models, those that ../shared/bench/three_cpu.mjs loads.
"""

import json
import statistics
import sys
import time
from pathlib import Path

from rigview.gltf.load import load
from tests.support.shared import MODELS, SHARED

RUNS = 15  # as in three_cpu.mjs
COLD = 3  # of these not counted


def models(arguments):
    if arguments:
        return [Path(argument) for argument in arguments]
    names = json.loads((SHARED / "bench" / "assets.json").read_text())
    return [MODELS / name for name in names if not name.startswith("_")]


def main(arguments):
    figures = {}
    for path in models(arguments):
        spent = []
        for _ in range(RUNS):
            start = time.perf_counter()
            load(path)
            spent.append((time.perf_counter() - start) * 1e3)
        figures[path.name] = {
            "first_ms": round(spent[0], 2),
            "warm_median_ms": round(statistics.median(spent[COLD:]), 2),
        }
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
