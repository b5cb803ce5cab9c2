"""The panel of findings: what `check` says about the active character."""
