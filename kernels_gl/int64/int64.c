/* SPDX-License-Identifier: Apache-2.0 */
/* int64.c - 64-bit elements at a partition's boundary and in data movement: see lib/gl/lower/int64.h. */
#include "kernels_gl/int64/int64.h"

#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "lib/gl/lower/integers.h"

static const struct ir_fn fn_sign = {"SIGN_WORD", NULL, "a >> 31", .arity = 1};
const struct ir_fn fn_clamp_int64 = {
    "CLAMP_WORDS", NULL, "mix(mix(ivec4(2147483647), ivec4(-2147483647 - 1), lessThan(b, ivec4(0))), a, equal(a >> 31, b))",
    .arity = 2};

/* Operators that only move elements, and the inputs that are indices, a bit each. */
static const struct mover {
    const char *name;
    uint32_t indices;
    uint32_t cut; /* of which the CPU reads the low word alone */
} movers[] = {
    {"RESHAPE", 1u << 1},
    {"EXPAND_DIMS", 1u << 1},
    {"SQUEEZE", 0},
    {"TRANSPOSE", 1u << 1},
    {"SLICE", 3u << 1},
    {"STRIDED_SLICE", 7u << 1},
    {"CONCATENATION", 0},
    {"PACK", 0},
    {"UNPACK", 0},
    {"SPLIT", 1u << 0},
    {"SPLIT_V", 3u << 1},
    {"TILE", 1u << 1},
    {"GATHER", 1u << 1},
    {"GATHER_ND", 1u << 1},
    {"REVERSE_V2", 1u << 1},
    {"SELECT", 0},
    {"SELECT_V2", 0},
    {"BROADCAST_TO", 1u << 1},
    {"PAD", 1u << 1},
    {"PADV2", 1u << 1},
    {"MIRROR_PAD", 1u << 1},
    {"DILATE", 1u << 1},
    {"STABLEHLO_PAD", 0},
    {"DYNAMIC_UPDATE_SLICE", 1u << 2},
    {"SPACE_TO_BATCH_ND", 3u << 1},
    {"BATCH_TO_SPACE_ND", 3u << 1},
    {"DEPTH_TO_SPACE", 0},
    {"SPACE_TO_DEPTH", 0},
    {"ONE_HOT", 3u, .cut = 1u},
    {"EMBEDDING_LOOKUP", 1u << 0},
    {"FILL", 1u << 0},
    {"MATRIX_DIAG", 0},
    {"MATRIX_SET_DIAG", 0},
    {"REVERSE_SEQUENCE", 1u << 1},
    {"Roll", 3u << 1},
    {"SPARSE_TO_DENSE", 3u},
    {"SCATTER_ND", 1u << 0},
    {"STABLEHLO_GATHER", 1u << 1},
    {"STABLEHLO_SCATTER", 1u << 1},
};

static const struct mover *mover_of(const struct node *n)
{
    for (size_t i = 0; n->op && i < sizeof movers / sizeof *movers; i++)
        if (!strcmp(movers[i].name, n->op->name))
            return &movers[i];
    return NULL;
}

static bool is_long(const struct tensor *t)
{
    return t && ir_is_int64(t) && !t->is_const;
}

bool gl_int64_move(const struct node *n)
{
    return mover_of(n) != NULL;
}

static bool is_index(const struct mover *m, uint32_t i)
{
    return i < 32 && m->indices >> i & 1;
}

/* Return true if an input is an index and also moved: its elements would be clamped as indices are. */
static bool is_index_and_moved(const struct mover *m, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        for (uint32_t k = 0; k < n->n_in && is_long(n->in[i]) && is_index(m, i); k++)
            if (n->in[k] == n->in[i] && !is_index(m, k))
                return true;
    return false;
}

bool gl_int64_takes(const struct node *n, bool *computes)
{
    const struct gl_int64 *k = int64_computing(n);
    const uint32_t types = gl_int64_move(n) ? IR_TAKES_INT64 : k ? k->types : 0;
    bool any = false;

    for (uint32_t i = 0; i < n->n_in; i++)
        any |= is_long(n->in[i]) && !n->in[i]->is_variable && types >> n->in[i]->type & 1;
    for (uint32_t i = 0; i < n->n_out; i++)
        any |= is_long(n->out[i]) && types >> n->out[i]->type & 1;
    *computes = any && k;
    return any && (*computes || (mover_of(n) && !is_index_and_moved(mover_of(n), n)));
}

