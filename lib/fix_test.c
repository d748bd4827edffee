/* SPDX-License-Identifier: Apache-2.0 */
/* fix_test.c - every rewrite: the operators before and after, and the same results from both; and what is left alone. */
#include "fix.h"

#include <stdio.h>
#include <stdlib.h>

#include "test_model.h"

/* ---- a judge that takes operators by their names, up to a rank and of version 1 ---- */

static int32_t most_rank, most_version;
static bool same_ranks; /* of the operands of ADD */

static bool fits(const struct node *n, const char *takes, const char **why)
{
    char name[72];

    snprintf(name, sizeof name, " %s ", n->name);
    *why = "not on the list";
    if (!strstr(takes, name))
        return false;
    *why = "version";
    if (n->version > most_version)
        return false;
    *why = "rank";
    for (uint32_t i = 0; i < n->n_in + n->n_out; i++) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (t && t->rank > most_rank)
            return false;
    }
    *why = "ranks";
    if (same_ranks && n->builtin == BUILTIN_ADD && n->in[0]->rank != n->in[1]->rank)
        return false;
    *why = "masks";
    return n->builtin != BUILTIN_STRIDED_SLICE || !((const struct opt_strided_slice *)n->opt)->shrink_axis_mask;
}

static enum status ask(void *arg, const struct graph *g, struct reason *out, struct err *ignored)
{
    const char *why;

    (void)ignored;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        out[i] = (struct reason){0};
        if (!fits(&g->nodes[i], arg, &why))
            reason_set(&out[i], REASON_UNSUPPORTED_OPERATOR, "%s", why);
    }
    return ST_OK;
}

/* ---- models ---- */

static struct err err;

/* Names of all operators of the file, with spaces between. */
static void list_ops(const uint8_t *file, size_t bytes, char *out, size_t size)
{
    struct model *m;
    size_t at = 0;

    TEST_OK(model_parse(file, bytes, "fixed", &m, &err), err);
    *out = '\0';
    for (uint32_t i = 0; i < m->subgraphs[0].n_ops; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? " " : "", model_op_name(m, &m->subgraphs[0].ops[i]));
    model_close(m);
}

/* Fixes the builder's model for a set; `after` are its operators then, NULL where nothing is to be done. */
static void fix_for(struct builder *b, const char *takes, const char *after, struct fix *out)
{
    struct loaded l = load(b);
    const struct fix_judge judge = {ask, (void *)takes};
    char ops[512];

    TEST_OK(fix_model(l.model, 0, &judge, false, out, &err), err);
    if (after) {
        assert_non_null(out->file);
        list_ops(out->file, out->bytes, ops, sizeof ops);
        assert_string_equal(ops, after);
        assert_int_equal(out->refused_after, 0);
        TEST_OK(fix_verify(l.model, 0, out, &err), err);
        assert_true(out->runs > 0 && (out->arithmetic || out->max_error == 0));
    } else {
        assert_null(out->file);
    }
    unload(&l);
}

/* ---- one operator ---- */

/* An operand: a float input 'x', integers 'n' read at run time, constant integers 'i', constant floats 'f' (each `value`). */
struct operand {
    char kind;
    int32_t rank, dim[5];
    int32_t ints[8];
    float value;
};

struct rule_case {
    enum builtin op;
    int32_t version;
    const void *opt;
    struct operand in[4]; /* up to kind 0 */
    int32_t out[3][6];    /* rank and dimensions, up to rank 0 */
    const char *takes, *after;
};

static int32_t add_operand(struct builder *b, const struct operand *o)
{
    float floats[64];
    int32_t n = 1;

    for (int32_t i = 0; i < o->rank; i++)
        n *= o->dim[i];
    assert_true(o->kind == 'x' || o->kind == 'n' || n <= 64);
    for (int32_t i = 0; i < 64; i++)
        floats[i] = o->value + 0.25f * (float)(i % 3);
    switch (o->kind) {
    case 'x': return build_tensor(b, "x", TYPE_FLOAT32, o->dim, o->rank);
    case 'n': return build_tensor(b, "n", TYPE_INT32, o->dim, o->rank);
    case 'i': return build_const(b, "i", TYPE_INT32, o->dim, o->rank, o->ints);
    case 'z': return build_const(b, "z", TYPE_FLOAT32, o->dim, o->rank, (const float[64]){0});
    default: return build_const(b, "f", TYPE_FLOAT32, o->dim, o->rank, floats);
    }
}

