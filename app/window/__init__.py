"""The window: viewer loop, ImGui backend, input events, file dialog."""
