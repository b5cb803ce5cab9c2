#version 330 core
// An antialiased line with round ends; premultiplied alpha.
in vec4 v_color;
in vec2 v_along;
flat in vec2 v_size;

out vec4 out_color;

void main() {
    float beyond = max(max(-v_along.x, v_along.x - v_size.x), 0.0);
    float cover = clamp(v_size.y + 0.5 - length(vec2(beyond, v_along.y)), 0.0, 1.0);
    if (cover <= 0.0) discard;
    float alpha = v_color.a * cover;
    out_color = vec4(v_color.rgb * alpha, alpha);
}
