// What extensions lay over and under a surface: factors and textures, behind those of lib/material.glsl.
#ifdef LAYERED
#define specular_factors FACTORS(14)   // rgb: colour, linear, w: strength
#define sheen_factors FACTORS(15)      // rgb: colour, linear, w: roughness
#define coat_factors FACTORS(16)       // x: strength, y: roughness, z: normal scale
#define index_factors FACTORS(17)      // x: reflectance of the index of refraction seen head-on,
                                       // y: transmission, z: how much of the roughness blurs it
#define specular_place PLACE(18)
#define specular_color_place PLACE(20)
#define coat_place PLACE(22)
#define coat_roughness_place PLACE(24)
#define coat_normal_place PLACE(26)
#define sheen_color_place PLACE(28)
#define sheen_roughness_place PLACE(30)
#define transmission_place PLACE(32)

uniform sampler2D specular_texture;
uniform sampler2D specular_color_texture;
uniform sampler2D coat_texture;
uniform sampler2D coat_roughness_texture;
uniform sampler2D coat_normal_texture;
uniform sampler2D sheen_color_texture;
uniform sampler2D sheen_roughness_texture;
uniform sampler2D transmission_texture;

// Share of the light that enters and comes out behind; nothing comes out of metal.
float transmitted(float metallic, vec2 texcoord0, vec2 texcoord1) {
    float share = index_factors.y * (1.0 - metallic);
#ifdef TRANSMISSION_TEXTURE
    share *= texture(transmission_texture, place(transmission_place, texcoord0, texcoord1)).r;
#endif
    return share;
}
#endif
