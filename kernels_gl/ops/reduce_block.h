/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_block.h - the operation that reductions become: each element of its output is folded from a block of the input's. */
#ifndef DELEGAUGE_KERNELS_GL_REDUCE_BLOCK_H
#define DELEGAUGE_KERNELS_GL_REDUCE_BLOCK_H

#include "kernels_gl/ops/reduce_map.h"
#include "lib/gl/ir/kernel.h"

/* The function of `a`, the total so far, and `b`, the next elements. */
struct reducer {
    const char *combine, *wide; /* the latter of 64 bits: int64_value.comp */
    float init;
    int32_t init_int;
    int32_t init_words[2];               /* of 64 bits */
    bool mean;                           /* divided by the number of elements at the end */
    const struct exact_product *product; /* exact_product.comp computes it; else NULL */
};

struct reduce {
    const struct reducer *fn;
    int32_t block[4]; /* size of the block that one element is made of: elements along B, H and W, slices of four channels */
    bool over_c;      /* slices are folded, */
    bool across;      /* and at last their lanes, to one channel */
    bool part;        /* it is a part already */
    bool in_order;    /* element after element, as the CPU sums floats */
    bool wide;        /* input and output are of 64 bits: int64_value.h */
    int32_t count;    /* of a mean: divisor of the total; else 0 */
    struct reduce_map map;
};

/* Append the operation y = r of in[0], and of in[1] if r->map reads another. NULL if memory runs out. */
struct ir_op *ir_reduce_blocks(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct reduce *r,
                               struct ir_value *y);

#endif
