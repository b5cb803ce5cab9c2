"""`rigview diff`: two versions of a character compared."""

import argparse

from app.errors import UsageError


def run(args: argparse.Namespace) -> int:
    """Raise; the command is being made."""
    raise UsageError(f"this version has no diff yet: {args.file}")
