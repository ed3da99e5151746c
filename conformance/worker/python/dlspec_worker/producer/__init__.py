"""The variants that producers are judged by."""
