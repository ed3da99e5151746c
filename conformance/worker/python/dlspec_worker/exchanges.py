"""What a pair of libraries is judged by: arrays of one are handed to from_dlpack of the other, as a user does it.

Nothing stands between the two. Only where something came out wrong is the exchange done once more with a look at the
capsule on its way, to tell whose fault it is.
"""

import gc
import types

from dlspec_worker import conversation, elements, exporting, imported_dtypes, loading, sight
from dlspec_worker.library import Library
from dlspec_worker.trial import Outcomes, Unsupported, attempt

KEEPALIVE = "python.from-dlpack-keepalive"
BORROW = "managed.borrow"
CHURN = 16  # arrays that are made where an array has just been freed


def run(descriptor):
    """Serves the channel until its end. Returns the exit status."""
    return conversation.run(descriptor, _load, judge)


def _load(native, start):
    producer = _library(native, start["path"], "dlspec_producer")
    same = start["consumer"] == start["path"]
    consumer = producer if same else _library(native, start["consumer"], "dlspec_consumer")
    return (producer, consumer), conversation.introduction(producer)


def _library(native, path, name):
    return Library(loading.load_adapter(path, name), path) if path else _own(native)


def _own(native):
    """dlspec's own producer and consumer."""
    adapter = types.SimpleNamespace(
        make=lambda spec: native.tensor(spec.bytes, spec.dtype, spec.shape, spec.strides, spec.offset, spec.readonly),
        from_dlpack=lambda source: native.import_capsule(_newest_capsule(source)),
        contents=lambda tensor: tensor.tobytes(),
        write=lambda tensor, data: tensor.overwrite(data),
    )
    library = Library(adapter, "")
    library.name = "dlspec"
    return library


def _newest_capsule(source):
    try:
        return source.__dlpack__(max_version=exporting.NEWEST)
    except TypeError:
        return source.__dlpack__()


def judge(case, pair, native):
    """The answer to one case, without number and pid."""
    exchange = Exchange(case, *pair, native)
    function = {"plain": plain, "producer-first": producer_first, "consumer-first": consumer_first}[case["variant"]]
    answer = conversation.answer(exchange.out, lambda: function(exchange))
    if exchange.came:
        answer["came"] = exchange.came
    return answer


class Exchange:
    """One case on its way: what is ordered, of whom, for whom, and what came of it so far."""

    def __init__(self, case, producer, consumer, native):
        self.order = conversation.order_of(case["spec"])
        self.producer = producer
        self.consumer = consumer
        self.native = native
        self.out = Outcomes(case["rules"], consumer.standard)
        self.came = {}

    def done(self):
        """(the producer's array, the consumer's array). A refusal ends the case."""
        made = self.producer.make(self.order)
        imported, refusal = self.consumer.from_dlpack(self.handed(made))
        if refusal:
            raise Unsupported(f"the exchange was refused: {refusal.text}")
        return made, imported

    def handed(self, made):
        """What from_dlpack is given: the array itself; where it has no methods, the library's function behind them."""
        if hasattr(made, "__dlpack__"):
            return made
        if "to_dlpack" not in self.producer.provides:
            raise Unsupported(f"the arrays of {self.producer.name} have no __dlpack__")
        return ByFunction(self.producer, made)

    def witness(self):
        """The same exchange with a look at the capsule, or None when it does not come about that way."""
        made, _ = attempt(self.producer.make, self.order)
        if made is None:
            return None
        between = Between(self, self.handed(made))
        attempt(self.consumer.from_dlpack, between)
        return between if between.facts else None

    def shown(self, imported):
        """(contents, None) or (None, reason) by the consumer's word."""
        return self.consumer.imported_contents(imported)


class ByFunction:
    """The protocol of 2021 over a library's function that makes capsules."""

    def __init__(self, library, array):
        self._library, self._array = library, array

    def __dlpack__(self, stream=None):
        return self._library.to_dlpack(self._array)

    def __dlpack_device__(self):
        return (exporting.HOST, 0)


class Between:
    """A producer's array that notes which capsule it gave last."""

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


