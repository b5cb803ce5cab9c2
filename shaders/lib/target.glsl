// The outputs of a picture; of what is seen through transmissive surfaces also the radiance.
#ifdef RADIANCE
layout(location = 0) out vec4 out_light;   // lit surfaces and the environment, linear
layout(location = 1) out vec4 out_color;   // unlit surfaces, sRGB
#else
out vec4 out_color;                        // sRGB, premultiplied; in a LINEAR picture light
#endif
#ifdef LINEAR
#include "lib/color.glsl"
#endif

// Write an unlit colour over what is behind it: sRGB, premultiplied.
void write_unlit(vec4 color) {
#ifdef LINEAR
    color.rgb = decode_srgb(color.rgb / max(color.a, 1e-6)) * color.a;
#endif
    out_color = color;
#ifdef RADIANCE
    out_light = vec4(0.0, 0.0, 0.0, color.a);
#endif
}
