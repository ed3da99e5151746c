"""Several threads import one capsule at the same time; each of the arrays releases it.

decord looks at the name, takes the tensor by a call that lets other threads run, then renames the capsule. Whether
threads meet there is chance: up to 2,000 capsules are tried.
"""

import threading

THREADS = 8


def imports(gate, capsule, arrays):
    gate.wait()
    try:
        arrays.append(ndarray.from_dlpack(capsule))
    except ValueError:  # a used capsule
        pass


for tried in range(1, 2001):
    source = Source(strides=None)
    gate, arrays = threading.Barrier(THREADS), []
    threads = [threading.Thread(target=imports, args=(gate, source.capsule, arrays)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    count = len(arrays)
    arrays.clear()
    if count > 1:
        verdict(True, f"capsule {tried}: {count} threads imported it, {len(source.releases)} calls of the deleter")
verdict(False, "every capsule was imported once")
