"""Convert files of other formats to .glb by a child process with Blender, and cache the results.

A file goes in, a .glb comes out. Nothing here knows glTF, models or options.
"""
