// The pixels of a tile in sRGB, premultiplied.
uniform sampler2D light_texture;
uniform ivec2 tile_origin;   // of the tile in the picture, pixels
out vec4 out_color;

void main() {
    vec4 sum = texelFetch(light_texture, ivec2(gl_FragCoord.xy) - tile_origin, 0);
    vec3 light = sum.rgb / max(sum.a, 1e-6);
    vec3 encoded = mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
    out_color = vec4(encoded * sum.a, sum.a);
}
