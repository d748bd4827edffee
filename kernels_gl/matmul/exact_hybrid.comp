// SPDX-License-Identifier: Apache-2.0
// exact_hybrid.comp - x in the steps of its part, less the zero point, rounded as TFLite's vector code does: eight values at a
// time by adding a half and truncating, so that the float below one half becomes 1; what is left over halves away from zero.

void run(int b, int h, int w, int s)
{
    vec4 steps = LOAD(m, b, min(h, M_H - 1), min(w, M_W - 1), 0);
    int zero = int(steps.z);
    vec4 p = ROUNDED(LOAD(x, b, h, w, s) * steps.y, steps.y);
    vec4 more = p + mix(vec4(0.5), vec4(-0.5), lessThan(p, vec4(0.0)));
    ivec4 whole = ivec4(p);
    vec4 rest = p - vec4(whole);
    ivec4 halves = whole + ivec4(greaterThanEqual(rest, vec4(0.5))) - ivec4(lessThanEqual(rest, vec4(-0.5)));
#if BY_PIXEL
    int first = 4 * s, length = X_C;
#else
    int first = (h * X_W + w) * X_C + 4 * s, length = X_H * X_W * X_C;
#endif
    ivec4 v = mix(ivec4(more), halves, greaterThanEqual(first + ivec4(0, 1, 2, 3), ivec4(length - length % 8)));

    STORE(y, b, h, w, s, clamp(v, ivec4(LEAST - zero), ivec4(127 - zero)));
}
