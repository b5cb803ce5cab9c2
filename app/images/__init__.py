"""Pictures and videos: PNG, WebP, GIF, video, contact sheets, text, comparison; no GPU."""
