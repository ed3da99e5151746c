"""Command sequences: arrays and exports that live together, step by step, and what each of them must keep to."""
