"""The adapter of one exhibit of the zoo, named by DLSPEC_EXHIBIT: "module.Class", or "module.Class:fault"."""

import importlib
import os

from dlspec_worker.observing import leaks
from dlspec_worker.trial import waiting
from exhibits import doubles, other_device

waiting.PATIENCE = 0.02  # exhibits release at once or never
leaks.WARM_UP, leaks.BATCH = 50, 200  # they leak with every export or never
doubles.native.set_quarantine(64)  # so many of their exports stay in memory a while, as no leak


def parts(name):
    """The class that a name names, and its fault or ""."""
    place, _, fault = name.partition(":")
    module, _, kind = place.rpartition(".")
    return getattr(importlib.import_module(f"exhibits.{module}"), kind), fault


def find(name):
    """The adapter of the exhibit of this name."""
    kind, fault = parts(name)
    if name.startswith("cuda_"):
        from exhibits import cuda_doubles  # loads the model of a driver

        is_array = issubclass(kind, cuda_doubles.CudaArray)
        return cuda_doubles.CudaProducer(fault, kind) if is_array else kind(fault)
    if issubclass(kind, other_device.DeviceArray):
        return other_device.DeviceProducer(fault, kind)
    if issubclass(kind, doubles.Array):
        return doubles.Producer(fault, kind)
    return doubles.Importing(kind, fault) if issubclass(kind, doubles.Import) else kind(fault)


subject = find(os.environ["DLSPEC_EXHIBIT"])
standard = subject.standard
for name in ("make", "odd", "from_dlpack", "contents", "write", "devices", "states", "on_stream", "queue_copy"):
    if hasattr(subject, name):
        globals()[name] = getattr(subject, name)
