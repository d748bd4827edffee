/* SPDX-License-Identifier: Apache-2.0 */
/* test_moves.h - models of a few operators that move data, and how many dispatches are left of these. */
#pragma once

#include <string.h>

#include "lib/gl/testing/test_session.h"

static inline int32_t tensor(struct builder *b, const int32_t *dim, int32_t rank)
{
    return build_tensor(b, "t", TYPE_FLOAT32, dim, rank);
}

static inline int32_t numbers(struct builder *b, const int32_t *n, int32_t count)
{
    return build_const(b, "n", TYPE_INT32, SHAPE(count), n);
}

static inline int32_t reshaped(struct builder *b, int32_t x, const int32_t *dim, int32_t rank)
{
    const int32_t y = tensor(b, dim, rank);

    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, numbers(b, dim, rank)), INDICES(y));
    return y;
}

static inline int32_t unary(struct builder *b, enum builtin op, int32_t x, const int32_t *dim, int32_t rank)
{
    const int32_t y = tensor(b, dim, rank);

    build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    return y;
}

static inline int32_t convolved(struct builder *b, int32_t x, const int32_t in[4], int32_t out)
{
    const int32_t y = tensor(b, SHAPE(in[0], in[1], in[2], out));

    build_op(b, BUILTIN_CONV_2D, 1, &test_conv_same,
             INDICES(x, test_weights(b, SHAPE(out, 3, 3, in[3]), (uint64_t)out), test_weights(b, SHAPE(out), 2)), INDICES(y));
    return y;
}

static inline int32_t layer(struct builder *b, int32_t x, int32_t batch, int32_t in, int32_t out)
{
    const int32_t y = tensor(b, SHAPE(batch, out));

    build_op(b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(x, test_weights(b, SHAPE(out, in), 5), test_weights(b, SHAPE(out), 6)),
             INDICES(y));
    return y;
}

/* So many dispatches begin with that label, whatever the device; `dynamic`: where the batch may be another. */
static inline void expect(struct loaded l, const char *label, uint32_t n, uint32_t dynamic)
{
    static const struct gl_policy policies[] = {
        {.iterations = GL_FEW_ITERATIONS},
        {.iterations = GL_FEW_ITERATIONS, .check_reads = true},
        {.iterations = GL_FEW_ITERATIONS, .software = true, .straight_code = true, .row_groups = true, .image_reads = true},
    };

    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        assert_int_equal(test_dispatches(&l, (struct gpu_options){.device = -1, .policy = &policies[i]}, label), n);
    assert_int_equal(test_dispatches(&l, (struct gpu_options){.device = -1, .policy = &policies[0], .dynamic_batch = true}, label),
                     dynamic);
    unload(&l);
}
