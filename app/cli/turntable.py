"""`rigview turntable`: once around a character, while it moves."""

import argparse

from app.errors import UsageError


def run(args: argparse.Namespace) -> int:
    """Raise; the command is being made."""
    raise UsageError(f"this version has no turntable yet: {args.file}")
