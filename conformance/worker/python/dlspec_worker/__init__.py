"""What the Python worker is made of. Standard library only, CPython 3.9 and later.

main      the conversation with the parent; one answer per case
loading   the extension, the adapter, and what to say when one of them does not load
library   the library under test, as its adapter shows it
trial     one case: what was ordered, and the answers by rule
cases     the table of variants; producer_*.py and consumer_*.py fill it
"""
