/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent.c - lowering of a cell of floats: the walk as a loop within one shader, or as several such loops one after the other.
 */
#include "kernels_gl/recurrent/recurrent.h"

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "lib/gl/codegen/shader.h"

static int32_t vectors_of(const struct walk *w)
{
    return w->gates * cell_slices(w->cell->n_cell);
}

static const struct cell *cell_of(const struct ir_op *op)
{
    return ((const struct walk *)op->attr)->cell;
}

static int time_axis(const struct ir_op *op)
{
    return cell_of(op)->walk.time_major ? 1 : 2;
}

/* Fewer than the cell's in one of several loops. */
static int32_t times_of(const struct ir_op *op)
{
    return ir_dim(op->out->shape, time_axis(op));
}

static int32_t batches_of(const struct ir_op *op)
{
    return cell_of(op)->walk.batch;
}

/* ---- weights as the loop reads them ---- */

/* Where they lie, in vectors: recurrent weights first. */
struct layout {
    int32_t items, out, cells; /* slices of sums, of outputs, of cells */
    size_t vectors, projection, bias, end;
};

static struct layout layout_of(const struct walk *w)
{
    struct layout l = {vectors_of(w), cell_slices(w->cell->n_output), cell_slices(w->cell->n_cell), 0, 0, 0, 0};

    l.vectors = (size_t)l.items * (size_t)l.out * 4;
    l.projection = l.vectors + (w->vectors ? 3 * (size_t)l.items : 0);
    l.bias = l.projection + (w->projection ? (size_t)l.out * (size_t)l.cells * 4 : 0);
    l.end = l.bias + (w->projection ? (size_t)l.out : 0);
    return l;
}

/* Element [row][col] of a matrix [rows][cols], zero outside. */
static float element(const float *m, int32_t rows, int32_t cols, size_t row, size_t col)
{
    return row < (size_t)rows && col < (size_t)cols ? m[row * (size_t)cols + col] : 0;
}

/* Vector i of a matrix in slices of four rows by four columns: column by column of each. */
static void pack_matrix(const float *m, int32_t rows, int32_t cols, size_t i, float *to)
{
    size_t slices = (size_t)cell_slices(cols), row = i / 4 / slices * 4, col = i / 4 % slices * 4 + i % 4;

    for (size_t k = 0; k < 4; k++)
        to[k] = element(m, rows, cols, row + k, col);
}

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct walk *w = arg;
    const struct cell *c = w->cell;
    const struct layout l = layout_of(w);
    float *out = to;

    for (size_t i = first; i < first + n; i++, out += 4)
        if (i < l.vectors)
            pack_matrix(w->recurrent->data, cell_sums(c), c->n_output, i, out);
        else if (i < l.projection)
            for (size_t k = 0; k < 4; k++)
                out[k] = ((const float *)w->vectors->data)[4 * (i - l.vectors) + k];
        else if (i < l.bias)
            pack_matrix(w->projection->data, c->n_output, c->n_cell, i - l.projection, out);
        else
            for (size_t k = 0; k < 4; k++)
                out[k] = w->projection_bias ? element(w->projection_bias->data, 1, c->n_output, 0, 4 * (i - l.bias) + k) : 0;
}

/* ---- the shader ---- */

static const char *activation_text(enum activation act)
{
    switch (act) {
    case ACT_RELU: return "max(v, vec4(0.0))";
    case ACT_RELU6: return "clamp(v, vec4(0.0), vec4(6.0))";
    case ACT_RELU_N1_TO_1: return "clamp(v, vec4(-1.0), vec4(1.0))";
    case ACT_TANH: return "bounded_tanh(v)";
    case ACT_SIGMOID: return "sigmoid(v)";
    case ACT_SIGN_BIT: return "mix(vec4(0.0), vec4(1.0), lessThan(floatBitsToInt(v), ivec4(0)))";
    default: return "(v)";
    }
}

void recurrent_define(struct gl_shader *p, const struct walk *w)
{
    const struct cell *c = w->cell;

    gl_define_text(p, "ACTIVATION(v)", activation_text(c->activation));
    gl_param(p, "CELL_S", cell_slices(c->n_cell));
    gl_param(p, "N_CELL", c->n_cell);
    if (!c->lstm)
        return;
    gl_define(p, "LSTM", 1);
    gl_param(p, "GATE_INPUT", cell_gate(c, GATE_INPUT));
    gl_param(p, "GATE_FORGET", cell_gate(c, GATE_FORGET));
    gl_param(p, "GATE_NEW", cell_gate(c, GATE_CELL));
    gl_param(p, "GATE_OUTPUT", cell_gate(c, GATE_OUTPUT));
    gl_param_float(p, "CELL_CLIP", c->cell_clip);
    if (cell_is_coupled(c))
        gl_define(p, "COUPLED", 1);
    if (c->activation == ACT_NONE) /* then TFLite multiplies by the gate, not by the state */
        gl_define(p, "KEEPS_GATE", 1);
    if (c->peephole[GATE_OUTPUT])
        gl_define(p, "PEEPHOLES", 1);
    if (c->norm[GATE_OUTPUT])
        gl_define(p, "NORM", 1);
}

