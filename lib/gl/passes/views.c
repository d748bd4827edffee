/* SPDX-License-Identifier: Apache-2.0 */
/* views.c - values that lie within others, so that what only moves data is not run.
 *
 * A view is a box of whole slices. Lanes beyond a value's last channel are zero, so a part may end within a slice only where the
 * whole ends, too, or where maps alone read it, whose own lanes there become zero; and a single channel that is only read where it
 * is broadcast may be any lane. Everything that binds a view binds all of its root: what a shader may not bind is no root. */
#include "lib/gl/ir/fold.h"
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"

/* It moves in[0] to out and does nothing else, and both may lie in the same memory. */
static bool only_moves(const struct ir_op *op, const struct ir_value *x)
{
    return !op->epilogue && !op->out2 && !x->data && x->type == op->out->type && x->format == op->out->format;
}

/* Where images are read, a root must fit one, for its parts would have. */
static bool may_be_root(const struct ir_value *v, const struct gl_limits *lim)
{
    return !lim->policy.image_reads || ir_vectors(v->shape) <= lim->image_vectors;
}

/* What lies in y keeps its order where y lies in another value. */
static bool views_can_move(const struct ir *ir, const struct ir_value *y)
{
    for (uint32_t i = 0; y->holds && i < ir->n_values; i++)
        if (ir->values[i]->view.of == y && !ir_same_shape(ir->values[i]->view.pitch, y->shape))
            return false;
    return true;
}

static struct ir_shape sum(struct ir_shape a, struct ir_shape b)
{
    return (struct ir_shape){a.b + b.b, a.h + b.h, a.w + b.w, a.c + b.c};
}

/* v, which has memory of its own, and what lies in it lie in x from `at` on. */
static void lay(struct ir *ir, struct ir_value *v, struct ir_value *x, struct ir_shape at)
{
    const bool within = x->view.of != NULL;
    const struct ir_view to = {
        .of = within ? x->view.of : x, .at = within ? sum(x->view.at, at) : at, .pitch = within ? x->view.pitch : x->shape};

    for (uint32_t i = 0; v->holds && i < ir->n_values; i++) {
        struct ir_view *w = &ir->values[i]->view;

        if (w->of == v)
            *w = (struct ir_view){to.of, sum(w->at, to.at), to.pitch, w->map, w->blend, w->lane, w->blocks};
    }
    v->view = to;
    v->holds = false;
    to.of->holds = true;
}

/* ---- reshapes ---- */

/* All of its memory, under whatever shape. */
static bool is_whole(const struct ir_value *v)
{
    return !v->view.of || (ir_elems(v->shape) == ir_elems(v->view.of->shape) && ir_same_shape(v->view.pitch, v->shape));
}

/* Whoever alone reads y reads each pixel's channels in the order in which x has them by now; not *done where it cannot. False: out
 * of memory. */
static bool reorder_reader(struct ir *ir, uint32_t from, const struct ir_value *x, const struct ir_value *y, bool *done)
{
    const struct ir_shape s = x->shape;

    *done = false;
    if (s.c % 4 || s.b != y->shape.b || y->shape.h != 1 || y->shape.w != 1 || y->is_output || y->n_uses != 1)
        return true;
    for (uint32_t i = from; i < ir->n_ops; i++)
        if (ir->ops[i]->n_in && ir->ops[i]->in[0] == y)
            return !ir_traits(ir->ops[i])->reorder || ir_traits(ir->ops[i])->reorder(ir, ir->ops[i], s, done);
    return true;
}

enum status gl_view_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    bool ok = true;

    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        struct ir_op *op = ir->ops[i];
        struct ir_value *x = op->in[0], *y = op->out;
        bool same;

        if (op->kind->role != IR_RESHAPE || op->moves_batch || !only_moves(op, x) || !is_whole(x))
            continue;
        if (!(same = ir_same_order(x->shape, y->shape)))
            ok = reorder_reader(ir, i + 1, x, y, &same);
        if (!same)
            continue;
        lay(ir, y, x, (struct ir_shape){0, 0, 0, 0});
        y->view.pitch = y->shape;
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    return ok ? ST_OK : ir_nomem(err);
}

/* ---- parts ---- */

