"""One exchange: an array of the producer is handed to from_dlpack of the consumer, as a user does it.

Nothing stands between the two. Only where the result is wrong is the exchange repeated with a spy that examines the
capsule, to tell which side is at fault.
"""

import gc
import types

from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import CPU
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.case import order_of
from dlspec_worker.trial.outcomes import Outcomes, Unsupported

CHURN = 16  # arrays that are made after one was freed


class Exchange:
    """One case on its way: what is ordered, of whom, for whom, and what was observed so far."""

    def __init__(self, case, producer, consumer, native):
        self.order = order_of(case["spec"])
        self.producer = producer
        self.consumer = consumer
        self.native = native
        self.out = Outcomes(case["rules"], consumer.standard, native)
        self.observed = {}

    def done(self):
        """(the producer's array, the consumer's array). A refusal ends the case."""
        made = self.producer.make(self.order)
        imported, refusal = self.consumer.from_dlpack(self.handed(made))
        if refusal:
            raise Unsupported(f"the exchange was refused: {refusal.text}")
        return made, imported

    def handed(self, made):
        """The argument of from_dlpack: the array itself, or an object with the methods over the library's function."""
        if hasattr(made, "__dlpack__"):
            return made
        if "to_dlpack" not in self.producer.provides:
            raise Unsupported(f"the arrays of {self.producer.name} have no __dlpack__")
        return ByFunction(self.producer, made)

    def witness(self):
        """The spy of a repeated exchange, or None when that fails."""
        made, _ = attempt(self.producer.make, self.order)
        if made is None:
            return None
        between = Between(self, self.handed(made))
        attempt(self.consumer.from_dlpack, between)
        return between if between.facts else None

    def shown(self, imported):
        """(contents, None) or (None, reason), as the consumer shows the import."""
        return self.consumer.imported_contents(imported)


class ByFunction:
    """The methods of 2021 over a function of the library that makes capsules."""

    def __init__(self, library, array):
        self._library, self._array = library, array

    def __dlpack__(self, stream=None):
        return self._library.to_dlpack(self._array)

    def __dlpack_device__(self):
        return CPU


class Between:
    """A spy around a producer's array that examines the capsule it exported last."""

    def __init__(self, exchange, source):
        self._exchange, self._source = exchange, source
        self.facts, self.contents = None, None

    def __dlpack__(self, *arguments, **keywords):
        capsule = self._source.__dlpack__(*arguments, **keywords)
        native = self._exchange.native
        self.facts = attempt(native.look, capsule)[0]
        self.contents = attempt(native.contents, capsule)[0]
        return capsule

    def __dlpack_device__(self):
        return self._source.__dlpack_device__()


def churn(exchange):
    """Makes arrays with other elements, to reuse the memory that is free now."""
    for _ in range(3):
        gc.collect()
    order, count = exchange.order, elements.count_of(exchange.order)
    size = len(order.bytes) // max(1, count)
    changes = {"strides": None, "offset": 0, "readonly": False, "bytes": order.bytes[size:] + order.bytes[:size]}
    other = types.SimpleNamespace(**{**vars(order), **changes})
    if count == 1:
        other.bytes = bytes(len(order.bytes))
    held = [bytearray(b"\xa5" * (len(order.bytes) or 1)) for _ in range(CHURN)]
    for library in (exchange.producer, exchange.consumer):
        held += [attempt(library.make, other)[0] for _ in range(CHURN)]
    return held
