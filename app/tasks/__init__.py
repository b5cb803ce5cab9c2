"""What each command does, given its options; Python and the pytest plug-in call the same tasks."""
