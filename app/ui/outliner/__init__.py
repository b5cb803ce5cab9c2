"""The outliner at the left: the joints, meshes and morph targets of the active character."""
