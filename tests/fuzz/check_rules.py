"""Runs all rules on broken files, with the arguments of run_broken_files."""

import sys
from pathlib import Path

import numpy as np

from rigview.check.check_context import CheckContext
from rigview.check.examine import examine
from rigview.loading.load import load_document
from tests.fuzz.run_broken_files import main


def run_rules(loaded, _decode):
    """Run all rules on a model and its document."""
    for finding in examine(CheckContext(*loaded)):
        assert finding.message.isprintable(), finding
        assert len(finding.message) < 1000, finding
        assert finding.limit is None or np.isfinite(finding.limit), finding


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), load_document, run_rules) > 0)
