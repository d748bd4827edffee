/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm.c - LSTM of integers, in the two forms that kernels_cpu/recurrent/lstm_int.h describes, to the CPU's bits.
 *
 * The products with the inputs of all times are one operation; each step has that with the output state, the new cell state, what
 * is put out, and its projection. With 8-bit sums an operation before the cells adds the products, and layer normalization is of
 * floats, which the shader rounds one by one as the CPU does; only the root of a variance is a double there, and comes to the
 * nearest float (exact_inv_root.comp). Activations are then tables that the CPU's functions fill. */
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_cpu/recurrent/lstm_int8.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/recurrent/recurrent.h"

#include <stdlib.h>
#include <string.h>

/* A mean of more cells would leave 32 bits on its way. */
#define MOST_CELLS 65535

/* Functions of 16 bits, two results a word. */
#define TABLE_VECTORS 8192
#define TABLES        2

/* What exact_lstm.comp and exact_lstm_int8.comp call PART: the gates' sums, the cells' new state, what they put out. */
enum part { SUMS, STATE, RESULT };

struct exact_lstm {
    const struct lstm_int_cell *cell;
    enum part part;
};

/* Of gates that the cell has, coupled ones being without the first. */
static size_t first_gate(const struct lstm_int_cell *c)
{
    return c->gate[GATE_INPUT].input.w ? GATE_INPUT : GATE_FORGET;
}

static size_t gates_of(const struct lstm_int_cell *c)
{
    return GATES - first_gate(c);
}

static size_t slices_of(const struct lstm_int_cell *c)
{
    return (size_t)cell_slices(c->n_cell);
}

/* ---- tables of gates: numbers, then vectors of all cells ---- */

/* Vectors of a gate before, and vectors of all cells: peepholes, norm and its biases; with 8-bit sums the last two. */
static size_t numbers_of(const struct lstm_int_cell *c)
{
    return c->int8_sums ? 1 : 2;
}

static size_t gate_vectors(const struct lstm_int_cell *c)
{
    return numbers_of(c) + (c->int8_sums ? 2 : 3) * slices_of(c);
}

static void pack_numbers(const struct lstm_int_cell *c, const struct lstm_int_gate *g, size_t i, int32_t to[4])
{
    if (c->int8_sums)
        memcpy(to, (const float[4]){g->norm_real}, 4 * sizeof *to);
    else if (i)
        memcpy(to, (const int32_t[4]){g->variance_guard}, 4 * sizeof *to);
    else
        memcpy(to, (const int32_t[4]){g->peephole_scale.mult, g->peephole_scale.shift, g->norm_scale.mult, g->norm_scale.shift},
               4 * sizeof *to);
}

static int32_t element(const struct lstm_int_gate *g, size_t kind, size_t i)
{
    return kind == 0 ? g->peephole ? g->peephole[i] : 0 : kind == 1 ? g->norm ? g->norm[i] : 0 : g->bias ? g->bias[i] : 0;
}

