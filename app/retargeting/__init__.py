"""Clips of one skeleton on another: joint mapping, reference poses, leg IK; numpy only."""
