/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm.c - LSTM in integers: 8-bit activations and weights, 16-bit gates and cell state, as kernels_cpu/recurrent/lstm_int.c
 * has it. The products with the inputs of all times are one operation; each step has that with the output state, the new cell
 * state, what is put out, and its projection. */
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_cpu/recurrent/lstm_int.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/recurrent/exact_lstm_basic.h"
#include "kernels_gl/recurrent/exact_lstm_hybrid.h"
#include "kernels_gl/recurrent/exact_lstm_int8.h"
#include "kernels_gl/recurrent/exact_rows.h"
#include "kernels_gl/recurrent/exact_walk.h"

#include <string.h>

/* A mean of more cells would leave 32 bits on its way. */
#define MOST_CELLS 65535

/* ---- the cells of one step ---- */

struct exact_lstm {
    const struct lstm_int_cell *cell;
    bool result; /* what is put out, else the new state */
};

/* Of gates that the cell has, coupled ones being without the first. */
static int32_t first_gate(const struct lstm_int_cell *c)
{
    return c->gate[GATE_INPUT].input.w ? GATE_INPUT : GATE_FORGET;
}

static int32_t gates_of(const struct lstm_int_cell *c)
{
    return GATES - first_gate(c);
}

/* Vectors of a gate: numbers, then peepholes, norm and its biases. */
enum { NUMBERS = 2 };

static size_t vectors_of(const struct lstm_int_cell *c)
{
    return NUMBERS + 3 * (size_t)cell_slices(c->n_cell);
}

static void numbers(const struct lstm_int_gate *g, size_t i, int32_t to[4])
{
    if (i)
        memcpy(to, (const int32_t[4]){g->variance_guard}, 4 * sizeof *to);
    else
        memcpy(to, (const int32_t[4]){g->peephole_scale.mult, g->peephole_scale.shift, g->norm_scale.mult, g->norm_scale.shift},
               4 * sizeof *to);
}

static int32_t element(const struct lstm_int_gate *g, size_t kind, size_t i)
{
    return kind == 0 ? g->peephole ? g->peephole[i] : 0 : kind == 1 ? g->norm ? g->norm[i] : 0 : g->bias ? g->bias[i] : 0;
}

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct lstm_int_cell *c = *(const struct lstm_int_cell *const *)arg;
    const size_t each = vectors_of(c), slices = (size_t)cell_slices(c->n_cell);
    int32_t *out = to;

    for (size_t k = first; k < first + n; k++, out += 4) {
        const struct lstm_int_gate *g = &c->gate[(size_t)first_gate(c) + k / each];
        const size_t i = k % each;

        if (i < NUMBERS)
            numbers(g, i, out);
        for (size_t lane = 0; i >= NUMBERS && lane < 4; lane++) {
            const size_t at = 4 * ((i - NUMBERS) % slices) + lane;

            out[lane] = at < (size_t)c->n_cell ? element(g, (i - NUMBERS) / slices, at) : 0;
        }
    }
}

static void define_gates(struct gl_shader *p, const struct lstm_int_cell *c)
{
    const int32_t first = first_gate(c);

    gl_define(p, "COUPLED", first == GATE_FORGET);
    gl_define(p, "PEEPHOLES", c->gate[GATE_INPUT].peephole || c->gate[GATE_FORGET].peephole || c->gate[GATE_OUTPUT].peephole);
    gl_define(p, "NORM", c->gate[GATE_OUTPUT].norm != NULL);
    gl_param(p, "GATE_INPUT", 0);
    gl_param(p, "GATE_FORGET", GATE_FORGET - first);
    gl_param(p, "GATE_NEW", GATE_CELL - first);
    gl_param(p, "GATE_OUTPUT", GATE_OUTPUT - first);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const texts[] = {exact_fixed_comp, exact_reciprocal_comp, exact_inv_sqrt_comp, exact_fixed16_comp,
                                        exact_lstm_comp};
    const struct exact_lstm *e = op->attr;
    const struct lstm_int_cell *c = e->cell;

    gl_source_of(p, texts, sizeof texts / sizeof *texts);
    define_gates(p, c);
    gl_define(p, "RESULT", e->result);
    gl_param(p, "CELL_S", cell_slices(c->n_cell));
    gl_param(p, "N_CELL", c->n_cell);
    gl_param(p, "N_OUTPUT", c->n_output);
    gl_param(p, "STATE_LOG2", c->cell_log2);
    gl_param(p, "STATE_LEAST", c->cell_clip > 0 ? -c->cell_clip : INT16_MIN);
    gl_param(p, "STATE_MOST", c->cell_clip > 0 ? c->cell_clip : INT16_MAX);
    gl_param(p, "MULT", c->hidden_scale.mult);
    gl_param(p, "SHIFT", c->hidden_scale.shift);
    gl_param(p, "ZERO", c->projection.w ? -c->hidden_zero : c->hidden_zero);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "c", op->in[1]);
    gl_table(p, "t", (size_t)gates_of(c) * vectors_of(c), pack, &c, sizeof c);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

