"""`rigview report`: one self-contained page about characters."""

import argparse

from app.errors import UsageError


def run(args: argparse.Namespace) -> int:
    """Raise; the command is being made."""
    raise UsageError(f"this version has no report yet: {args.file}")
