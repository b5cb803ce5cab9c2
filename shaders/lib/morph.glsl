// Any number of morph targets (glTF 2.0, section 3.7.2.2): displacements are fetched from a texture
// for targets with non-zero weight. Texel (target * vertices + vertex) * parts + part, MORPH_WIDTH
// texels per row; part 0 is the position, followed by normal and tangent if the file has them.
uniform sampler2D morph_targets;
uniform sampler2D morph_active;  // r: target, g: weight, MORPH_WIDTH texels per row
uniform ivec4 morph_layout;      // active targets, vertices, part of the normal, of the tangent (0: none)
uniform int morph_parts;
#ifndef CHARACTER  // index of the character in a crowd
#define CHARACTER 0
#endif

vec3 morph_texel(int texel) {
    return texelFetch(morph_targets, ivec2(texel % MORPH_WIDTH, texel / MORPH_WIDTH), 0).rgb;
}

void morph_vertex(int vertex, inout vec3 point, inout vec3 normal, inout vec3 tangent) {
    for (int k = 0; k < morph_layout.x; ++k) {
        int entry = CHARACTER * morph_layout.x + k;
        vec2 target = texelFetch(morph_active, ivec2(entry % MORPH_WIDTH, entry / MORPH_WIDTH), 0).rg;
        int texel = (int(target.r) * morph_layout.y + vertex) * morph_parts;
        point += target.g * morph_texel(texel);
        if (morph_layout.z > 0) normal += target.g * morph_texel(texel + morph_layout.z);
        if (morph_layout.w > 0) tangent += target.g * morph_texel(texel + morph_layout.w);
    }
}
