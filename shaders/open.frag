#version 330 core
// The greatest depth and a colour where samples are wanted.
uniform sampler2D wanted;
uniform int zoom;     // pixels that are drawn for one of the picture, along each edge
uniform vec4 color;   // sRGB, premultiplied

out vec4 out_color;

void main() {
    if (texelFetch(wanted, ivec2(gl_FragCoord.xy) / zoom, 0).r == 0.0) discard;
    out_color = color;
}
