"""Pictures of ours beside those of f3d and three.js: same models, same camera, same moment."""
