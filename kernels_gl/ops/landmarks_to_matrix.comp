// SPDX-License-Identifier: Apache-2.0
// landmarks_to_matrix.comp - from pixels of a turned crop around some landmarks to the image. Cosine and sine of its rotation come
// from the direction between two landmarks, as sums of angles: no function of the driver's is asked.

vec2 turned(vec2 v, float c, float s)
{
    return vec2(c * v.x - s * v.y, s * v.x + c * v.y);
}

void run(int b, int h, int w, int s)
{
    vec2 across = LOAD(x, 0, 0, RIGHT, 0).xy - LOAD(x, 0, 0, LEFT, 0).xy;
    float longest = max(abs(across.x), abs(across.y)), size;
    vec2 direction = vec2(1.0, 0.0), lo, hi, scale, shift;
    vec2 center;
    float c, d;

    if (longest > 0.0) {
        across /= longest;
        direction = across / length(across);
    }
    c = COS_T * direction.x + SIN_T * direction.y;
    d = SIN_T * direction.x - COS_T * direction.y;
    for (int i = 0; i < VECTORS; i++)
        for (int k = 0; k < 4; k++) {
            vec2 v = turned(LOAD(x, 0, 0, LOADI(subset, i)[k], 0).xy, c, d);

            lo = i + k == 0 ? v : min(lo, v);
            hi = i + k == 0 ? v : max(hi, v);
        }
    center = turned((lo + hi) / 2.0, c, -d);
    scale = vec2(SCALE_X, SCALE_Y) * (hi - lo) / vec2(WIDTH, HEIGHT);
    shift = -vec2(WIDTH, HEIGHT) / 2.0;
    vec2 across_x = vec2(c, -d) * scale.x, across_y = vec2(d, c) * scale.y;

    STORE(y, 0, 0, 0, 0, vec4(across_x.x, across_y.x, 0.0, across_x.x * shift.x + across_y.x * shift.y + center.x));
    STORE(y, 0, 0, 1, 0, vec4(across_x.y, across_y.y, 0.0, across_x.y * shift.x + across_y.y * shift.y + center.y));
    STORE(y, 0, 0, 2, 0, vec4(0.0, 0.0, 1.0, 0.0));
    STORE(y, 0, 0, 3, 0, vec4(0.0, 0.0, 0.0, 1.0));
}
