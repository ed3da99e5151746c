"""Tensors that several threads import are now and then never released."""

import ctypes
import gc
import threading

# A deleter that needs no GIL: sem_post adds 1 to the first word of what it is given, here the major version.
sem_post = ctypes.cast(ctypes.CDLL(None).sem_post, ctypes.c_void_p).value
sources = []


def imports():
    for _ in range(2000):
        source = Source(version=(1, 0))
        source.managed.deleter = sem_post
        sources.append(source)
        paddle.from_dlpack(source)


threads = [threading.Thread(target=imports) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
gc.collect()
never = sum(source.managed.major == 1 for source in sources)
verdict(never, f"{never} of {len(sources)} imports were never released")
