"""What the inspector shows: transforms, statistics, vertices in the pose, animated materials."""
