"""What this process can tell of its own memory, threads and objects."""
