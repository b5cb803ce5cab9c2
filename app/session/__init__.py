"""The editor without a window: open characters, transport, motion editor, actions, copy as."""
