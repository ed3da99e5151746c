"""Shows other contents than were ordered."""

from honest import *  # noqa: F403


def contents(array):
    return bytes(byte ^ 1 for byte in array.tobytes())