static void build_case(struct builder *b, const struct rule_case *c)
{
    int32_t in[4], out[3], inputs[4];
    uint32_t n_in = 0, n_out = 0, n_inputs = 0;

    builder_init(b, "case");
    for (; n_in < 4 && c->in[n_in].kind; n_in++) {
        in[n_in] = c->in[n_in].kind == '-' ? -1 : add_operand(b, &c->in[n_in]);
        if (c->in[n_in].kind == 'x' || c->in[n_in].kind == 'n')
            inputs[n_inputs++] = in[n_in];
    }
    for (; n_out < 3 && c->out[n_out][0]; n_out++)
        out[n_out] = build_tensor(b, "y", TYPE_FLOAT32, c->out[n_out] + 1, c->out[n_out][0]);
    build_op(b, c->op, c->version, c->opt, in, n_in, out, n_out);
    build_inputs(b, inputs, n_inputs);
    build_outputs(b, out, n_out);
}

#define X(...)                                                                                                                     \
    {                                                                                                                              \
        'x', sizeof((int32_t[]){__VA_ARGS__}) / 4,                                                                                 \
        {                                                                                                                          \
            __VA_ARGS__                                                                                                            \
        }                                                                                                                          \
    }
#define I(...)                                                                                                                     \
    {                                                                                                                              \
        'i', 1, {sizeof((int32_t[]){__VA_ARGS__}) / 4},                                                                            \
        {                                                                                                                          \
            __VA_ARGS__                                                                                                            \
        }                                                                                                                          \
    }
#define Y(...)                                                                                                                     \
    {                                                                                                                              \
        sizeof((int32_t[]){__VA_ARGS__}) / 4, __VA_ARGS__                                                                          \
    }
#define OPT(T, ...)                                                                                                                \
    &(const struct T)                                                                                                              \
    {                                                                                                                              \
        __VA_ARGS__                                                                                                                \
    }

