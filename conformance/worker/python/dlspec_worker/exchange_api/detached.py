"""Acts that may end the process, in a process of their own."""

import os
import signal
import time

SECONDS = 3


def end_of(act):
    """How a child process that calls act() ends: "" where that gave True, else a text."""
    child = os.fork()
    if child == 0:
        _leave(act)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return _text(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return f"it did not return within {SECONDS} s"


def _leave(act):
    """Nothing of the child is to be seen: no core, no messages, no exit functions."""
    code = 2
    try:
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, 2)
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL):
            signal.signal(number, signal.SIG_DFL)
        code = 0 if act() else 1
    finally:
        os._exit(code)


def _text(status):
    if os.WIFSIGNALED(status):
        return f"it died of {signal.Signals(os.WTERMSIG(status)).name}"
    return {0: "", 1: "it failed"}.get(os.WEXITSTATUS(status), "it raised")
