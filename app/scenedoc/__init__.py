"""The record of what a picture shows: immutable, by names as the command line writes them.

Pure, without numpy and without files. `rigview.scene` binds a record to models and draws nothing
else; options, panels, undo and copied commands read and replace its parts.
"""
