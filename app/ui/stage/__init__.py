"""The panel of the stage: environment, light and background."""
