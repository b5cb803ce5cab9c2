"""The export dialog, and the progress of the running export."""
