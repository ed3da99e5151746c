"""The variants that pairs of libraries are judged by."""
