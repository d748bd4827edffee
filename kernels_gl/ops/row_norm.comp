// SPDX-License-Identifier: Apache-2.0
// row_norm.comp - two or three walks along a row of channels, by one invocation or by a workgroup that shares what each lane
// found.

#ifdef LANES
shared float found[LANES];

// What each lane has is there for all of them; the lanes may still read what was shared before.
void share(float v)
{
    barrier();
    found[gl_LocalInvocationID.x] = v;
    memoryBarrierShared();
    barrier();
}

float sum_of_lanes(float v)
{
    float sum = 0.0;

    share(v);
    for (int i = 0; i < LANES; i++)
        sum += found[i];
    return sum;
}

float max_of_lanes(float v)
{
    share(v);
    for (int i = 0; i < LANES; i++)
        v = max(v, found[i]);
    return v;
}
#else
#define LANES 1
#define sum_of_lanes(v) (v)
#define max_of_lanes(v) (v)
#endif

// Lanes beyond the last channel become `other`.
vec4 real(vec4 v, int s, float other)
{
    return mix(vec4(other), v, lessThan(4 * s + ivec4(0, 1, 2, 3), ivec4(X_C)));
}

void row(int b, int h, int w, int first)
{
    vec4 sum = vec4(0.0);

#ifdef L2_NORM
    for (int s = first; s < X_S; s += LANES) {
        vec4 v = LOAD(x, b, h, w, s);

        sum += v * v;
    }
    // Neither max() nor what a compiler may turn into it, which may lose a NaN. 1e-6 keeps a row of zeros what it is.
    float length = sqrt(sum_of_lanes(dot(sum, vec4(1.0))));
    PRECISE float norm = length < 1e-6 ? 1e-6 : length;

    for (int s = first; s < X_S; s += LANES)
        STORE(y, b, h, w, s, LOAD(x, b, h, w, s) / norm);
#else
    vec4 top = vec4(uintBitsToFloat(0xff7fffffu));

    for (int s = first; s < X_S; s += LANES)
        top = max(top, real(LOAD(x, b, h, w, s), s, top.x));
    float largest = max_of_lanes(max(max(top.x, top.y), max(top.z, top.w)));

    for (int s = first; s < X_S; s += LANES)
        sum += real(exp((LOAD(x, b, h, w, s) - largest) * BETA), s, 0.0);
    float total = sum_of_lanes(dot(sum, vec4(1.0)));

    for (int s = first; s < X_S; s += LANES) {
        vec4 v = LOAD(x, b, h, w, s) - largest;

#ifdef LOG_SOFTMAX
        STORE(y, b, h, w, s, v - log(total));
#else
        STORE(y, b, h, w, s, exp(v * BETA) / total);
#endif
    }
#endif
}

void main()
{
    READ_UNIFORMS
    ivec3 g = INVOCATION;

#if LANES == 1
    if (g.x >= GRID_W || g.y >= GRID_H || g.z >= GRID_B)
        return;
#endif
    row(g.z, g.y, g.x / LANES, g.x % LANES);
}
