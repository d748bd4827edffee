/* SPDX-License-Identifier: Apache-2.0 */
/* axis_gather.c - copies that map each output axis to one input axis.
 *
 * Evenly spaced indices become two uniforms per axis, others a table. */
#include "kernels_gl/common/axis_gather.h"

#include <string.h>

#include "kernels_gl/common/data_movement.h"
#include "lib/gl/ir/fold.h"

/* A struct axis_gather of a value's four axes. */
struct four {
    int axis[4];
    const int32_t *at[4];
};

static int32_t extent(const struct ir_op *op, int axis, bool slices)
{
    return slices && axis == 3 ? ir_slices(op->out->shape) : ir_dim(op->out->shape, axis);
}

/* Return the input index of the k-th element along an output axis; with `slices` the last axis counts slices. */
static int32_t source(const struct four *gather, int axis, int32_t k, bool slices)
{
    const int32_t *at = gather->at[axis];

    if (slices && axis == 3)
        return at ? at[4 * k] / 4 : k;
    return at ? at[k] : k;
}

static int32_t step(const struct ir_op *op, int axis, bool slices)
{
    const struct four *gather = op->attr;

    return extent(op, axis, slices) > 1 ? source(gather, axis, 1, slices) - source(gather, axis, 0, slices) : 1;
}

static bool evenly_spaced(const struct ir_op *op, bool slices)
{
    for (int axis = 0; axis < 4; axis++)
        for (int32_t k = 2; k < extent(op, axis, slices); k++)
            if (source(op->attr, axis, k, slices) != source(op->attr, axis, k - 1, slices) + step(op, axis, slices))
                return false;
    return true;
}

/* Channels stay channels, and each slice of four is one slice of the input. */
static bool keeps_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct four *gather = op->attr;

    (void)lim;
    if (gather->axis[3] != 3)
        return false;
    for (int32_t c = 0; gather->at[3] && c < op->out->shape.c; c++)
        if (gather->at[3][c] % 4 != c % 4 || gather->at[3][c] / 4 != gather->at[3][c / 4 * 4] / 4)
            return false;
    return true;
}

/* The output axis along which the input's channels lie. */
static int axis_of_channels(const struct four *gather)
{
    int k = 0;

    while (gather->axis[k] != 3)
        k++;
    return k;
}

/* Return true if channels and another axis are exchanged: both sides of a block of four by four elements are whole vectors. */
static bool transposes(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct four *gather = op->attr;
    int k = axis_of_channels(gather);

    (void)lim;
    return k != 3 && !gather->at[3] && !gather->at[k] && op->out->shape.c >= 4 && op->in[0]->shape.c >= 4;
}

struct table {
    const struct ir_op *op;
    bool slices;
};

