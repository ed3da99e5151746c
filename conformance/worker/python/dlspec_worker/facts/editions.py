"""Rules whose only source is the array API standard: since which edition, and what a deviation is worth at most.

`facts_of` is the extension's rule(): the rule table says which edition a rule comes from.
"""


def cap(rule, verdict, standard, facts_of):
    """The verdict of a deviation by a library that claims `standard`; None is the rule's own.

    A library that never claimed the array API is warned where others fail.
    """
    if standard != "dlpack":
        return verdict
    facts = facts_of(rule)
    if facts["edition"] is not None and (verdict or facts["broken"]) == "fail":
        return "warn"
    return verdict


def later_than(year, rules, facts_of):
    """The rules among `rules` that only came after the edition of `year`."""
    return [rule for rule in rules if (facts_of(rule)["edition"] or 0) > year]
