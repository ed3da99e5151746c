"""The variants that consumers are judged by."""
