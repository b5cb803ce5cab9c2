// The interpolated normal and tangent frame of a surface.
in vec3 v_point;
in vec3 v_normal;
in vec4 v_tangent;

vec3 geometric_normal() {
    vec3 across = cross(dFdx(v_point), dFdy(v_point));
    return across * inversesqrt(max(dot(across, across), 1e-30));
}

// The vectors of a normal map's x and -y in world space, perpendicular to the normal; without
// tangents, by screen-space derivatives.
mat2x3 tangent_frame(vec3 normal, vec2 uv) {
#if defined(TANGENTS) && !defined(FLAT)  // tangents need normals
    vec3 t = v_tangent.xyz - normal * dot(normal, v_tangent.xyz);
    float length2 = dot(t, t);
    if (length2 > 1e-12) {
        t *= inversesqrt(length2);
        vec3 bitangent = cross(normal, t) * v_tangent.w;  // back faces flip the tangent frame
        return mat2x3(gl_FrontFacing ? t : -t, -bitangent);
    }
#endif
    vec3 px = dFdx(v_point), py = dFdy(v_point);
    vec2 ux = dFdx(uv), uy = dFdy(uv);
    vec3 nx = cross(py, normal), ny = cross(normal, px);
    vec3 s = nx * ux.x + ny * uy.x;
    vec3 b = nx * ux.y + ny * uy.y;
    float largest = max(dot(s, s), dot(b, b));
    if (largest < 1e-20) return mat2x3(0.0);
    float scale = inversesqrt(largest);
    if (!gl_FrontFacing) scale = -scale;  // back faces flip the tangent frame
    return mat2x3(s * scale, b * scale);  // v points down
}

// The interpolated normal, flipped for back faces.
vec3 facing_normal(vec3 view) {
#ifndef FLAT
    float length2 = dot(v_normal, v_normal);
    vec3 given = v_normal * inversesqrt(max(length2, 1e-36));
    if (!gl_FrontFacing) given = -given;
#ifndef ZERO_NORMALS
    return given;
#endif
    if (length2 > 1e-20) return given;
#endif
    vec3 normal = geometric_normal();
    return dot(normal, view) < 0.0 ? -normal : normal;
}
