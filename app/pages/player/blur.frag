// A Gaussian blur along one axis.
in vec2 v_at;
uniform sampler2D shadow_texture;
uniform vec2 blur_step;
out vec4 out_color;

void main() {
    float sum = 0.0, weights = 0.0;
    for (int k = -6; k <= 6; k++) {
        float weight = exp(-float(k * k) / 12.0);
        sum += weight * texture(shadow_texture, v_at + float(k) * blur_step).r;
        weights += weight;
    }
    out_color = vec4(sum / weights);
}
