"""What the fleet knows of its subjects: kept from one run to the next, and of this build alone."""

import json
import os
import shutil

import judging
import subjects


def judge(dlspec, subject, cache=None, keep=None):
    """With what is pinned beside it; of an older release in `cache`, where there is one, which is then removed.

    `keep`: where the result document itself is put.
    """
    with subjects.constraints(subject) as environment:
        if cache is None or subject.pinned:
            return judging.judge(dlspec, subject, environment=environment, keep=keep)
        try:
            return judging.judge(dlspec, subject, environment={**environment, "DLSPEC_CACHE": cache})
        finally:
            shutil.rmtree(cache, ignore_errors=True)


class Store:
    """What is known of each subject, one file each; of another build it is not known."""

    def __init__(self, folder, build):
        self.folder = folder
        self.dlspec = os.path.join(build, "bin", "dlspec")
        self.fingerprint = judging.fingerprint(build)
        os.makedirs(os.path.join(folder, "documents"), exist_ok=True)

    def path(self, subject):
        return os.path.join(self.folder, f"{subject.library}-{subject.version}.json")

    def document(self, subject):
        """The result document of a pinned release that was judged."""
        return os.path.join(self.folder, "documents", f"{subject.library}-{subject.version}.json")

    def find(self, subject):
        try:
            with open(self.path(subject), encoding="utf-8") as file:
                kept = json.load(file)
        except (OSError, ValueError):
            return None
        return kept["result"] if kept["fingerprint"] == self.fingerprint else None

    def judged(self, subject, again=False, sparing=False):
        """What is known of it, or comes out now."""
        found = None if again else self.find(subject)
        if found is None:
            keep = self.document(subject) if subject.pinned else None
            found = judge(self.dlspec, subject, os.path.join(self.folder, "cache") if sparing else None, keep)
            self.put(subject, found)
        return found

    def put(self, subject, result):
        with open(self.path(subject) + ".new", "w", encoding="utf-8") as file:
            json.dump({"fingerprint": self.fingerprint, "result": result}, file, indent=1)
        os.replace(self.path(subject) + ".new", self.path(subject))
