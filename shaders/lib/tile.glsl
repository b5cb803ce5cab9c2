// A corner of a tile of the picture.
in uvec2 in_corner;       // pixels

uniform vec4 tiled_box;   // of the view: left, bottom, width and height, pixels

// Its position in clip space, at the greatest depth.
vec4 tile_position() {
    return vec4((vec2(in_corner) - tiled_box.xy) / tiled_box.zw * 2.0 - 1.0, 1.0, 1.0);
}
