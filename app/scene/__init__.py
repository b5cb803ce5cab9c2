"""Scenes without a GPU: instances, crowds, cameras, lights, environments, bounds, view modes."""
