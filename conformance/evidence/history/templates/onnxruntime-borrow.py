"""An export does not keep the memory alive."""

import gc
import weakref


class Memory(numpy.ndarray):
    """An array that can be watched."""


memory = numpy.arange(3.0).view(Memory)
watched = weakref.ref(memory)
value = OrtValue.ortvalue_from_numpy(memory)
capsule = value.__dlpack__()
del memory, value
gc.collect()
is_gone = watched() is None
verdict(is_gone, f"the memory is {'gone while its export lives' if is_gone else 'kept by its export'}")
