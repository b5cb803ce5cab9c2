#version 330 core
// A colour of the background; premultiplied alpha.
in vec4 v_color;

out vec4 out_color;

void main() {
    out_color = v_color;
}