# --- contents, dtype, shape, and whether the memory is shared


def plain(exchange):
    made, imported = exchange.done()
    found, reason = exchange.shown(imported)
    told = sight.Told(exchange.native, exchange.consumer, imported, exchange.order)
    whole = judge_dtype(exchange, told, found)
    whole = judge_shape(exchange, told) and whole
    judge_contents(exchange, found, reason, whole)
    right = found == exchange.order.bytes
    exchange.came = sight.came(exchange, told, made, imported, right)
    judge_read_only(exchange)


def judge_dtype(exchange, told, found):
    """Whose dtype is another, with the verdicts that a run gives: no value is lost by a bool that goes out as a byte, and
    numbers that are rounded are no other numbers."""
    truthful, reinterpret = "dtype.truthful", "dtype.no-silent-reinterpret"
    wanted, out = exchange.order.dtype, exchange.out
    if wanted in told.dtypes:
        out.pass_(truthful, reinterpret)
        return True
    if not told.dtypes:
        out.unsupported(f"{exchange.consumer.name} does not tell the dtype of what it imported", truthful, reinterpret)
        return True
    witness = exchange.witness()
    handed = witness and witness.facts["dtype_name"]
    if handed and handed != wanted:
        verdict = "warn" if (wanted, handed) == ("bool", "uint8") else "fail"
        out.broken(truthful, f"{exchange.producer.name} hands its {wanted} over as {handed}", wanted, verdict)
        out.blocked(f"by {truthful}", reinterpret)
        return False
    if told.is_as_own():
        out.unsupported(
            f"{exchange.consumer.name} shows its own {wanted} as {told.dtypes[0]} as well", truthful, reinterpret
        )
        return True
    shown = told.dtypes[0]
    if found == exchange.order.bytes and elements.bits_of(shown) != elements.bits_of(wanted):
        # What came in is whole: it is what goes out that is something else.
        out.unsupported(f"{exchange.consumer.name} holds {wanted} and exports {shown}", truthful, reinterpret)
        return True
    verdict = "warn" if imported_dtypes.is_rounded(exchange.order, shown, found) else "fail"
    out.broken(reinterpret, f"{exchange.consumer.name} shows {shown}", f"{wanted}, or a refusal", verdict)
    out.blocked(f"by {reinterpret}", truthful)
    return False


def judge_shape(exchange, told):
    rules = [rule for rule in ("tensor.shape-truthful", "tensor.ndim0-is-scalar") if exchange.out.wants(rule)]
    wanted = exchange.order.shape
    if told.shape is None:
        exchange.out.unsupported(f"{exchange.consumer.name} does not tell the shape of what it imported", *rules)
        return True
    if told.shape == wanted:
        exchange.out.pass_(*rules)
        return True
    witness = exchange.witness()
    handed = witness and witness.facts.get("shape")
    by_producer = handed is not None and handed != wanted
    name, shape = (exchange.producer.name, handed) if by_producer else (exchange.consumer.name, told.shape)
    for rule in rules:
        exchange.out.broken(rule, f"{name} makes it {_tuple(shape)}", _tuple(wanted), "fail")
    return False


def judge_contents(exchange, found, reason, whole):
    rule, wanted = "tensor.element-address", exchange.order.bytes
    if found is None:
        exchange.out.unsupported(reason, rule)
    elif found == wanted:
        exchange.out.pass_(rule)
    elif not whole:
        exchange.out.blocked("by the dtype or the shape, which is another", rule)
    else:
        exchange.out.broken(rule, _wrong_elements(exchange, found), "the producer's elements")


def _wrong_elements(exchange, found):
    wanted = exchange.order.bytes
    # Which bytes they are is not said: they may lie beside the array, and be others in every run.
    size = "" if len(found) == len(wanted) else f", {len(found)} bytes instead of {len(wanted)}"
    text = f"{exchange.consumer.name} shows other elements{size}"
    witness = exchange.witness()
    if witness is None or witness.contents is None:
        return text
    if witness.contents != exchange.order.bytes:
        return f"the capsule of {exchange.producer.name} leads to other elements; {text}"
    facts = witness.facts
    where = f"strides {_tuple(facts['strides'])}" if facts["strides"] else "no strides"
    return f"{text}; the capsule leads to the right ones, with {where} and byte_offset {facts['byte_offset']}"


