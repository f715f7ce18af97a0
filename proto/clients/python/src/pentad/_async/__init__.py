"""The asynchronous client. `generate_sync.py` makes the synchronous one of it."""
