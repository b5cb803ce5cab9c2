// A share of the average of 2 x 2 samples of each pixel, in linear light, premultiplied.
uniform sampler2D samples_texture;
uniform float samples_share;
out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) * 2;
    vec4 sum = vec4(0.0);
    for (int k = 0; k < 4; k++) {
        vec4 c = texelFetch(samples_texture, at + ivec2(k & 1, k >> 1), 0);
        vec3 straight = c.rgb / max(c.a, 1e-6);
        vec3 light = mix(straight / 12.92, pow((straight + 0.055) / 1.055, vec3(2.4)), step(0.04045, straight));
        sum += vec4(light * c.a, c.a);
    }
    out_color = sum * samples_share;
}
