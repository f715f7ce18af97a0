"""The synchronous client.

Written by generate_sync.py from _async/__init__.py; do not edit.
"""
