// Reflectance of a base with a thin film, whose light interferes (Belcour and Barla, "A Practical
// Extension to Microfacet Theory for the Modeling of Varying Iridescence", 2017).

// The colour of interference after a path difference, nanometres, and a phase shift: the spectral
// sensitivity of the eye is a sum of Gaussians, here after its Fourier transform, as linear sRGB.
vec3 interference(float path, vec3 shift) {
    const vec3 place = vec3(1.6810e6, 1.7953e6, 2.2084e6), spread = vec3(4.3278e9, 9.3046e9, 6.6121e9);
    const vec3 height = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
    float turn = 2.0 * PI * 1e-9 * path, turn2 = turn * turn;
    vec3 xyz = height * sqrt(2.0 * PI * spread) * cos(place * turn + shift) * exp(-spread * turn2);
    xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e9) * cos(2.2399e6 * turn + shift.x) * exp(-4.5282e9 * turn2);
    const mat3 rgb_from_xyz = mat3(3.2404542, -0.9692660, 0.0556434, -1.5371385, 1.8760108, -0.2040259,
                                   -0.4985314, 0.0415560, 1.0572252);
    return rgb_from_xyz * xyz / 1.0685e-7;
}

// The reflectance of a film of a thickness, nanometres, between air and a base whose reflectance at
// normal incidence is `base`, in air.
vec3 film_reflectance(float index, float thickness, float cosine, vec3 base) {
    float inside = sqrt(1.0 - (1.0 - cosine * cosine) / (index * index));
    float edge = (index - 1.0) / (index + 1.0);
    float outer = mix(edge * edge, 1.0, schlick_weight(cosine));
    vec3 root = sqrt(clamp(base, 0.0, 0.9999)), base_index = (1.0 + root) / (1.0 - root);
    vec3 within = (base_index - index) / (base_index + index);
    vec3 inner = mix(within * within, vec3(1.0), schlick_weight(inside));
    vec3 shift = PI + PI * vec3(lessThan(base_index, vec3(index)));  // of both reflections within
    float path = 2.0 * index * thickness * inside;
    vec3 both = clamp(outer * inner, 1e-5, 0.9999), part = sqrt(both);
    float through = 1.0 - outer;
    vec3 mean = through * through * inner / (1.0 - both), weight = mean - through;
    vec3 light = outer + mean;
    for (int order = 1; order <= 2; order++) {
        weight *= part;
        light += 2.0 * weight * interference(float(order) * path, float(order) * shift);
    }
    return clamp(light, 0.0, 1.0);
}
