"""Waiting for what a library does late."""

import gc
import time

# Seconds that a late release is waited for.
PATIENCE = 2.0


def goes_on(left, least=1):
    """True when the number that left() gives still falls by itself: the rest is late, not lost."""
    first = left()
    return settle(lambda: left() <= first - least, PATIENCE / 4)


def settle(done, seconds=None):
    """Waits until `done()`: three garbage collections at least, and PATIENCE seconds unless told otherwise."""
    for _ in range(3):
        gc.collect()
        if done():
            return True
    deadline = time.monotonic() + (PATIENCE if seconds is None else seconds)
    while time.monotonic() < deadline:
        time.sleep(0.02)
        gc.collect()
        if done():
            return True
    return False