#define MOST_LANES 128

/* A power of two, so that cells of about a size share a program. */
static int32_t room(int32_t n)
{
    int32_t to = 16;

    while (to < n && to < 1 << 30)
        to *= 2;
    return to;
}

/* As many as there are sums to make. */
static int32_t lanes_of(const struct ir_op *op)
{
    const int32_t n = room(vectors_of(op->attr));

    return n < MOST_LANES ? n : MOST_LANES;
}

static uint64_t shared_bytes(const struct walk *w)
{
    const struct layout l = layout_of(w);
    uint64_t n = (uint64_t)room(l.out) + (uint64_t)room(l.items) + (w->cell->lstm ? (uint64_t)room(l.cells) : 0);

    return 16 * (n + (w->projection ? (uint64_t)room(l.cells) : 0));
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct walk *w = op->attr;
    const struct layout l = layout_of(w);
    const int32_t lanes = lanes_of(op);

    gl_source(p, recurrent_comp);
    recurrent_define(p, w);
    gl_define(p, "LANES", lanes);
    gl_define(p, "OUT_ROOM", room(l.out));
    gl_define(p, "GATES_ROOM", room(l.items));
    gl_define(p, "CELL_ROOM", room(l.cells));
    gl_param(p, "OUT_S", l.out);
    gl_param(p, "GATES_S", l.items);
    gl_param(p, "TIMES", times_of(op));
    gl_param(p, "PEEPHOLES_AT", (int32_t)l.vectors);
    gl_param(p, "NORM_AT", (int32_t)l.vectors + l.items);
    gl_param(p, "NORM_BIAS_AT", (int32_t)l.vectors + 2 * l.items);
    gl_param(p, "PROJECTION_AT", (int32_t)l.projection);
    gl_param(p, "PROJECTION_BIAS_AT", (int32_t)l.bias);
    gl_param_float(p, "PROJECTION_CLIP", w->cell->projection_clip);
    gl_param(p, "BATCH_MAJOR", !w->cell->walk.time_major);
    gl_param(p, "BACKWARD", w->cell->walk.backward);
    if (w->projection)
        gl_define(p, "PROJECTION", 1);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "h0", op->in[1]);
    if (w->cell->lstm)
        gl_input(p, "c0", op->in[2]);
    gl_weights(p, "w", l.end, pack, w, sizeof *w);
    gl_output(p, "y", op->out);
    if (op->out2)
        gl_output(p, "state", op->out2);
    gl_shared(p, (uint32_t)shared_bytes(w));
    gl_grid_of(p, 1, batches_of(op), lanes, 1);
    gl_group(p, (uint32_t)lanes, 1);
}

/* Passes of one step: n rounds of the lanes over so many slices. */
static uint64_t rounds(const struct ir_op *op, int32_t slices)
{
    return (uint64_t)((slices + lanes_of(op) - 1) / lanes_of(op));
}

static uint64_t passes_of_step(const struct ir_op *op)
{
    const struct walk *w = op->attr;
    const struct layout l = layout_of(w);
    const uint64_t in_norm = w->cell->norm[GATE_OUTPUT] ? 2 * GL_PASSES((uint64_t)l.cells) : 0, of_cells = rounds(op, l.cells);
    uint64_t n = GL_PASSES(rounds(op, l.items), (uint64_t)l.out) + GL_PASSES(of_cells);

    if (w->cell->lstm)
        n += GL_PASSES(of_cells) + of_cells * in_norm * (uint64_t)(w->gates + 1);
    if (w->projection)
        n += GL_PASSES(rounds(op, l.out), (uint64_t)l.cells);
    /* Twice that: llvmpipe ended a loop of 9,000 steps of 7 passes before its 65,535. */
    return 2 * (n + 1);
}

static uint64_t passes_beside(const struct ir_op *op)
{
    const struct layout l = layout_of(op->attr);

    return 1 + 2 * GL_PASSES(rounds(op, l.cells)) + GL_PASSES(rounds(op, l.out));
}