static const struct rule_case cases[] = {
    {BUILTIN_SQUEEZE, 1, NULL, {X(1, 1, 6)}, {Y(6)}, " RESHAPE ", "RESHAPE"},
    {BUILTIN_EXPAND_DIMS, 1, NULL, {X(2, 3), I(1)}, {Y(2, 1, 3)}, " RESHAPE ", "RESHAPE"},
    {BUILTIN_TRANSPOSE, 1, NULL, {X(1, 4, 1, 3), I(1, 0, 3, 2)}, {Y(4, 1, 3, 1)}, " RESHAPE ", "RESHAPE"},
    {BUILTIN_PACK,
     1,
     OPT(opt_pack, 2, 1),
     {X(2, 3), X(2, 3)},
     {Y(2, 2, 3)},
     " RESHAPE CONCATENATION ",
     "RESHAPE RESHAPE CONCATENATION"},
    {BUILTIN_PACK, 1, OPT(opt_pack, 2, 1), {X(2, 3), X(2, 3)}, {Y(2, 2, 3)}, " RESHAPE ", NULL},
    {BUILTIN_UNPACK,
     1,
     OPT(opt_unpack, 2, -1),
     {X(3, 2)},
     {Y(3), Y(3)},
     " RESHAPE STRIDED_SLICE ",
     "RESHAPE STRIDED_SLICE RESHAPE RESHAPE STRIDED_SLICE RESHAPE"},
    {BUILTIN_SPLIT,
     1,
     OPT(opt_split, 2),
     {I(3), X(1, 2, 3, 4)},
     {Y(1, 2, 3, 2), Y(1, 2, 3, 2)},
     " STRIDED_SLICE ",
     "STRIDED_SLICE STRIDED_SLICE"},
    {BUILTIN_SPLIT_V,
     1,
     OPT(opt_split_v, 2),
     {X(1, 2, 3, 4), I(1, 3), I(3)},
     {Y(1, 2, 3, 1), Y(1, 2, 3, 3)},
     " STRIDED_SLICE ",
     "STRIDED_SLICE STRIDED_SLICE"},
    {BUILTIN_SLICE, 1, NULL, {X(5, 7), I(1, 2), I(3, 4)}, {Y(3, 4)}, " STRIDED_SLICE RESHAPE ", "RESHAPE STRIDED_SLICE RESHAPE"},
    {BUILTIN_SLICE, 1, NULL, {X(1, 5, 7, 2), I(0, 1, 2, 0), I(1, 3, -1, 2)}, {Y(1, 3, 5, 2)}, " STRIDED_SLICE ", "STRIDED_SLICE"},
    {BUILTIN_STRIDED_SLICE,
     1,
     OPT(opt_strided_slice, .begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2),
     {X(4, 5, 3), I(0, -2, 0), I(0, 0, 3), I(2, 1, 1)},
     {Y(2, 3)},
     " STRIDED_SLICE RESHAPE ",
     "RESHAPE STRIDED_SLICE RESHAPE"},
    {BUILTIN_STRIDED_SLICE,
     1,
     OPT(opt_strided_slice, .ellipsis_mask = 1, .shrink_axis_mask = 2),
     {X(2, 3, 4, 5), I(0, 2), I(0, 3), I(1, 1)},
     {Y(2, 3, 4)},
     " STRIDED_SLICE RESHAPE ",
     "STRIDED_SLICE RESHAPE"},
    {BUILTIN_GATHER,
     1,
     OPT(opt_gather, .axis = 1),
     {X(1, 6, 2, 2), I(1, 2, 3)},
     {Y(1, 3, 2, 2)},
     " STRIDED_SLICE ",
     "STRIDED_SLICE"},
    {BUILTIN_GATHER,
     1,
     OPT(opt_gather, .axis = 1),
     {X(1, 6, 2, 2), I(4, 0)},
     {Y(1, 2, 2, 2)},
     " STRIDED_SLICE CONCATENATION ",
     "STRIDED_SLICE STRIDED_SLICE CONCATENATION"},
    {BUILTIN_GATHER_ND, 1, NULL, {X(1, 2, 3), {'i', 3, {1, 2, 2}, {0, 0, 0, 1}}}, {Y(1, 2, 3)}, " RESHAPE ", "RESHAPE"},
    {BUILTIN_GATHER_ND,
     1,
     NULL,
     {X(4, 3), {'i', 2, {2, 1}, {1, 2}}},
     {Y(2, 3)},
     " RESHAPE STRIDED_SLICE ",
     "RESHAPE STRIDED_SLICE RESHAPE"},
    {BUILTIN_GATHER_ND, 1, NULL, {X(4, 3), {'i', 2, {3, 1}, {2, 0, 2}}}, {Y(3, 3)}, " RESHAPE GATHER ", "RESHAPE GATHER RESHAPE"},
    {BUILTIN_REVERSE_V2,
     1,
     NULL,
     {X(1, 2, 2, 3), I(3)},
     {Y(1, 2, 2, 3)},
     " STRIDED_SLICE CONCATENATION ",
     "STRIDED_SLICE STRIDED_SLICE STRIDED_SLICE CONCATENATION"},
    {BUILTIN_MIRROR_PAD,
     1,
     OPT(opt_mirror_pad, MIRROR_SYMMETRIC),
     {X(1, 3, 2), {'i', 2, {3, 2}, {0, 0, 1, 0, 0, 1}}},
     {Y(1, 4, 3)},
     " STRIDED_SLICE CONCATENATION ",
     "STRIDED_SLICE CONCATENATION STRIDED_SLICE CONCATENATION"},
    {BUILTIN_MIRROR_PAD,
     1,
     OPT(opt_mirror_pad, MIRROR_REFLECT),
     {X(1, 3, 2), {'i', 2, {3, 2}, {0, 0, 2, 1, 0, 0}}},
     {Y(1, 6, 2)},
     " STRIDED_SLICE CONCATENATION ",
     "STRIDED_SLICE STRIDED_SLICE STRIDED_SLICE CONCATENATION"},
    {BUILTIN_PADV2,
     1,
     NULL,
     {X(1, 2, 2, 3), {'i', 2, {4, 2}, {0, 0, 1, 0, 0, 2, 0, 0}}, {'z', 0}},
     {Y(1, 3, 4, 3)},
     " PAD ",
     "PAD"},
    {BUILTIN_BROADCAST_TO, 2, NULL, {X(3), I(2, 3)}, {Y(2, 3)}, " TILE RESHAPE ", "RESHAPE TILE RESHAPE"},
    {BUILTIN_BROADCAST_TO, 2, NULL, {X(3), I(2, 3)}, {Y(2, 3)}, " CONCATENATION RESHAPE ", "RESHAPE CONCATENATION RESHAPE"},
    {BUILTIN_TILE,
     1,
     NULL,
     {X(2, 3), I(2, 3)},
     {Y(4, 9)},
     " CONCATENATION RESHAPE ",
     "RESHAPE CONCATENATION CONCATENATION RESHAPE"},
    {BUILTIN_RESIZE_NEAREST_NEIGHBOR,
     1,
     OPT(opt_resize_nearest_neighbor, 0),
     {X(1, 2, 3, 5), I(6, 6)},
     {Y(1, 6, 6, 5)},
     " CONCATENATION RESHAPE ",
     "RESHAPE CONCATENATION RESHAPE CONCATENATION RESHAPE"},
    {BUILTIN_RESIZE_NEAREST_NEIGHBOR,
     1,
     OPT(opt_resize_nearest_neighbor, 0),
     {X(1, 2, 3, 5), I(5, 6)},
     {Y(1, 5, 6, 5)},
     " CONCATENATION RESHAPE ",
     NULL},
    {BUILTIN_DEPTH_TO_SPACE,
     1,
     OPT(opt_depth_to_space, 2),
     {X(1, 2, 3, 12)},
     {Y(1, 4, 6, 3)},
     " STRIDED_SLICE RESHAPE CONCATENATION ",
     "STRIDED_SLICE RESHAPE STRIDED_SLICE RESHAPE CONCATENATION RESHAPE"},
    {BUILTIN_SPACE_TO_DEPTH,
     1,
     OPT(opt_space_to_depth, 2),
     {X(1, 4, 6, 3)},
     {Y(1, 2, 3, 12)},
     " STRIDED_SLICE RESHAPE CONCATENATION ",
     "RESHAPE STRIDED_SLICE RESHAPE STRIDED_SLICE RESHAPE CONCATENATION"},
    {BUILTIN_DIV, 1, OPT(opt_div, ACT_RELU), {X(2, 3), {'f', 1, {3}, {0}, 3}}, {Y(2, 3)}, " MUL ", "MUL"},
    {BUILTIN_MAXIMUM, 1, NULL, {X(2, 3), {'z', 0}}, {Y(2, 3)}, " RELU ", "RELU"},
    {BUILTIN_MAXIMUM, 1, NULL, {X(2, 3), X(2, 3)}, {Y(2, 3)}, " SUB ADD ", "SUB ADD"},
    {BUILTIN_MINIMUM, 1, NULL, {X(2, 3), X(2, 3)}, {Y(2, 3)}, " SUB ", "SUB SUB"},
    {BUILTIN_SQUARED_DIFFERENCE, 1, NULL, {X(2, 3), X(3)}, {Y(2, 3)}, " SUB MUL ", "SUB MUL"},
    {BUILTIN_NEG, 1, NULL, {X(2, 3)}, {Y(2, 3)}, " MUL ", "MUL"},
    {BUILTIN_SQUARE, 1, NULL, {X(2, 3)}, {Y(2, 3)}, " MUL ", "MUL"},
    {BUILTIN_ABS, 1, NULL, {X(2, 3)}, {Y(2, 3)}, " MUL RELU ADD ", "RELU MUL RELU ADD"},
    {BUILTIN_HARD_SWISH, 1, NULL, {X(1, 3, 3, 5)}, {Y(1, 3, 3, 5)}, " ADD RELU6 MUL ", "ADD RELU6 MUL MUL"},
    {BUILTIN_LEAKY_RELU, 1, OPT(opt_leaky_relu, 0.3f), {X(1, 3, 3, 5)}, {Y(1, 3, 3, 5)}, " PRELU ", "PRELU"},
    {BUILTIN_TANH, 1, NULL, {X(2, 7)}, {Y(2, 7)}, " LOGISTIC MUL ADD ", "MUL LOGISTIC MUL ADD"},
    {BUILTIN_L2_NORMALIZATION,
     1,
     OPT(opt_l2_norm, 0),
     {X(3, 5)},
     {Y(3, 5)},
     " MUL SUM MAXIMUM RSQRT ",
     "MUL SUM MAXIMUM RSQRT MUL"},
    {BUILTIN_MEAN,
     1,
     OPT(opt_reducer, 0),
     {X(1, 3, 5, 2), I(1, 2)},
     {Y(1, 2)},
     " AVERAGE_POOL_2D RESHAPE ",
     "AVERAGE_POOL_2D RESHAPE"},
    {BUILTIN_MEAN, 1, OPT(opt_reducer, 1), {X(1, 3, 5, 2), I(2, -3)}, {Y(1, 1, 1, 2)}, " AVERAGE_POOL_2D ", "AVERAGE_POOL_2D"},
    {BUILTIN_MEAN, 1, OPT(opt_reducer, 0), {X(1, 3, 5, 2), I(2, 3)}, {Y(1, 3)}, " AVERAGE_POOL_2D RESHAPE ", NULL},
    {BUILTIN_REDUCE_MAX,
     1,
     OPT(opt_reducer, 0),
     {X(2, 3, 5, 2), I(1, 2)},
     {Y(2, 2)},
     " MAX_POOL_2D RESHAPE ",
     "MAX_POOL_2D RESHAPE"},
    {BUILTIN_FULLY_CONNECTED,
     5,
     OPT(opt_fully_connected, .keep_num_dims = true),
     {X(2, 3, 4), {'f', 2, {5, 4}, {0}, 0.5f}, {'-'}},
     {Y(2, 3, 5)},
     " FULLY_CONNECTED RESHAPE ",
     "RESHAPE FULLY_CONNECTED RESHAPE"},
    {BUILTIN_FULLY_CONNECTED,
     6,
     OPT(opt_fully_connected, ACT_RELU6),
     {X(2, 4), {'f', 2, {5, 4}, {0}, 0.5f}, {'-'}},
     {Y(2, 5)},
     " FULLY_CONNECTED ",
     "FULLY_CONNECTED"},
    {BUILTIN_BATCH_MATMUL,
     1,
     OPT(opt_batch_matmul, 0),
     {X(1, 3, 4), {'f', 2, {4, 5}, {0}, 0.5f}},
     {Y(1, 3, 5)},
     " FULLY_CONNECTED RESHAPE ",
     "RESHAPE FULLY_CONNECTED RESHAPE"},
    {BUILTIN_BATCH_MATMUL,
     1,
     OPT(opt_batch_matmul, .adj_y = true),
     {X(3, 4), {'f', 2, {5, 4}, {0}, 0.5f}},
     {Y(3, 5)},
     " FULLY_CONNECTED ",
     "FULLY_CONNECTED"},
    {BUILTIN_EXP, 1, NULL, {X(2, 3)}, {Y(2, 3)}, " ADD MUL RESHAPE ", NULL},
};

