/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_block.h - the operation of reductions: each output element reduces a block of input elements. */
#pragma once

#include "kernels_gl/ops/reduce_map.h"

/* A reduction's function of `a`, the total so far, and `b`, the next elements. */
struct reducer {
    const char *combine, *wide; /* GLSL; `wide` is for 64 bits: int64_value.comp */
    float init;
    int32_t init_int;
    int32_t init_words[2];               /* initial value of 64 bits, low and high half */
    bool mean;                           /* divide by the number of elements at the end */
    const struct exact_product *product; /* not NULL: exact_product.comp computes the product */
};

struct reduce {
    const struct reducer *fn;
    int32_t block[4]; /* block of one output element: elements along B, H and W, slices of four channels */
    bool over_c;      /* reduce slices */
    bool across;      /* then reduce their lanes to one channel */
    bool part;        /* is a part of a split: not split again */
    bool in_order;    /* element after element, as the CPU sums floats */
    bool wide;        /* 64-bit input and output: int64_value.h */
    int32_t count;    /* of a mean: divisor of the total; else 0 */
    struct reduce_map map;
};

/* Append y = r of in[0], and of in[1] if r->map reads a second value. NULL if memory runs out. */
struct ir_op *ir_reduce_blocks(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct reduce *r,
                               struct ir_value *y);
