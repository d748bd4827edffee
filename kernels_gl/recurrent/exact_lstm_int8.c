/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_int8.c - see exact_lstm_int8.h
 *
 * Layer normalization is of floats, which the shader rounds one by one as the CPU does; only the root of a variance is a double
 * there, and comes to the nearest float (exact_inv_root.comp). Activations are tables that the CPU's functions fill. */
#include "kernels_gl/recurrent/exact_lstm_int8.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/recurrent/exact_rows.h"
#include "kernels_gl/recurrent/exact_walk.h"

#include <stdlib.h>
#include <string.h>

/* Functions of 16 bits, two results a word. */
#define TABLE_VECTORS 8192
#define TABLES        2

/* What exact_lstm_int8.comp calls PART. */
enum part { SUMS, STATE, RESULT };

struct exact_lstm_int8 {
    const struct lstm_int8_cell *cell;
    enum part part;
};

enum { FIRST = GATE_FORGET, N_GATES = GATES - FIRST };

/* ---- tables ---- */

static size_t slices_of(const struct lstm_int8_cell *c)
{
    return (size_t)cell_slices(c->n_cell);
}

static size_t gate_vectors(const struct lstm_int8_cell *c)
{
    return 1 + 2 * slices_of(c);
}

static void pack_sums(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_lstm_int8 *e = arg;
    int32_t *out = to;

    for (size_t i = first; i < first + n; i++, out += 4) {
        const struct lstm_int8_gate *g = &e->cell->gate[FIRST + i / 2];
        const struct lstm_int8_product *p = i % 2 ? &g->recurrent : &g->input;

        memcpy(out, (const int32_t[4]){p->zero, p->to_sum.mult, p->to_sum.shift}, 4 * sizeof *out);
    }
}

/* Vector i of a gate: its scale, the norm, and the biases as what they add. */
static void pack_gate(const struct lstm_int8_cell *c, const struct lstm_int8_gate *g, size_t i, float to[4])
{
    const size_t slices = slices_of(c);

    for (size_t lane = 0; lane < 4; lane++) {
        const size_t at = i ? 4 * ((i - 1) % slices) + lane : 0;

        to[lane] = i == 0                    ? g->norm_scale
                   : at >= (size_t)c->n_cell ? 0
                   : i - 1 < slices          ? (float)g->norm[at]
                                             : (float)g->bias[at] * lstm_int8_bias_scale(g);
    }
}

/* Element x of the table that vector i of both lies in. The functions are called, and their addresses not taken: those lie far on
 * Android (scripts/android/android_far.lds). */
static int16_t table_element(enum part part, size_t i, int32_t x)
{
    if (i < TABLE_VECTORS)
        return lstm_int8_logistic((int16_t)x);
    return part == STATE ? lstm_int8_tanh((int16_t)x) : lstm_int8_tanh_of_state((int16_t)x);
}

static void pack_table(enum part part, size_t i, int32_t to[4])
{
    for (int32_t lane = 0; lane < 4; lane++) {
        const int32_t x = INT16_MIN + 8 * (int32_t)(i % TABLE_VECTORS) + 2 * lane;

        to[lane] = (int32_t)((uint32_t)(uint16_t)table_element(part, i, x) | (uint32_t)table_element(part, i, x + 1) << 16);
    }
}

static void pack_cells(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_lstm_int8 *e = arg;
    const size_t each = gate_vectors(e->cell), tables = N_GATES * each;

    for (size_t i = first; i < first + n; i++) {
        int32_t *out = (int32_t *)to + 4 * (i - first);
        float gate[4];

        if (i >= tables) {
            pack_table(e->part, i - tables, out);
            continue;
        }
        pack_gate(e->cell, &e->cell->gate[FIRST + i / each], i % each, gate);
        memcpy(out, gate, sizeof gate);
    }
}

/* ---- the operations ---- */