static void each_rule(void **state)
{
    (void)state;
    most_rank = 4;
    most_version = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct builder b;
        struct fix f;

        print_message("%s for%s\n", builtin_name(cases[i].op), cases[i].takes);
        build_case(&b, &cases[i]);
        fix_for(&b, cases[i].takes, cases[i].after, &f);
        assert_int_equal(f.n_left, cases[i].after ? 0 : 1);
        fix_free(&f);
    }
}

/* ---- several ---- */

/* RESHAPE to rank 5, TRANSPOSE there, RESHAPE back: pixels out of channels. */
static void rank_5_between_reshapes(void **state)
{
    static const int32_t to[5] = {1, 2, 3, 2, 4}, back[4] = {1, 4, 3, 4}, perm[5] = {0, 1, 3, 2, 4};
    const struct opt_reshape first = {{1, 2, 3, 2, 4}, 5}, last = {{1, 4, 3, 4}, 4};
    struct builder b;
    struct fix f;
    int32_t x, u, v, y;

    (void)state;
    most_rank = 4;
    builder_init(&b, "pixels");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 3, 8));
    u = build_tensor(&b, "u", TYPE_FLOAT32, to, 5);
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(1, 2, 2, 3, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, back, 4);
    build_op(&b, BUILTIN_RESHAPE, 1, &first, INDICES(x, build_const(&b, "to", TYPE_INT32, SHAPE(5), to)), INDICES(u));
    build_op(&b, BUILTIN_TRANSPOSE, 4, NULL, INDICES(u, build_const(&b, "p", TYPE_INT32, SHAPE(5), perm)), INDICES(v));
    build_op(&b, BUILTIN_RESHAPE, 1, &last, INDICES(v, build_const(&b, "back", TYPE_INT32, SHAPE(4), back)), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " RESHAPE TRANSPOSE ", "RESHAPE TRANSPOSE RESHAPE", &f);
    assert_true(f.n_done == 1 && f.done[0].node == 1 && f.refused_before == 3 && f.nodes_after == 3);
    assert_string_equal(f.done[0].what, "TRANSPOSE of fewer dimensions between RESHAPEs");
    fix_free(&f);
}