/* One value's roots, tables and powers are loops of a few passes; a norm goes over all cells, for each of three gates. */
static uint64_t iterations(const struct ir_op *op)
{
    const struct lstm_int_cell *c = ((const struct exact_lstm *)op->attr)->cell;

    return 64 + (c->gate[GATE_OUTPUT].norm ? 3 * GL_PASSES((uint64_t)cell_slices(c->n_cell), 8) : 0);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_lstm = {.name = "exact_lstm", .constants = 1, GL_VARIANTS(variants)};

static bool append_cells(struct ir *ir, const struct exact_lstm *e, struct ir_value *sums, struct ir_value *c, struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_exact_lstm, IR_INS(sums, c), y, sizeof *e);

    if (op)
        *(struct exact_lstm *)op->attr = *e;
    return op;
}

/* ---- products ---- */

static void put_rows(struct exact_rows *to, const struct lstm_int_product *from, size_t at, size_t end)
{
    exact_rows_put(to, &(struct exact_matrix){from->w, from->bias_unfolded, (size_t)from->rows, from->scale}, at, end);
}

/* Products with the output state are not cut to 16 bits before they are added. */
static bool gates_product(struct ir *ir, const struct lstm_int_cell *c, bool recurrent, struct exact_rows *out)
{
    const size_t each = 4 * (size_t)cell_slices(c->n_cell), gates = (size_t)gates_of(c);
    const struct range_i32 word = {INT32_MIN, INT32_MAX};

    if (!exact_rows_new(ir, gates * each, (size_t)(recurrent ? c->n_output : c->n_input), recurrent ? word : int_limits(TYPE_INT16),
                        out))
        return false;
    for (size_t k = 0; k < gates; k++) {
        const struct lstm_int_gate *g = &c->gate[(size_t)first_gate(c) + k];

        put_rows(out, recurrent ? &g->recurrent : &g->input, k * each, (k + 1) * each);
    }
    return true;
}

static bool projection_product(struct ir *ir, const struct lstm_int_cell *c, struct exact_rows *out)
{
    if (!exact_rows_new(ir, (size_t)c->n_output, (size_t)c->n_cell, int_limits(TYPE_INT8), out))
        return false;
    put_rows(out, &c->projection, 0, (size_t)c->n_output);
    out->q.r.zero = c->output_zero;
    return true;
}

/* ---- a step ---- */

struct walk_of_cells {
    struct lstm_int_cell cell;
    const struct tensor *y;
    struct exact_rows input, recurrent, projection;
};

/* p: the largest of 8 bits that stays. */
static const struct ir_fn fn_clip = {"CLIP", NULL, "clamp(a, -ivec4(p), ivec4(p))", .arity = 1, .params = true};
static const struct ir_fn fn_saturated_sum = {"SATURATED_SUM", NULL, "clamp(a + b, ivec4(-0x8000), ivec4(0x7fff))", .arity = 2};

static bool append_projection(struct ir *ir, const struct walk_of_cells *w, struct ir_value *hidden, struct ir_value *y)
{
    const float clip = w->cell.projection_clip;
    struct ir_op *op = ir_exact_rows(ir, hidden, NULL, -w->cell.projection.zero, &w->projection.w, &w->projection.q, y);

    return op && (!(clip > 0) || ir_apply(ir, op, &fn_clip, NULL, (float[4]){clip, clip, clip, clip}, IR_INT));
}

static bool step(struct ir *ir, const void *arg, const struct exact_step *s)
{
    const struct walk_of_cells *w = arg;
    const struct lstm_int_cell *c = &w->cell;
    struct ir_value *sums = ir_temp(ir, IR_INT, s->x->shape), *hidden = s->y;
    struct ir_op *op = ir_exact_rows(ir, s->h, NULL, -c->gate[GATE_OUTPUT].recurrent.zero, &w->recurrent.w, &w->recurrent.q, sums);

    if (!ir_apply(ir, op, &fn_saturated_sum, (struct ir_value *[3]){NULL, s->x}, NULL, IR_INT) ||
        !append_cells(ir, &(struct exact_lstm){c, false}, sums, s->c, s->c_after))
        return false;
    if (c->projection.w && (hidden = ir_temp(ir, IR_INT, s->c->shape)))
        hidden->tensor = w->y; /* whose type it has: it is stored as bytes */
    return append_cells(ir, &(struct exact_lstm){c, true}, sums, s->c_after, hidden) &&
           (!c->projection.w || append_projection(ir, w, hidden, s->y));
}

