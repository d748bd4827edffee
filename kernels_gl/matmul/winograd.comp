// SPDX-License-Identifier: Apache-2.0
// winograd.comp - what both transforms of tiles share: lines of SIDE vectors of d, from `at` on and `step` apart, in place.
vec4 d[SIDE * SIDE];

#if TILE == 2
#define TRANSFORM(at, step) \
    { \
        vec4 d0 = d[at], d1 = d[at + step], d2 = d[at + 2 * step], d3 = d[at + 3 * step]; \
 \
        d[at] = d0 - d2; \
        d[at + step] = d1 + d2; \
        d[at + 2 * step] = d2 - d1; \
        d[at + 3 * step] = d1 - d3; \
    }
#define SUM(at, step) \
    { \
        vec4 d1 = d[at + step], d2 = d[at + 2 * step]; \
 \
        d[at] += d1 + d2; \
        d[at + step] = d1 - d2 - d[at + 3 * step]; \
    }
#else
#define TRANSFORM(at, step) \
    { \
        vec4 d0 = d[at], d1 = d[at + step], d2 = d[at + 2 * step], d3 = d[at + 3 * step], d4 = d[at + 4 * step]; \
        vec4 a = d4 - 4.0 * d2, b = d3 - 4.0 * d1, e = d4 - d2, f = 2.0 * (d3 - d1); \
 \
        d[at] = 4.0 * (d0 - d2) + e; \
        d[at + step] = a + b; \
        d[at + 2 * step] = a - b; \
        d[at + 3 * step] = e + f; \
        d[at + 4 * step] = e - f; \
        d[at + 5 * step] += 4.0 * (d1 - d3) - d3; \
    }
#define SUM(at, step) \
    { \
        vec4 a = d[at + step] + d[at + 2 * step], b = d[at + step] - d[at + 2 * step]; \
        vec4 e = d[at + 3 * step] + d[at + 4 * step], f = d[at + 3 * step] - d[at + 4 * step]; \
 \
        d[at] += a + e; \
        d[at + step] = b + 2.0 * f; \
        d[at + 2 * step] = a + 4.0 * e; \
        d[at + 3 * step] = b + 8.0 * f + d[at + 5 * step]; \
    }
#endif
