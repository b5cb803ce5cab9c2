#version 330 core
// The least depth where no further samples are wanted.
uniform sampler2D wanted;

void main() {
    if (texelFetch(wanted, ivec2(gl_FragCoord.xy), 0).r > 0.0) discard;
}
