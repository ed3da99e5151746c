"""A thread that releases later what was given up, for producers and consumers alike."""

import collections
import threading
import time


class Sweeper:
    """Calls `release` every `period` seconds with whatever was given up since. Its thread starts with the first."""

    def __init__(self, period, release):
        self.period, self.release = period, release
        self.waiting, self.running = collections.deque(), threading.Lock()

    def take(self, given):
        self.waiting.append(given)
        if self.running.acquire(blocking=False):
            threading.Thread(target=self.sweep, daemon=True).start()

    def sweep(self):
        while True:
            time.sleep(self.period)
            while self.waiting:
                self.release(self.waiting.popleft())
