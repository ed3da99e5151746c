"""One case, from its order to its answers."""