/* With 8-bit sums, as floats, biases as what they add. */
static int32_t element_int8(const struct lstm_int_gate *g, size_t kind, size_t i)
{
    const float v = kind == 0 ? (float)g->norm[i] : (float)g->bias[i] * lstm_int8_bias_scale(g);
    int32_t bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static void pack_gate(const struct lstm_int_cell *c, const struct lstm_int_gate *g, size_t i, int32_t to[4])
{
    const size_t slices = slices_of(c), first = numbers_of(c);

    if (i < first)
        pack_numbers(c, g, i, to);
    for (size_t lane = 0; i >= first && lane < 4; lane++) {
        const size_t at = 4 * ((i - first) % slices) + lane;

        to[lane] = at < (size_t)c->n_cell ? (c->int8_sums ? element_int8 : element)(g, (i - first) / slices, at) : 0;
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

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_lstm *e = arg;
    const struct lstm_int_cell *c = e->cell;
    const size_t each = gate_vectors(c), tables = gates_of(c) * each;
    int32_t *out = to;

    for (size_t i = first; i < first + n; i++, out += 4)
        if (i >= tables)
            pack_table(e->part, i - tables, out);
        else
            pack_gate(c, &c->gate[first_gate(c) + i / each], i % each, out);
}

/* Of each gate the product with the input and that with the state: zero point, multiplier and shift. */
static void pack_sums(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_lstm *e = arg;
    int32_t *out = to;

    for (size_t i = first; i < first + n; i++, out += 4) {
        const struct lstm_int_gate *g = &e->cell->gate[first_gate(e->cell) + i / 2];
        const struct lstm_int_product *p = i % 2 ? &g->recurrent : &g->input;

        memcpy(out, (const int32_t[4]){p->zero_8, p->to_sum.mult, p->to_sum.shift}, 4 * sizeof *out);
    }
}

/* ---- the operations of one step ---- */

static void define_cells(struct gl_shader *p, const struct lstm_int_cell *c)
{
    const int32_t first = (int32_t)first_gate(c);

    gl_define(p, "COUPLED", first == GATE_FORGET);
    gl_define(p, "PEEPHOLES", c->gate[GATE_INPUT].peephole || c->gate[GATE_FORGET].peephole || c->gate[GATE_OUTPUT].peephole);
    gl_define(p, "NORM", c->gate[GATE_OUTPUT].norm != NULL);
    gl_param(p, "GATE_INPUT", 0);
    gl_param(p, "GATE_FORGET", GATE_FORGET - first);
    gl_param(p, "GATE_NEW", GATE_CELL - first);
    gl_param(p, "GATE_OUTPUT", GATE_OUTPUT - first);
    gl_param(p, "N_OUTPUT", c->n_output);
    gl_param(p, "STATE_LOG2", c->cell_log2);
    gl_param(p, "MULT", c->hidden_scale.mult);
    gl_param(p, "SHIFT", c->hidden_scale.shift);
    gl_param(p, "ZERO", c->projection.w ? -c->hidden_zero : c->hidden_zero);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const texts[] = {exact_fixed_comp, exact_reciprocal_comp, exact_inv_sqrt_comp, exact_fixed16_comp,
                                        exact_lstm_comp};
    static const char *const texts_int8[] = {exact_fixed_comp,  exact_fixed16_comp,  exact_rounded_comp,
                                             exact_divide_comp, exact_inv_root_comp, exact_lstm_int8_comp};
    const struct exact_lstm *e = op->attr;
    const struct lstm_int_cell *c = e->cell;
    const struct exact_lstm table = {c, c->int8_sums ? e->part : STATE}; /* one for both parts, but for the functions' tables */
    const size_t gates = gates_of(c) * gate_vectors(c);

    gl_source_of(p, c->int8_sums ? texts_int8 : texts, c->int8_sums ? 6 : 5);
    gl_define(p, "PART", (int32_t)e->part);
    gl_param(p, "CELL_S", cell_slices(c->n_cell));
    gl_input(p, "x", op->in[0]);
    gl_input(p, e->part == SUMS ? "r" : "c", op->in[1]);
    if (e->part == SUMS) {
        gl_table(p, "t", 2 * gates_of(c), pack_sums, e, sizeof *e);
    } else {
        gl_param(p, "N_CELL", c->n_cell);
        gl_param(p, "STATE_LEAST", c->cell_clip > 0 ? -c->cell_clip : INT16_MIN);
        gl_param(p, "STATE_MOST", c->cell_clip > 0 ? c->cell_clip : INT16_MAX);
        if (c->int8_sums)
            gl_param(p, "TABLES", (int32_t)gates);
        else
            define_cells(p, c);
        gl_table(p, "t", gates + (c->int8_sums ? TABLES * TABLE_VECTORS : 0), pack, &table, sizeof table);
    }
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

/* One value's roots, tables and powers are loops of a few passes; a norm goes over all cells, for each of three gates. */
static uint64_t iterations(const struct ir_op *op)
{
    const struct lstm_int_cell *c = ((const struct exact_lstm *)op->attr)->cell;

    return 64 + (c->gate[GATE_OUTPUT].norm ? 3 * GL_PASSES(slices_of(c), 8) : 0);
}

/* The sums of two gates at most, and of each two quotients and a root, bit by bit. */
static uint64_t iterations_int8(const struct ir_op *op)
{
    const struct exact_lstm *e = op->attr;

    return e->part == SUMS ? 1 : 2 * (GL_PASSES(slices_of(e->cell), 5) + 128);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
static const struct gl_variant variants_int8[] = {{"", NULL, emit, .iterations = iterations_int8}};
const struct ir_kind gl_kind_exact_lstm = {.name = "exact_lstm", .constants = 1, GL_VARIANTS(variants)};
const struct ir_kind gl_kind_exact_lstm_int8 = {.name = "exact_lstm_int8", .constants = 1, GL_VARIANTS(variants_int8)};

static struct ir_op *append(struct ir *ir, const struct lstm_int_cell *c, enum part part, struct ir_value *a, struct ir_value *b,
                            struct ir_value *y)
{
    const struct ir_kind *kind = c->int8_sums ? &gl_kind_exact_lstm_int8 : &gl_kind_exact_lstm;
    return ir_op_with(ir, kind, IR_INS(a, b), y, IR_ATTR(struct exact_lstm, c, part));
}

/* ---- products ---- */

/* Several matrices of 8 bits, each with a scale of its own, as one that ir_exact_rows() multiplies by. */
struct rows {
    struct exact_weights w;
    struct exact_requant q;
};

/* `each` rows of each, which end in zeros, scaled and cut to `range`. False: out of memory. */
static bool join_rows(struct ir *ir, const struct lstm_int_product *const *p, size_t n, size_t each, struct range_i32 range,
                      struct rows *out)
{
    const size_t rows = n * each, cols = (size_t)p[0]->cols;
    int8_t *w = ARENA_ARRAY(ir->arena, rows * cols, int8_t);
    int32_t *bias = ARENA_ARRAY(ir->arena, rows, int32_t);
    struct fixed_mul *m = ARENA_ARRAY(ir->arena, rows, struct fixed_mul);

    if (!w || !bias || !m)
        return false;
    for (size_t i = 0; i < rows; i++) {
        const struct lstm_int_product *from = p[i / each];
        const size_t r = i % each;

        m[i] = from->scale;
        if (r >= (size_t)from->rows)
            continue;
        bias[i] = from->bias_unfolded ? from->bias_unfolded[r] : 0;
        memcpy(w + i * cols, from->w + r * cols, cols);
    }
    out->w = exact_weights_of_rows(w, TYPE_INT8, rows, cols);
    return exact_requant_fixed(&out->q, rows, bias, m, 1, range, ir->arena);
}

/* Products that others are added to, or 8-bit ones, since each gate has a zero point of its own, are not cut before. */
static bool gates_product(struct ir *ir, const struct lstm_int_cell *c, bool recurrent, struct rows *out)
{
    const struct lstm_int_product *p[GATES];
    const size_t first = first_gate(c);

    for (size_t k = first; k < GATES; k++)
        p[k - first] = recurrent ? &c->gate[k].recurrent : &c->gate[k].input;
    return join_rows(ir, p, GATES - first, 4 * slices_of(c), int_limits(recurrent || c->int8_sums ? TYPE_INT32 : TYPE_INT16), out);
}

/* With 8-bit sums, of 16-bit values, whose sums the CPU has in 64 bits. */
static bool projection_product(struct ir *ir, const struct lstm_int_cell *c, struct rows *out)
{
    const struct lstm_int_product *p = &c->projection;

    if (!join_rows(ir, &p, 1, (size_t)c->n_output, int_limits(TYPE_INT8), out))
        return false;
    out->q.r.zero = c->output_zero;
    if (c->int8_sums) {
        out->q.r.kind = REQUANT_FIXED_WIDE;
        out->q.r.type = TYPE_INT8;
    }
    return true;
}

/* ---- a step ---- */

struct walk_of_cells {
    struct lstm_int_cell cell;
    const struct tensor *y;
    struct rows input, recurrent, projection;
};

static const struct ir_fn fn_saturated_sum = {"SATURATED_SUM", NULL, "clamp(a + b, ivec4(-0x8000), ivec4(0x7fff))", .arity = 2};

/* The sums of the input's products, x, and those of the state, h. */
static struct ir_value *gate_sums(struct ir *ir, const struct walk_of_cells *w, struct ir_value *x, struct ir_value *h)
{
    const struct lstm_int_cell *c = &w->cell;
    struct ir_value *products = ir_temp(ir, IR_INT, x->shape), *sums = c->int8_sums ? ir_temp(ir, IR_INT, x->shape) : products;
    struct ir_op *op = ir_exact_rows(ir, h, NULL, -c->gate[GATE_OUTPUT].recurrent.zero, &w->recurrent.w, &w->recurrent.q, products);

    if (!op || !(c->int8_sums ? append(ir, c, SUMS, x, products, sums) != NULL
                              : ir_apply(ir, op, &fn_saturated_sum, (struct ir_value *[3]){NULL, x}, NULL, IR_INT)))
        return NULL;
    return sums;
}

static struct ir_op *step(struct ir *ir, const void *arg, const struct step_values *s)
{
    const struct walk_of_cells *w = arg;
    const struct lstm_int_cell *c = &w->cell;
    struct ir_value *sums = gate_sums(ir, w, s->x, s->h), *hidden = s->y;
    struct ir_op *op;

    if (!sums || !append(ir, c, STATE, sums, s->c, s->c_after))
        return NULL;
    if (c->projection.w && (hidden = ir_temp(ir, IR_INT, s->c->shape)) && !c->int8_sums)
        hidden->tensor = w->y; /* whose type it has: it is stored as bytes */
    op = append(ir, c, RESULT, sums, s->c_after, hidden);
    if (!op || !c->projection.w)
        return op;
    op = ir_exact_rows(ir, hidden, NULL, -c->projection.zero, &w->projection.w, &w->projection.q, s->y);
    return recurrent_clip(ir, op, c->projection_clip, IR_INT);
}

/* ---- the operators ---- */

/* The forms that the CPU has elsewhere (lstm.c). */
static bool form_fits(const struct node *n, struct reason *why)
{
    if (!gl_runtime(n, LSTM_X, "input", why))
        return false;
    if (n->in[LSTM_X]->type != TYPE_INT8)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s times 8-bit weights has no exact integer shader here",
                          type_name(n->in[LSTM_X]->type));
    return !cell_options(n).diagonal ||
           reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "diagonal recurrent weights of 8 bits");
}

static bool norms_fit(const struct lstm_int_cell *c, struct reason *why)
{
    for (size_t k = first_gate(c); k < GATES; k++)
        if (!c->gate[k].norm != !c->gate[GATE_OUTPUT].norm)
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "some gates are normalized and others not");
    return true;
}

/* The projection's sums with 8-bit sums of gates. */
static bool projection_fits(const struct lstm_int_cell *c, struct reason *why)
{
    const struct lstm_int_product *p = &c->projection;

    for (size_t r = 0; c->int8_sums && r < (size_t)c->n_output; r++) {
        const struct exact_weights row = exact_weights_of_rows(p->w + r * (size_t)p->cols, TYPE_INT8, 1, (size_t)p->cols);
        const uint64_t most = exact_weights_most(&row, 1 << 15);

        if (most > INT32_MAX || llabs((long long)p->bias_unfolded[r]) > INT32_MAX - (int64_t)most)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "the projection's sums of up to %llu may leave 32 bits",
                              (unsigned long long)most);
    }
    return true;
}

