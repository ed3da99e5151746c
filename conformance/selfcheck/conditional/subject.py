"""The adapter of one conditional fault: the exhibit in DLSPEC_EXHIBIT under the condition in DLSPEC_CONDITION."""

import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "python"), os.path.join(HERE, "..", "zoo", "python")]

EXHIBIT = os.environ["DLSPEC_EXHIBIT"]
if os.environ["DLSPEC_CONDITION"] == "unseen":
    os.environ["DLSPEC_EXHIBIT"] = "doubles.Array"  # zoo.py knows the exhibits alone
import conditional  # noqa: E402
import conditional_tables  # noqa: E402
import rows  # noqa: E402
import zoo  # noqa: E402
import zoo_rules  # noqa: E402
from exhibits import doubles, exchange_producers  # noqa: E402


def find(name, condition):
    """The adapter of this exhibit under this condition; "unseen": a class with a condition of its own."""
    if condition == "unseen":
        module, _, kind = name.partition(".")
        unseen = getattr(importlib.import_module(module), kind)
        return doubles.Producer("", unseen) if issubclass(unseen, doubles.Array) else unseen()
    _, role, twin = zoo_rules.zoo_rows()[name]
    (kind, fault), (clean, _) = zoo.parts(name), zoo.parts(twin)
    if issubclass(kind, exchange_producers.Tables):
        return conditional_tables.Producer(fault, condition)
    if issubclass(kind, doubles.Array):
        made = conditional.Producer(kind, clean, fault, condition)
        made.kind = conditional_tables.with_table(made.kind) if condition == "table" else made.kind
        return made
    written = dict(rows.ROWS)[name]
    return conditional.Consumer(zoo.find(name), zoo.find(twin), condition, "asks" in rows.tags_of(name, written, role))


subject = find(EXHIBIT, os.environ["DLSPEC_CONDITION"])
standard = subject.standard
for function in ("make", "odd", "from_dlpack", "contents", "write"):
    if hasattr(subject, function):
        globals()[function] = getattr(subject, function)