/* SPACE_TO_BATCH_ND, CONV_2D of 3x3, BATCH_TO_SPACE_ND. pad: after the image, of which crop is cut off again. */
static void build_dilated(struct builder *b, int32_t before, int32_t after, int32_t crop)
{
    const struct opt_conv_2d conv = {.padding = PAD_VALID,
                                     .stride_width = 1,
                                     .stride_height = 1,
                                     .dilation_width_factor = 1,
                                     .dilation_height_factor = 1,
                                     .activation = ACT_RELU};
    const int32_t block[2] = {2, 2}, pads[4] = {before, after, before, after}, crops[4] = {0, crop, 0, crop};
    const int32_t whole = (6 + before + after) / 2, out = 2 * (whole - 2) - crop;
    float w[2 * 3 * 3 * 3];
    int32_t x, s, c, y, block_at, pads_at, crops_at, w_at;

    for (int i = 0; i < 54; i++)
        w[i] = (float)(i % 7) - 3;
    builder_init(b, "dilated");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6, 6, 3));
    s = build_tensor(b, "s", TYPE_FLOAT32, SHAPE(4, whole, whole, 3));
    c = build_tensor(b, "c", TYPE_FLOAT32, SHAPE(4, whole - 2, whole - 2, 2));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, out, out, 2));
    block_at = build_const(b, "block", TYPE_INT32, SHAPE(2), block);
    pads_at = build_const(b, "pads", TYPE_INT32, SHAPE(2, 2), pads);
    crops_at = build_const(b, "crops", TYPE_INT32, SHAPE(2, 2), crops);
    w_at = build_const(b, "w", TYPE_FLOAT32, SHAPE(2, 3, 3, 3), w);
    build_op(b, BUILTIN_SPACE_TO_BATCH_ND, 1, NULL, INDICES(x, block_at, pads_at), INDICES(s));
    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(s, w_at, -1), INDICES(c));
    build_op(b, BUILTIN_BATCH_TO_SPACE_ND, 1, NULL, INDICES(c, block_at, crops_at), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

static void dilated_convolutions(void **state)
{
    struct builder b;
    struct fix f;

    (void)state;
    most_rank = 4;
    build_dilated(&b, 2, 2, 0); /* as SAME pads */
    fix_for(&b, " CONV_2D ", "CONV_2D", &f);
    fix_free(&f);
    build_dilated(&b, 2, 4, 1);
    fix_for(&b, " CONV_2D PAD ", "PAD CONV_2D", &f);
    fix_free(&f);
    build_dilated(&b, 2, 4, 1);
    fix_for(&b, " CONV_2D ", NULL, &f);
    assert_true(f.n_left == 2 && f.left[0].hint && f.left[0].node == 0);
    fix_free(&f);
    build_dilated(&b, 0, 0, 0);
    fix_for(&b, " CONV_2D ", "CONV_2D", &f);
    fix_free(&f);
}

/* 2x2, stride 2, of three channels to two. */
static void transposed_convolutions_with_bias(void **state)
{
    static const int32_t options[3] = {PAD_SAME, 2, 2};
    struct builder b;
    struct fix f;
    float w[2 * 2 * 2 * 3];
    int32_t x, y;

    (void)state;
    most_rank = 4;
    for (int i = 0; i < 24; i++)
        w[i] = (float)(i % 5) - 2;
    builder_init(&b, "upsampling");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 3, 4, 3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 6, 8, 2));
    build_custom_op(&b, "Convolution2DTransposeBias", options, sizeof options,
                    INDICES(x, build_const(&b, "w", TYPE_FLOAT32, SHAPE(2, 2, 2, 3), w),
                            build_const(&b, "bias", TYPE_FLOAT32, SHAPE(2), (const float[]){0.5f, -3})),
                    INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " TRANSPOSE_CONV ADD ", "TRANSPOSE_CONV ADD", &f);
    fix_free(&f);
}

