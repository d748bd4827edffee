/* SPDX-License-Identifier: Apache-2.0 */
/* complex.c - REAL, IMAG and COMPLEX_ABS: complex numbers to real ones of the same precision. */
#include <math.h>

#include "kernels_cpu/common/map.h"

struct c64 {
    float re, im;
};
struct c128 {
    double re, im;
};

MAP_ROW(real_c64, struct c64, float, NO_SETUP, v.re)
MAP_ROW(real_c128, struct c128, double, NO_SETUP, v.re)
MAP_ROW(imag_c64, struct c64, float, NO_SETUP, v.im)
MAP_ROW(imag_c128, struct c128, double, NO_SETUP, v.im)
MAP_ROW(complex_abs_c64, struct c64, float, NO_SETUP, hypotf(v.re, v.im))
MAP_ROW(complex_abs_c128, struct c128, double, NO_SETUP, hypot(v.re, v.im))

static enum status plan(struct cpu_call *c, map_row row64, map_row row128, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const bool single = x->type == TYPE_COMPLEX64;

    if (!single && x->type != TYPE_COMPLEX128)
        return cpu_bad_type(c->node, x, err);
    if (y->type != (single ? TYPE_FLOAT32 : TYPE_FLOAT64))
        return err_set(err, ST_BAD_MODEL, "the output of %s has type %s", type_name(x->type), type_name(y->type));
    return map_plan(c, single ? row64 : row128, sizeof(struct map_plan), err);
}

#define COMPLEX(op)                                                                                                                \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                              \
        return plan(c, op##_c64, op##_c128, err);                                                                                  \
    }                                                                                                                              \
    const struct cpu_kernel cpu_##op = {.shape = shape_unary, .prepare = op##_prepare, .run = map_plan_run};

COMPLEX(real)
COMPLEX(imag)
COMPLEX(complex_abs)