static enum status read_cell(const struct node *n, struct lstm_int_cell *c, struct err *err)
{
    return lstm_has_int8_sums(n) ? lstm_int8_cell(n, c, err) : lstm_int_cell(n, c, err);
}

bool exact_lstm_accept(const struct node *n, struct reason *why)
{
    struct lstm_int_cell c;
    struct err err = {""};

    if (!form_fits(n, why))
        return false;
    if (read_cell(n, &c, &err))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
    if (c.n_cell < 1 || c.n_input < 1 || c.n_output < 1 || (!c.int8_sums && c.n_cell > MOST_CELLS))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d cells of %d inputs and %d outputs, at most %d", c.n_cell,
                          c.n_input, c.n_output, MOST_CELLS);
    return norms_fit(&c, why) && projection_fits(&c, why) && recurrent_steps_fit(cell_options(n).walk.times, why);
}

enum status exact_lstm_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct cell options = cell_options(n);
    struct walk_of_cells *w = ARENA_NEW(ir->arena, struct walk_of_cells);
    struct ir_value *x = ir_in(ir, n, LSTM_X), *sums;
    const struct lstm_int_cell *c;
    enum status st;

    if (!w || !x)
        return ir_nomem(err);
    if ((st = read_cell(n, &w->cell, err)))
        return st;
    c = &w->cell;
    w->y = n->out[0];
    sums = ir_temp(ir, IR_INT, ir_with(x->shape, 3, (int32_t)(4 * gates_of(c) * slices_of(c))));
    if (!gates_product(ir, c, false, &w->input) || !gates_product(ir, c, true, &w->recurrent) ||
        (c->projection.w && !projection_product(ir, c, &w->projection)) ||
        !ir_exact_rows(ir, x, NULL, -c->gate[GATE_OUTPUT].input.zero, &w->input.w, &w->input.q, sums))
        return ir_nomem(err);
    return recurrent_lower_steps(ir, n,
                                 &(struct steps){.walk = &options.walk,
                                                 .x = sums,
                                                 .y = ir_out(ir, n, 0),
                                                 .output = n->out[0],
                                                 .state = n->in[LSTM_CELL_STATE],
                                                 .n_cell = c->n_cell,
                                                 .cell = w,
                                                 .step = step},
                                 LSTM_OUTPUT_STATE, LSTM_CELL_STATE, err);
}
