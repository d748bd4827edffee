// SPDX-License-Identifier: Apache-2.0
// product_shared.comp - a product of matrices by blocks: a workgroup of TX by TY invocations computes 4 * TX rows of 2 * TY slices
// of columns, CHUNK vectors along the sum of K_S at a time. Of both operands these lie in shared memory, where each was put once
// for the whole block, so that memory is read for blocks, not for what one invocation computes: four rows of two slices. Before it:
//   void begin(int b, int h)             the product: of that batch, and number h of it
//   mat4 left(int block, int k)          column r: elements k to k + 3 of row ROW(block, r), or, behind the last row, any
//   mat4 right(int k, int s)             column i: element k + i of the columns of slice s
//   vec4 start(int s)                    from what sums of slice s begin
//   void finish(int b, int h, int row, int s, SUM4 v)
// What one invocation reads for others are STAGED matrices of each operand, half of the invocations have one each of either.
#define STAGED (TX * CHUNK)

shared FACTOR4 lefts[4 * STAGED], rights[4 * STAGED];

void stage(int lane, int k, int block, int s)
{
    mat4 m = mat4(0.0);

    if (lane < STAGED) {
        k += lane / TX;
        if (k < K_S)
            m = left(block + lane % TX, 4 * k);
        for (int r = 0; r < 4; r++)
            lefts[r * STAGED + lane] = FACTOR(m[r]);
    } else {
        lane -= STAGED;
        k += lane % CHUNK;
        if (k < K_S)
            m = right(4 * k, min(s + lane / CHUNK, Y_S - 1));
        for (int i = 0; i < 4; i++)
            rights[i * STAGED + lane] = FACTOR(m[i]);
    }
}

void main()
{
    READ_UNIFORMS
    int t = int(gl_LocalInvocationID.x), u = int(gl_LocalInvocationID.y), z = int(gl_WorkGroupID.z);
    int b = z / GRID_S, h = z - b * GRID_S, block = int(gl_WorkGroupID.x) * TX, s = int(gl_WorkGroupID.y) * 2 * TY;
    SUM4 sum[8];

    begin(b, h);
    for (int j = 0; j < 2; j++) {
        SUM4 v = AS_SUM(start(min(s + j * TY + u, Y_S - 1)));

        for (int r = 0; r < 4; r++)
            sum[4 * j + r] = v;
    }
    for (int k = 0; k < K_S; k += CHUNK) {
        stage(int(gl_LocalInvocationIndex), k, block, s);
        memoryBarrierShared();
        barrier();
        for (int n = 0; n < CHUNK; n++) {
            int i = n * TX + t;
            FACTOR4 v0 = lefts[i], v1 = lefts[i + STAGED], v2 = lefts[i + 2 * STAGED], v3 = lefts[i + 3 * STAGED];

            for (int j = 0; j < 2; j++) {
                int at = (j * TY + u) * CHUNK + n;
                FACTOR4 w0 = rights[at], w1 = rights[at + STAGED], w2 = rights[at + 2 * STAGED], w3 = rights[at + 3 * STAGED];

#define ADD(r, v) ADD_TO(sum[4 * j + r], MUL(v.x, w0) + MUL(v.y, w1) + MUL(v.z, w2) + MUL(v.w, w3));
                ADD(0, v0) ADD(1, v1) ADD(2, v2) ADD(3, v3)
            }
        }
        barrier();
    }
    for (int j = 0; j < 2; j++)
        for (int r = 0; r < 4; r++)
            if (ROW(block + t, r) < ROWS && s + j * TY + u < Y_S)
                finish(b, h, ROW(block + t, r), s + j * TY + u, sum[4 * j + r]);
}
