/* arith.c - ADD, SUB, MUL, DIV: two inputs that broadcast, then the clamp of a fused activation.
 *
 * Integers wrap around where they overflow. */
#include "activation.h"
#include "broadcast.h"

/* What the row functions read; the clamp of the output's kind. */
struct arith {
    broadcast_row row;
    struct range_f32 f;
    int64_t lo, hi;
};

#define FLOAT_RANGE  const struct range_f32 r = ((const struct arith *)arg)->f
#define INT_RANGE(t) const t lo = (t)((const struct arith *)arg)->lo, hi = (t)((const struct arith *)arg)->hi

#define CLAMP(x) ((x) < lo ? lo : (x) > hi ? hi : (x))

/* Signed operands go through their unsigned twin u_t, so that overflow is defined. */
#define INT_ROW(name, t, u_t, op) \
    BINARY_ROW(name, t, t, INT_RANGE(t), CLAMP((t)((u_t)a op (u_t)b)))

BINARY_ROW(add_f32, float, float, FLOAT_RANGE, activation_clamp(a + b, r))
INT_ROW(add_i32, int32_t, uint32_t, +)
INT_ROW(add_i64, int64_t, uint64_t, +)

BINARY_ROW(sub_f32, float, float, FLOAT_RANGE, activation_clamp(a - b, r))
INT_ROW(sub_i32, int32_t, uint32_t, -)
INT_ROW(sub_i64, int64_t, uint64_t, -)

BINARY_ROW(mul_f32, float, float, FLOAT_RANGE, activation_clamp(a * b, r))
INT_ROW(mul_i16, int16_t, uint32_t, *)
INT_ROW(mul_i32, int32_t, uint32_t, *)
INT_ROW(mul_u32, uint32_t, uint32_t, *)
INT_ROW(mul_i64, int64_t, uint64_t, *)

BINARY_ROW(div_f32, float, float, FLOAT_RANGE, activation_clamp(a / b, r))
/* The one quotient that does not fit wraps, too. */
BINARY_ROW(div_i32, int32_t, int32_t, INT_RANGE(int32_t), CLAMP(b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b))

static const broadcast_row add_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = add_f32, [TYPE_INT32] = add_i32, [TYPE_INT64] = add_i64,
};

static const broadcast_row sub_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = sub_f32, [TYPE_INT32] = sub_i32, [TYPE_INT64] = sub_i64,
};

static const broadcast_row mul_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = mul_f32, [TYPE_INT16] = mul_i16, [TYPE_INT32] = mul_i32, [TYPE_UINT32] = mul_u32,
    [TYPE_INT64] = mul_i64,
};

static const broadcast_row div_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = div_f32, [TYPE_INT32] = div_i32,
};

static void int_limits(enum tensor_type type, int64_t *lo, int64_t *hi)
{
    switch (type) {
    case TYPE_INT16:
        *lo = INT16_MIN, *hi = INT16_MAX;
        break;
    case TYPE_UINT32:
        *lo = 0, *hi = UINT32_MAX;
        break;
    case TYPE_INT64:
        *lo = INT64_MIN, *hi = INT64_MAX;
        break;
    default:
        *lo = INT32_MIN, *hi = INT32_MAX;
    }
}

static enum status arith_prepare(struct cpu_call *c, const broadcast_row rows[TYPE_COUNT], enum activation act,
                                 struct err *err)
{
    const enum tensor_type type = c->node->out[0]->type;
    struct arith *p;
    enum status st;

    if ((st = broadcast_types(c, rows, TYPE_NONE, err)) || (st = cpu_pack(c, sizeof *p, err)))
        return st;
    p = c->packed;
    p->row = rows[type];
    int_limits(type, &p->lo, &p->hi);
    if ((st = activation_range(act, &p->f, err)) || act == ACT_NONE)
        return st;
    if ((int64_t)p->f.lo > p->lo)
        p->lo = (int64_t)p->f.lo;
    if (act != ACT_RELU)
        p->hi = (int64_t)p->f.hi;
    return ST_OK;
}

static enum status arith_run(struct cpu_call *c, struct err *err)
{
    const struct arith *p = c->packed;

    (void)err;
    broadcast_run(c, 2, p->row, p);
    return ST_OK;
}

static enum status div_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *b = c->node->in[1];
    const size_t elems = tensor_elems(b);

    if (b->type == TYPE_INT32)
        for (size_t i = 0; i < elems; i++)
            if (((const int32_t *)b->data)[i] == 0)
                return err_set(err, ST_FAILED, "division by zero at element %zu of input 1", i);
    return arith_run(c, err);
}

#define ARITH(op, run_)                                                                                                        \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                       \
    {                                                                                                                          \
        return arith_prepare(c, op##_rows, ((const struct opt_##op *)c->node->opt)->activation, err);                          \
    }                                                                                                                          \
    const struct cpu_kernel cpu_##op = { .shape = shape_binary, .prepare = op##_prepare, .run = run_ };

ARITH(add, arith_run)
ARITH(sub, arith_run)
ARITH(mul, arith_run)
ARITH(div, div_run)
