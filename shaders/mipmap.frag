#version 330 core
// A level of a mipmap: the average of the pixels of the larger one.
uniform sampler2D larger;   // filtered linearly
uniform vec2 size;          // of this level, pixels

out vec4 out_color;

void main() {
    out_color = texture(larger, gl_FragCoord.xy / size);
}
