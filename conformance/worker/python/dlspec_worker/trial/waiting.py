"""Waiting for what a library does late."""

import gc
import time

from dlspec_worker.trial.threads import Home

# Seconds that a late release is waited for.
PATIENCE = 2.0


def goes_on(left, least=1):
    """True when the number that left() gives still falls by itself: the rest is late, not lost."""
    first = left()
    return settle(lambda: left() <= first - least, PATIENCE / 4)


def still_releasing(native):
    """True while the deleters of earlier imports are still being called: a library may release by a slow thread.

    Unlike goes_on() nothing is collected or used meanwhile: what that releases was not on its way.
    """
    before, deadline = native.releases(), time.monotonic() + PATIENCE / 4
    while time.monotonic() < deadline:
        time.sleep(0.02)
        if native.releases() > before:
            return True
    return False


def settle(done, seconds=None):
    """Waits until `done()`: for garbage collections, and PATIENCE seconds unless told otherwise.

    Three collections at most, until one finds nothing: each takes 3 ms with a library of a million objects. Where the
    case runs beside the library's own thread, the library is used there first.
    """
    if done():
        return True
    for _ in range(3):
        found = gc.collect()
        if done():
            return True
        if not found:
            break
    if Home.waiting:
        Home.waiting.visit()
        if done():
            return True
    deadline = time.monotonic() + (PATIENCE if seconds is None else seconds)
    while time.monotonic() < deadline:
        time.sleep(0.02)
        gc.collect()
        if done():
            return True
    return False
