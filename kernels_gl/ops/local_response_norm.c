/* SPDX-License-Identifier: Apache-2.0 */
/* local_response_norm.c - LOCAL_RESPONSE_NORMALIZATION: the squares around each channel, then a power of them times x. */
#include "kernels_gl/common/elementwise.h"

struct energy {
    float bias, alpha;
    int32_t radius; /* from 0 to the number of channels */
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct energy *e = op->attr;

    gl_source(p, local_response_norm_comp);
    gl_param_float(p, "BIAS", e->bias);
    gl_param_float(p, "ALPHA", e->alpha);
    gl_param(p, "RADIUS", e->radius);
    gl_operands(p, "x");
}

/* Each channel sums its window anew: as accurate as the CPU, but work that grows with the product of both. */
#define MOST_CHANNELS 1024

/* Of a window. */
static int64_t channels_of(int32_t radius, int32_t channels)
{
    const int64_t most = radius < 0 ? 0 : 2 * (int64_t)radius;

    return most < channels ? most : channels;
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES(4, (uint64_t)channels_of(((const struct energy *)op->attr)->radius, op->in[0]->shape.c));
}

static const struct gl_variant variants[] = {{"window", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_local_energy = {.name = "local_energy", GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_local_response_normalization *o = n->opt;

    (void)lim;
    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (channels_of(o->radius, n->in[0]->dim[n->in[0]->rank - 1]) > MOST_CHANNELS)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "radius %d of %d channels: a window has at most %d", o->radius,
                          n->in[0]->dim[n->in[0]->rank - 1], MOST_CHANNELS);
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_local_response_normalization *o = n->opt;
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *power;
    struct ir_op *op = ir_op_new(ir, &gl_kind_local_energy, IR_INS(x), y, sizeof(struct energy));
    float *beta = ARENA_NEW(ir->arena, float);

    if (!op || !beta)
        return ir_nomem(err);
    *(struct energy *)op->attr = (struct energy){o->bias, o->alpha,
                                                 o->radius < 0            ? 0
                                                 : o->radius > x->shape.c ? x->shape.c
                                                                          : o->radius};
    *beta = -o->beta;
    power = ir_const(ir, IR_FLOAT, (struct ir_shape){1, 1, 1, 1}, beta);
    if (!power || !ir_apply(ir, op, &fn_pow, (struct ir_value *[3]){NULL, power}, NULL, IR_FLOAT) ||
        !ir_apply(ir, op, &fn_mul, (struct ir_value *[3]){NULL, x}, NULL, IR_FLOAT))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_local_response_norm = {.max_version = 1, .accept = accept, .lower = lower};
