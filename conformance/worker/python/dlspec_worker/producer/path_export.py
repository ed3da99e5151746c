"""The export of a path: on which thread, beside which others, and whether a refusal is due to what was before."""

from dlspec_worker.exports import exporting
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.trial import threads
from dlspec_worker.trial.attempts import attempt


def earlier(trial, way, source):
    """Exports that are released while the one under judgement lives."""
    if way.get("after", "nothing") != "earlier-released":
        return []
    return [attempt(Export, trial, source.array, keywords)[0] for keywords in ({"max_version": NEWEST}, {})]


def export(trial, way, source, request):
    if way.get("thread", "same") == "same":
        return exporting.export(trial, source.array, **request)
    made = _on_another_thread(trial, source.array, request)
    if made is None or made.fault or (made.refusal is None and made.generation is None):
        return exporting.export(trial, source.array, **request)  # says what is wrong with it
    return made


def _on_another_thread(trial, array, request):
    """The export, or None where it did not end."""
    made = []
    ended = threads.together(lambda: made.append(Export(trial, array, request)))
    return None if not made or ended[0] is None else made[0]


def judge_usable(trial, way, made, made_again):
    """What is over, an export or a refusal, does not keep the array from being exported."""
    before = way.get("before", "nothing")
    if before not in ("export-released", "refusal", "exception"):
        return
    if way.get("after", "nothing") == "earlier-released":
        return  # other exports of the array are alive, and it may have one at a time
    array = made_again()
    asked = Export if way.get("thread", "same") == "same" else _on_another_thread
    fresh = None if array is None else attempt(asked, trial, array, made.keywords)[0]
    if fresh is not None and fresh.generation is not None:
        observed = f"{made.call} raised {made.refusal.text}; of a fresh array it gives a capsule"
        trial.out.violated("python.no-effect-on-source", observed, "an array as usable as before")
