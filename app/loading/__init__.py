"""Load characters of any format, import clips of other files, read git revisions, watch files."""
