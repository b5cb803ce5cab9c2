"""Compares pictures with those of f3d and three.js: same models, same camera, same time."""
