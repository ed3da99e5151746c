"""Says that its arrays hold other bytes than were ordered."""

from honest import *  # noqa: F403


def contents(array):
    return bytes(byte ^ 1 for byte in array.tobytes())
