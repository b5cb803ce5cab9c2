// The base colour of a material.
#ifdef COLORS
in vec4 v_color;
#endif

vec4 base_color() {
    vec4 base = material_base_color;
#ifdef COLORS
    base *= v_color;
#endif
    return base * base_color_texel;
}
