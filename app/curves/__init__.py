"""Animation curves of tracks: charts with axes, drawn as SVG or pixels."""
