"""Pictures and videos: PNG, WebP, GIF, video, contact sheets, text, comparison; without GPU."""
