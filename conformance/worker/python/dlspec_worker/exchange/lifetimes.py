"""Exchanges in which one side dies before the other."""

from dlspec_worker.exchange.pair import churn
from dlspec_worker.subject import own
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

KEEPALIVE = "python.from-dlpack-keepalive"
BORROW = "managed.borrow"


@variant("exchange", "producer-first")
def producer_first(exchange):
    """The producer's array is dropped, its memory is reused, and the import is read again."""
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
        exchange.out.wrong_value(KEEPALIVE, observed, "the elements that it imported")
        return exchange.out.pass_(BORROW)
    observed = f"once the array of {exchange.producer.name} is gone, its export leads to other elements"
    exchange.out.wrong_value(BORROW, observed, "memory that lives until the release")
    return exchange.out.blocked(f"by {BORROW}", KEEPALIVE)


def is_kept_for_dlspec(exchange):
    """Whether an export of the producer keeps its elements when dlspec imports it."""
    made = exchange.producer.make(exchange.order)
    held, refusal = own.library(exchange.native).from_dlpack(exchange.handed(made))
    del made
    others = churn(exchange)
    kept = refusal is None and held.tobytes() == exchange.order.bytes
    del others
    return kept or refusal is not None


@variant("exchange", "consumer-first")
def consumer_first(exchange):
    """The import is dropped, its memory is reused, and the producer's array is read again."""
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
    names = f"the import by {exchange.consumer.name} is gone, the array of {exchange.producer.name}"
    observed = f"once {names} shows other elements"
    return exchange.out.wrong_value(BORROW, observed, "the elements that it had before")


def _begin(exchange, shown):
    found, reason = shown
    if found is None:
        raise Unsupported(reason)
    if found != exchange.order.bytes:
        exchange.out.blocked("by what the plain exchange has shown", *exchange.out.rest())
        raise Unsupported("other elements")
