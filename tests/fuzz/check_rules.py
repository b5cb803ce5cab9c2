"""Runs all rules on broken files, with the arguments of run_broken_files."""

import sys
from pathlib import Path

import numpy as np

from rigview.check.check_context import CheckContext
from rigview.check.examine import examine
from rigview.errors import AppError
from rigview.loading.load import load_document
from tests.fuzz.run_broken_files import main


def attempt(source, root, decode):
    """Return the message of an AppError, "" if all rules run without error."""
    try:
        model, document = load_document(source, root=root)
    except AppError as error:
        return str(error)
    for finding in examine(CheckContext(model, document)):
        assert finding.message.isprintable(), finding
        assert len(finding.message) < 1000, finding
        assert finding.limit is None or np.isfinite(finding.limit), finding
    return ""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), attempt) > 0)
