"""What is drawn: instances, crowds, camera, lights, environment, bounds, view modes; no GPU."""
