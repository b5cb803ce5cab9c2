// A square on the floor.
layout(std140, row_major) uniform Frame {
    mat4 view_projection;
};
uniform vec4 floor_square;   // its middle, and half its edge
out vec2 v_at;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    v_at = corner;
    vec2 away = (corner * 2.0 - 1.0) * floor_square.w;
    gl_Position = view_projection * vec4(floor_square.xyz + vec3(away.x, 0.0, away.y), 1.0);
}
