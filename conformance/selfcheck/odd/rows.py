"""All subjects that are odd and conform: name -> adapter, by role; and the texts that permit them."""

import consumers
import consumers_onward
import consumers_refusals
import consumers_releases
import consumers_requests
import consumers_results
import producers_adapters
import producers_exports
import producers_fields
import producers_kinds
import producers_layouts
import producers_memory
import producers_methods
import producers_refusals
import producers_releases

WITH_FACTS = {
    "producer": (
        producers_adapters,
        producers_exports,
        producers_kinds,
        producers_layouts,
        producers_memory,
        producers_methods,
        producers_refusals,
        producers_releases,
    ),
    "consumer": (consumers_onward, consumers_refusals, consumers_releases, consumers_requests, consumers_results),
}


def facts(role):
    """(name, adapter, what permits it) of the rows that say so."""
    return [(name, *row) for module in WITH_FACTS[role] for name, row in module.ROWS.items()]


OLDEST = {"producer": producers_fields.ROWS, "consumer": consumers.ROWS}
ROWS = {role: {**OLDEST[role], **{name: adapter for name, adapter, _ in facts(role)}} for role in OLDEST}
PRODUCERS, CONSUMERS = ROWS["producer"], ROWS["consumer"]
LATE = {"releases by a thread that comes later", "releases four times a second", "imports in cycles"}

# row -> rules whose warning is true. That a library is of 2021 is reported once, by the rule that says so.
EXPECTED = {
    "2021, nothing but a stream": {"python.kwargs-2023"},
    "2021, and never claimed the array API": {"python.kwargs-2023"},
    "no keywords": {"python.from-dlpack-kwargs"},
}
