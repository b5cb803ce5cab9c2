// The samples of visible surfaces: their data (see surface_data.glsl) and their depth.
#ifdef MULTISAMPLED
uniform usampler2DMS surface_data;
uniform sampler2DMS surface_depth;
const int SAMPLES = 4;
const mat4x2 PLACES = mat4x2(-0.125, -0.375, 0.375, -0.125,  // from the pixel's centre
                             -0.375, 0.125, 0.125, 0.375);
#else
uniform usampler2D surface_data;
uniform sampler2D surface_depth;
const int SAMPLES = 1;
#endif
