"""What overlays draw beside bones: instances of lines, and the motion of a clip."""
