"""Plain exchanges: contents, dtype, shape, and whether the memory is shared."""

from dlspec_worker.exchange import sight
from dlspec_worker.facts import elements, wording
from dlspec_worker.facts.dlpack import READ_ONLY
from dlspec_worker.imports import dtypes
from dlspec_worker.subject import own
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant


@variant("exchange", "plain")
def plain(exchange):
    made, imported = exchange.done()
    found, reason = exchange.shown(imported)
    told = sight.ImportedArray(exchange.native, exchange.consumer, imported, exchange.order)
    whole = judge_dtype(exchange, told, found)
    whole = judge_shape(exchange, told) and whole
    judge_contents(exchange, imported, found, reason, whole)
    right = found == exchange.order.bytes
    exchange.observed = sight.observe(exchange, told, made, imported, right)
    judge_read_only(exchange)


def judge_dtype(exchange, told, found):
    """Which side changed the dtype. False when the import has another dtype than the producer's array.

    The verdicts are those of a run of one library: a bool exported as a byte loses no value, and numbers that are
    rounded are no other numbers, so that both are warnings.
    """
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
        milder = "bool-as-uint8" if (wanted, handed) == ("bool", "uint8") else None
        out.violated(truthful, f"{exchange.producer.name} hands its {wanted} over as {handed}", wanted, milder)
        out.blocked(f"by {truthful}", reinterpret)
        return False
    if told.is_as_own():
        out.unsupported(
            f"{exchange.consumer.name} shows its own {wanted} as {told.dtypes[0]} as well", truthful, reinterpret
        )
        return True
    shown = told.dtypes[0]
    if found == exchange.order.bytes and elements.bits_of(shown) != elements.bits_of(wanted):
        # The import is intact; the export of it is wrong.
        out.unsupported(f"{exchange.consumer.name} holds {wanted} and exports {shown}", truthful, reinterpret)
        return True
    milder = "rounded-import" if dtypes.is_rounded(exchange.order, shown, found) else None
    out.violated(reinterpret, f"{exchange.consumer.name} shows {shown}", f"{wanted}, or a refusal", milder)
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
        exchange.out.wrong_value(rule, f"{name} makes it {wording.of_numbers(shape)}", wording.of_numbers(wanted))
    return False


def judge_contents(exchange, imported, found, reason, whole):
    rule, wanted = "tensor.element-address", exchange.order.bytes
    if found is None:
        exchange.out.unsupported(reason, rule)
    elif found == wanted:
        exchange.out.pass_(rule)
    elif not whole:
        exchange.out.blocked("by the dtype or the shape, which is another", rule)
    elif not _is_believed(exchange, imported, found):
        names = f"the adapter of {exchange.consumer.name} makes no {exchange.order.dtype}"
        exchange.out.unsupported(f"{names}, so that its contents() could not be checked", rule)
    else:
        exchange.out.violated(rule, _wrong_elements(exchange, found), "the producer's elements")


def _is_believed(exchange, imported, found):
    """True where contents() is right for a compact array of this dtype, or the import's own export says the same."""
    compact = elements.with_layout(exchange.order, None)
    compact.readonly = False
    consumer = exchange.consumer
    ways = [consumer.make]
    if "make" not in consumer.provides:
        ways.append(lambda order: consumer.from_dlpack(own.tensor(exchange.native, order))[0])
    for way in ways:
        array, refusal = attempt(way, compact)
        if refusal is None and attempt(consumer.contents_or_none, array)[0] == compact.bytes:
            return True
    return attempt(_shown_by_export, exchange, imported)[0] == found


def _shown_by_export(exchange, imported):
    capsule = imported.__dlpack__()
    return exchange.native.contents(capsule) if exchange.native.judge(capsule, [], {})["readable"] else None


def _wrong_elements(exchange, found):
    wanted = exchange.order.bytes
    # The bytes are not printed: they may lie outside the array and differ in every run.
    size = "" if len(found) == len(wanted) else f", {len(found)} bytes instead of {len(wanted)}"
    text = f"{exchange.consumer.name} shows other elements{size}"
    witness = exchange.witness()
    if witness is None or witness.contents is None:
        return text
    if witness.contents != exchange.order.bytes:
        return f"the capsule of {exchange.producer.name} leads to other elements; {text}"
    facts = witness.facts
    where = f"strides {wording.of_numbers(facts['strides'])}" if facts["strides"] else "no strides"
    return f"{text}; the capsule leads to the right ones, with {where} and byte_offset {facts['byte_offset']}"


def judge_read_only(exchange):
    """Which side lost the flag, when read-only memory ended in a writable array."""
    respected, said, refused = "flags.read-only-respected", "flags.read-only-set", "flags.read-only-legacy-refused"
    out, state = exchange.out, exchange.observed
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
    elif not witness.facts["flags"] & READ_ONLY:
        rule, observed = said, f"{names}; the capsule does not say that it is"
    else:
        rule, observed = respected, f"{names}; the capsule says that it is"
    out.violated(rule, observed, "an array that may not be written, a copy, or a refusal")
    out.pass_(respected, said, refused)