bool gl_int64_fit(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return int64_compute_types(lim, n, why);
}

/* ---- words of a tensor ---- */

/* Return element i; an INT32 constant may stand for INT64. */
static uint64_t bits_of(const struct tensor *t, size_t i)
{
    uint64_t v = 0;

    if (!ir_is_int64(t))
        return (uint64_t)tensor_int(t, i);
    memcpy(&v, (const uint8_t *)t->data + 8 * i, 8);
    return v;
}

static struct ir_value *constant(struct ir *ir, const struct tensor *t, bool high)
{
    const size_t n = tensor_elems(t);
    int32_t *data = ARENA_ARRAY(ir->arena, n, int32_t);
    struct ir_shape shape;

    for (size_t i = 0; data && i < n; i++) {
        const uint64_t v = bits_of(t, i);

        data[i] = (int32_t)(uint32_t)(high ? v >> 32 : v);
    }
    return data && ir_shape_of(t, &shape) ? ir_const(ir, IR_INT, shape, data) : NULL;
}

static bool is_within_32(const struct ir *ir, const struct tensor *t)
{
    if (!t->is_const || t->type != TYPE_INT64)
        return !t->is_const && !ir->high[t->index];
    for (size_t i = 0; i < tensor_elems(t); i++)
        if (tensor_int(t, i) != (int32_t)tensor_int(t, i))
            return false;
    return true;
}

struct ir_value *int64_sign(struct ir *ir, struct ir_value *x)
{
    struct ir_value *sign = x ? ir_temp(ir, IR_INT, x->shape) : NULL;

    return sign && ir_map(ir, &fn_sign, (struct ir_value *[3]){x}, NULL, sign) ? sign : NULL;
}

struct ir_value *int64_half(struct ir *ir, const struct tensor *t, bool high)
{
    struct ir_value *low;

    if (t->is_const)
        return constant(ir, t, high);
    low = ir_of_tensor(ir, t);
    if (!high || !low || ir->high[t->index])
        return high && low ? ir->high[t->index] : low;
    return int64_sign(ir, low);
}

/* Return the indices, clamped to 32 bits unless the CPU cuts them (`cut`): beyond these they are out of range in any tensor. */
static struct ir_value *index_of(struct ir *ir, const struct tensor *t, bool cut)
{
    struct ir_value *low = int64_half(ir, t, false), *y;

    if (!low || cut || t->is_const || !ir->high[t->index])
        return low;
    y = ir_temp(ir, IR_INT, low->shape);
    return y && ir_map(ir, &fn_clamp_int64, (struct ir_value *[3]){low, ir->high[t->index]}, NULL, y) ? y : NULL;
}

struct ir_value *int64_index(struct ir *ir, const struct tensor *t)
{
    return ir_is_int64(t) ? index_of(ir, t, false) : ir_of_tensor(ir, t);
}

/* ---- the border ---- */

struct ir_value *int64_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t step, struct ir_shape to)
{
    const int32_t from[] = {x ? x->shape.b : 1, x ? x->shape.h : 1, x ? x->shape.w : 1, x ? x->shape.c : 1};
    struct axis_gather gather = axis_gather_of(4, from, (const int32_t[]){to.b, to.h, to.w, to.c});
    struct ir_value *v = ir_temp(ir, IR_INT, to);

    gather.at[3] = ir_range(ir, first, step, to.c);
    return x && gather.at[3] && v && ir_axis_gather(ir, x, &gather, v) ? v : NULL;
}

enum status gl_int64_begin(struct ir *ir, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_inputs; i++) {
        const struct tensor *t = ir->inputs[i]->tensor;
        struct ir_shape shape;

        if (!ir_is_int64(t) || !ir_shape_of(t, &shape))
            continue;
        ir->by_tensor[t->index] = int64_channels(ir, ir->inputs[i], 0, 2, shape);
        ir->high[t->index] = int64_channels(ir, ir->inputs[i], 1, 2, shape);
        if (!ir->by_tensor[t->index] || !ir->high[t->index])
            return ir_nomem(err);
        ir->by_tensor[t->index]->tensor = ir->high[t->index]->tensor = t;
    }
    return ST_OK;
}

struct ir_value *int64_interleave(struct ir *ir, struct ir_value *low, struct ir_value *high)
{
    const struct ir_shape s = low->shape, one = {s.b * s.h, s.w, s.c, 1}, two = {s.b * s.h, s.w, s.c, 2};
    struct ir_value *y = ir_temp(ir, IR_INT, two), *in[2] = {ir_reshaped(ir, low, one), ir_reshaped(ir, high, one)};