static uint64_t iterations(const struct ir_op *op)
{
    uint64_t n;

    return __builtin_mul_overflow(passes_of_step(op), (uint64_t)times_of(op), &n) ? UINT64_MAX : n + passes_beside(op);
}

static bool fits_group(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct walk *w = op->attr;
    const struct layout l = layout_of(w);
    const uint32_t buffers = (w->cell->lstm ? 6 : 4);

    return lim->group_invocations >= MOST_LANES && lim->shared_bytes >= shared_bytes(w) && l.end < INT32_MAX / 8 &&
           lim->storage_blocks + (lim->policy.image_reads ? lim->image_reads : 0) >= buffers;
}

/* One step is better made of operations that use all of the device, and so are many where a workgroup alone has much to read. In
 * vectors, a workgroup counting up to MOST_GROUPS times: bench/RESULTS.md has the times that these are from. */
#define MOST_WEIGHTS (1u << 17)
#define MOST_GROUPS  8

static bool pays(const struct ir_op *op, const struct gl_limits *lim)
{
    const size_t groups = (size_t)(batches_of(op) < MOST_GROUPS ? batches_of(op) : MOST_GROUPS);

    (void)lim;
    return times_of(op) > 1 && layout_of(op->attr).end * groups <= MOST_WEIGHTS;
}

/* ---- several loops ---- */

static int32_t most_times(const struct ir_op *op, const struct gl_limits *lim)
{
    const uint64_t most = gl_most_passes(lim), beside = passes_beside(op);
    const uint64_t times = most > beside ? (most - beside) / passes_of_step(op) : 0;

    return times < (uint64_t)times_of(op) ? (int32_t)times : times_of(op);
}

/* Long sequences are cut into few loops. */
#define MOST_LOOPS 4096

static bool can_cut(const struct ir_op *op, const struct gl_limits *lim)
{
    const int32_t most = most_times(op, lim), times = times_of(op);

    return fits_group(op, lim) && most >= 1 && most < times && (times + most - 1) / most <= MOST_LOOPS;
}

struct ir_value *recurrent_part(struct ir *ir, struct ir_value *x, int axis, int32_t at, int32_t count)
{
    struct axis_gather gather = {.rank = 4};
    struct ir_value *part;

    if (!x || ir_dim(x->shape, axis) == count)
        return x;
    part = ir_temp(ir, x->type, ir_with(x->shape, axis, count));
    if (!part || !(gather.at[axis] = ir_range(ir, at, 1, count)))
        return NULL;
    part->full = x->full;
    for (int32_t i = 0; i < 4; i++) {
        gather.axis[i] = i;
        gather.x[i] = ir_dim(x->shape, i);
        gather.y[i] = ir_dim(part->shape, i);
    }
    return ir_axis_gather(ir, x, &gather, part) ? part : NULL;
}

/* The output state that a loop leaves: y of its last time. */
static struct ir_value *state_after(struct ir *ir, const struct cell *c, struct ir_value *y)
{
    const int axis = c->walk.time_major ? 1 : 2;
    struct ir_value *last = y ? recurrent_part(ir, y, axis, c->walk.backward ? 0 : ir_dim(y->shape, axis) - 1, 1) : NULL;

    return last ? ir_reshaped(ir, last, (struct ir_shape){1, 1, c->walk.batch, c->n_output}) : NULL;
}

struct loops {
    struct ir_value **y; /* [n] in the order of time */
    int32_t n, length;
};

/* Loop k in the order in which they run. */
static bool append_loop(struct ir *ir, const struct ir_op *op, struct loops *l, int32_t k, struct ir_value *state[2])
{
    const struct walk *w = op->attr;
    const int axis = time_axis(op);
    const int32_t i = w->cell->walk.backward ? l->n - 1 - k : k, at = i * l->length, left = times_of(op) - at,
                  times = left < l->length ? left : l->length;
    struct ir_value *x = recurrent_part(ir, op->in[0], axis, at, times);
    struct ir_op *loop;

    l->y[i] = ir_temp_full(ir, IR_FLOAT, ir_with(op->out->shape, axis, times));
    if (!x || !(loop = ir_op_with(ir, op->kind, (struct ir_value *[]){x, state[0], state[1]}, op->n_in, l->y[i], w, sizeof *w)))
        return false;
    if (op->out2)
        state[1] = loop->out2 = k == l->n - 1 ? op->out2 : ir_temp_full(ir, IR_FLOAT, op->out2->shape);
    return (!op->out2 || state[1]) && (k == l->n - 1 || (state[0] = state_after(ir, w->cell, l->y[i])));
}