/* Channels of `part`, from channel `at` of `whole` on, are whole slices of that. */
static bool whole_slices(struct ir_shape part, int32_t at, struct ir_shape whole)
{
    return at % 4 == 0 && (part.c % 4 == 0 || at + part.c == whole.c);
}

/* It reads what it reads broadcast (LOADB), as maps and fused functions do; reshapes read single channels so that they gather. */
static bool reads_broadcast(const struct ir_op *op)
{
    return op->kind->role == IR_MAP || (op->kind->role == IR_RESHAPE && op->in[0]->shape.c == 1 && op->out->shape.c > 1);
}

/* What fewer channels than the output's are read as ends in zeros. */
struct channel_loads {
    uint32_t *loads;
    int32_t channels;
};

static void count_fewer(void *arg, struct ir_value **operand)
{
    const struct channel_loads *l = arg;

    l->loads[(*operand)->id] += (*operand)->shape.c > 1 && (*operand)->shape.c < l->channels;
}

/* loads[values]: operands that read the value otherwise than broadcast, or channel by channel. */
static void count_loads(const struct ir *ir, uint32_t *loads)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        ir_each_operand(ir->ops[i], count_fewer, &(struct channel_loads){loads, ir->ops[i]->out->shape.c});
        for (uint32_t k = 0; k < ir->ops[i]->n_in && !reads_broadcast(ir->ops[i]); k++)
            loads[ir->ops[i]->in[k]->id]++;
    }
}

enum status gl_view_parts(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    uint32_t *loads = ARENA_ARRAY(&scratch, ir->n_values, uint32_t);

    if (loads)
        count_loads(ir, loads);
    for (uint32_t i = 0; i < ir->n_ops && loads; i++) {
        struct ir_op *op = ir->ops[i];
        struct ir_value *x = op->in[0], *y = op->out;
        const bool by_lanes = !loads[y->id] && !y->is_output && !y->holds && !lim->policy.any_batch;
        struct ir_shape at;

        if (!ir_traits(op)->is_box || !only_moves(op, x) || !ir_traits(op)->is_box(op, &at) ||
            !((by_lanes && (y->shape.c == 1 || at.c % 4 == 0)) || whole_slices(y->shape, at.c, x->shape)) ||
            !views_can_move(ir, y) || !may_be_root(ir_root(x), lim))
            continue;
        lay(ir, y, x, at);
        y->view.lane = y->shape.c == 1 && !whole_slices(y->shape, at.c, x->shape);
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    arena_free(&scratch);
    return loads ? ST_OK : ir_nomem(err);
}

/* ---- blocks of pixels ---- */

/* Whoever makes what is dealt out stores it there at once: nobody else reads that. */
enum status gl_view_blocks(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];
        struct ir_value *x = op->in[0];
        struct ir_blocks blocks, *kept;

        if (!ir_traits(op)->blocks || !only_moves(op, x) || x->view.of || x->holds || x->is_input || x->n_uses != 1 ||
            !may_be_root(ir_root(op->out), lim) || !ir_traits(op)->blocks(op, &blocks) || blocks.channels % 4)
            continue;
        if (!(kept = ARENA_NEW(ir->arena, struct ir_blocks)))
            return ir_nomem(err);
        *kept = blocks;
        lay(ir, x, op->out, (struct ir_shape){0, 0, 0, 0});
        x->view.blocks = kept;
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    return ST_OK;
}

/* ---- joins ---- */

/* The axis along which an operand is shorter than the whole; 3 where none is. */
static int axis_of_join(const struct ir_op *op)
{
    int axis = 0;

    while (axis < 3 && ir_dim(op->in[0]->shape, axis) == ir_dim(op->out->shape, axis))
        axis++;
    return axis;
}

static struct ir_shape place_after(struct ir_shape at, int axis, struct ir_shape part)
{
    int32_t *const to[] = {&at.b, &at.h, &at.w, &at.c};

    *to[axis] += ir_dim(part, axis);
    return at;
}

/* Every operand can lie in the whole: made here or coming from outside, in one place only, and in whole slices. */
static bool can_join(const struct ir *ir, const struct ir_op *op, int axis)
{
    struct ir_shape at = {0, 0, 0, 0};

    for (uint32_t i = 0; i < op->n_in; i++) {
        const struct ir_value *x = op->in[i];

        if (!only_moves(op, x) || x->view.of || !views_can_move(ir, x) || !whole_slices(x->shape, at.c, op->out->shape))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (op->in[k] == x)
                return false;
        at = place_after(at, axis, x->shape);
    }
    return true;
}

