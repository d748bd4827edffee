/* SPDX-License-Identifier: Apache-2.0 */
/* pad.c - PAD and PADV2: constant borders along any axis. MIRROR_PAD: borders that mirror what is inside. */
#include <stdlib.h>
#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/insert.h"
#include "lib/gl/ir/fold.h"

static bool keeps_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return ((const struct ir_pad *)op->attr)->before.c % 4 == 0;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const bool slices = op->variant->fits == keeps_slices;
    const struct ir_pad *pad = op->attr;

    gl_source(p, pad_comp);
    gl_define_types(p, op->stores);
    gl_param_float(p, "VALUE", pad->value);
    if (slices)
        gl_define(p, "SLICES", 1);
    GL_PARAMS(p, "BEFORE_B BEFORE_H BEFORE_W BEFORE_C", pad->before.b, pad->before.h, pad->before.w, pad->before.c);
    gl_operands(p, "x");
}

static const struct gl_variant variants[] = {
    {"slices", keeps_slices, emit, .iterations = gl_unrolled},
    {"elements", NULL, emit, .iterations = gl_unrolled},
};

static void permute(struct ir_op *op, const int order[4])
{
    struct ir_pad *pad = op->attr;
    const struct ir_shape was = pad->before;

    for (int i = 0; i < 4; i++)
        *ir_dim_at(&pad->before, i) = ir_dim(was, order[i]);
}

const struct ir_kind gl_kind_pad = {
    .name = "pad", .moves = true, .role = IR_PAD, GL_VARIANTS(variants), IR_TRAITS(.permute = permute)};

/* The op's shape function has checked the matrix; the shapes say how much comes after. */
static int32_t before(const struct node *n, int32_t i)
{
    return (int32_t)tensor_int(n->in[1], 2 * (size_t)i);
}

/* The kind has the value as a float in its attributes. */
static bool is_spread(const struct node *n)
{
    const struct tensor *value = node_in(n, 2);

    return value &&
           (!value->is_const || ir_is_int64(value) || (ir_type_of(value) == IR_INT && llabs(tensor_int(value, 0)) > 1 << 24));
}

static bool value_fits(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct tensor *value = n->in[2];

    if (tensor_elems(value) != 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the value to pad with is %s", TENSOR_TEXT(value));
    if (ir_is_quantized(value))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the value to pad with is quantized and computed at run time");
    return gl_one_type(n, 2, 3, why) && gl_storable(lim, n, 2, 3, why);
}

static bool pad_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "paddings", why) || !gl_one_type(n, 0, 1, why))
        return false;
    return !ir_has_in(n, 2) || value_fits(lim, n, why);
}

/* What is padded: extents of a value of any shape, and what comes before. */
struct padded {
    struct ir_value *x;
    int32_t rank, dim[TENSOR_MAX_RANK], before[TENSOR_MAX_RANK], to[TENSOR_MAX_RANK]; /* `to`: extents afterwards */
    float value;
};

/* A fold that keeps these axes apart, of the input and of extents `to`. */
static bool fold(const struct padded *p, const int32_t *to, struct ir_shape stored, struct ir_fold *f)
{
    const struct ir_folded t[2] = {{.dim = p->dim, .stored = p->x->shape}, {.dim = to, .stored = stored}};
    int32_t key[TENSOR_MAX_RANK];

    for (int32_t i = 0; i < p->rank; i++)
        key[i] = to[i] != p->dim[i] ? i + 1 : p->dim[i] == 1 ? -1 : 0;
    return ir_fold_best(p->rank, ir_fold_apart(key, p->rank), t, 2, f);
}

/* Extents after a step that pads as many axes as four can show, the last ones first. */
static void next_extents(const struct padded *p, int32_t *to)
{
    struct ir_fold f;

    memcpy(to, p->dim, sizeof p->dim);
    for (int32_t i = p->rank; i-- > 0;) {
        to[i] = p->to[i];
        if (!fold(p, to, p->x->shape, &f))
            to[i] = p->dim[i];
    }
}

