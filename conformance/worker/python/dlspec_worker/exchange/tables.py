"""Exchanges as an engine makes them: the consumer's exchange table imports what the producer's table exports."""

import copy

from dlspec_worker.exchange import plain
from dlspec_worker.exchange_api import calls, tables
from dlspec_worker.exchange_api.through import ThroughLibrary
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant


@variant("exchange", "table")
def by_table(exchange):
    """The producer's array by its table, or where its type has none by __dlpack__, into the consumer's table."""
    imports = _caller(exchange, exchange.consumer, _own_array(exchange))
    if imports is None:
        exchange.out.not_applicable(*exchange.out.rest())
        return
    exports = _caller(exchange, exchange.producer, exchange.producer.make(exchange.order))
    through = copy.copy(exchange)
    through.consumer = ThroughLibrary(exchange.consumer, imports)
    through.producer = ThroughLibrary(exchange.producer, exports) if exports else exchange.producer
    plain.plain(through)
    exchange.observed = {**through.observed, "by_table": "both" if exports else "consumer"}


def _own_array(exchange):
    """An array of the consumer's type: its own, or an import."""
    made, refusal = attempt(exchange.consumer.make, exchange.order)
    return exchange.done()[1] if refusal else made


def _caller(exchange, library, array):
    """A Caller of the array's table; None where its type publishes none."""
    if tables.published(exchange.native, array) is None:
        return None
    table = tables.table_of(exchange.native, array)
    if table is None:
        raise Unsupported(f"the exchange table of {library.name} cannot be used")
    return calls.Caller(exchange, table)
