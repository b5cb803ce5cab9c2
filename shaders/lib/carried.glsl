// Values of uniform blocks that the fragments of CARRIED surfaces get from the vertex shader: software
// renderers read each component of a block again for every fragment, in about twenty instructions.
// VERTEX is defined in vertex shaders; they call carry().
#ifdef CARRIED
#ifdef VERTEX
#define CARRY flat out
#else
#define CARRY flat in
#endif
#ifdef SUNS
#define CARRIED_LIGHTS SUNS
#else
#define CARRIED_LIGHTS 1
#endif
#if !defined(PUNCTUAL) && CARRIED_LIGHTS <= 2   // more take too many varyings
#define CARRY_LIGHTS
#endif
#ifdef GREY_ENVIRONMENT
#define CARRIED_IRRADIANCE 4
#else
#define CARRIED_IRRADIANCE 9
#endif

CARRY vec4 carried_eye;
CARRY vec4 carried_back;
CARRY vec4 carried_irradiance[CARRIED_IRRADIANCE];
CARRY vec4 carried_picture;
CARRY vec4 carried_material[CARRIED_VECTORS];
#ifdef CARRY_LIGHTS
CARRY vec3 carried_light_color[CARRIED_LIGHTS];
CARRY vec3 carried_light_backward[CARRIED_LIGHTS];
#ifdef SHADOW
CARRY vec4 carried_shadow_parameters;
CARRY mat4x3 carried_shadow_from_world;
#endif
#endif

#ifdef VERTEX
layout(std140) uniform Material {
    vec4 material_vectors[MATERIAL_VECTORS];
};

void carry() {
    carried_eye = eye;
    carried_back = back;
    for (int k = 0; k < CARRIED_IRRADIANCE; k++) carried_irradiance[k] = irradiance[k];
    carried_picture = picture;
    for (int k = 0; k < CARRIED_VECTORS; k++) carried_material[k] = material_vectors[k];
#ifdef CARRY_LIGHTS
    for (int k = 0; k < CARRIED_LIGHTS; k++) {
        carried_light_color[k] = light_color[k].rgb;
        carried_light_backward[k] = light_backward[k].xyz;
    }
#ifdef SHADOW
    carried_shadow_parameters = shadow_parameters;
    carried_shadow_from_world = mat4x3(shadow_from_world);
#endif
#endif
}
#else
#define eye carried_eye
#define back carried_back
#define irradiance carried_irradiance
#define picture carried_picture
#define VALUES(k) carried_material[k]
#ifdef CARRY_LIGHTS
#define light_color carried_light_color
#define light_backward carried_light_backward
#ifdef SHADOW
#define shadow_parameters carried_shadow_parameters
#define shadow_from_world carried_shadow_from_world
#endif
#endif
#endif
#endif