/* Pack vector k: the input index of the k-th element along each axis. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct table *t = arg;
    int32_t *out = to;

    for (int32_t k = (int32_t)first; k < (int32_t)(first + n); k++)
        for (int axis = 0; axis < 4; axis++)
            *out++ = k < extent(t->op, axis, t->slices) ? source(t->op->attr, axis, k, t->slices) : 0;
}

static void bind_table(struct gl_shader *p, const struct ir_op *op, bool slices)
{
    struct table t = {op, slices};
    int32_t n = 0;

    for (int axis = 0; axis < 4; axis++)
        n = extent(op, axis, slices) > n ? extent(op, axis, slices) : n;
    gl_define(p, "TABLE", 1);
    gl_table(p, "t", (size_t)n, pack, &t, sizeof t);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const bool slices = op->variant->fits == keeps_slices;
    static const char *const begin[] = {"BEGIN_B", "BEGIN_H", "BEGIN_W", "BEGIN_C"};
    static const char *const steps[] = {"STEP_B", "STEP_H", "STEP_W", "STEP_C"};
    static const char *const from[] = {"FROM_B", "FROM_H", "FROM_W", "FROM_C"}, *const letter[] = {"x", "y", "z", "w"};
    const struct four *gather = op->attr;

    gl_source(p, axis_gather_comp);
    gl_define_types(p, op->stores);
    gl_operands(p, "x");
    for (int axis = 0; axis < 4; axis++)
        gl_define_text(p, from[gather->axis[axis]], letter[axis]);
    if (slices)
        gl_define(p, "SLICES", 1);
    if (!evenly_spaced(op, slices)) {
        bind_table(p, op, slices);
        return;
    }
    for (int axis = 0; axis < 4; axis++) {
        gl_param(p, begin[axis], source(gather, axis, 0, slices));
        gl_param(p, steps[axis], step(op, axis, slices));
    }
}

static void emit_blocks(struct gl_shader *p, const struct ir_op *op)
{
    int k = axis_of_channels(op->attr);
    struct ir_shape y = op->out->shape;

    emit(p, op);
    gl_define(p, "BLOCKS", k);
    gl_define_text(p, "LENGTH", (const char *[]){"Y_B", "Y_H", "Y_W"}[k]);
    gl_grid(p, ir_with(y, k, (ir_dim(y, k) + 3) / 4));
}

static const struct gl_variant variants[] = {
    {"slices", keeps_slices, emit, .iterations = gl_unrolled},
    {"4x4 blocks", transposes, emit_blocks, .iterations = gl_unrolled},
    {"elements", NULL, emit, .iterations = gl_unrolled},
};

static bool is_box(const struct ir_op *op, struct ir_shape *at)
{
    const struct four *gather = op->attr;

    for (int axis = 0; axis < 4; axis++) {
        if (gather->axis[axis] != axis)
            return false;
        for (int32_t k = 1; gather->at[axis] && k < ir_dim(op->out->shape, axis); k++)
            if (gather->at[axis][k] != gather->at[axis][0] + k)
                return false;
        *ir_dim_at(at, axis) = gather->at[axis] ? gather->at[axis][0] : 0;
    }
    return true;
}

static bool set_box(struct ir *ir, struct ir_op *op, struct ir_shape at)
{
    struct four *gather = op->attr;

    *gather = (struct four){.axis = {0, 1, 2, 3}};
    for (int k = 0; k < 4; k++) {
        const int32_t n = ir_dim(op->out->shape, k);

        if (n != ir_dim(op->in[0]->shape, k) && !(gather->at[k] = ir_range(ir, ir_dim(at, k), 1, n)))
            return false;
    }
    return true;
}

static bool axes(const struct ir_op *op, int axis[4])
{
    const struct four *gather = op->attr;

    for (int i = 0; i < 4; i++) {
        if (gather->at[i])
            return false;
        axis[i] = gather->axis[i];
    }
    return true;
}

static void set_axes(struct ir_op *op, const int axis[4])
{
    struct four *gather = op->attr;

    for (int i = 0; i < 4; i++) {
        gather->axis[i] = axis[i];
        gather->at[i] = NULL;
    }
}

static void permute(struct ir_op *op, const int order[4])
{
    struct four *gather = op->attr;
    const struct four was = *gather;
    int back[4];

    for (int i = 0; i < 4; i++)
        back[order[i]] = i;
    for (int i = 0; i < 4; i++) {
        gather->axis[i] = back[was.axis[order[i]]];
        gather->at[i] = was.at[order[i]];
    }
}

bool axis_gather_follow(const struct ir_op *op, struct place_along *p)
{
    const struct four *g = op->attr;
    struct place_along q[4];

    for (int k = 0; k < 4; k++) {
        const int32_t *at = g->at[k], n = ir_dim(op->out->shape, k), begin = p[k].at, by = p[k].step;
        struct place_along *to = &q[g->axis[k]];

        *to = p[k];
        if (!at)
            continue;
        to->at = at[begin];
        if (p[k].axis == PLACE_ALONE)
            continue;
        to->step = begin + by < n ? at[begin + by] - to->at : 1;
        for (int32_t i = begin; i < n; i += by)
            if (to->step < 1 || at[i] != to->at + (i - begin) / by * to->step)
                return false;
    }
    memcpy(p, q, sizeof q);
    return true;
}

#define MOST_SHIFT 8 /* of an enlargement by 256: larger ones would only take longer to look for */

/* Return true if the map gives the indices at[n]. */
static bool is_mapped(const int32_t *at, int32_t n, const struct ir_axis_map *m)
{
    for (int32_t k = 0; k < n; k++)
        if (at[k] != ir_axis_at(m, k))
            return false;
    return true;
}

/* Find a map for elements of x repeated 2, 4 ... times each, or in order with mirrored borders. */
static bool axis_map(const int32_t *at, int32_t x, int32_t y, struct ir_axis_map *m)
{
    *m = (struct ir_axis_map){.length = x};
    if (!at)
        return x == y;
    for (; m->shift <= MOST_SHIFT; m->shift++)
        if (is_mapped(at, y, m))
            return true;
    for (int way = 0; way < 3; way++) { /* the last is a border that is behind alone */
        *m = (struct ir_axis_map){.before = way < 2 ? at[0] + way : 0, .length = x, .mirrors = true, .twice = way > 0};
        if (is_mapped(at, y, m))
            return true;
    }
    return false;
}

