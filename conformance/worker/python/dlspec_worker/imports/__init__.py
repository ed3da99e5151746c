"""What consumers are offered, and how their imports are judged."""
