// Edges of triangles.
out vec4 out_color;

void main() {
    out_color = vec4(0.0, 0.0, 0.0, 0.4);
}
