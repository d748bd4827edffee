// SPDX-License-Identifier: Apache-2.0
// resampler.comp - an image sampled bilinearly, zeros around it. MATRIX: at the pixels of the result, taken at their centers,
// brought through the matrix `at`, and only within the image; else at the points `at`, up to a pixel outside. NaN is outside.

#if MATRIX
vec2 point(int b, int h, int w)
{
    vec4 row0 = LOAD(at, 0, 0, 0, 0), row1 = LOAD(at, 0, 0, 1, 0);
    vec2 shift = vec2(row0.w, row1.w) + (vec2(row0.x, row1.x) * 0.5 + vec2(row0.y, row1.y) * 0.5 - 0.5);

    return vec2(row0.x, row1.x) * float(w) + vec2(row0.y, row1.y) * float(h) + shift;
}

bool is_near(vec2 v)
{
    return v.x >= 0.0 && v.y >= 0.0 && v.x <= float(X_W - 1) && v.y <= float(X_H - 1);
}
#else
vec2 point(int b, int h, int w)
{
    return LOAD(at, b, h, w, 0).xy;
}

bool is_near(vec2 v)
{
    return v.x > -1.0 && v.y > -1.0 && v.x < float(X_W) && v.y < float(X_H);
}
#endif

void run(int b, int h, int w, int s)
{
    vec2 v = point(b, h, w);
    vec4 sum = vec4(0.0);

    if (is_near(v)) {
        vec2 corner = floor(v);
#if MATRIX
        vec2 part = v - corner, rest = 1.0 - part;
#else
        vec2 rest = corner + 1.0 - v, part = 1.0 - rest;
#endif
        int row = int(corner.y), col = int(corner.x);
        vec4 v00 = LOADZ(x, b, row, col, s), v01 = LOADZ(x, b, row, col + 1, s);
        vec4 v10 = LOADZ(x, b, row + 1, col, s), v11 = LOADZ(x, b, row + 1, col + 1, s);

#if MATRIX
        PRECISE vec4 upper = rest.x * v00 + part.x * v01, lower = rest.x * v10 + part.x * v11;
        PRECISE vec4 all = part.y * lower + rest.y * upper;
#else
        PRECISE vec4 all = rest.x * rest.y * v00 + part.x * part.y * v11 + rest.x * part.y * v10 + part.x * rest.y * v01;
#endif

        sum = all;
    }
    STORE(y, b, h, w, s, sum);
}
