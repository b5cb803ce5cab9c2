// Factors and textures of material extensions, stored behind those of lib/material.glsl.
#ifdef LAYERED
#define specular_factors FACTORS(14)   // rgb: colour, linear, w: strength
#define sheen_factors FACTORS(15)      // rgb: colour, linear, w: roughness
#define coat_factors FACTORS(16)       // x: strength, y: roughness, z: normal scale
#define ior_factors FACTORS(17)        // x: reflectance at normal incidence by the IOR,
                                       // y: transmission, z: factor of the roughness for its blur
#define specular_uv_rows UV_ROWS(18)
#define specular_color_uv_rows UV_ROWS(20)
#define coat_uv_rows UV_ROWS(22)
#define coat_roughness_uv_rows UV_ROWS(24)
#define coat_normal_uv_rows UV_ROWS(26)
#define sheen_color_uv_rows UV_ROWS(28)
#define sheen_roughness_uv_rows UV_ROWS(30)
#define transmission_uv_rows UV_ROWS(32)

uniform sampler2D specular_texture;
uniform sampler2D specular_color_texture;
uniform sampler2D coat_texture;
uniform sampler2D coat_roughness_texture;
uniform sampler2D coat_normal_texture;
uniform sampler2D sheen_color_texture;
uniform sampler2D sheen_roughness_texture;
uniform sampler2D transmission_texture;

// The transmission factor; metals do not transmit.
float transmission_factor(float metallic, vec2 texcoord0, vec2 texcoord1) {
    float share = ior_factors.y * (1.0 - metallic);
#ifdef TRANSMISSION_TEXTURE
    share *= texture(transmission_texture, transform_uv(transmission_uv_rows, texcoord0, texcoord1)).r;
#endif
    return share;
}
#endif
