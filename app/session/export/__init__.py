"""Export of pictures, videos, turntables and contact sheets: settings, command and process."""
