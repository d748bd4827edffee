// SPDX-License-Identifier: Apache-2.0
// fused_mlp.comp - products of a pixel's channels one after the other (LAYERS, struct filter in window.h one behind the other), of
// each batch in a workgroup of LANES. Invocations of a layer compute a vector of output each, PARTS of them one together.

shared vec4 values[WIDEST], sums[LANES];

// Channels that the last slice lacks become 0: behind an infinity their sums are NaN.
#define LAYER(n_in, n_out, channels, parts, first, function) \
    { \
        int s = lane / parts; \
        vec4 sum = vec4(0.0); \
 \
        memoryBarrierShared(); \
        barrier(); \
        for (int z = lane - s * parts; s < n_out && z < n_in; z += parts) { \
            int i = first + (n_out + 3) / 4 * 4 + (s * n_in + z) * 4; \
            vec4 v = values[z]; \
 \
            sum += v.x * LOADW(w, i) + v.y * LOADW(w, i + 1) + v.z * LOADW(w, i + 2) + v.w * LOADW(w, i + 3); \
        } \
        sums[lane] = sum; \
        memoryBarrierShared(); \
        barrier(); \
        if (lane < n_out) { \
            sum = LOADW(w, first + lane); \
            for (int i = 0; i < parts; i++) \
                sum += sums[lane * parts + i]; \
 \
            PRECISE vec4 result = function(sum); \
            values[lane] = mix(vec4(0.0), KEEP_NAN(result, sum), lessThan(4 * lane + ivec4(0, 1, 2, 3), ivec4(channels))); \
        } \
    }

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), b = int(gl_WorkGroupID.z);

    for (int z = lane; z < X_S; z += LANES)
        values[z] = LOAD(x, b, 0, 0, z);
    LAYERS
    memoryBarrierShared();
    barrier();
    for (int s = lane; s < Y_S; s += LANES)
        STORE(y, b, 0, 0, s, values[s]);
}
