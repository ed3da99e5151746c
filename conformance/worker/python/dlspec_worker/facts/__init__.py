"""Plain data: nothing here knows a library or a case."""