/* ---- the operators ---- */

static bool is_sequence(const struct node *n)
{
    return n->builtin == BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM;
}

static int32_t times_of(const struct node *n)
{
    return is_sequence(n) ? n->in[LSTM_X]->dim[!lstm_params(n).time_major] : 1;
}

static bool is_hybrid(const struct node *n)
{
    return n->n_in && n->in[LSTM_X] && n->in[LSTM_X]->type == TYPE_FLOAT32;
}

/* The forms that the CPU has elsewhere (lstm.c). */
static bool form_fits(const struct node *n, struct reason *why)
{
    if (!gl_arity(n, 1, 24, 1, why) || !gl_runtime(n, LSTM_X, "input", why))
        return false;
    if (n->in[LSTM_X]->type != TYPE_INT8)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s times 8-bit weights has no exact integer shader here",
                          type_name(n->in[LSTM_X]->type));
    if (is_sequence(n) && ((const struct opt_unidirectional_sequence_lstm *)n->opt)->diagonal_recurrent_tensors)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "diagonal recurrent weights of 8 bits");
    return true;
}

/* As the CPU tells the two apart. */
static bool has_int8_sums(const struct node *n)
{
    return !is_sequence(n) && n->n_mid >= LSTM_INT8_INTERMEDIATES;
}

static bool norms_fit(const struct lstm_int_cell *c, struct reason *why)
{
    for (int32_t k = first_gate(c); k < GATES; k++)
        if (!c->gate[k].norm != !c->gate[GATE_OUTPUT].norm)
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "some gates are normalized and others not");
    return true;
}

static bool is_basic(const struct node *n)
{
    return !is_sequence(n) && ((const struct opt_lstm *)n->opt)->kernel_type == LSTM_BASIC;
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    struct lstm_int_cell c;
    struct err err = {""};

    (void)g;
    if (is_basic(n))
        return exact_lstm_basic_accept(lim, n, why);
    if (is_hybrid(n))
        return exact_lstm_hybrid_accept(lim, n, times_of(n), why);
    if (!form_fits(n, why))
        return false;
    if (has_int8_sums(n))
        return exact_lstm_int8_accept(n, why);
    if (lstm_int_cell(n, &c, &err))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
    if (c.n_cell < 1 || c.n_input < 1 || c.n_output < 1 || c.n_cell > MOST_CELLS)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d cells of %d inputs and %d outputs, at most %d", c.n_cell,
                          c.n_input, c.n_output, MOST_CELLS);
    return norms_fit(&c, why) && exact_walk_fits(times_of(n), why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct walk_of_cells *w = ARENA_NEW(ir->arena, struct walk_of_cells);
    struct recurrent r = {.x = ir_in(ir, n, LSTM_X),
                          .y = ir_out(ir, n, 0),
                          .output_state = LSTM_OUTPUT_STATE,
                          .cell_state = LSTM_CELL_STATE,
                          .batch_major = !lstm_params(n).time_major};
    struct ir_value *x;
    enum status st;

    if (is_basic(n))
        return exact_lstm_basic_lower(ir, n, err);
    if (is_hybrid(n))
        return exact_lstm_hybrid_lower_full(ir, n, err);
    if (has_int8_sums(n))
        return exact_lstm_int8_lower(ir, n, err);
    if (!w || !r.x || !r.y)
        return ir_nomem(err);
    *w = (struct walk_of_cells){.y = n->out[0]};
    if ((st = lstm_int_cell(n, &w->cell, err)))
        return st;
    x = ir_temp(ir, IR_INT, ir_with(r.x->shape, 3, 4 * gates_of(&w->cell) * cell_slices(w->cell.n_cell)));
    if (!gates_product(ir, &w->cell, false, &w->input) || !gates_product(ir, &w->cell, true, &w->recurrent) ||
        (w->cell.projection.w && !projection_product(ir, &w->cell, &w->projection)) ||
        !ir_exact_rows(ir, r.x, NULL, -w->cell.gate[GATE_OUTPUT].input.zero, &w->input.w, &w->input.q, x))
        return ir_nomem(err);
    return exact_rows_walk(ir, n, &(struct exact_walk){.r = &r, .x = x, .n_cell = w->cell.n_cell, .cell = w, .step = step}, err);
}

const struct gl_kernel gl_exact_lstm = {.max_version = GL_ANY_VERSION,
                                        .in_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_INT,
                                        .out_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                        .accept = accept,
                                        .lower = lower,
                                        .updates_variables = true};
