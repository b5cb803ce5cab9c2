#version 330 core
// A vertex: morph, skin (or transform rigidly), project.
#define VERTEX
#include "lib/frame.glsl"
#ifdef CARRIED
#include "lib/lights.glsl"
#include "material_size.glsl"
#include "lib/carried.glsl"
#endif
// CHARACTER: row of palettes, morph weights and materials.
#ifdef INSTANCED  // characters of a crowd
in vec4 in_matrix0;
in vec4 in_matrix1;
in vec4 in_matrix2;
in float in_row;
const vec4 instance_flags = vec4(-1.0, 0.0, 0.0, 0.0);
#define CHARACTER int(in_row + 0.5)
#else  // a single one
layout(std140, row_major) uniform Instance {
    mat4 instance_matrix;  // skinned: model to world space, rigid: mesh to world space
    vec4 instance_flags;   // x: palette entry whose weights are displayed, -1: none
                           // y: weight of a rigid mesh; z: its skin's row of mask_weights
                           // w: CHARACTER
};
#define CHARACTER int(instance_flags.w + 0.5)
#endif
#ifdef MATERIAL_ROWS
flat out int v_character;
#endif
#ifdef PICK
flat out int v_member;  // index of the character in a batch of a crowd
#endif
#ifdef MORPH
#include "lib/morph.glsl"
#endif
#ifdef SKIN
#include "lib/skin.glsl"
#endif

invariant gl_Position;  // in programs of depth and of colours: surfaces are drawn at equal depth
in vec3 in_position;
in vec3 in_normal;
in vec4 in_tangent;
in vec4 in_texcoords01;  // two sets of texture coordinates
in vec4 in_texcoords23;
in vec4 in_color;
#ifdef SKIN
in uvec4 in_joints0;
in vec4 in_weights0;
#if SKIN > 4
in uvec4 in_joints1;
in vec4 in_weights1;
#endif
#endif

out vec3 v_point;
out vec3 v_normal;
out vec4 v_tangent;
out vec2 v_texcoord0;
out vec2 v_texcoord1;
out vec2 v_texcoord2;
out vec2 v_texcoord3;
out vec4 v_color;
#ifdef VOLUME
out mat3 v_stretch;  // scale of the mesh in world space, without its rotation
#endif
#ifdef WEIGHTS
out float v_weight;
#endif
#ifdef HEAT
uniform sampler2D vertex_values;  // of all primitives, one after the other
uniform int first_value;          // of this one
#endif
#ifdef MASK
uniform sampler2D mask_weights;  // a row per skin, a texel per palette entry
vec4 mask_weight(uvec4 joints) {
    int row = int(instance_flags.z + 0.5);
    return vec4(texelFetch(mask_weights, ivec2(joints.x, row), 0).r,
                texelFetch(mask_weights, ivec2(joints.y, row), 0).r,
                texelFetch(mask_weights, ivec2(joints.z, row), 0).r,
                texelFetch(mask_weights, ivec2(joints.w, row), 0).r);
}
#endif

#ifdef VIEW
flat out vec3 v_joint_color;

// Distinguishable colours of consecutive numbers: hues at multiples of the golden ratio.
vec3 number_color(uint number) {
    float hue = fract(float(number) * 0.61803399) * 6.0;
    vec3 c = clamp(vec3(abs(hue - 3.0) - 1.0, 2.0 - abs(hue - 2.0), 2.0 - abs(hue - 4.0)), 0.0, 1.0);
    float pale = float((number / 7u) % 3u) * 0.15;
    return mix(c, vec3(1.0), 0.2 + pale) * (0.95 - pale);
}

#ifdef SKIN
uint greatest_weight(uvec4 joints, vec4 weights, inout float most, uint found) {
    for (int k = 0; k < 4; k++)
        if (weights[k] > most) {
            most = weights[k];
            found = joints[k];
        }
    return found;
}

float influence_count(vec4 weights) {
    return dot(vec4(greaterThan(weights, vec4(0.0))), vec4(1.0));
}
#endif

