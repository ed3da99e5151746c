"""Rules whose only source is the array API standard: since which edition, and what a breach is worth at most.

The same facts stand in the rule table; a test compares them.
"""

# Edition of each such rule that this worker decides.
SINCE = {
    "python.device-tuple": 2021,
    "python.device-tuple-int": 2021,
    "python.device-tuple-matches-capsule": 2021,
    "python.device-cheap": 2021,
    "stream.cpu-none": 2021,
    "python.kwargs-2023": 2023,
    "python.max-version-none-legacy": 2023,
    "python.max-version-1-versioned": 2023,
    "python.max-version-0-legacy-or-buffererror": 2023,
    "python.max-version-higher-ok": 2023,
    "python.dl-device-own": 2023,
    "python.dl-device-unsupported": 2023,
    "python.copy-true": 2023,
    "python.copy-false": 2023,
    "python.copy-false-error": 2023,
    "python.copy-none": 2023,
    "python.consumer-typeerror-retry": 2023,
    "python.copy-true-mutable": 2024,
    "dtype.array-api-set": 2021,
    "stream.range": 2021,
    "python.keyword-only": 2021,
    "python.export-buffererror": 2022,
    "python.other-errors": 2022,
    "python.max-version-type": 2023,
    "python.dl-device-none": 2023,
    "python.dl-device-format": 2023,
    "python.dl-device-honoured": 2023,
    "dtype.unsupported-buffererror": 2022,
    "python.from-dlpack-kwargs": 2023,
    "python.from-dlpack-device-honoured": 2023,
    "python.from-dlpack-attributeerror": 2023,
    "python.from-dlpack-propagates": 2023,
    "python.copy-forwarded": 2023,
    "python.from-dlpack-copy-false-error": 2023,
    "python.from-dlpack-same-device": 2023,
    "python.consumer-verifies-version": 2023,
    "python.consumer-max-version-truthful": 2023,
    "python.consumer-retry-not-masking": 2023,
    "python.consumer-no-reliance-on-device-call": 2021,
    "stream.cuda-zero-never-sent": 2021,
    "stream.rocm-values": 2021,
    "stream.int-type": 2021,
    "stream.valid-for-target": 2023,
    "stream.explicit-default": 2021,
}

# Those of them whose breach is a failure by itself.
FAILING = frozenset(
    {
        "python.device-tuple",
        "python.device-tuple-matches-capsule",
        "stream.cpu-none",
        "python.dl-device-own",
        "python.dl-device-unsupported",
        "python.copy-true",
        "python.copy-false",
        "python.copy-false-error",
        "dtype.array-api-set",
        "stream.range",
        "python.keyword-only",
        "python.dl-device-format",
        "python.dl-device-honoured",
        "python.from-dlpack-device-honoured",
        "python.from-dlpack-attributeerror",
        "python.from-dlpack-propagates",
        "python.copy-forwarded",
        "python.from-dlpack-copy-false-error",
        "python.from-dlpack-same-device",
        "python.consumer-verifies-version",
        "python.consumer-max-version-truthful",
        "stream.cuda-zero-never-sent",
        "stream.rocm-values",
        "stream.int-type",
        "stream.valid-for-target",
    }
)


def cap(rule, verdict, standard):
    """The verdict of a breach by a library that claims `standard`: one that never claimed the array API is warned."""
    if standard != "dlpack" or rule not in SINCE:
        return verdict
    return "warn" if (verdict == "fail" or (verdict is None and rule in FAILING)) else verdict


def later_than(year, rules):
    """The rules among `rules` that only came after the edition of `year`."""
    return [rule for rule in rules if SINCE.get(rule, 0) > year]
