"""The Python exhibits of the zoo: test doubles, and classes that differ from them in one point."""