def judge_read_only(exchange):
    """Who lost it, when memory that must not be written ended in an array that may be."""
    respected, said, refused = "flags.read-only-respected", "flags.read-only-set", "flags.read-only-legacy-refused"
    out, state = exchange.out, exchange.came
    if not out.wants(respected):
        return
    if state["memory"] != "shared" or state["read_only"] != "lost":
        unknown = state["memory"] == "unknown" or state["read_only"] == "unknown"
        say = out.unsupported if unknown else lambda _, *rules: out.pass_(*rules)
        return say("nothing tells whether the import may be written", respected, said, refused)
    witness = exchange.witness()
    if witness is None:
        return out.unsupported("nothing tells who lost it", respected, said, refused)
    names = f"memory of {exchange.producer.name} that is read-only may be written through {exchange.consumer.name}"
    if witness.facts["generation"] != "versioned":
        rule, observed = refused, f"{names}; the capsule is a legacy one and cannot say so"
    elif not witness.facts["flags"] & sight.READ_ONLY:
        rule, observed = said, f"{names}; the capsule does not say that it is"
    else:
        rule, observed = respected, f"{names}; the capsule says that it is"
    out.broken(rule, observed, "an array that may not be written, a copy, or a refusal")
    out.pass_(respected, said, refused)


# --- who dies first


def producer_first(exchange):
    """The producer's array goes, others take its place in memory, and the import is read again."""
    made, imported = exchange.done()
    _begin(exchange, exchange.shown(imported))
    del made
    others = churn(exchange)
    found, reason = exchange.shown(imported)
    del others
    if found is None:
        raise Unsupported(reason)
    if found == exchange.order.bytes:
        return exchange.out.pass_(KEEPALIVE, BORROW)
    if is_kept_for_dlspec(exchange):
        observed = f"{exchange.consumer.name} shows other elements once the array of {exchange.producer.name} is gone"
        exchange.out.broken(KEEPALIVE, observed, "the elements that it imported", "fail")
        return exchange.out.pass_(BORROW)
    observed = f"once the array of {exchange.producer.name} is gone, its export leads to other elements"
    exchange.out.broken(BORROW, observed, "memory that lives until the release", "fail")
    return exchange.out.blocked(f"by {BORROW}", KEEPALIVE)


def is_kept_for_dlspec(exchange):
    """Whether an export of the producer keeps its elements in dlspec's own hands."""
    made = exchange.producer.make(exchange.order)
    held, refusal = _own(exchange.native).from_dlpack(exchange.handed(made))
    del made
    others = churn(exchange)
    kept = refusal is None and held.tobytes() == exchange.order.bytes
    del others
    return kept or refusal is not None


def consumer_first(exchange):
    """The import goes, others take its place in memory, and the producer's array is read again."""
    made, imported = exchange.done()
    _begin(exchange, exchange.shown(imported))
    del imported
    others = churn(exchange)
    found = exchange.producer.contents_or_none(made)
    del others
    if found is None:
        raise Unsupported(f"the adapter of {exchange.producer.name} does not show contents")
    if found == exchange.order.bytes:
        return exchange.out.pass_(BORROW)
    observed = f"once the import by {exchange.consumer.name} is gone, the array of {exchange.producer.name} shows other elements"
    return exchange.out.broken(BORROW, observed, "the elements that it had before", "fail")


def _begin(exchange, shown):
    found, reason = shown
    if found is None:
        raise Unsupported(reason)
    if found != exchange.order.bytes:
        exchange.out.blocked("by what the plain exchange has shown", *exchange.out.rest())
        raise Unsupported("other elements")


def churn(exchange):
    """Arrays with other elements, in whatever memory is free now."""
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


def _tuple(numbers):
    return "(" + ",".join(map(str, numbers)) + ")"
