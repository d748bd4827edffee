/* SPDX-License-Identifier: Apache-2.0 */
/* fix_layers.c - reductions as pools, products as FULLY_CONNECTED, dilated convolutions, and a decomposed softmax. */
#include <string.h>

#include "lib/rewrite/fix_rules.h"

enum { RANK = 4 };

static int32_t at(const struct tensor *t)
{
    return (int32_t)t->index;
}

/* ---- pools ---- */

/* A reduction over height and width of an image. */
static bool is_over_image(const struct node *n)
{
    int32_t axes[RANK];
    uint32_t k;

    if (!fix_has(n, 2, 1) || !fix_is_float(n->in[0]) || n->in[0]->rank != RANK || !fix_ints(n->in[1], 2, axes, &k) || k != 2)
        return false;
    for (uint32_t i = 0; i < 2; i++)
        axes[i] += axes[i] < 0 ? RANK : 0;
    return (axes[0] == 1 && axes[1] == 2) || (axes[0] == 2 && axes[1] == 1);
}

static bool pool(struct draft *d, const struct node *n, int32_t builtin)
{
    const struct tensor *x = n->in[0], *y = n->out[0];
    const struct opt_pool_2d opt = {.padding = PAD_VALID,
                                    .stride_width = x->dim[2],
                                    .stride_height = x->dim[1],
                                    .filter_width = x->dim[2],
                                    .filter_height = x->dim[1]};
    const int32_t dim[RANK] = {x->dim[0], 1, 1, x->dim[3]};
    int32_t to = y->rank == RANK ? at(y) : draft_tensor(d, y, dim, RANK);

    draft_op(d, builtin, &opt, (const int32_t[]){at(x)}, 1, &to, 1);
    if (to != at(y))
        draft_reshape(d, to, y->dim, y->rank, at(y));
    return true;
}

bool fix_mean(struct draft *d, const struct node *n)
{
    return is_over_image(n) && pool(d, n, BUILTIN_AVERAGE_POOL_2D);
}

bool fix_reduce_max(struct draft *d, const struct node *n)
{
    return is_over_image(n) && pool(d, n, BUILTIN_MAX_POOL_2D);
}

/* ---- products ---- */

static int32_t zero_bias(struct draft *d, int32_t units)
{
    const struct tensor like = {.name = "bias", .type = TYPE_FLOAT32};
    float *zeros = arena_alloc(d->a, (size_t)units, sizeof *zeros);

    if (!zeros) {
        d->st = ST_NOMEM;
        return 0;
    }
    return draft_const(d, &like, &units, 1, zeros);
}

/* Rows [rows,depth] times weights [units,depth], to y. */
static void product(struct draft *d, int32_t x, int32_t weights, int32_t bias, int32_t depth, int32_t units,
                    const struct opt_fully_connected *opt, const struct tensor *y)
{
    const int32_t rows = (int32_t)(tensor_elems(y) / (size_t)units), flat[2] = {rows, depth}, result[2] = {rows, units};
    const struct tensor *from = &d->tensors[x];
    int32_t to;

    if (from->rank != 2 || from->dim[1] != depth)
        x = draft_reshape(d, x, flat, 2, -1);
    to = y->rank == 2 ? at(y) : draft_tensor(d, y, result, 2);
    draft_op(d, BUILTIN_FULLY_CONNECTED, opt, (const int32_t[]){x, weights, bias}, 3, &to, 1);
    if (to != at(y))
        draft_reshape(d, to, y->dim, y->rank, at(y));
}

bool fix_fully_connected(struct draft *d, const struct node *n)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *x = node_in(n, 0), *w = node_in(n, 1), *bias = node_in(n, 2), *y = node_out(n, 0);
    struct opt_fully_connected opt = *o;
    const bool is_plain = x && w && y && x->rank == 2 && y->rank == 2 && x->dim[1] == w->dim[1];

    if (!x || !w || !y || n->n_out != 1 || n->dynamic || !fix_is_float(x) || w->type != TYPE_FLOAT32 || w->rank != 2 ||
        o->weights_format || w->dim[0] < 1 || w->dim[1] < 1 || tensor_elems(x) % (size_t)w->dim[1] || !tensor_elems(y) ||
        (is_plain && bias && !o->keep_num_dims))
        return false;
    opt.keep_num_dims = false;
    product(d, at(x), at(w), bias ? at(bias) : zero_bias(d, w->dim[0]), w->dim[1], w->dim[0], &opt, y);
    return true;
}

