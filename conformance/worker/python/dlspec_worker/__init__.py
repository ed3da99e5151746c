"""The Python worker: judges one library, or a pair, in the library's own interpreter.

Standard library only, CPython 3.9 and later. Packages import only from those above them:

facts      plain data: element sizes, codes and flags of DLPack, editions, texts
channel    the conversation with the parent, and loading the extension and the adapter
trial      one case: its order, its answers by rule, and the table of variants
subject    the library under test, as its adapter shows it
observing  observations of this process: memory, leaks
exports    calls of __dlpack__, and what their capsules hold
imports    what consumers are offered, and how their imports are judged
sequence   arrays and exports that live together, carried out step by step
producer, consumer, exchange
           the variants; a function registers itself under their names

Above them all, main answers the cases of one library and exchanges those of a pair.
"""
