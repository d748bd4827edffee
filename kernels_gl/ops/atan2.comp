// SPDX-License-Identifier: Apache-2.0
// atan2.comp - the angle of the point (x, y), as C's atan2: signs of zeros count, and infinities make multiples of a quarter of pi.
// atan(y, x) of GLSL leaves the origin open, and its last 12 bits.

// The angle whose tangent is t, 0 <= t <= 1: beyond tan(pi / 8) that of what is left after pi / 4 (S. L. Moshier's Cephes, atanf).
vec4 small_angle(vec4 t)
{
    bvec4 upper_half = greaterThan(t, vec4(0.41421356));
    vec4 u = mix(t, (t - 1.0) / (t + 1.0), upper_half), z = u * u;
    vec4 p = ((vec4(8.05374449538e-2) * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;

    return mix(vec4(0.0), vec4(0.78539816), upper_half) + (p * z * u + u);
}

vec4 atan2_of(vec4 y, vec4 x)
{
    vec4 ay = abs(y), ax = abs(x);
    vec4 most = max(ax, ay), least = min(ax, ay);
    bvec4 same = equal(ax, ay);
    vec4 t = mix(least / most, vec4(1.0), same);
    vec4 angle;
    bvec4 left;

    t = mix(t, vec4(0.0), equal(most, vec4(0.0)));
    angle = small_angle(t);
    angle = mix(angle, vec4(1.57079633) - angle, greaterThan(ay, ax));
    left = lessThan(floatBitsToInt(x), ivec4(0));
    angle = mix(angle, vec4(3.14159265) - angle, left);
    angle = mix(angle, -angle, lessThan(floatBitsToInt(y), ivec4(0)));
    angle = mix(angle, x, isnan(x));
    return mix(angle, y, isnan(y));
}
