"""Producers: tensors that the exchange table's allocator makes, and how it says that it cannot."""

from dlspec_worker.exchange_api import calls, detached, tables
from dlspec_worker.exchange_api.growths import left_behind
from dlspec_worker.facts import values, wording
from dlspec_worker.facts.dlpack import HOST, READ_ONLY
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

RESULT, REPORTS, FIELDS, FREE = (
    "exchange.alloc-result",
    "exchange.alloc-seterror-iff",
    "exchange.alloc-prototype-fields",
    "exchange.alloc-gil-free",
)
ONCE = "one call of SetError with the caller's context, when the allocator fails"
ASKED = "a writable tensor as the prototype describes it, which the caller releases"
# Elements of a tensor that is released, and of a larger one that may get its memory: of one power of two, and of two.
GROWN = (
    *((5, 7), (9, 15), (20, 31), (40, 60), (70, 120), (150, 250), (300, 500), (600, 1000), (1100, 2000)),
    *((1500, 2500), (2100, 4000), (5000, 8000), (20000, 30000), (70000, 120000), (100000, 300000)),
)
MUST_NOT = 1 << 40 | 9  # a byte_offset that no tensor has, and no multiple of an element's size


def _dtype(trial):
    """(code, bits, lanes) of the order's dtype."""
    return trial.native.look(make_offer(trial, "versioned").capsule())["dtype"]


@variant("producer", "table-allocator")
def ordinary(trial):
    """dlpack.h 1.2, DLPackManagedTensorAllocator: a new tensor after the prototype."""
    caller = calls.caller_for(trial, calls.any_array(trial))
    answer = caller.allocate(_dtype(trial), trial.order.shape, trial.order.device)
    caller.close()
    _judge_reports(trial, answer)
    if not answer.is_success:
        trial.out.unsupported(answer.text, *trial.out.rest())
        return
    if answer.facts["capsule"] is None:
        trial.out.violated(RESULT, f"{tables.ALLOCATE} succeeded and gave no tensor", ASKED)
        return
    if _judge_struct(trial, answer.facts["capsule"]) and _judge_ranks(trial, caller) and trial.order.device[0] == HOST:
        _judge_memory(trial, caller, answer.facts["capsule"])
    trial.out.pass_(RESULT)


def _judge_reports(trial, answer):
    if answer.facts["threw"]:
        trial.out.blocked("by exchange.no-cpp-exceptions", REPORTS)
        return
    errors = answer.facts["errors"]
    if answer.is_success and errors:
        trial.out.violated(REPORTS, f"the allocator succeeded and called SetError with {errors[0][0]}", ONCE)
    elif not answer.is_success and len(errors) != 1:
        trial.out.violated(REPORTS, f"the allocator failed and called SetError {len(errors)} times", ONCE)
    elif errors and not errors[0][2]:
        trial.out.violated(REPORTS, "SetError got a context that is not the caller's", ONCE)
    trial.out.pass_(REPORTS)


def _judge_struct(trial, capsule):
    """Every rule of a versioned struct holds for this one, too."""
    look = trial.native.look(capsule)
    known = {"dtype": trial.order.dtype, "shape": trial.order.shape}
    for finding in trial.native.validate(capsule, known):
        if finding["verdict"] == "fail":
            trial.out.violated(RESULT, f"{finding['rule']}: {finding['observed']}", ASKED)
    if look["device"] not in (None, tuple(trial.order.device)):
        trial.out.violated(RESULT, f"a tensor on device {look['device']}", ASKED)
    if (look["flags"] or 0) & READ_ONLY:
        trial.out.violated(RESULT, "READ_ONLY is set", ASKED)
    return not trial.out.is_violated(RESULT)


def _judge_ranks(trial, caller):
    """The extents are the tensor's own at each rank: api_allocate spoils those of the prototype behind the call."""
    for rank in values.RANKS:
        shape = (1,) * (rank - 1) + (2,)
        capsule = caller.allocate(_dtype(trial), shape, trial.order.device).facts["capsule"]
        found = shape if capsule is None else trial.native.look(capsule)["shape"]
        if found != shape:
            observed = f"a tensor of shape {shape} has {found} when the prototype's extents have changed"
            trial.out.violated(RESULT, observed, ASKED)
            return False
    return True


def _judge_memory(trial, caller, capsule):
    """Elements can be written, two tensors share none, and a release leaves nothing."""
    other = caller.allocate(_dtype(trial), trial.order.shape, trial.order.device).facts["capsule"]
    if other is None:
        return
    for each, data in ((capsule, trial.order.bytes), (other, trial.order.bytes[::-1])):
        misfit = attempt(trial.native.overwrite, each, data)[1]
        if misfit:
            trial.out.violated(RESULT, f"its elements cannot be written: {misfit.text}", ASKED)
            return
    held = trial.native.contents(capsule)
    if held != trial.order.bytes:
        observed = f"writing to a second tensor changes the first: {wording.of_bytes(held, trial.order.bytes)}"
        trial.out.wrong_value(RESULT, observed, ASKED)
        return
    dtype = _dtype(trial)
    if not _judge_grown(trial, caller, dtype):
        return

    def allocate():
        return caller.allocate(dtype, trial.order.shape, trial.order.device).facts["capsule"]

    growth = left_behind(trial.native, lambda count, least: trial.native.cycle(allocate, {}, count, least, True))
    if growth is not None and growth.words():
        trial.out.violated(RESULT, f"each tensor that was released left {growth.words()} behind", ASKED)


