"""The stage of the scene: environment, light and background, with presets and undo."""
