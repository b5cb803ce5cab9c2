#version 330 core
// Tiles of a picture, at the greatest depth.
#include "lib/tile.glsl"

void main() {
    gl_Position = tile_position();
}
