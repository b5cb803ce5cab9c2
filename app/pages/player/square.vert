// A triangle that covers the picture.
out vec2 v_at;

void main() {
    v_at = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(v_at * 2.0 - 1.0, 0.0, 1.0);
}