static void emit_cells(struct gl_shader *p, const struct ir_op *op, const struct exact_lstm_int8 *e)
{
    const struct lstm_int8_cell *c = e->cell;
    const size_t gates = N_GATES * gate_vectors(c);

    gl_param(p, "N_CELL", c->n_cell);
    gl_param(p, "TABLES", (int32_t)gates);
    gl_param(p, "STATE_LEAST", c->cell_clip > 0 ? -c->cell_clip : INT16_MIN);
    gl_param(p, "STATE_MOST", c->cell_clip > 0 ? c->cell_clip : INT16_MAX);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "c", op->in[1]);
    gl_table(p, "t", gates + TABLES * TABLE_VECTORS, pack_cells, e, sizeof *e);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const texts[] = {exact_fixed_comp,  exact_fixed16_comp,  exact_rounded_comp,
                                        exact_divide_comp, exact_inv_root_comp, exact_lstm_int8_comp};
    const struct exact_lstm_int8 *e = op->attr;

    gl_source_of(p, texts, sizeof texts / sizeof *texts);
    gl_define(p, "PART", (int32_t)e->part);
    gl_param(p, "CELL_S", cell_slices(e->cell->n_cell));
    if (e->part == SUMS) {
        gl_input(p, "x", op->in[0]);
        gl_input(p, "r", op->in[1]);
        gl_table(p, "t", 2 * N_GATES, pack_sums, e, sizeof *e);
    } else {
        emit_cells(p, op, e);
    }
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

/* The sums of two gates at most, and of each two quotients and a root, bit by bit. */
static uint64_t iterations(const struct ir_op *op)
{
    const struct exact_lstm_int8 *e = op->attr;

    return e->part == SUMS ? 1 : 2 * (GL_PASSES((uint64_t)cell_slices(e->cell->n_cell), 5) + 128);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_lstm_int8 = {.name = "exact_lstm_int8", .constants = 1, GL_VARIANTS(variants)};

static bool append(struct ir *ir, const struct lstm_int8_cell *c, enum part part, struct ir_value *a, struct ir_value *b,
                   struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_exact_lstm_int8, IR_INS(a, b), y, sizeof(struct exact_lstm_int8));

    if (op)
        *(struct exact_lstm_int8 *)op->attr = (struct exact_lstm_int8){c, part};
    return op;
}

/* ---- products ---- */

static const struct range_i32 word = {INT32_MIN, INT32_MAX};

/* Not cut to 8 bits, since each gate has a zero point of its own. */
static bool gates_product(struct ir *ir, const struct lstm_int8_cell *c, bool recurrent, struct exact_rows *out)
{
    const size_t each = 4 * slices_of(c);

    if (!exact_rows_new(ir, N_GATES * each, (size_t)(recurrent ? c->n_output : c->n_input), word, out))
        return false;
    for (size_t k = 0; k < N_GATES; k++) {
        const struct lstm_int8_gate *g = &c->gate[FIRST + k];
        const struct lstm_int8_product *p = recurrent ? &g->recurrent : &g->input;

        exact_rows_put(out, &(struct exact_matrix){p->w, NULL, (size_t)c->n_cell, p->scale}, k * each, (k + 1) * each);
    }
    return true;
}

/* Of 16-bit values, whose sums the CPU has in 64 bits. */
static bool projection_product(struct ir *ir, const struct lstm_int8_cell *c, struct exact_rows *out)
{
    const size_t rows = (size_t)c->n_output;

    if (!exact_rows_new(ir, rows, (size_t)c->n_cell, int_limits(TYPE_INT8), out))
        return false;
    exact_rows_put(out, &(struct exact_matrix){c->projection, c->projection_bias, rows, c->projection_scale}, 0, rows);
    out->q.r.kind = REQUANT_FIXED_WIDE;
    out->q.r.type = TYPE_INT8;
    out->q.r.zero = c->output_zero;
    return true;
}

