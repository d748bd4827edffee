/* SPDX-License-Identifier: Apache-2.0 */
/* fake_quant.c - FAKE_QUANT: floats rounded to the values that a quantized tensor of that range could hold. */
#include <math.h>

#include "kernels_cpu/common/fake_quant.h"
#include "kernels_cpu/common/map.h"

struct fake_quant_plan {
    struct map_plan plan;
    struct fake_quant f;
};

static inline float fake_quant(float v, const struct fake_quant *f)
{
    const float at_least = v > f->lo ? v : f->lo, in = at_least < f->hi ? at_least : f->hi;

    return roundf((in - f->lo) * f->per_scale) * f->scale + f->lo;
}

MAP_ROW(fake_quant_f32, float, float, const struct fake_quant f = ((const struct fake_quant_plan *)arg)->f, fake_quant(v, &f))

enum status fake_quant_of(const struct opt_fake_quant *o, struct fake_quant *f, struct err *err)
{
    float q_lo, q_hi, zero;

    if (o->num_bits < 2 || o->num_bits > 16)
        return err_set(err, ST_BAD_MODEL, "%d bits are not from 2 to 16", o->num_bits);
    if (!(o->min <= 0 && o->max >= 0 && o->min < o->max && isfinite(o->max - o->min)))
        return err_set(err, ST_BAD_MODEL, "the range %g to %g does not hold 0", (double)o->min, (double)o->max);
    /* The range moves a little, so that 0 is one of the values. */
    q_lo = o->narrow_range ? 1 : 0;
    q_hi = (float)((1 << o->num_bits) - 1);
    f->scale = (o->max - o->min) / (q_hi - q_lo);
    f->per_scale = 1.0f / f->scale;
    zero = q_lo - o->min / f->scale;
    zero = zero < q_lo ? q_lo : zero > q_hi ? q_hi : roundf(zero);
    f->lo = (q_lo - zero) * f->scale;
    f->hi = (q_hi - zero) * f->scale;
    return ST_OK;
}

static enum status fake_quant_prepare(struct cpu_call *c, struct err *err)
{
    struct fake_quant f;
    enum status st;

    if ((st = fake_quant_of(c->node->opt, &f, err)) || (st = map_types(c->node, err)) ||
        (st = map_plan(c, fake_quant_f32, sizeof(struct fake_quant_plan), err)))
        return st;
    ((struct fake_quant_plan *)c->packed)->f = f;
    return ST_OK;
}

const struct cpu_kernel cpu_fake_quant = {
    .shape = shape_unary, .in = {CPU_F32}, .prepare = fake_quant_prepare, .run = map_plan_run};
