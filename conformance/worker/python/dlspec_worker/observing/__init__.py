"""Observations of this process: memory, threads, leaks."""
