"""Rules whose only source is the array API standard: since which edition, and what a deviation is worth at most.

`facts_of` is the extension's rule(): the rule table says which edition a rule comes from.
"""


def mitigation(rule, verdict, standard, facts_of):
    """The mitigation of a deviation that would be judged `verdict`, by a library that claims `standard`; or None.

    A library that never claimed the array API is warned where others fail.
    """
    if standard == "dlpack" and verdict == "fail" and facts_of(rule)["edition"] is not None:
        return "array-api-not-claimed"
    return None


def later_than(year, rules, facts_of):
    """The rules among `rules` that only came after the edition of `year`."""
    return [rule for rule in rules if (facts_of(rule)["edition"] or 0) > year]