    return in[0] && in[1] && ir_concatenate(ir, in, 2, 3, y) ? y : NULL;
}

static bool join(struct ir *ir, struct ir_value *low, struct ir_value *high, struct ir_value *y)
{
    struct ir_value *joined = int64_interleave(ir, low, high);

    return joined && ir_copy(ir, ir_reshaped(ir, joined, y->shape), y);
}

enum status gl_int64_end(struct ir *ir, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        struct ir_value *low = ir->outputs[i], *y;
        struct ir_shape shape = low->shape;

        if (!is_long(low->tensor) || !ir->high[low->tensor->index])
            continue;
        if (__builtin_mul_overflow(shape.c, 2, &shape.c) || !(y = ir_temp(ir, IR_INT, shape)) ||
            !join(ir, low, ir->high[low->tensor->index], y))
            return ir_nomem(err);
        y->tensor = low->tensor;
        low->is_output = false;
        y->is_output = true;
        ir->outputs[i] = y;
    }
    return ST_OK;
}

/* ---- nodes ---- */

/* Lower the node for one half: its inputs are their low or high halves, its outputs become those. */
static enum status lower_once(struct ir *ir, const struct node *n, const struct gl_kernel *k, bool high, struct ir_value **kept,
                              struct err *err)
{
    const struct mover *m = mover_of(n);
    struct ir_value **words = ARENA_ARRAY(ir->arena, n->n_in + 1, struct ir_value *);
    enum status st;

    for (uint32_t i = 0; words && i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (t && ir_is_int64(t) && !(words[i] = is_index(m, i) ? index_of(ir, t, m->cut >> i & 1) : int64_half(ir, t, high)))
            return ir_nomem(err);
    }
    if (!words)
        return ir_nomem(err);
    for (uint32_t i = 0; i < n->n_in; i++)
        if (words[i] && !(n->in[i]->is_const && is_index(m, i))) {
            kept[i] = ir->by_tensor[n->in[i]->index];
            ir->by_tensor[n->in[i]->index] = words[i];
        }
    st = k->lower(ir, n, err);
    for (uint32_t i = n->n_in; i-- > 0;)
        if (words[i] && !(n->in[i]->is_const && is_index(m, i)))
            ir->by_tensor[n->in[i]->index] = kept[i];
    return st;
}

static enum status lower_twice(struct ir *ir, const struct node *n, const struct gl_kernel *k, struct err *err)
{
    struct ir_value **kept = ARENA_ARRAY(ir->arena, n->n_in + n->n_out, struct ir_value *), **low = kept ? kept + n->n_in : NULL;
    bool wide = false;
    enum status st;

    for (uint32_t i = 0; i < n->n_in; i++)
        wide |= n->in[i] && ir_is_int64(n->in[i]) && !is_index(mover_of(n), i) && !is_within_32(ir, n->in[i]);
    if (!kept)
        return ir_nomem(err);
    if ((st = lower_once(ir, n, k, false, kept, err)) || !wide)
        return st;
    for (uint32_t i = 0; i < n->n_out; i++) {
        low[i] = ir->by_tensor[n->out[i]->index];
        ir->by_tensor[n->out[i]->index] = NULL;
    }
    if ((st = lower_once(ir, n, k, true, kept, err)))
        return st;
    for (uint32_t i = 0; i < n->n_out; i++) {
        ir->high[n->out[i]->index] = ir->by_tensor[n->out[i]->index];
        ir->by_tensor[n->out[i]->index] = low[i];
    }
    return ST_OK;
}

enum status gl_int64_lower(struct ir *ir, const struct node *n, const struct gl_kernel *k, struct err *err)
{
    const struct gl_int64 *compute = int64_computing(n);
    struct ir_value *low, *y, *high = NULL;
    struct ir_op *op;

    if (!compute)
        return lower_twice(ir, n, k, err);
    if (!(low = compute->lower(ir, n, &high)) || !(y = ir_out(ir, n, 0)) || !(op = ir_copy(ir, low, y)) ||
        (y->type == IR_INT && !gl_integers_wrap_op(ir, op, n->out[0]->type)))
        return ir_nomem(err);
    if (ir_is_int64(n->out[0]))
        ir->high[n->out[0]->index] = high;
    return ST_OK;
}
