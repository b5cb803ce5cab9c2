"""What the inspector shows at the current time: vertices in the pose, animated materials."""