/* The shape of an input with an open batch goes into a RESHAPE. */
static void open_batches_are_fixed(void **state)
{
    static const int32_t open[2] = {-1, 6};
    struct builder b;
    struct fix f;
    struct tensor *t;
    int32_t x, shape, y;

    (void)state;
    most_rank = 4;
    builder_init(&b, "open");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 6));
    t = build_at(&b, x);
    t->signature = open;
    t->n_signature = 2;
    shape = build_tensor(&b, "shape", TYPE_INT32, SHAPE(2));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 6));
    build_op(&b, BUILTIN_SHAPE, 1, NULL, INDICES(x), INDICES(shape));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " RESHAPE ", "RESHAPE", &f);
    assert_true(f.n_pinned == 1 && f.n_done == 1);
    assert_string_equal(f.pinned[0], "x [2,6]");
    fix_free(&f);
}

static void versions_are_lowered(void **state)
{
    struct builder b;
    struct fix f;
    int32_t x, y;

    (void)state;
    most_rank = 4;
    most_version = 1;
    builder_init(&b, "version");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2, 6));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(2, 6));
    build_op(&b, BUILTIN_RELU, 2, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    fix_for(&b, " RELU ", "RELU", &f);
    assert_string_equal(f.done[0].what, "an older version of itself");
    fix_free(&f);
}

