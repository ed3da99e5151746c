"""The deleter runs under a lock that every import takes, and that is waited for with the GIL held.

With the fault the two threads wait for each other for good.
"""

import ctypes
import threading

SECONDS = 1
sources, waits = [], []


class Meeting(Source):
    """Its deleter runs what `waits` holds."""

    def __init__(self):
        super().__init__()
        self.meet = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda address: waits.pop()() if waits else None)
        self.managed.deleter = ctypes.cast(self.meet, ctypes.c_void_p).value
        sources.append(self)


def wait_for_another_import():
    thread = threading.Thread(target=lambda: paddle.from_dlpack(Meeting()), daemon=True)
    thread.start()
    thread.join(SECONDS)


run_in_a_child(10)
array = paddle.from_dlpack(Meeting())
waits.append(wait_for_another_import)
del array
verdict(False, "the deleter let another thread import, and came back")
