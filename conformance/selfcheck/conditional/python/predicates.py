"""The conditions of conditional faults, by name: what holds of an export or an import, which is a Moment.

`given` says which of a Moment's fields a condition looks at: a subject that has not seen them yet cannot depend on it.
"""

import threading

TENSOR, GENERATION, REQUEST, HISTORY, THREAD, END = "tensor", "generation", "request", "history", "thread", "end"


class Moment:
    """What is known when an array is exported, or a tensor is imported. None where nothing is known.

    order       dtype (name), bits, shape, strides (elements, None: compact), offset (of any unit), readonly
    generation  "legacy", "versioned", "table": through an exchange table
    request     the keywords of the call
    made, live  exports of the array, or imports of the subject, before this one; those of them not yet released
    refused     whether a request was refused before
    """

    def __init__(self, order=None, generation=None, request=None, made=0, live=0, refused=False):
        self.order, self.generation, self.request = order, generation, request
        self.made, self.live, self.refused = made, live, refused


def moving(order):
    """The strides that lead to elements: those of axes with several."""
    return [stride for extent, stride in zip(order.shape, order.strides or ()) if extent > 1]


def is_compact(order):
    step = 1
    for extent, stride in reversed(list(zip(order.shape, order.strides or ()))):
        if extent > 1 and stride != step:
            return False
        step *= extent
    return 0 not in order.shape


def of_array(test):
    """A condition on the array, false where none is known."""
    return lambda moment: moment.order is not None and bool(test(moment.order))


def of_request(name, test):
    return lambda moment: moment.request is not None and name in moment.request and test(moment.request[name])


def is_pair(given):
    return isinstance(given, tuple) and len(given) == 2


# name: (when the fault shows, what it looks at, the test)
PREDICATES = {
    "legacy": ("in legacy structs", GENERATION, lambda moment: moment.generation == "legacy"),
    "versioned": ("in versioned structs", GENERATION, lambda moment: moment.generation == "versioned"),
    "table": ("through the exchange table", GENERATION, lambda moment: moment.generation == "table"),
    "copy": ("when copy=True is asked for", REQUEST, of_request("copy", lambda copy: copy is True)),
    "no-copy": ("when copy=False is asked for", REQUEST, of_request("copy", lambda copy: copy is False)),
    "own-device": ("when the array's own device is asked for", REQUEST, of_request("dl_device", is_pair)),
    "again": ("from the second export or import on", HISTORY, lambda moment: moment.made > 0),
    "alive": ("while an earlier export or import is alive", HISTORY, lambda moment: moment.live > 0),
    "released": ("after an earlier one was released", HISTORY, lambda moment: moment.made > moment.live),
    "refused": ("after a request that was refused", HISTORY, lambda moment: moment.refused),
    "thread": ("on another thread", THREAD, lambda _: threading.current_thread() is not threading.main_thread()),
    "dropped": ("once the array is gone", END, lambda _: False),  # subjects ask at the end of the array
    "scalar": ("of rank 0", TENSOR, of_array(lambda order: not order.shape)),
    "vector": ("of rank 1", TENSOR, of_array(lambda order: len(order.shape) == 1)),
    "high-rank": ("of more than four axes", TENSOR, of_array(lambda order: len(order.shape) > 4)),
    "offset": ("that do not begin at the start of their memory", TENSOR, of_array(lambda order: order.offset)),
    "negative": ("with negative strides", TENSOR, of_array(lambda order: min(moving(order), default=0) < 0)),
    "broadcast": ("with an axis of stride 0", TENSOR, of_array(lambda order: 0 in moving(order))),
    "strided": ("that are not compact", TENSOR, of_array(lambda order: order.strides and not is_compact(order))),
    "empty": ("without elements", TENSOR, of_array(lambda order: 0 in order.shape)),
    "int16": ("of int16", TENSOR, of_array(lambda order: order.dtype == "int16")),
    "eight-bytes": ("with elements of eight bytes", TENSOR, of_array(lambda order: order.bits == 64)),
    "readonly": ("that are read-only", TENSOR, of_array(lambda order: order.readonly)),
}
# What is wrong at that time, or that way, whatever the exhibit is.
RULES = {
    "dropped": ("tensor.metadata-lifetime", "tensor.metadata-constant"),
    "negative": ("tensor.strides-negative-ok",),
    "table": ("exchange.from-owning", "exchange.flags-still-apply", "exchange.agrees-with-dunder"),
}
# Controls: the exhibit itself, and its twin.
CONTROLS = {
    "always": ("always", HISTORY, lambda _: True),
    "never": ("never", HISTORY, lambda _: False),
}


def find(name):
    """The test of a condition."""
    return {**PREDICATES, **CONTROLS}[name][2]
