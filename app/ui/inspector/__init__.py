"""The inspector at the right: what is known of the selected joint, vertex or mesh part."""