/* From the last to the first: a join of joins is laid out before what it consists of. */
enum status gl_view_joins(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)err;
    for (uint32_t i = ir->n_ops; i-- > 0;) {
        struct ir_op *op = ir->ops[i];
        struct ir_shape at = {0, 0, 0, 0};
        int axis;

        if (op->kind->role != IR_CONCATENATION || !may_be_root(ir_root(op->out), lim) || !can_join(ir, op, axis = axis_of_join(op)))
            continue;
        for (uint32_t k = 0; k < op->n_in; k++) {
            lay(ir, op->in[k], op->out, at);
            at = place_after(at, axis, op->in[k]->shape);
        }
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    return ST_OK;
}

/* ---- maps of rows and columns ---- */

static void count_read(void *arg, struct ir_value **operand)
{
    ((uint32_t *)arg)[(*operand)->id]++;
}

/* reads[values]: operands that read the value otherwise than a window that slides over it. */
static void count_reads(struct ir *ir, uint32_t *reads)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        ir_each_operand(ir->ops[i], count_read, reads);
        if (ir->ops[i]->kind->role == IR_CONV)
            reads[ir->ops[i]->in[0]->id]--;
    }
}

static bool is_shift(const struct ir_axis_map *m)
{
    return !m->before && !m->mirrors;
}

/* What lies in y does so as a whole, through a map that can follow one that only shifts. */
static bool maps_can_follow(const struct ir *ir, const struct ir_value *y, const struct ir_index_map *map)
{
    for (uint32_t i = 0; y->holds && i < ir->n_values; i++) {
        const struct ir_view *v = &ir->values[i]->view;

        if (v->of == y && (!v->map || v->map->h.shift || v->map->w.shift || v->at.b || v->at.h || v->at.w || v->at.c ||
                           !ir_same_shape(v->pitch, y->shape) || !is_shift(&map->h) || !is_shift(&map->w)))
            return false;
    }
    return true;
}

static bool follow(struct ir *ir, const struct ir_value *y, const struct ir_index_map *map)
{
    for (uint32_t i = 0; y->holds && i < ir->n_values; i++) {
        struct ir_view *v = &ir->values[i]->view;
        struct ir_index_map *both;

        if (v->of != y)
            continue;
        if (!(both = ARENA_NEW(ir->arena, struct ir_index_map)))
            return false;
        *both = *v->map;
        both->h.shift = map->h.shift;
        both->w.shift = map->w.shift;
        v->map = both;
    }
    return true;
}

/* Nobody but windows reads what the operation makes, and that may lie in what it reads. */
static bool can_map(const struct ir *ir, const struct ir_op *op, const uint32_t *reads, const struct gl_limits *lim,
                    struct ir_index_map *map)
{
    const struct ir_value *x = op->in[0], *y = op->out;

    return ir_traits(op)->index_map && only_moves(op, x) && !y->is_output && !y->view.of && !reads[y->id] &&
           may_be_root(ir_root(x), lim) && ir_traits(op)->index_map(op, map) && maps_can_follow(ir, y, map);
}

/* From the last to the first: a mirrored border of repeated pixels is read through one map. */
enum status gl_view_maps(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    uint32_t *reads = ARENA_ARRAY(&scratch, ir->n_values, uint32_t);
    bool ok = reads != NULL;

    if (ok)
        count_reads(ir, reads);
    for (uint32_t i = ir->n_ops; ok && i-- > 0;) {
        struct ir_op *op = ir->ops[i];
        struct ir_value *x = op->in[0], *y = op->out;
        struct ir_index_map map, *kept;

        if (!can_map(ir, op, reads, lim, &map))
            continue;
        if (!(ok = (kept = ARENA_NEW(ir->arena, struct ir_index_map)) && follow(ir, y, &map)))
            break;
        *kept = map;
        lay(ir, y, x, (struct ir_shape){0, 0, 0, 0});
        y->view.map = kept;
        reads[x->id]--;
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    arena_free(&scratch);
    return ok ? ST_OK : ir_nomem(err);
}

/* ---- means of four pixels ---- */

/* No sum or product of it is rounded, so that it does not matter whether the device rounds between them. */
static bool is_exact(float center, const struct ir_blend_axis *a, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const float along = ((float)i + center) * a->scale;

        if ((double)along != ((double)i + (double)center) * (double)a->scale ||
            (double)(along - center) != (double)along - (double)center)
            return false;
    }
    return true;
}

