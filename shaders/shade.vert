#version 330 core
// A triangle that covers the picture, at a depth of clip space.
#define VERTEX
#include "lib/frame.glsl"
#include "lib/lights.glsl"
#include "material_size.glsl"
#include "lib/carried.glsl"

uniform float triangle_depth;
uniform mat4 from_clip;      // from clip space, to points from the camera, homogeneous
#ifdef MULTISAMPLED
uniform vec2 drawn_size;     // of the view, pixels
uniform float depth_slope;   // change of depth per metre: of a perspective at the distance 1
#endif
uniform int material_group;

out vec4 v_seen;             // the point at the middle of the depths, from the camera, homogeneous
flat out vec4 v_deeper;      // its change from the middle of the depths to their end
flat out int v_group;
#ifdef MULTISAMPLED
flat out vec4 v_across;      // its change from a pixel to the next
flat out vec4 v_up;
flat out float v_similar;    // change of depth per pixel of a surface that faces the camera
#endif

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, triangle_depth, 1.0);
    carry();
    v_seen = from_clip * vec4(corner - sample_shift.xy, 0.0, 1.0);
    v_deeper = from_clip[2];
    v_group = material_group;
#ifdef MULTISAMPLED
    v_across = from_clip[0] * 2.0 / drawn_size.x;
    v_up = from_clip[1] * 2.0 / drawn_size.y;
    v_similar = picture.w * depth_slope;
#endif
}