static bool index_map(const struct ir_op *op, struct ir_index_map *map)
{
    const struct four *g = op->attr;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;

    for (int axis = 0; axis < 4; axis++)
        if (g->axis[axis] != axis)
            return false;
    return x.b == y.b && x.c == y.c && !g->at[0] && !g->at[3] && axis_map(g->at[1], x.h, y.h, &map->h) &&
           axis_map(g->at[2], x.w, y.w, &map->w);
}

const struct ir_kind gl_kind_axis_gather = {.name = "axis gather",
                                            .moves = true,
                                            .constants = 1,
                                            GL_VARIANTS(variants),
                                            IR_TRAITS(.is_box = is_box, .set_box = set_box, .index_map = index_map, .axes = axes,
                                                      .set_axes = set_axes, .permute = permute)};

/* ---- from any rank to four axes ---- */

struct axis_gather axis_gather_of(int32_t rank, const int32_t *x, const int32_t *y)
{
    struct axis_gather g = {.rank = rank};

    for (int32_t i = 0; i < rank; i++) {
        g.x[i] = x[i];
        g.y[i] = y[i];
        g.axis[i] = i;
    }
    return g;
}

/* Axes that only follow each other, in the output as in the input, have one key. */
static uint32_t apart(const struct axis_gather *g)
{
    int32_t key[TENSOR_MAX_RANK], rank[TENSOR_MAX_RANK], last = -1;

    for (int32_t i = 0, n = 0; i < g->rank; i++) /* how many before it are longer than one element */
        rank[i] = g->x[i] > 1 ? n++ : n;
    for (int32_t i = 0; i < g->rank; i++) {
        bool one = g->x[g->axis[i]] == 1 && g->y[i] == 1;

        key[i] = one ? -1 : i;
        if (one)
            continue;
        if (last >= 0 && !g->at[i] && !g->at[last] && rank[g->axis[i]] == rank[g->axis[last]] + 1)
            key[i] = key[last];
        last = i;
    }
    return ir_fold_apart(key, g->rank);
}

static bool gather_four(struct ir *ir, struct ir_value *x, const struct four *four, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_axis_gather, IR_INS(x), y, four, sizeof *four);
}

/* Return true if the indices of output axis i are 0, 1, 2 ... over its whole input axis, as without any. */
static bool all_in_place(const struct axis_gather *g, int32_t i)
{
    int32_t k = 0;

    if (g->at[i] && g->x[g->axis[i]] == g->y[i])
        while (k < g->y[i] && g->at[i][k] == k)
            k++;
    return k == g->y[i];
}

/* Give indices to axes that are cut short: without any, as in a transpose, an axis is whole. */
static bool name_first_places(struct ir *ir, struct axis_gather *g)
{
    for (int32_t i = 0; i < g->rank; i++)
        if (!g->at[i] && g->y[i] < g->x[g->axis[i]] && !(g->at[i] = ir_range(ir, 0, 1, g->y[i])))
            return false;
    return true;
}

bool ir_axis_gather(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y)
{
    struct axis_gather g = *gather;
    struct four four = {.at = {NULL}};
    struct ir_folded t[2] = {{.dim = g.x, .order = g.axis}, {.dim = g.y}};
    struct ir_shape from;
    struct ir_value *natural;
    struct ir_fold f;

    if (!x || !y || !name_first_places(ir, &g))
        return false;
    for (int32_t i = 0; i < g.rank; i++)
        if (all_in_place(&g, i))
            g.at[i] = NULL;
    t[0].stored = x->shape;
    t[0].free = x->data;
    t[1].stored = y->shape;
    if (!ir_fold_best(g.rank, apart(&g), t, 2, &f) || f.copies)
        return ir_strided(ir, x, &g, y);
    from = ir_fold_permuted(&f, &t[0], four.axis);
    for (int32_t i = 0; i < g.rank; i++)
        if (g.at[i])
            four.at[ir_fold_axis(&f, i)] = g.at[i];
    natural = ir_begin_reshape(ir, y, ir_fold_shape(&f, g.y));
    return gather_four(ir, ir_reshaped(ir, x, from), &four, natural) && ir_end_reshape(ir, natural, y);
}

const int32_t *ir_range(struct ir *ir, int32_t begin, int32_t step, int32_t n)
{
    int32_t *at = ARENA_ARRAY(ir->arena, (size_t)n, int32_t);

    for (int32_t i = 0; at && i < n; i++)
        at[i] = begin + i * step;
    return at;
}
