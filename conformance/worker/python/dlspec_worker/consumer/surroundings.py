"""What surrounds a stimulus of a consumer: what its sources are like, how it is asked, what was imported before."""

import copy
import types

from dlspec_worker.consumer import path_steps as steps
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.stimuli import Surrounded


def surround(trial, way):
    """Every import of the stimulus comes after this history. An ordinary import of that kind must succeed."""
    library, keywords = trial.library, _keywords(trial, way)
    if trial.plain.readonly:
        trial.order = types.SimpleNamespace(**{**vars(trial.order), "readonly": True})
    kept = steps.BEFORE[way.get("before", "nothing")](copy.copy(trial), way)
    struct = way.get("struct", "1.3")
    trial.sources = {
        "generation": "legacy" if struct == "legacy" else None,
        "version": steps.VERSIONS.get(struct) if struct != "1.3" else None,
        "fields": dict(steps.PLACES[way.get("place", "aligned")]),
        "copies": way.get("copy", "absent") == "true",
    }
    _require_plain_import(trial, keywords)

    def from_dlpack(source, **given):
        return library.from_dlpack(source, **{**keywords, **given})

    trial.library = Surrounded(library, from_dlpack=from_dlpack, kept=kept)


def _keywords(trial, way):
    found = steps.device(trial, way)
    if way.get("copy", "absent") != "absent":
        found["copy"] = steps.COPY[way.get("copy", "absent")]
    return found


def _require_plain_import(trial, keywords):
    trial = copy.copy(trial)
    trial.order = types.SimpleNamespace(**{**vars(trial.order), "readonly": False})
    done = Import(trial, Source(trial), **keywords)
    shown = None if done.refusal else trial.library.imported_contents(done.array)[0]
    done.source.forget_capsules()
    if shown != trial.order.bytes:
        raise Unsupported("an ordinary import of this kind is refused, or shows other elements")