static bool cut(struct ir *ir, const struct ir_op *op)
{
    const int32_t most = most_times(op, ir->limits), n = (times_of(op) + most - 1) / most;
    struct loops l = {.n = n, .length = (times_of(op) + n - 1) / n};
    struct ir_value *state[2] = {op->in[1], op->n_in > 2 ? op->in[2] : NULL};
    struct ir_op *join;

    l.n = (times_of(op) + l.length - 1) / l.length; /* fewer, where rounding up leaves nothing for the last */
    if (!(l.y = ARENA_ARRAY(ir->arena, (size_t)l.n, struct ir_value *)))
        return false;
    for (int32_t k = 0; k < l.n; k++)
        if (!append_loop(ir, op, &l, k, state))
            return false;
    join = ir_concatenate(ir, l.y, (uint32_t)l.n, time_axis(op), op->out);
    if (!join)
        return false;
    join->stores = op->stores;
    join->epilogue = op->epilogue;
    return true;
}

static const struct gl_variant variants[] = {
    {"loop", fits_group, emit, .iterations = iterations, .pays = pays},
    {"loops", can_cut, .expand = cut, .pays = pays},
    {"steps", recurrent_few_steps, .expand = recurrent_expand_steps},
};
const struct ir_kind gl_kind_recurrent = {.name = "recurrent", .constants = 1, GL_VARIANTS(variants)};

/* ---- lowering ---- */

bool recurrent_set_state(struct ir *ir, const struct node *n, uint32_t i, struct ir_value *v)
{
    struct ir_value *old = ir_in(ir, n, i), *new = old &&v ? ir_reshaped(ir, v, old->shape) : NULL;

    if (new)
        ir_set_variable(ir, n->in[i], new);
    return new;
}

static struct ir_value *state_in(struct ir *ir, const struct node *n, uint32_t i, int32_t batch, int32_t width)
{
    struct ir_value *v = ir_in(ir, n, i);

    return v ? ir_reshaped(ir, v, (struct ir_shape){1, 1, batch, width}) : NULL;
}

static bool is_constant(const struct walk *w)
{
    return w->recurrent->data && (!w->vectors || w->vectors->data) && (!w->projection || w->projection->data) &&
           (!w->projection_bias || w->projection_bias->data);
}

/* One direction. */
static enum status lower_cell(struct ir *ir, const struct node *n, const struct cell *c, struct ir_value *y, struct err *err)
{
    struct ir_value *in[3] = {NULL};
    struct ir_op *op;
    struct walk w;

    if (ir->lowering.exact && cell_is_hybrid(c))
        return exact_hybrid_cell_lower(ir, n, c, y, err);
    if (!y || !recurrent_make_walk(ir, c, false, &w) || !(in[0] = recurrent_sums_of_inputs(ir, n, c, y)))
        return ir_nomem(err);
    if (!is_constant(&w))
        return recurrent_lower_walk(ir, n, &w, in[0], y, err);
    in[1] = state_in(ir, n, c->output_state, c->walk.batch, c->n_output);
    in[2] = c->lstm ? state_in(ir, n, c->cell_state, c->walk.batch, c->n_cell) : NULL;
    if (!(op = ir_op_with(ir, &gl_kind_recurrent, in, c->lstm ? 3 : 2, y, &w, sizeof w)))
        return ir_nomem(err);
    if (c->lstm && !(op->out2 = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, 1, c->walk.batch, c->n_cell})))
        return ir_nomem(err);
    return recurrent_set_state(ir, n, c->output_state, state_after(ir, c, y)) &&
                   (!c->lstm || recurrent_set_state(ir, n, c->cell_state, op->out2))
               ? ST_OK
               : ir_nomem(err);
}

enum status recurrent_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct cell *c = ARENA_ARRAY(ir->arena, 2, struct cell);
    struct ir_value *y = ir_out(ir, n, 0), *part[2] = {y, NULL};
    enum status st = ST_OK;

    if (!c || !y)
        return ir_nomem(err);
    if ((st = cell_from_node(n, false, &c[0], err)) || (c->two && (st = cell_from_node(n, true, &c[1], err))))
        return st;
    for (int d = 0; c->two && d < 2; d++)
        part[d] = c->merge ? ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, c[d].n_output)) : ir_out(ir, n, (uint32_t)d);
    for (int d = 0; !st && d < (c->two ? 2 : 1); d++)
        st = lower_cell(ir, n, &c[d], part[d], err);
    return st || !c->merge || ir_concatenate(ir, part, 2, 3, y) ? st : ir_nomem(err);
}
