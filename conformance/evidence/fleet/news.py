"""What the newest releases change: for the night, which tells of it and fails for nothing that a release did."""

import os
import shutil

import judging
import programs
from subjects import EVIDENCE, Subject


def key_of(deviation):
    return deviation["role"], deviation["rule"], deviation["status"], deviation["observed"].splitlines()[0]


def compare(pinned, newest):
    """Lines about deviations of one result that the other does not have."""
    before = {key_of(each): each for each in pinned["deviations"]}
    after = {key_of(each): each for each in newest["deviations"]}
    for sign, these, others in (("new ", after, before), ("gone", before, after)):
        for key in these:
            if key not in others:
                role, rule, status, observed = key
                yield f"  {sign}  {status} {rule}, {role}, as in {these[key]['case']}: {observed}"


def propose_baseline(dlspec, library, documents, folder):
    """A copy of the shipped baseline, brought up to date with both releases; its path."""
    name = f"{library.replace('-', '_')}.txt"
    shipped, proposed = EVIDENCE / "baselines" / name, os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(proposed):
        os.remove(proposed)
    if shipped.exists():
        shutil.copy(shipped, proposed)
    command = [dlspec, "baseline", "update", proposed, *documents]
    done = programs.run(command)
    return proposed if done.returncode == 0 else f"none: {done.stderr.strip()}"


def news_of(store, subject, folder):
    """Lines about the newest release of the library of a pinned subject; none where it is the pinned one.

    What the pinned release does comes from the store, where the fleet has put it.
    """
    os.makedirs(folder, exist_ok=True)
    documents = [store.document(subject), os.path.join(folder, f"{subject.library}-newest.json")]
    newest = judging.judge(store.dlspec, Subject(subject.library, "latest"), ("--refresh",), keep=documents[1])
    if newest["version"] == subject.version:
        return []
    if "unjudged" in newest:
        return [f"{subject.library}: the newest release was not judged: {newest['unjudged']}"]
    pinned = store.judged(subject, again=not os.path.exists(documents[0]))
    head = f"{subject.library} {newest['version']} is out; tests and figures are pinned to {subject.version}"
    lines = list(compare(pinned, newest)) or ["  deviates as before"]
    proposed = propose_baseline(store.dlspec, subject.library, documents, os.path.join(folder, "proposed"))
    return [head, *lines, f"  proposed baseline: {proposed}"]


def run(store, selected, folder):
    """Prints the news of each pinned subject among these; 0."""
    for subject in selected:
        if subject.pinned:
            lines = news_of(store, subject, folder) or [f"{subject.library} {subject.version} is the newest release"]
            print("\n".join(lines), flush=True)
    return 0
