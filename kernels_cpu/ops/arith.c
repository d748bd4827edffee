/* SPDX-License-Identifier: Apache-2.0 */
/* arith.c - ADD, SUB, MUL, DIV: two inputs that broadcast, then the clamp of a fused activation.
 *
 * Integers wrap around where they overflow. */
#include "kernels_cpu/ops/arith.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/quant/quant_check.h"

/* What the row functions read; the clamp of the output's kind. */
struct arith {
    struct broadcast_plan plan;
    struct range_f32 f;
    int64_t lo, hi;
};

#define FLOAT_RANGE  const struct range_f32 r = ((const struct arith *)arg)->f
#define INT_RANGE(t) const t lo = (t)((const struct arith *)arg)->lo, hi = (t)((const struct arith *)arg)->hi

#define HALF_MAX 65504.0f
#define CLAMP(x) ((x) < lo ? lo : (x) > hi ? hi : (x))

/* The one quotient that does not fit saturates. */
static inline int32_t quotient(int32_t a, int32_t b)
{
    return a == INT32_MIN && b == -1 ? INT32_MAX : a / b;
}

/* Signed operands go through their unsigned twin u_t, so that overflow is defined. */
#define INT_ROW(name, t, u_t, op) CLONES BINARY_ROW(name, t, t, INT_RANGE(t), CLAMP((t)((u_t)a op(u_t) b)))

CLONES BINARY_ROW(add_f32, float, float, FLOAT_RANGE, activation_clamp(a + b, r))
    BINARY_ROW_F16(add_f16, FLOAT_RANGE, activation_clamp(HALF_A + HALF_B, r)) INT_ROW(add_i16, int16_t, uint32_t, +)
        INT_ROW(add_i32, int32_t, uint32_t, +) INT_ROW(add_i64, int64_t, uint64_t, +)

            CLONES BINARY_ROW(sub_f32, float, float, FLOAT_RANGE, activation_clamp(a - b, r)) INT_ROW(sub_i32, int32_t, uint32_t, -)
                INT_ROW(sub_i64, int64_t, uint64_t, -)

                    CLONES BINARY_ROW(mul_f32, float, float, FLOAT_RANGE, activation_clamp(a *b, r))
                        BINARY_ROW_F16(mul_f16, FLOAT_RANGE, activation_clamp(HALF_A *HALF_B, r))
    /* The language's own product, whose infinities survive a NaN beside them as those of C++ do. */
    BINARY_ROW(mul_c64, float _Complex, float _Complex, NO_SETUP, a *b) INT_ROW(mul_i16, int16_t, uint32_t, *)
        INT_ROW(mul_i32, int32_t, uint32_t, *) INT_ROW(mul_u32, uint32_t, uint32_t, *) INT_ROW(mul_i64, int64_t, uint64_t, *)

            CLONES BINARY_ROW(div_f32, float, float, FLOAT_RANGE, activation_clamp(a / b, r))
                BINARY_ROW(div_i32, int32_t, int32_t, INT_RANGE(int32_t), CLAMP(quotient(a, b)))

                    static const
    broadcast_row add_rows[TYPE_COUNT] = {
        [TYPE_FLOAT32] = add_f32, [TYPE_FLOAT16] = add_f16, [TYPE_INT16] = add_i16, [TYPE_INT32] = add_i32, [TYPE_INT64] = add_i64,
};

static const broadcast_row sub_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = sub_f32,
    [TYPE_INT32] = sub_i32,
    [TYPE_INT64] = sub_i64,
};

static const broadcast_row mul_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = mul_f32, [TYPE_FLOAT16] = mul_f16, [TYPE_COMPLEX64] = mul_c64, [TYPE_INT16] = mul_i16,
    [TYPE_INT32] = mul_i32,   [TYPE_UINT32] = mul_u32,  [TYPE_INT64] = mul_i64,
};

static const broadcast_row div_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = div_f32,
    [TYPE_INT32] = div_i32,
};

static void wide_limits(enum tensor_type type, int64_t *lo, int64_t *hi)
{
    const struct range_i32 l = int_limits(type);

    *lo = type == TYPE_INT64 ? INT64_MIN : type == TYPE_UINT32 ? 0 : l.lo;
    *hi = type == TYPE_INT64 ? INT64_MAX : type == TYPE_UINT32 ? (int64_t)UINT32_MAX : l.hi;
}

static enum status prepare_plain(struct cpu_call *c, const broadcast_row rows[TYPE_COUNT], enum activation act, struct err *err)
{
    const struct tensor *a = c->node->in[0];
    struct arith *p;
    enum status st;

    if (!rows[a->type])
        return cpu_bad_type(c->node, a, err);
    if ((st = broadcast_types(c->node, TYPE_NONE, err)) || (st = broadcast_plan(c, rows[a->type], sizeof *p, err)))
        return st;
    p = c->packed;
    wide_limits(a->type, &p->lo, &p->hi);
    if (a->type == TYPE_COMPLEX64 && act != ACT_NONE)
        return err_set(err, ST_BAD_MODEL, "complex numbers have no fused activation");
    if ((st = activation_range(act, &p->f, err)))
        return st;
    if (a->type == TYPE_FLOAT16) {
        p->f.lo = p->f.lo < -HALF_MAX ? -HALF_MAX : p->f.lo;
        p->f.hi = p->f.hi > HALF_MAX ? HALF_MAX : p->f.hi;
    }
    if (act == ACT_NONE)
        return ST_OK;
    if ((int64_t)p->f.lo > p->lo)
        p->lo = (int64_t)p->f.lo;
    if (act != ACT_RELU)
        p->hi = (int64_t)p->f.hi;
    return ST_OK;
}

static enum status add_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_add *o = c->node->opt;

    return arith_is_quantized(c->node) ? arith_prepare_sum(c, o->activation, o->pot_scale_int16, err)
                                       : prepare_plain(c, add_rows, o->activation, err);
}

static enum status sub_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_sub *o = c->node->opt;

    return arith_is_quantized(c->node) ? arith_prepare_sum(c, o->activation, o->pot_scale_int16, err)
                                       : prepare_plain(c, sub_rows, o->activation, err);
}

static enum status mul_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_mul *o = c->node->opt;

    return arith_is_quantized(c->node) ? arith_prepare_mul(c, o->activation, err) : prepare_plain(c, mul_rows, o->activation, err);
}

static enum status div_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_div *o = c->node->opt;

    return arith_is_quantized(c->node) ? arith_prepare_div(c, o->activation, err) : prepare_plain(c, div_rows, o->activation, err);
}

static enum status div_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *b = c->node->in[1];
    const size_t elems = tensor_elems(b);
    const int64_t zero = arith_is_quantized(c->node) ? quant_zero(b) : 0;

    for (size_t i = 0; b->type != TYPE_FLOAT32 && i < elems; i++)
        if (tensor_int(b, i) == zero)
            return err_set(err, ST_FAILED, "division by zero at element %zu of input 1", i);
    return broadcast_plan_run(c, err);
}

const struct cpu_kernel cpu_add = {.shape = broadcast_shape, .prepare = add_prepare, .run = broadcast_plan_run};
const struct cpu_kernel cpu_sub = {.shape = broadcast_shape, .prepare = sub_prepare, .run = broadcast_plan_run};
const struct cpu_kernel cpu_mul = {.shape = shape_binary, .prepare = mul_prepare, .run = broadcast_plan_run};
const struct cpu_kernel cpu_div = {.shape = broadcast_shape, .prepare = div_prepare, .run = div_run};
