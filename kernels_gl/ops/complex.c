/* SPDX-License-Identifier: Apache-2.0 */
/* complex.c - REAL, IMAG and COMPLEX_ABS of COMPLEX64, whose two floats are words (int64.h); products of such for MUL. */
#include "kernels_gl/ops/complex.h"

#include "kernels_gl/common/data_movement.h"

static const struct ir_fn fn_from_bits = {"BITS", NULL, "intBitsToFloat(a)", .arity = 1, .full = true},
                          fn_to_bits = {"BITS", "floatBitsToInt(a)", NULL, .arity = 1, .full = true},
                          fn_abs = {"COMPLEX_ABS", "complex_abs4(a, b)", NULL, .arity = 2, .helper = complex_comp, .full = true};

static struct ir_value *map(struct ir *ir, const struct ir_fn *fn, enum ir_type type, struct ir_value *a, struct ir_value *b)
{
    struct ir_value *y = a && (b || fn->arity == 1) ? ir_temp(ir, type, a->shape) : NULL;

    if (y)
        y->full = true;
    return y && ir_map(ir, fn, (struct ir_value *[3]){a, b}, NULL, y) ? y : NULL;
}

struct ir_value *complex_part(struct ir *ir, const struct tensor *t, bool imaginary)
{
    return map(ir, &fn_from_bits, IR_FLOAT, int64_half(ir, t, imaginary), NULL);
}

struct ir_value *complex_words(struct ir *ir, struct ir_value *re, struct ir_value *im, struct ir_value **high)
{
    *high = map(ir, &fn_to_bits, IR_INT, im, NULL);
    return *high ? map(ir, &fn_to_bits, IR_INT, re, NULL) : NULL;
}

static struct ir_value *real_part(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return complex_part(ir, n->in[0], false);
}

static struct ir_value *imaginary_part(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return complex_part(ir, n->in[0], true);
}

static struct ir_value *magnitude(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *re = real_part(ir, n, high);

    return re ? map(ir, &fn_abs, IR_FLOAT, re, imaginary_part(ir, n, high)) : NULL;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (n->in[0]->type != TYPE_COMPLEX64)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "%s is no complex number of 64 bits", type_name(n->in[0]->type));
    if (n->out[0]->type != TYPE_FLOAT32)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "the output has type %s", type_name(n->out[0]->type));
    return true;
}

/* What takes no COMPLEX64 is not asked further: int64.h lowers what does. */
#define COMPLEX(fn)                                                                                                                \
    {                                                                                                                              \
        .max_version = 1, .accept = accept, .int64 = INT64_ASKS(fn, IR_TAKES_INT64)                                                \
    }

const struct gl_kernel gl_real = COMPLEX(real_part);
const struct gl_kernel gl_imag = COMPLEX(imaginary_part);
const struct gl_kernel gl_complex_abs = COMPLEX(magnitude);
