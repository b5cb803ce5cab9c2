// The contact shadow on the floor; premultiplied alpha.
in vec2 v_at;
uniform sampler2D shadow_texture;
out vec4 out_color;

void main() {
    vec2 edge = smoothstep(0.5, 0.42, abs(v_at - 0.5));
    out_color = vec4(0.0, 0.0, 0.0, 0.55 * texture(shadow_texture, v_at).r * edge.x * edge.y);
}
