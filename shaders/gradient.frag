#version 330 core
// A colour of the background; premultiplied alpha.
in vec4 v_color;

#include "lib/target.glsl"

void main() {
    write_unlit(v_color);
}
