// SPDX-License-Identifier: Apache-2.0
// batch_matmul.comp - four rows of four elements of a product of matrices. FIRST_S and so on: split_k.h. After
// batch_matmul_reads.comp.

void run(int b, int h, int block, int s)
{
    SUM4 sum[4];

    begin(IMAGE, h);
    for (int r = 0; r < 4; r++)
        sum[r] = AS_SUM(vec4(0.0));
    for (int k = 4 * FIRST_S; k < 4 * LAST_S; k += 4) {
        mat4 xs = left(block, k), zs = right(k, s);
        FACTOR4 z0 = FACTOR(zs[0]);
        FACTOR4 z1 = FACTOR(zs[1]);
        FACTOR4 z2 = FACTOR(zs[2]);
        FACTOR4 z3 = FACTOR(zs[3]);

        for (int r = 0; r < 4; r++) {
            FACTOR4 v = FACTOR(xs[r]);

            ADD_TO(sum[r], MUL(v.x, z0) + MUL(v.y, z1) + MUL(v.z, z2) + MUL(v.w, z3));
        }
    }
    for (int r = 0; r < 4; r++)
        if (4 * block + r < Y_W)
            STORE(y, b, h, 4 * block + r, s, vec4(sum[r]));
}