/* What reads v. */
struct blend_reads {
    const struct ir_value *v;
    uint32_t operands;
};

static void count_operand(void *arg, struct ir_value **operand)
{
    struct blend_reads *r = arg;

    r->operands += *operand == r->v;
}

static uint32_t operands_of(struct ir_op *op, const struct ir_value *v)
{
    struct blend_reads r = {v, 0};

    ir_each_operand(op, count_operand, &r);
    return r.operands;
}

/* It reads each vector of in[0] once, or so: a convolution of single pixels, in as many slices of the output as an invocation makes
 * at least. What slides under larger windows, or is read for more slices, is made again for each. */
static bool reads_once(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct ir_window *w = op->attr;

    return op->kind->role == IR_MAP || (w->kernel_h * w->kernel_w * w->stride_h * w->stride_w == 1 &&
                                        ir_slices(op->out->shape) <= (lim->policy.straight_code ? 4 : 2));
}

/* Whoever reads what `op` makes can make it as well. *pays: and each vector is read once, so that it is the four reads that the
 * operation by itself has, less its store. Figures of llvmpipe, processor time: twice as many rows and columns and a convolution of
 * single pixels, of one slice to two 0.77 of what both take apart, of two to four 0.70, but of 8 to 16 0.95, and 1.4 where the
 * image is small; depthwise 3x3 0.93, 3x3 1.2 to 1.9. What pays here may not elsewhere, and the other way round: tuning tries both.
 * Of values in textures, which lie in nothing, nothing is known. */
static bool may_blend(const struct ir *ir, const struct ir_op *op, const struct gl_limits *lim, bool *pays)
{
    const struct ir_value *y = op->out;
    uint64_t vectors = 0;

    *pays = !lim->policy.textures;
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *r = ir->ops[i];
        const uint32_t operands = r ? operands_of(r, y) : 0;

        if (!operands)
            continue;
        if (!gl_may_merge(ir, r, op))
            return false;
        for (uint32_t k = 0; k < r->n_in; k++)
            if (r->in[k] == y && r->kind->role != IR_MAP && (r->kind->role != IR_CONV || k))
                return false;
            else if (r->in[k] == y)
                *pays &= reads_once(r, lim);
        vectors += operands * ir_vectors(r->kind->role == IR_CONV && r->in[0] == y ? y->shape : r->out->shape);
    }
    *pays &= vectors <= ir_vectors(y->shape);
    return true;
}

static bool can_blend(const struct ir *ir, const struct ir_op *op, const struct gl_limits *lim, struct ir_blend *b)
{
    const struct ir_value *x = op->in[0], *y = op->out;
    bool pays;

    if (!ir_traits(op)->blend || !only_moves(op, x) || y->is_output || y->view.of || y->holds || !may_be_root(ir_root(x), lim) ||
        !ir_traits(op)->blend(op, b) || !may_blend(ir, op, lim, &pays) || pays == gl_pick_of(op, ir->choice).blends)
        return false;
    return lim->precise || (is_exact(b->center, &b->h, y->shape.h) && is_exact(b->center, &b->w, y->shape.w));
}

/* Whoever reads it computes it, too. */
static bool hand_out(struct ir *ir, const struct ir_op *op)
{
    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (ir->ops[i] && operands_of(ir->ops[i], op->out) && !ir_merge_nodes(ir, ir->ops[i], op))
            return false;
    return true;
}

enum status gl_view_blends(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];
        struct ir_blend b, *kept;

        if (!can_blend(ir, op, lim, &b))
            continue;
        if (!(kept = ARENA_NEW(ir->arena, struct ir_blend)) || !hand_out(ir, op))
            return ir_nomem(err);
        *kept = b;
        lay(ir, op->out, op->in[0], (struct ir_shape){0, 0, 0, 0});
        op->out->view.blend = kept;
        ir->ops[i] = NULL;
    }
    ir_close_gaps(ir);
    return ST_OK;
}
