"""The conversation with the parent, and what has to be loaded before it."""
