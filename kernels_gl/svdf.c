/* SPDX-License-Identifier: Apache-2.0 */
/* svdf.c - SVDF: a fully connected layer over a window of time, its matrix factored into features and time.
 *
 * Three operations: the features of the input, a convolution; the state, [batch, filters, memory], moved on by one time; its sums
 * by the time weights, `rank` filters to an output. */
#include "data_movement.h"
#include "exact_conv.h"
#include "recurrent.h"

#include <string.h>

enum { X, FEATURE, TIME, BIAS, STATE };

struct svdf {
    const float *time, *bias; /* [filters][memory], [units] or NULL; of svdf_sum */
    int32_t rank, memory, units;
};

/* ---- the state moves on ---- */

static void emit_shift(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, svdf_comp);
    gl_define(p, "SHIFT", 1);
    gl_define_types(p, op->stores);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "state", op->in[1]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant shifts[] = {{"", NULL, emit_shift, gl_unrolled}};
const struct ir_kind gl_kind_svdf_shift = {.name = "svdf_shift", GL_VARIANTS(shifts)};

/* ---- sums ---- */

/* Vectors of four outputs: their biases, then for each of `rank` filters and each time. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct svdf *s = arg;
    const size_t slices = (size_t)cell_slices(s->units), rank = (size_t)s->rank, memory = (size_t)s->memory;
    float *out = to;

    for (size_t i = first; i < first + n; i++, out += 4)
        for (size_t k = 0; k < 4; k++) {
            const size_t at = i < slices ? i : i - slices, unit = 4 * (i < slices ? at : at / (rank * memory)) + k;

            out[k] = 0;
            if (unit < (size_t)s->units && i >= slices)
                out[k] = s->time[(unit * rank + at / memory % rank) * memory + at % memory];
            else if (unit < (size_t)s->units && s->bias)
                out[k] = s->bias[unit];
        }
}

static size_t vectors_of(const struct svdf *s)
{
    return (size_t)cell_slices(s->units) * ((size_t)s->rank * (size_t)s->memory + 1);
}

static void emit_sum(struct gl_shader *p, const struct ir_op *op)
{
    const struct svdf *s = op->attr;

    gl_source(p, svdf_comp);
    gl_param(p, "RANK", s->rank);
    gl_param(p, "MEMORY", s->memory);
    gl_input(p, "state", op->in[0]);
    gl_weights(p, "w", vectors_of(s), pack, s, sizeof *s);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct svdf *s = op->attr;

    return GL_PASSES((uint64_t)s->rank, (uint64_t)s->memory);
}

static bool is_indexed(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return vectors_of(op->attr) <= INT32_MAX;
}

static const struct gl_variant sums[] = {{"", is_indexed, emit_sum, iterations}};
const struct ir_kind gl_kind_svdf_sum = {.name = "svdf_sum", .constants = 1, GL_VARIANTS(sums)};

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

static bool read_svdf(struct ir *ir, const struct node *n, struct svdf *s)
{
    *s = (struct svdf){.rank = ((const struct opt_svdf *)n->opt)->rank, .memory = n->in[TIME]->dim[1], .units = n->out[0]->dim[1]};
    return recurrent_floats(ir, n, TIME, &s->time) && recurrent_floats(ir, n, BIAS, &s->bias);
}

/* Each row of x times the features' weights. */
static struct ir_op *add_features(struct ir *ir, const struct node *n, struct ir_value *x, struct ir_value *y)
{
    static const struct ir_window one = {
        .kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
    const struct opt_svdf *o = n->opt;

    if (ir->exact && n->in[FEATURE]->type != TYPE_FLOAT32)
        return ir_exact_hybrid_rows(ir, x, n->in[FEATURE], NULL, o->asymmetric_quantize_inputs, y);
    return ir_conv(ir, x, &one, ir_floats(ir, n->in[FEATURE]), NULL, y);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const int32_t batch = n->in[X]->dim[0], filters = n->in[FEATURE]->dim[0];
    struct ir_value *x = ir_in(ir, n, X), *y = ir_out(ir, n, 0), *old = ir_in(ir, n, STATE), *before, *state, *features, *kept;
    struct ir_op *op;
    struct svdf s;

    if (!x || !y || !old || !read_svdf(ir, n, &s))
        return ir_nomem(err);
    before = ir_reshaped(ir, old, (struct ir_shape){1, batch, filters, s.memory});
    state = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, batch, filters, s.memory});
    features = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, 1, batch, filters});
    if (!add_features(ir, n, x, features) || !ir_op_new(ir, &gl_kind_svdf_shift, IR_INS(features, before), state, 0) ||
        !(kept = ir_reshaped(ir, state, old->shape)) || !(op = ir_op_new(ir, &gl_kind_svdf_sum, IR_INS(state), y, sizeof s)))
        return ir_nomem(err);
    *(struct svdf *)op->attr = s;
    ir_set_variable(ir, n->in[STATE], kept);
    return ir_activation(ir, op, ((const struct opt_svdf *)n->opt)->activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_svdf = {.max_version = 4, .accept = accept, .lower = lower, .updates_variables = true};
