"""Consumers: the managed struct belongs to the producer, and views of an import keep it alive."""

from dlspec_worker.consumer.asking import takes_unasked
from dlspec_worker.facts.dlpack import NEWEST, UNDEFINED_CODE
from dlspec_worker.imports import capsule_names, importing, views, writers
from dlspec_worker.imports.importing import Import, refused, unless_refused
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.imports.reading import Reading, exported, writability
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.variants import variant

NOWHERE = 0x5A5A_5A5A_5A5A_5000  # no process has memory there


@variant("consumer", "metadata")
def metadata(trial):
    """cupy/cupy#1082: other importers of the same memory, and the producer itself, read the same struct."""
    rule = "tensor.metadata-not-mutated"
    tried = (
        {},
        {"generation": "legacy"},
        {"generation": "versioned", "strides": None, "version": (1, 0)},
        {"generation": "legacy", "strides": None},
        {"strides": (4, 1), "shape": (1, 1), "contents": b"\0" * 4},
    )
    for fields in tried:
        source = Source(trial, **fields)
        done = Import(trial, source)
        if done.refusal is None:
            # A consumer may write at the import, when its elements are read, or when it is exported again.
            trial.library.imported_contents(done.array)
            exported(trial, done.array)
        if not all(offer.struct_intact() for offer in source.offers):
            trial.out.violated(
                rule, "the struct, its shape or its strides were written to", "a struct that is only read"
            )
        done.drop()
        source.forget_capsules()
        importing.collect()
        if any(offer.altered_structs for offer in source.offers):
            trial.out.violated(rule, "the struct was written to before its release", "a struct that is only read")
    trial.out.pass_(rule)


@variant("consumer", "manager_ctx=null", "manager_ctx=odd", "manager_ctx=tagged", "manager_ctx=memory")
def manager_ctx(trial):
    """dlpack.h 0.2, DLManagedTensor.manager_ctx: it belongs to the producer, who may leave it NULL."""
    rule = "managed.ctx-opaque"
    watched = make_offer(trial, "versioned")
    watched_capsule = watched.capsule()  # keeps its memory as ordered
    kinds = {"null": 0, "odd": 1, "tagged": NOWHERE | 1, "memory": watched.data_address}
    value = kinds[trial.variant.partition("=")[2]]
    plain = [Reading(trial, generation) for generation in ("versioned", "legacy")]
    if all(reading.is_refused for reading in plain):
        refused(trial, plain[-1])
    for reading, generation in zip(plain, ("versioned", "legacy")):
        if not reading.is_refused:
            _judge_ctx(trial, rule, reading, Reading(trial, generation, manager_ctx=value))
            _judge_refused_ctx(trial, rule, generation, value)
    if watched.contents() != trial.order.bytes or not watched.memory_intact():
        trial.out.violated(rule, "the memory that manager_ctx leads to was written to", "a pointer that nobody follows")
    del watched_capsule
    trial.out.pass_(rule)


def _judge_refused_ctx(trial, rule, generation, value):
    """The same of a tensor that is refused, where one with another manager_ctx is released."""
    plain, bent = (Source(trial, generation, code=UNDEFINED_CODE, **ctx) for ctx in ({}, {"manager_ctx": value}))
    if all(Import(trial, source).refusal for source in (plain, bent)) and importing.releases_balance(plain):
        if not importing.releases_balance(bent):
            observed = f"{trial.variant}: after a refusal {importing.releases(bent)}"
            trial.out.violated(rule, observed, importing.ONCE)


def _judge_ctx(trial, rule, plain, bent):
    kind = trial.variant
    if bent.is_refused:
        trial.out.violated(rule, f"{kind}: {bent.refusal.text}", "the import that another manager_ctx gets")
        return
    if bent.found != plain.found:
        trial.out.wrong_value(rule, f"{kind}: the import shows other elements", "the same elements")
    if not _is_released_once(plain):
        trial.out.blocked("by the release of every import", rule)
    elif _is_released_once(bent):
        return
    elif not capsule_names.keeps_names(trial):
        trial.out.blocked("by capsule.names-static", rule)
    else:
        observed = f"{kind}: after the import was dropped {importing.releases(bent.source)}"
        trial.out.violated(rule, observed, importing.ONCE)


def _is_released_once(done):
    """After a reading or an import was dropped."""
    done.drop()
    return importing.releases_balance(done.source) and not any(offer.wrong_self for offer in done.source.offers)


@variant("consumer", "views")
def views_of_imports(trial):
    """numpy/numpy#20340: a view of an import still reads the producer's memory."""
    rule = "managed.keep-all-in-slice"
    plain = unless_refused(trial, Import(trial, Source(trial)))
    ways = [way for way in views.WAYS if attempt(views.WAYS[way], plain.array)[1] is None]
    if plain.source.is_released():
        # A copy, or a release that comes too early: managed.not-early is reported for that.
        trial.out.not_applicable(rule, "managed.deleter-once")
    elif not ways:
        trial.out.unsupported("the import has no views: neither indices, nor .T, nor reshape", rule)
        trial.out.not_applicable("managed.deleter-once")
    whole = _is_released_once(Import(trial, Source(trial)))
    for way in ways:
        _judge_view(trial, rule, way)
        if whole:
            _judge_view_released(trial, way)
    trial.out.pass_(rule)
    if not whole:
        trial.out.blocked("by the release of every import", "managed.deleter-once")
    trial.out.pass_("managed.deleter-once")


