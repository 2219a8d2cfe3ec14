"""Interrupts of runs that another package pulls on threads of its own.

Python handles an interrupt (Ctrl-C) only on the main thread, when Python code runs there. If the main thread waits in another package,
which waits for batches, nothing would happen until the run has ended. So a thread of this module waits for the signal itself
(`signal.set_wakeup_fd`) and cancels the runs.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pgn2fen._pgn2fen import Run

_runs: list[Run] = []
_ends: tuple[socket.socket, socket.socket] | None = None
_threads: list[threading.Thread] = []


def prepare() -> None:
    """Begins to wait for interrupts, if this is the main thread.

    Does nothing if the program handles signals in a way of its own. Called when a package asks for the columns of a scan, because the
    package may open the stream on another thread, which cannot do this.
    """
    global _ends
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    if _ends is None:
        reader, writer = socket.socketpair()
        writer.setblocking(False)
        _ends = reader, writer
        thread = threading.Thread(target=_wait, args=(reader,), name="pgn2fen-interrupts", daemon=True)
        _threads[:] = [thread]
        thread.start()
    ours = _ends[1].fileno()
    before = signal.set_wakeup_fd(ours, warn_on_full_buffer=False)
    if before not in (-1, ours):
        # Another package, such as asyncio, waits for signals.
        signal.set_wakeup_fd(before)


def _begin_child() -> None:
    """Leaves the runs of the parent process alone. Its thread does not exist here, and its socket is shared."""
    global _ends
    if _ends is not None:
        before = signal.set_wakeup_fd(-1)
        if before not in (-1, _ends[1].fileno()):
            signal.set_wakeup_fd(before)
        for end in _ends:
            end.close()
        _ends = None
    _threads.clear()
    _runs.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_child)


def _close() -> None:
    """Ends the thread, before the interpreter ends."""
    global _ends
    if _ends is not None:
        reader, writer = _ends
        _ends = None
        before = signal.set_wakeup_fd(-1)
        if before not in (-1, writer.fileno()):
            signal.set_wakeup_fd(before)
        # The thread reads the end of the stream.
        writer.close()
        _threads.pop().join()
        reader.close()


atexit.register(_close)


def look() -> None:
    """Raises the exception of an interrupt that has arrived: Python looks for one when a function is called."""


def watch(run: Run) -> None:
    """Cancels a run if an interrupt arrives before `forget`."""
    prepare()
    _runs.append(run)


def forget(run: Run) -> None:
    """Leaves a run alone from now on."""
    if run in _runs:
        _runs.remove(run)
    if _runs or _ends is None or threading.current_thread() is not threading.main_thread():
        return
    before = signal.set_wakeup_fd(-1)
    if before not in (-1, _ends[1].fileno()):
        signal.set_wakeup_fd(before)


def _wait(reader: socket.socket) -> None:
    while numbers := reader.recv(64):
        if signal.SIGINT in numbers:
            for run in _runs.copy():
                run.cancel()