/* Pads to extents `to` of what y holds. */
static bool pad_step(struct ir *ir, const struct padded *p, const int32_t *to, struct ir_value *y)
{
    struct ir_value *natural;
    struct ir_pad *pad;
    struct ir_op *op;
    struct ir_fold f;

    if (!y || !fold(p, to, y->shape, &f) || !(natural = ir_begin_reshape(ir, y, ir_fold_shape(&f, to))))
        return false;
    op = ir_op_new(ir, &gl_kind_pad, IR_INS(ir_reshaped(ir, p->x, ir_fold_shape(&f, p->dim))), natural, sizeof *pad);
    if (!op || !ir_end_reshape(ir, natural, y))
        return false;
    pad = op->attr;
    pad->value = p->value;
    for (int32_t i = 0; i < p->rank; i++)
        if (to[i] != p->dim[i])
            *ir_dim_at(&pad->before, ir_fold_axis(&f, i)) = p->before[i];
    return true;
}

/* Where more axes are padded than four can show: some, then the others. */
static bool pad_axes(struct ir *ir, struct padded *p, struct ir_value *y)
{
    int32_t to[TENSOR_MAX_RANK];

    for (next_extents(p, to); memcmp(to, p->to, sizeof to) != 0; next_extents(p, to)) {
        struct ir_fold f = ir_fold_stored(to, p->rank);
        struct ir_value *t = ir_temp(ir, y->type, ir_fold_shape(&f, to));

        if (!pad_step(ir, p, to, t))
            return false;
        p->x = t;
        memcpy(p->dim, to, sizeof to);
    }
    return pad_step(ir, p, to, y);
}

static enum status pad_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct padded p = {.x = ir_in(ir, n, 0), .rank = n->in[0]->rank};
    struct ir_value *y = ir_out(ir, n, 0);
    const struct ir_value *value = ir_in(ir, n, 2);

    if (!p.x || !y || (ir_has_in(n, 2) && !value))
        return ir_nomem(err);
    if (is_spread(n))
        return insert_lower_spread(ir, n, err);
    for (int32_t i = 0; i < p.rank; i++) {
        p.dim[i] = n->in[0]->dim[i];
        p.to[i] = n->out[0]->dim[i];
        p.before[i] = before(n, i);
    }
    if (value)
        p.value = value->type == IR_INT ? (float)*(const int32_t *)value->data : *(const float *)value->data;
    else if (ir->lowering.raw && tensor_is_quantized(n->out[0]) && n->out[0]->quant.zero_point)
        p.value = (float)n->out[0]->quant.zero_point[0];
    return pad_axes(ir, &p, y) ? ST_OK : ir_nomem(err);
}

/* ---- MIRROR_PAD: picks ---- */

static bool mirror_pad_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why) && gl_constant(n, 1, "paddings", why) && gl_one_type(n, 0, 1, why);
}

/* The border repeats the `length` elements inwards from the edge, with that element (SYMMETRIC) or without (REFLECT). */
static const int32_t *mirrored(struct ir *ir, int32_t length, int32_t first, int32_t n, bool reflect)
{
    int32_t *at = ARENA_ARRAY(ir->arena, (size_t)n, int32_t);

    for (int32_t i = 0; at && i < n; i++) {
        int32_t k = i - first;

        at[i] = k < 0 ? -k - !reflect : k >= length ? 2 * length - 1 - reflect - k : k;
    }
    return at;
}

static enum status mirror_pad_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct axis_gather gather = axis_gather_of(x->rank, x->dim, n->out[0]->dim);
    bool reflect = ((const struct opt_mirror_pad *)n->opt)->mode == MIRROR_REFLECT;

    for (int32_t i = 0; i < x->rank; i++)
        if (!(gather.at[i] = mirrored(ir, x->dim[i], before(n, i), n->out[0]->dim[i], reflect)))
            return ir_nomem(err);
    return ir_axis_gather(ir, ir_in(ir, n, 0), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_pad = {.max_version = 6, MOVES_ANY, .accept = pad_accept, .lower = pad_lower};
const struct gl_kernel gl_mirror_pad = {.max_version = 3, MOVES_ANY, .accept = mirror_pad_accept, .lower = mirror_pad_lower};
