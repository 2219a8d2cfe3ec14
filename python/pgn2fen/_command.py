"""The command `pgn2fen`."""

import sys

from pgn2fen._pgn2fen import run_command


def main() -> int:
    """Runs the command with the arguments of the process, and returns its exit status."""
    return run_command(["pgn2fen", *sys.argv[1:]])
