"""The end of the process, and its forks: what the threads of runs are told."""

from __future__ import annotations

import atexit
import os

from pgn2fen._pgn2fen import begin_child, end_process

# Python ends a thread that comes back to it after this.
atexit.register(end_process)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=begin_child)