def _judge_grown(trial, caller, dtype):
    """A tensor has memory for all its elements, though one of fewer was released before: each byte is written.

    Those of a tensor that lives are what they were. What lies between may be hurt too, which no worker survives.
    """

    def vector(count, byte):
        capsule = caller.allocate(dtype, (count,), trial.order.device).facts["capsule"]
        data = bytes([byte]) * ((count * dtype[1] * dtype[2] + 7) // 8)
        misfit = "not made" if capsule is None else attempt(trial.native.overwrite, capsule, data)[1]
        return None if misfit else capsule

    for few, many in GROWN:
        first, beside = vector(few, 0), vector(few, 0)
        if first is None or beside is None:
            return True
        del first
        held = attempt(trial.native.contents, beside)[0]
        made = vector(many, 0xFF)
        if made is not None and held is not None and attempt(trial.native.contents, beside)[0] != held:
            observed = f"writing to a tensor of {many} elements, made after one of {few} was released, changes another"
            trial.out.violated(RESULT, observed, ASKED)
            return False
    return True


@variant("producer", "table-allocator=poisoned")
def poisoned(trial):
    """dlpack.h 1.2, DLPackManagedTensorAllocator, prototype: only dtype, ndim, shape and device have a meaning."""
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    for shape in (trial.order.shape, (0, *trial.order.shape[1:])):
        if not trial.out.is_violated(FIELDS):
            _judge_poisoned(trial, caller, shape)
    trial.out.unsupported("the allocator does not make such a tensor", FIELDS)


def _judge_poisoned(trial, caller, shape):
    page, dtype = trial.native.api_untouchable(), _dtype(trial)
    plain = caller.allocate(dtype, shape, trial.order.device)
    answer = caller.allocate(dtype, shape, trial.order.device, (page, page, MUST_NOT))
    if not plain.is_success or plain.facts["capsule"] is None:
        return
    allowed = "a result that depends on dtype, ndim, shape and device alone"
    if answer.facts["altered"]:
        trial.out.violated(FIELDS, "the prototype was altered", "a prototype that is only read")
    elif not answer.is_success or answer.facts["capsule"] is None:
        trial.out.violated(FIELDS, f"with other strides and byte_offset in the prototype {answer.text}", allowed)
    else:
        first, second = (trial.native.look(each.facts["capsule"]) for each in (plain, answer))
        if first["text"] != second["text"] or second["byte_offset"] == MUST_NOT:
            observed = f"with another byte_offset in the prototype the tensor is {wording.of_repr(second['text'])}"
            trial.out.violated(FIELDS, observed, allowed)
    trial.out.pass_(FIELDS)


MANY_AXES = (1,) * 200  # more than most libraries have, and one element
UNUSUAL = {
    "rank": {"shape": MANY_AXES},
    "huge": {"shape": (1 << 40, 1 << 20)},
    "memory": {"shape": (1 << 34, 1 << 11)},  # 128 TiB, a number of bytes that 64 bits hold
    "negative": {"shape": (-3, 4)},
    "overflow": {"shape": (1 << 32, 1 << 32)},
    "unknown-device": {"device": (99, 0)},
    "unknown-dtype": {"dtype": (200, 32, 1)},
}


@variant("producer", *(f"table-allocator={name}" for name in UNUSUAL))
def unusual(trial):
    """dlpack.h 1.2, DLPackManagedTensorAllocator, SetError: it is called exactly when the allocator fails."""
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    name = trial.variant.partition("=")[2]
    asked = {"dtype": _dtype(trial), "shape": trial.order.shape, "device": trial.order.device, **UNUSUAL[name]}
    answer = caller.allocate(**asked)
    caller.close()
    _judge_reports(trial, answer)
    if answer.is_success and answer.facts["capsule"] is not None:
        _judge_promise(trial, answer.facts["capsule"], asked)
    trial.out.pass_(RESULT)


def _judge_promise(trial, capsule, asked):
    """What no memory holds cannot be given; an unknown dtype or device can, if it comes as asked for."""
    look = trial.native.look(capsule)
    trial.native.keep_forever(capsule)
    if asked["shape"] == MANY_AXES:
        # Of so many axes the extents are not read.
        if look["ndim"] != len(MANY_AXES) or look["shape"] not in (None, MANY_AXES):
            observed = f"a tensor of rank {look['ndim']} was allocated for {len(MANY_AXES)} axes"
            trial.out.violated(RESULT, observed, f"{ASKED}, or a failure")
    elif asked["shape"] != trial.order.shape:
        observed = f"shape {tuple(asked['shape'])} was allocated"
        trial.out.violated(RESULT, observed, "a failure: no memory holds so many elements")
    elif (look["dtype"], look["device"]) != (tuple(asked["dtype"]), tuple(asked["device"])):
        observed = (
            f"dtype {look['dtype']} on device {look['device']} in the place of {asked['dtype']} on {asked['device']}"
        )
        trial.out.violated(RESULT, observed, f"{ASKED}, or a failure")


@variant("producer", "table-allocator=detached")
def without_lock(trial):
    """dlpack.h 1.2, DLPackManagedTensorAllocator: errors go through SetError, so that no Python API is needed.

    Tried in a process of its own, because an allocator that does need the interpreter's lock ends it.
    """
    caller = calls.caller_for(trial, trial.library.make(trial.order))
    dtype = _dtype(trial)
    if not caller.allocate(dtype, trial.order.shape, trial.order.device).is_success:
        trial.out.unsupported("the allocator does not make such a tensor", FREE)
        return
    end = detached.end_of(
        lambda: caller.allocate(dtype, trial.order.shape, trial.order.device, attached=False).is_success
    )
    if end:
        trial.out.violated(FREE, f"called without the interpreter's lock {end}", "a tensor, whoever holds the lock")
    trial.out.pass_(FREE)