/* A constant matrix on the right. */
bool fix_batch_matmul(struct draft *d, const struct node *n)
{
    const struct opt_batch_matmul *o = n->opt;
    const struct opt_fully_connected opt = {0};
    const struct tensor *x = node_in(n, 0), *w = node_in(n, 1), *y = node_out(n, 0);
    int32_t depth, units, dim[2];
    const float *from;
    float *to;

    if (!fix_has(n, 2, 1) || !fix_is_float(x) || w->type != TYPE_FLOAT32 || !w->is_const || !w->data || w->rank < 2 || o->adj_x)
        return false;
    depth = w->dim[w->rank - (o->adj_y ? 1 : 2)];
    units = w->dim[w->rank - (o->adj_y ? 2 : 1)];
    if (tensor_elems(w) != (size_t)depth * (size_t)units || y->dim[y->rank - 1] != units)
        return false;
    if (!(to = arena_alloc(d->a, (size_t)depth * (size_t)units, sizeof *to))) {
        d->st = ST_NOMEM;
        return false;
    }
    from = w->data;
    for (int32_t u = 0; u < units; u++)
        for (int32_t k = 0; k < depth; k++)
            to[(size_t)u * (size_t)depth + (size_t)k] = o->adj_y ? from[(size_t)u * (size_t)depth + (size_t)k]
                                                                 : from[(size_t)k * (size_t)units + (size_t)u];
    dim[0] = units;
    dim[1] = depth;
    product(d, at(x), draft_const(d, w, dim, 2, to), zero_bias(d, units), depth, units, &opt, y);
    return true;
}

/* MediaPipe's Convolution2DTransposeBias: x, filter, bias; its options are the first of TFLite's own struct. */
bool fix_transpose_conv_bias(struct draft *d, const struct node *n)
{
    int32_t o[3], sum; /* padding, strides along width and height */
    struct opt_transpose_conv opt;
    const struct tensor *y = node_out(n, 0);

    if (strcmp(n->name, "Convolution2DTransposeBias") != 0 || n->n_custom < sizeof o || !fix_has(n, 3, 1) ||
        !fix_is_float(n->in[0]) || y->rank != RANK || n->in[2]->type != TYPE_FLOAT32)
        return false;
    memcpy(o, n->custom, sizeof o);
    opt = (struct opt_transpose_conv){.padding = (enum padding)o[0], .stride_width = o[1], .stride_height = o[2]};
    sum = draft_tensor(d, y, y->dim, RANK);
    draft_op(d, BUILTIN_TRANSPOSE_CONV, &opt, (const int32_t[]){draft_ints(d, y->dim, RANK), at(n->in[1]), at(n->in[0])}, 3, &sum,
             1);
    draft_binary(d, BUILTIN_ADD, sum, at(n->in[2]), at(y));
    return true;
}

/* ---- several nodes as one ---- */

static const struct node *maker_of(const struct draft *d, const struct tensor *t)
{
    return d->maker[t->index];
}

/* Block sizes and what is put around or cut off, of images alone. */
static bool read_blocks(const struct node *n, int32_t block[2], int32_t around[2][2])
{
    uint32_t n_block, n_around;

    return fix_has(n, 3, 1) && n->in[0]->rank == RANK && fix_ints(n->in[1], 2, block, &n_block) && n_block == 2 &&
           fix_ints(n->in[2], 4, around[0], &n_around) && n_around == 4;
}

/* Of the last dimension alone, which stays as 1. */
static bool is_over_last(const struct node *n, const struct tensor *x)
{
    int32_t axis;
    uint32_t one;

    return n && fix_has(n, 2, 1) && n->in[0] == x && n->out[0]->rank == x->rank && n->out[0]->dim[x->rank - 1] == 1 &&
           fix_ints(n->in[1], 1, &axis, &one) && one == 1 && (axis == -1 || axis == x->rank - 1);
}

static bool is_a(const struct node *n, int32_t builtin)
{
    return n && n->builtin == builtin;
}

/* exp(x - max x) over its sum. */
bool fix_softmax(struct draft *d, const struct node *n)
{
    const struct opt_softmax opt = {.beta = 1};
    const struct node *e, *sum, *off, *most;
    const struct tensor *x;

    if (!fix_has(n, 2, 1) || ((const struct opt_div *)n->opt)->activation || n->in[0]->type != TYPE_FLOAT32 || n->in[0]->rank < 1)
        return false;
    e = maker_of(d, n->in[0]);
    sum = maker_of(d, n->in[1]);
    if (!is_a(e, BUILTIN_EXP) || !is_a(sum, BUILTIN_SUM) || !is_over_last(sum, n->in[0]))
        return false;
    off = maker_of(d, e->in[0]);
    if (!is_a(off, BUILTIN_SUB) || !fix_has(off, 2, 1) || ((const struct opt_sub *)off->opt)->activation)
        return false;
    x = off->in[0];
    most = maker_of(d, off->in[1]);
    if (!is_a(most, BUILTIN_REDUCE_MAX) || !tensor_same_shape(x, n->out[0]) || !is_over_last(most, x))
        return false;
    draft_op(d, BUILTIN_SOFTMAX, &opt, (const int32_t[]){at(x)}, 1, (const int32_t[]){at(n->out[0])}, 1);
    return true;
}