static bool projection_fits(const struct lstm_int8_cell *c, struct reason *why)
{
    for (size_t r = 0; r < (size_t)c->n_output; r++) {
        const struct exact_weights row = {
            .data = c->projection + r * (size_t)c->n_cell, .type = TYPE_INT8, .n_out = 1, .taps = 1, .n_in = (size_t)c->n_cell};
        const uint64_t most = exact_weights_most(&row, 1 << 15);

        if (most > INT32_MAX || llabs((long long)c->projection_bias[r]) > INT32_MAX - (int64_t)most)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "the projection's sums of up to %llu may leave 32 bits",
                              (unsigned long long)most);
    }
    return true;
}

/* ---- the step ---- */

struct walk_of_cells {
    struct lstm_int8_cell cell;
    struct exact_rows input, recurrent, projection;
};

/* p: the largest of 8 bits that stays. */
static const struct ir_fn fn_clip = {"CLIP", NULL, "clamp(a, -ivec4(p), ivec4(p))", .arity = 1, .params = true};

static bool project(struct ir *ir, const struct walk_of_cells *w, struct ir_value *hidden, struct ir_value *y)
{
    const float clip = w->cell.projection_clip;
    struct ir_op *op = ir_exact_rows(ir, hidden, NULL, 0, &w->projection.w, &w->projection.q, y);

    return op && (!(clip > 0) || ir_apply(ir, op, &fn_clip, NULL, (float[4]){clip, clip, clip, clip}, IR_INT));
}

static bool step(struct ir *ir, const void *arg, const struct exact_step *s)
{
    const struct walk_of_cells *w = arg;
    const struct lstm_int8_cell *c = &w->cell;
    struct ir_value *products = ir_temp(ir, IR_INT, s->x->shape), *sums = ir_temp(ir, IR_INT, s->x->shape),
                    *hidden = ir_temp(ir, IR_INT, s->c->shape);

    return ir_exact_rows(ir, s->h, NULL, c->gate[GATE_OUTPUT].recurrent.x_zero, &w->recurrent.w, &w->recurrent.q, products) &&
           append(ir, c, SUMS, s->x, products, sums) && append(ir, c, STATE, sums, s->c, s->c_after) &&
           append(ir, c, RESULT, sums, s->c_after, hidden) && project(ir, w, hidden, s->y);
}

/* ---- the operator ---- */

bool exact_lstm_int8_accept(const struct node *n, struct reason *why)
{
    struct lstm_int8_cell c;
    struct err err = {""};

    if (lstm_int8_cell(n, &c, &err))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
    if (c.n_cell < 1 || c.n_input < 1 || c.n_output < 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d cells of %d inputs and %d outputs", c.n_cell, c.n_input,
                          c.n_output);
    return projection_fits(&c, why);
}

enum status exact_lstm_int8_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct walk_of_cells *w = ARENA_NEW(ir->arena, struct walk_of_cells);
    struct recurrent r = {
        .x = ir_in(ir, n, LSTM_X), .y = ir_out(ir, n, 0), .output_state = LSTM_OUTPUT_STATE, .cell_state = LSTM_CELL_STATE};
    struct ir_value *x;
    enum status st;

    if (!w || !r.x || !r.y)
        return ir_nomem(err);
    if ((st = lstm_int8_cell(n, &w->cell, err)))
        return st;
    x = ir_temp(ir, IR_INT, ir_with(r.x->shape, 3, (int32_t)(4 * N_GATES * slices_of(&w->cell))));
    if (!gates_product(ir, &w->cell, false, &w->input) || !gates_product(ir, &w->cell, true, &w->recurrent) ||
        !projection_product(ir, &w->cell, &w->projection) ||
        !ir_exact_rows(ir, r.x, NULL, w->cell.gate[GATE_OUTPUT].input.x_zero, &w->input.w, &w->input.q, x))
        return ir_nomem(err);
    return exact_rows_walk(ir, n, &(struct exact_walk){.r = &r, .x = x, .n_cell = w->cell.n_cell, .cell = w, .step = step}, err);
}
