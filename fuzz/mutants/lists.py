"""The lists that are kept by hand.

survivors.txt: mutants that may survive; rearrange.txt: faults that tests must kill; fuzzed.txt: faults that fuzzing
finds.
"""

import os

import places

HERE = os.path.dirname(os.path.abspath(__file__))
SURVIVORS = os.path.join(HERE, "survivors.txt")
REARRANGE = os.path.join(HERE, "rearrange.txt")
FUZZED = os.path.join(HERE, "fuzzed.txt")
# Words that hold for all entries below them, with the words that they end; then those of an entry, the last of which
# completes it.
SCOPES = {"file": ("in", "needs", "target"), "in": (), "needs": (), "target": ()}
SURVIVOR_WORDS = ("breaks", "code", "wrong", "because")
REARRANGE_WORDS = ("line", "nth", "breaks", "wrong")
FUZZED_WORDS = ("line", "nth", "fields", "breaks", "wrong")


def _entries(path, words):
    """One dictionary for each entry of a file; `line` and `nth` hold for the entries below them, too."""
    scope, entry = {}, {}
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            word, _, rest = text.strip().partition(" ")
            if word in ("", "#") or word.startswith("#"):
                continue
            if word in SCOPES:
                scope = {name: value for name, value in scope.items() if name not in SCOPES[word]} | {word: rest}
                entry = {}
            elif word not in words:
                raise ValueError(f'{path}:{number}: "{word}" is not a word of this file')
            else:
                if word == words[0]:
                    entry = {}
                entry[word] = rest
                if word == words[-1]:
                    yield scope | entry


def load_rearrange(path=REARRANGE):
    """The faults that are chosen by hand, as mutants."""
    return [
        {"file": each["file"], "function": each.get("in", ""), "line": each["line"], "nth": int(each.get("nth", 0))}
        | {"breaks": each["breaks"], "wrong": each["wrong"]}
        | ({"needs": each["needs"]} if "needs" in each else {})
        for each in _entries(path, REARRANGE_WORDS)
    ]


def load_fuzzed(path=FUZZED):
    """The faults that fuzzing finds, with their fuzz target and the number of fields that must coincide."""
    return [
        {"file": each["file"], "function": each.get("in", ""), "line": each["line"], "nth": int(each.get("nth", 0))}
        | {"breaks": each["breaks"], "wrong": each["wrong"], "target": each["target"], "fields": int(each["fields"])}
        for each in _entries(path, FUZZED_WORDS)
    ]


def load_survivors(path=SURVIVORS):
    """key -> the entry, which has its reason in `because`."""
    return {_survivor_key(each, each["code"], each["wrong"]): each for each in _entries(path, SURVIVOR_WORDS)}


def _survivor_key(mutant, code, wrong):
    function = mutant.get("in", mutant.get("function", ""))
    return mutant["file"], function, mutant["breaks"], places.squeezed(code), places.squeezed(wrong)


def survivor_key(mutant):
    """The same for every format of the source and wherever the function stands in it."""
    lines = places.read(mutant["file"])
    code = places.statement_text(lines, mutant["at"])
    return _survivor_key(mutant, code, places.statement_text(lines, mutant["at"], mutant["wrong"]))


def survivor_text(mutant):
    """The entry for a mutant, without its reason: to be put into survivors.txt."""
    lines = places.read(mutant["file"])
    code, wrong = (places.statement_text(lines, mutant["at"], wrong) for wrong in (None, mutant["wrong"]))
    return (
        f"file {mutant['file']}\nin {mutant['function']}\n"
        f"  breaks {mutant['breaks']}\n    code {code}\n    wrong {wrong}".rstrip()
    )


def explain(mutants, survivors):
    """Gives each mutant that the list explains its reason (`survives`); returns the entries that fit no mutant."""
    files = {each["file"] for each in survivors.values()}
    left = dict(survivors)
    for mutant in mutants:
        if mutant["file"] in files:
            found = survivors.get(survivor_key(mutant))
            if found:
                mutant["survives"] = found["because"]
                left.pop(survivor_key(mutant), None)
    return list(left.values())
