"""What consumers are offered, and what they make of it."""
