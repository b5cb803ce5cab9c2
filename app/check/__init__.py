"""What is wrong with a character: rules that look at a file and its clips, and find.

It knows models, the document they came from, and the motion file beside them; never how a finding
is told, and never the GPU.
"""