struct dilation {
    const struct node *conv, *to_batch;
    int32_t block[2], pad[2][2];
    bool depthwise;
};

/* SPACE_TO_BATCH_ND, a convolution of stride 1, BATCH_TO_SPACE_ND, each read by the next alone. */
static bool find_dilation(const struct draft *d, const struct node *n, struct dilation *s)
{
    int32_t block[2], crop[2][2];
    const struct opt_conv_2d *o;
    const struct opt_depthwise_conv_2d *dw;

    if (!read_blocks(n, block, crop) || !(s->conv = maker_of(d, n->in[0])) || d->readers[n->in[0]->index] != 1)
        return false;
    s->depthwise = s->conv->builtin == BUILTIN_DEPTHWISE_CONV_2D;
    if ((!s->depthwise && s->conv->builtin != BUILTIN_CONV_2D) || s->conv->n_in < 2 || !s->conv->in[1] ||
        s->conv->in[1]->type != TYPE_FLOAT32 || !(s->to_batch = maker_of(d, s->conv->in[0])) ||
        s->to_batch->builtin != BUILTIN_SPACE_TO_BATCH_ND || d->readers[s->conv->in[0]->index] != 1 ||
        !read_blocks(s->to_batch, s->block, s->pad) || memcmp(block, s->block, sizeof block) != 0)
        return false;
    o = s->conv->opt;
    dw = s->conv->opt;
    if (s->depthwise ? dw->stride_height != 1 || dw->stride_width != 1 || dw->dilation_height_factor != 1 ||
                           dw->dilation_width_factor != 1 || dw->padding != PAD_VALID
                     : o->stride_height != 1 || o->stride_width != 1 || o->dilation_height_factor != 1 ||
                           o->dilation_width_factor != 1 || o->padding != PAD_VALID)
        return false;
    for (int i = 0; i < 2; i++)
        for (int side = 0; side < 2; side++)
            if ((s->pad[i][side] -= crop[i][side]) < 0)
                return false;
    return true;
}

/* Whether SAME puts just this much around an image, for a filter with these gaps. */
static bool is_same(const struct dilation *s)
{
    for (int i = 0; i < 2; i++) {
        const int32_t all = (s->conv->in[1]->dim[1 + i] - 1) * s->block[i];

        if (s->pad[i][0] != all / 2 || s->pad[i][1] != all - all / 2)
            return false;
    }
    return true;
}

bool fix_dilated(struct draft *d, const struct node *n)
{
    struct dilation s;
    int32_t x, in[3], dim[RANK];
    bool same;

    if (!find_dilation(d, n, &s))
        return false;
    x = at(s.to_batch->in[0]);
    same = is_same(&s);
    if (!same && (s.pad[0][0] || s.pad[0][1] || s.pad[1][0] || s.pad[1][1])) {
        const int32_t pads[RANK][2] = {{0, 0}, {s.pad[0][0], s.pad[0][1]}, {s.pad[1][0], s.pad[1][1]}, {0, 0}},
                      shape[2] = {RANK, 2};
        const struct tensor like = {.name = "paddings", .type = TYPE_INT32};

        memcpy(dim, s.to_batch->in[0]->dim, sizeof dim);
        for (int i = 0; i < 2; i++)
            dim[1 + i] += s.pad[i][0] + s.pad[i][1];
        in[0] = x;
        x = draft_tensor(d, s.to_batch->in[0], dim, RANK);
        draft_op(d, BUILTIN_PAD, NULL, (const int32_t[]){in[0], draft_const(d, &like, shape, 2, pads)}, 2, &x, 1);
    }
    in[0] = x;
    in[1] = at(s.conv->in[1]);
    in[2] = s.conv->n_in > 2 && s.conv->in[2] ? at(s.conv->in[2]) : -1;
    if (s.depthwise) {
        struct opt_depthwise_conv_2d opt = *(const struct opt_depthwise_conv_2d *)s.conv->opt;

        opt.padding = same ? PAD_SAME : PAD_VALID;
        opt.dilation_height_factor = s.block[0];
        opt.dilation_width_factor = s.block[1];
        draft_op(d, BUILTIN_DEPTHWISE_CONV_2D, &opt, in, 3, (const int32_t[]){at(n->out[0])}, 1);
    } else {
        struct opt_conv_2d opt = *(const struct opt_conv_2d *)s.conv->opt;

        opt.padding = same ? PAD_SAME : PAD_VALID;
        opt.dilation_height_factor = s.block[0];
        opt.dilation_width_factor = s.block[1];
        draft_op(d, BUILTIN_CONV_2D, &opt, in, 3, (const int32_t[]){at(n->out[0])}, 1);
    }
    return true;
}
