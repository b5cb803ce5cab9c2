#version 330 core
// The outline of what is marked in a texture of the same size; premultiplied alpha.
uniform sampler2D outline_mask;
uniform float outline_width;   // pixels
uniform vec4 outline_color;    // sRGB, straight alpha

#include "lib/target.glsl"

bool marked(ivec2 at) {
    return texelFetch(outline_mask, clamp(at, ivec2(0), textureSize(outline_mask, 0) - 1), 0).r > 0.0;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    bool inside = marked(at);
    int reach = int(ceil(outline_width));
    float nearest = outline_width + 1.0;
    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++)
            if (marked(at + ivec2(x, y)) != inside) nearest = min(nearest, length(vec2(x, y)));
    float cover = inside ? 0.0 : clamp(outline_width + 0.5 - nearest, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float alpha = outline_color.a * cover;
    write_unlit(vec4(outline_color.rgb * alpha, alpha));
}
