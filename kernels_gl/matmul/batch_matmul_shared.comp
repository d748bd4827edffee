// SPDX-License-Identifier: Apache-2.0
// batch_matmul_shared.comp - what product_shared.comp wants of a product of matrices. After batch_matmul_reads.comp.
#define ROW(block, r) (4 * (block) + (r))
#define ROWS          Y_W
#define K_S           ((DEPTH + 3) / 4)

vec4 start(int s)
{
    return vec4(0.0);
}

void finish(int b, int h, int row, int s, SUM4 v)
{
    STORE(y, b, h, row, s, vec4(v));
}
