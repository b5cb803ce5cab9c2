// A picture, copied.
in vec2 v_at;
uniform sampler2D copied_texture;
out vec4 out_color;

void main() {
    out_color = texture(copied_texture, v_at);
}
