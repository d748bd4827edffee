/* SPDX-License-Identifier: Apache-2.0 */
/* svdf.c - SVDF: a fully connected layer over a window of time, its matrix factored into features and time.
 *
 * Three operations: the features of the input, a convolution; the state, [batch, filters, memory], moved on by one time; its sums
 * by the time weights, `rank` filters to an output. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/matmul/exact_hybrid_rows.h"
#include "kernels_gl/recurrent/recurrent.h"

enum { X, FEATURE, TIME, BIAS, STATE };

struct svdf {
    int32_t rank, memory;
};

/* ---- the state moves on ---- */

static void emit_shift(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, svdf_comp);
    gl_define(p, "SHIFT", 1);
    gl_define_types(p, op->stores);
    gl_operands(p, "x state");
}

static const struct gl_variant shifts[] = {{"", NULL, emit_shift, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_svdf_shift = {.name = "svdf_shift", GL_VARIANTS(shifts)};

/* ---- sums ---- */

static void emit_sum(struct gl_shader *p, const struct ir_op *op)
{
    const struct svdf *s = op->attr;

    gl_source(p, svdf_comp);
    GL_PARAMS(p, "RANK MEMORY", s->rank, s->memory);
    gl_define(p, "BIAS", op->n_in > 2);
    gl_operands(p, "state t e");
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct svdf *s = op->attr;

    return GL_PASSES((uint64_t)s->rank, (uint64_t)s->memory);
}

static const struct gl_variant sums[] = {{"", NULL, emit_sum, .iterations = iterations}};
const struct ir_kind gl_kind_svdf_sum = {.name = "svdf_sum", GL_VARIANTS(sums)};

/* ---- the operator ---- */

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_svdf *o = n->opt;
    const struct tensor *w = node_in(n, FEATURE), *time = node_in(n, TIME);
    int32_t filters, memory;

    (void)lim;
    (void)g;
    if (!gl_arity(n, 3, STATE + 1, 1, why) || !gl_runtime(n, X, "input", why) || !gl_activation(o->activation, why))
        return false;
    if (w->rank != 2 || w->dim[0] < 1 || time->rank != 2 || time->dim[1] < 1 || time->dim[1] > INT32_MAX / w->dim[0])
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "weights %s and time weights %s", TENSOR_TEXT(w),
                          TENSOR_TEXT(time));
    filters = w->dim[0];
    memory = time->dim[1];
    return recurrent_weights(n, FEATURE, filters, n->in[X]->dim[1], true, w->type, why) &&
           recurrent_weights(n, TIME, filters, memory, true, w->type, why) &&
           recurrent_weights(n, BIAS, 0, filters / o->rank, false, TYPE_FLOAT32, why) &&
           recurrent_state(n, STATE, TYPE_FLOAT32, n->in[X]->dim[0], filters * memory, why);
}

/* Each row of x times the features' weights. */
static struct ir_op *add_features(struct ir *ir, const struct node *n, struct ir_value *x, struct ir_value *y)
{
    const struct opt_svdf *o = n->opt;
    struct ir_value *w;

    if (ir->lowering.exact && n->in[FEATURE]->type != TYPE_FLOAT32)
        return ir_exact_hybrid_rows(ir, x, n->in[FEATURE], NULL, o->asymmetric_quantize_inputs, y);
    return recurrent_floats(ir, n, FEATURE, &w) ? recurrent_product(ir, x, w, NULL, y) : NULL;
}

static struct ir_op *add_sums(struct ir *ir, const struct node *n, struct ir_value *state, struct ir_value *y)
{
    struct ir_value *in[3] = {state};
    struct ir_op *op;

    if (!recurrent_floats(ir, n, TIME, &in[1]) || !recurrent_floats(ir, n, BIAS, &in[2]) ||
        !(op = ir_op_new(ir, &gl_kind_svdf_sum, in, in[2] ? 3 : 2, y, sizeof(struct svdf))))
        return NULL;
    *(struct svdf *)op->attr = (struct svdf){((const struct opt_svdf *)n->opt)->rank, n->in[TIME]->dim[1]};
    return op;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const int32_t batch = n->in[X]->dim[0], filters = n->in[FEATURE]->dim[0], memory = n->in[TIME]->dim[1];
    struct ir_value *x = ir_in(ir, n, X), *y = ir_out(ir, n, 0), *old = ir_in(ir, n, STATE), *before, *state, *features, *kept;
    struct ir_op *op;

    if (!x || !y || !old)
        return ir_nomem(err);
    before = ir_reshaped(ir, old, (struct ir_shape){1, batch, filters, memory});
    state = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, batch, filters, memory});
    features = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, 1, batch, filters});
    if (!add_features(ir, n, x, features) || !ir_op_new(ir, &gl_kind_svdf_shift, IR_INS(features, before), state, 0) ||
        !(kept = ir_reshaped(ir, state, old->shape)) || !(op = add_sums(ir, n, state, y)))
        return ir_nomem(err);
    ir_set_variable(ir, n->in[STATE], kept);
    return ir_activation(ir, op, ((const struct opt_svdf *)n->opt)->activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_svdf = {
    .max_version = 4, .quantized = 1u << TYPE_INT8, .accept = accept, .lower = lower, .updates_variables = true};