/* ADD of [3,4] and [1,2,3,4], for a set that wants one rank. */
static void ranks_are_aligned(void **state)
{
    struct builder b;
    struct fix f;
    int32_t x, u, y;

    (void)state;
    most_rank = 4;
    builder_init(&b, "ranks");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(3, 4));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2, 3, 4));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, u), INDICES(y));
    build_inputs(&b, INDICES(x, u));
    build_outputs(&b, INDICES(y));
    same_ranks = true;
    fix_for(&b, " RESHAPE ADD ", "RESHAPE ADD", &f);
    same_ranks = false;
    fix_free(&f);
}

/* One that is not equal is found out. */
static void what_differs_is_refused(void **state)
{
    struct builder b;
    struct fix f, g;
    struct loaded l;
    const struct rule_case *neg = NULL, *square = NULL;

    (void)state;
    most_rank = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        neg = cases[i].op == BUILTIN_NEG ? &cases[i] : neg;
        square = cases[i].op == BUILTIN_SQUARE ? &cases[i] : square;
    }
    build_case(&b, neg);
    fix_for(&b, neg->takes, neg->after, &f);
    build_case(&b, square);
    fix_for(&b, square->takes, square->after, &g);
    build_case(&b, square);
    l = load(&b);
    assert_int_equal(fix_verify(l.model, 0, &f, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "where no bit may differ"));
    f.arithmetic = true;
    assert_int_equal(fix_verify(l.model, 0, &f, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "where 1e-0"));
    unload(&l);
    fix_free(&f);
    fix_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule),
        cmocka_unit_test(rank_5_between_reshapes),
        cmocka_unit_test(dilated_convolutions),
        cmocka_unit_test(transposed_convolutions_with_bias),
        cmocka_unit_test(open_batches_are_fixed),
        cmocka_unit_test(versions_are_lowered),
        cmocka_unit_test(ranks_are_aligned),
        cmocka_unit_test(what_differs_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