def _judge_view_released(trial, way):
    """managed.deleter-once after the import and its view are gone."""
    done = Import(trial, Source(trial))
    view = attempt(views.WAYS[way], done.array)[0]
    del view
    if done.refusal is None and not _is_released_once(done):
        observed = f"after the import and its {way} were dropped {importing.releases(done.source)}"
        trial.out.violated("managed.deleter-once", observed, importing.ONCE)


def _judge_view(trial, rule, way):
    done = Import(trial, Source(trial))
    if done.refusal:
        return
    view, misfit = attempt(views.WAYS[way], done.array)
    if misfit or view is None:
        return
    shared = _starts_within(trial, view, done.source)
    before = trial.library.imported_contents(view)[0] if shared is None else None
    done.drop()
    done.source.forget_capsules()
    importing.collect()
    if not done.source.is_released():
        return
    if shared or (before is not None and _is_poisoned(trial, view, before)):
        observed = f"the tensor was released while {way} still shows its memory"
        trial.out.violated(rule, observed, "no release before the last view is gone")


@variant("consumer", "read-only-views")
def read_only_views(trial):
    """Array API 2023.12, __dlpack__: read-only memory stays so, by whatever view it is reached."""
    rule = "flags.read-only-respected"
    plain = unless_refused(trial, Reading(trial, "versioned"))
    if writability(trial, plain.array) is not False:
        trial.out.unsupported("nothing shows that the import itself is read-only", rule)
        return
    if any([_judge_view_written(trial, rule, way) for way in views.WAYS]):
        trial.out.pass_(rule)
    trial.out.not_applicable(rule)  # no views


def _judge_view_written(trial, rule, way):
    """Told by the producer's memory: a view that is a copy may be written. False when there is no such view."""
    source = Source(trial, "versioned")
    view, misfit = attempt(lambda: views.WAYS[way](Import(trial, source).array))
    shown = None if misfit else trial.library.imported_contents(view)[0]
    if not shown:
        return False
    source.let_write()
    writers.respects_read_only(trial.library, trial.order)
    refusal = trial.library.write(view, shown[-4:] + shown[:-4])
    if refusal is None and any(held != trial.order.bytes for held in source.contents()):
        observed = f"{way} of a READ_ONLY import was written to, and the import itself may not be"
        trial.out.violated(rule, observed, "a view that cannot be written")
    return True


def _starts_within(trial, view, source):
    """True or False by the view's own export; None when it has none."""
    made = exported(trial, view)
    if made is None:
        return None
    ends = [(offer.data_address, offer.data_address + len(trial.order.bytes)) for offer in source.offers]
    return any(first <= made.first_element() < last for first, last in ends)


def _is_poisoned(trial, view, before):
    now = trial.library.imported_contents(view)[0]
    return now is not None and now != before


class Noted(Source):
    """Remembers the addresses of the structs that it exports."""

    def __init__(self, trial):
        super().__init__(trial)
        self.structs = []

    def _hand_out(self, max_version):
        capsule = super()._hand_out(max_version)
        self.structs.append(self._trial.native.look(capsule)["struct"])
        return capsule


@variant("consumer", "onward-deleter")
def onward_deleter(trial):
    """dlpack.h 0.2, DLManagedTensor.deleter: its argument is the struct itself, not a copy of it."""
    rule = "managed.no-struct-copy-out"
    source = Noted(trial)
    done = unless_refused(trial, Import(trial, source))
    made = exported(trial, done.array)
    if made is None:
        trial.out.unsupported("the import is not exported again", rule)
        return
    # A re-export may hold the original struct in a context of its own, but not reuse its deleter and context.
    ours = trial.native.look(make_offer(trial, made.generation).capsule())
    copied = made.facts["deleter"] == ours["deleter"] and made.facts["manager_ctx"] in source.structs
    if copied and made.facts["struct"] not in source.structs:
        observed = "the import goes on as a copy of the managed struct, with the deleter that belongs to the original"
        trial.out.violated(rule, observed, "the original struct, or one with a deleter of the consumer's own")
    trial.out.pass_(rule)


@variant("consumer", "generations")
def generations(trial):
    """dlpack.h 1.0, DLManagedTensor: deprecated. A consumer that asks for nothing newer is given nothing newer."""
    rule = "managed.legacy-deprecated"
    source = Source(trial)
    done = Import(trial, source)
    if done.refusal:
        refused(trial, done)
    elif any(asked["max_version"] and asked["max_version"][0] >= 1 for asked in source.asked):
        trial.out.pass_(rule)
    elif not source.asked:
        trial.out.unsupported("the tensor was taken without a call of __dlpack__", rule)
    elif _is_of_2021(trial):
        trial.out.blocked("by python.from-dlpack-kwargs", rule)
    elif any(asked["max_version"] for asked in source.asked) and takes_unasked(trial):
        trial.out.blocked("by python.consumer-max-version-truthful", rule)
    else:
        takes_it = Import(trial, Unasked(trial, "versioned")).refusal is None
        observed = "__dlpack__ is called without a max_version of 1.0 or more"
        observed += ", though a versioned capsule is taken" if takes_it else ", and a versioned capsule is refused"
        trial.out.violated(
            rule, observed, "a versioned capsule where the producer has one", "versioned-taken" if takes_it else None
        )


class Unasked(Source):
    """Answers every call with a versioned capsule, as no exporter may."""

    def __dlpack__(self, **keywords):
        return self._hand_out(NEWEST)


def _is_of_2021(trial):
    refusal = Import(trial, Source(trial), device=None, copy=None).refusal
    return refusal is not None and not refusal.is_a(NotImplementedError)
