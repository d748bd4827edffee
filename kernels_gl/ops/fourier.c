/* SPDX-License-Identifier: Apache-2.0 */
/* fourier.c - see fourier.h. */
#include "kernels_gl/ops/fourier.h"

#include <math.h>

#include "kernels_gl/common/axis_gather.h"

double fourier_cos(int64_t j, int64_t n)
{
    j = 4 * (j % n); /* quarters are numbers of n */
    if (j % (2 * n) == n)
        return 0;
    return j % (2 * n) ? cos(M_PI / 2 * (double)j / (double)n) : j ? -1 : 1;
}

double fourier_sin(int64_t j, int64_t n)
{
    j = 4 * (j % n);
    if (j % (2 * n) == 0)
        return 0;
    return j == n ? 1 : j == 3 * n ? -1 : sin(M_PI / 2 * (double)j / (double)n);
}

struct ir_value *fourier_product(struct ir *ir, struct ir_value *x, fourier_weight weight, const void *arg, struct ir_value *y)
{
    const struct ir_window one = {.kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
    float *w;

    if (!x || !y || !(w = ARENA_ARRAY(ir->arena, (size_t)x->shape.c * (size_t)y->shape.c, float)))
        return NULL;
    for (int32_t i = 0; i < y->shape.c; i++)
        for (int32_t k = 0; k < x->shape.c; k++)
            w[(size_t)i * (size_t)x->shape.c + (size_t)k] = (float)weight(arg, i, k);
    return ir_conv(ir, x, &one, w, NULL, y) ? y : NULL;
}

struct ir_value *fourier_crop(struct ir *ir, struct ir_value *x, int32_t rows, int32_t cols)
{
    struct axis_gather gather;
    struct ir_value *y;

    if (!x || (x->shape.w == rows && x->shape.c == cols))
        return x;
    gather = axis_gather_of(3, (int32_t[]){x->shape.h, x->shape.w, x->shape.c}, (int32_t[]){x->shape.h, rows, cols});
    y = ir_temp(ir, x->type, (struct ir_shape){1, x->shape.h, rows, cols});
    return y && ir_axis_gather(ir, x, &gather, y) ? y : NULL;
}

struct ir_value *fourier_turn(struct ir *ir, struct ir_value *x, int32_t a, int32_t b, int32_t c)
{
    const int32_t planes = x ? x->shape.h : 1;
    struct axis_gather gather = axis_gather_of(4, (int32_t[]){planes, a, b, c}, (int32_t[]){planes, c, b, a});
    struct ir_value *y = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, planes, c, a * b});

    gather.axis[1] = 3;
    gather.axis[3] = 1;
    return x && y && ir_axis_gather(ir, x, &gather, y) ? y : NULL;
}

bool fourier_accept(const struct node *n, enum tensor_type in, enum tensor_type out, struct reason *why)
{
    int32_t length[2];
    uint32_t count;

    if (!gl_runtime(n, 0, "input", why) || !gl_ints(n, 1, "length", length, 2, &count, why))
        return false;
    if (n->in[0]->type != in)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input 0 has type %s", type_name(n->in[0]->type));
    if (n->out[0]->type != out)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "the output has type %s", type_name(n->out[0]->type));
    for (uint32_t i = 0; i < count; i++)
        if (length[i] > FOURIER_LONGEST)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "a transform of %d points, at most %d are supported",
                              length[i], FOURIER_LONGEST);
    return true;
}

struct ir_shape fourier_planes(const struct tensor *t)
{
    const int32_t rows = t->dim[t->rank - 2], cols = t->dim[t->rank - 1];

    return (struct ir_shape){1, (int32_t)(tensor_elems(t) / (size_t)rows / (size_t)cols), rows, cols};
}
