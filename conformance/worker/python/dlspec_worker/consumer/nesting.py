"""Consumers: imports that are made, or end, inside another call of the same library."""

from dlspec_worker.imports import importing
from dlspec_worker.imports.importing import Import, unless_refused
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.variants import variant

ONCE, ELEMENTS = "managed.deleter-once", "tensor.element-address"


class Importing(Source):
    """An exporter that imports another tensor by the same library while it is asked for its own."""

    inner = None

    def __dlpack__(self, **keywords):
        self.inner = self.inner or Import(self._trial, Source(self._trial))
        return super().__dlpack__(**keywords)


@variant("consumer", "nested")
def nested(trial):
    """dlpack.h, DLManagedTensor.deleter: once, when the import is no longer used, wherever that was made."""
    if not importing.works_alone(trial):
        return
    source = Importing(trial)
    outer = unless_refused(trial, Import(trial, source))
    for each, name in ((outer, "the import"), (source.inner, "an import made while another began")):
        if each is None or each.refusal:
            continue
        shown = trial.library.imported_contents(each.array)[0]
        if shown not in (None, trial.order.bytes):
            trial.out.wrong_value(ELEMENTS, f"{name} shows other elements", "the elements that were offered")
            trial.out.blocked(f"by {ELEMENTS}", ONCE)
    imports = [outer, source.inner]
    source.inner = outer = each = None
    for done in imports:
        if done is not None and done.refusal is None:
            done.drop()
            importing.judge_releases(trial, done.source)
    trial.out.pass_(ELEMENTS)


@variant("consumer", "released-inside")
def released_inside(trial):
    """The same of an import that ends while the deleter of another one runs."""
    if not importing.works_alone(trial):
        return
    inner = Import(trial, Source(trial))
    importing.import_and_drop(trial, inner.drop)
    if inner.array is not None:
        trial.out.unsupported("the deleter was not called", ONCE)
    elif importing.releases_balance(inner.source):
        trial.out.pass_(ONCE)
    else:
        observed = f"an import that ended while another's deleter ran: {importing.releases(inner.source)}"
        trial.out.violated(ONCE, observed, importing.ONCE)
