"""The timeline at the bottom: ruler, range, keys, events, strips, transport, and the schedule."""
