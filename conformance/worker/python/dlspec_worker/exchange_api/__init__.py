"""The C exchange API: the table of C functions that a type may publish."""
