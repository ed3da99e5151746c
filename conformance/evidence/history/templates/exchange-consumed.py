"""A consumer calls a function of an exchange table that it must not use.

VERSION: of the table
SOURCE: the object that is imported; `recording.capsule` has the table
IMPORT: the import of `source`
"""

recording = Recording(VERSION)
source = SOURCE
attempt(lambda: IMPORT)
verdict(bool(recording.calls), f"called: {recording.calls}")
