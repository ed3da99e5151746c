"""The library under test, as its adapter shows it."""
