"""The loaded model: meshes, materials, clips, statistics, lookup by name; no format, no GPU."""
