"""What an export on a path is asked for, and what follows from a keyword alone."""

from dlspec_worker.exports import exporting
from dlspec_worker.exports.devices import device_numbers
from dlspec_worker.exports.exporting import Export
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.producer import path_steps as steps
from dlspec_worker.producer.keywords import judge_own_device
from dlspec_worker.trial.attempts import attempt


def request(trial, way, array):
    """The keywords of this path, without those that the exporter does not know."""
    if trial.channel:
        return {"max_version": NEWEST}
    found = {}
    for keyword, levels in steps.REQUESTS.items():
        level = way.get(keyword, "1.3" if keyword == "max_version" else "absent")
        if level == "absent" or not _is_known(trial, array, keyword):
            continue
        found[keyword] = levels[level]
        if found[keyword] == "own":
            device, misfit = attempt(lambda: array.__dlpack_device__())
            found[keyword] = None if misfit else device
    return found


def _is_known(trial, array, keyword):
    if keyword not in trial.library.keywords:
        trial.library.keywords[keyword] = not exporting.is_keyword_unknown(trial, array, keyword)
    return trial.library.keywords[keyword]


def judge_refusal(trial, array, made):
    """A request that is granted where one keyword says the same in other words, or says nothing."""
    asked, refusal = made.keywords, made.refusal
    if "dl_device" in asked and _is_due_to(trial, array, made, "dl_device"):
        rule = "python.dl-device-none" if asked["dl_device"] is None else "python.dl-device-own"
        trial.out.violated(rule, f"{made.call} raised {refusal.text}", "an export, as without dl_device")
    if (asked.get("max_version") or (0, 0)) > NEWEST and _is_due_to(trial, array, made, "max_version", NEWEST):
        observed = f"{made.call} raised {refusal.text}"
        trial.out.violated("python.max-version-higher-ok", observed, "a capsule of the exporter's own version")
    if asked.get("copy") is False and not refusal.is_a(BufferError) and _is_due_to(trial, array, made, "copy"):
        milder = "copy-false-valueerror" if refusal.is_a(ValueError) else None
        trial.out.violated("python.copy-false-error", f"{made.call} raised {refusal.text}", "BufferError", milder)


def _is_due_to(trial, array, made, keyword, other=None):
    """True when the request is granted without the keyword, or with its other value, and is refused again."""
    changed = {name: value for name, value in made.keywords.items() if name != keyword}
    if other is not None:
        changed[keyword] = other
    granted = Export(trial, array, changed).generation is not None
    again = Export(trial, array, made.keywords).refusal if granted else None
    return again is not None and again.kind is made.refusal.kind


def judge_device(trial, array, made, was_right):
    """The array's own device is the same as none: the device of the export, and whose memory it is."""
    own = made.keywords.get("dl_device")
    if own is None or device_numbers(own) is None:
        return
    others = {name: value for name, value in made.keywords.items() if name != "dl_device"}
    if made.device() not in (None, device_numbers(own)):
        fresh = Export(trial, trial.library.make(trial.order), others)
        if fresh.generation is not None and fresh.device() == device_numbers(own):
            observed = f"the export is on device {made.device()}"
            trial.out.violated("python.dl-device-own", observed, "the device that was asked for")
    elif was_right and not made.keywords.get("copy"):
        plain = Export(trial, array, others)
        if plain.generation is not None and steps.shows(trial, plain):
            judge_own_device(trial, array, plain, made, own)