vec3 joint_color() {
    vec3 none = vec3(0.42);
#ifdef SKIN
#ifdef VIEW_JOINTS
    float most = 0.0;
    uint found = greatest_weight(in_joints0, in_weights0, most, 0u);
#if SKIN > 4
    found = greatest_weight(in_joints1, in_weights1, most, found);
#endif
    return number_color(found);
#else
    float count = influence_count(in_weights0);
#if SKIN > 4
    count += influence_count(in_weights1);
#endif
    const vec3 shades[6] = vec3[6](vec3(0.42), vec3(0.22, 0.42, 0.86), vec3(0.20, 0.66, 0.42),
        vec3(0.93, 0.83, 0.25), vec3(0.93, 0.52, 0.16), vec3(0.85, 0.18, 0.18));
    return shades[min(int(count + 0.5), 5)];
#endif
#else
    return none;
#endif
}
#endif

mat4 world_matrix;

// -1 if the world matrix mirrors, else 1.
float matrix_sign() {
    mat3 m = mat3(world_matrix);
    return dot(m[0], cross(m[1], m[2])) < 0.0 ? -1.0 : 1.0;
}

vec3 transform_normal(vec3 normal) {
    mat3 m = mat3(world_matrix);
    mat3 cofactors = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    return matrix_sign() * (cofactors * normal);
}

#ifdef VOLUME
// The scale of a matrix along its rotated axes, as a matrix without rotation.
mat3 stretch(mat3 m) {
    mat3 sum = mat3(0.0);
    for (int k = 0; k < 3; k++)
        sum += outerProduct(m[k], m[k]) * inversesqrt(max(dot(m[k], m[k]), 1e-30));
    return sum;
}
#endif

void main() {
#ifdef CARRIED
    carry();
#endif
#ifdef MATERIAL_ROWS
    v_character = CHARACTER;
#endif
#ifdef PICK
    v_member = gl_InstanceID;
#endif
#ifdef INSTANCED
    world_matrix = transpose(mat4(in_matrix0, in_matrix1, in_matrix2, vec4(0.0, 0.0, 0.0, 1.0)));
#else
    world_matrix = instance_matrix;
#endif
    vec3 point = in_position;
    vec3 normal = in_normal;
    vec3 tangent = in_tangent.xyz;
    float handedness = in_tangent.w;
#ifdef MORPH
    morph_vertex(gl_VertexID, point, normal, tangent);
#endif
#ifdef SKIN
    mat3x4 rows = blend_palette(in_joints0, in_weights0);
#if SKIN > 4
    rows += blend_palette(in_joints1, in_weights1);
#endif
    point = skin_point(rows, point);
    normal = skin_normal(rows, normal);
    tangent = skin_vector(rows, tangent);
    handedness *= skin_sign(rows);
#ifdef MASK
    v_weight = dot(mask_weight(in_joints0), in_weights0);
#if SKIN > 4
    v_weight += dot(mask_weight(in_joints1), in_weights1);
#endif
#elif defined(WEIGHTS)
    uvec4 displayed = uvec4(uint(instance_flags.x + 0.5));
    v_weight = dot(vec4(equal(in_joints0, displayed)), in_weights0);
#if SKIN > 4
    v_weight += dot(vec4(equal(in_joints1, displayed)), in_weights1);
#endif
    if (instance_flags.x < 0.0) v_weight = 0.0;
#endif
#elif defined(WEIGHTS)
    v_weight = instance_flags.y;
#endif
#ifdef VIEW
    v_joint_color = joint_color();
#endif
#ifdef HEAT
    int value = first_value + gl_VertexID;
    int columns = textureSize(vertex_values, 0).x;
    v_weight = texelFetch(vertex_values, ivec2(value % columns, value / columns), 0).r;
#endif
#ifdef VOLUME
    mat3 from_mesh = mat3(world_matrix);
#ifdef SKIN
    from_mesh *= transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz));
#endif
    v_stretch = stretch(from_mesh);
#endif
    vec4 world = world_matrix * vec4(point, 1.0);
    v_point = world.xyz;
    v_normal = transform_normal(normal);
    v_tangent = vec4(mat3(world_matrix) * tangent, handedness * matrix_sign());
    v_texcoord0 = in_texcoords01.xy;
    v_texcoord1 = in_texcoords01.zw;
    v_texcoord2 = in_texcoords23.xy;
    v_texcoord3 = in_texcoords23.zw;
    v_color = in_color;
    gl_Position = view_projection * world;
#ifdef POINTS
    gl_PointSize = 4.0 * max(picture.y / 1000.0, back.w);
#endif
}
