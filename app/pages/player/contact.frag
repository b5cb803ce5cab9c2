// How near a surface is to the floor, for the contact shadow.
in vec3 v_point;
uniform vec2 contact_reach;   // height of the floor, and height at which nothing is left
out vec4 out_color;

void main() {
    float height = (v_point.y - contact_reach.x) / contact_reach.y;
    float near = clamp(1.0 - height, 0.0, 1.0);
    out_color = vec4(near * near);
}
