/* SPDX-License-Identifier: Apache-2.0 */
/* fix_rules_test.c - every rewrite of one operator: the operators that take its place, and the same results from both. */
#include "lib/testing/test_fix.h"

static struct err err;

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
    {BUILTIN_STRIDED_SLICE,
     1,
     OPT(opt_strided_slice, .shrink_axis_mask = 1),
     {X(6, 2), I(INT32_MAX, 0), I(0, 2), I(1, 1)},
     {Y(2)},
     " STRIDED_SLICE RESHAPE ",
     NULL},
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
    {BUILTIN_MAXIMUM,
     1,
     NULL,
     {X(2, 3), X(2, 3)},
     {Y(2, 3)},
     " RESHAPE CONCATENATION MAX_POOL_2D ",
     "RESHAPE RESHAPE CONCATENATION MAX_POOL_2D RESHAPE"},
    {BUILTIN_MINIMUM,
     1,
     NULL,
     {X(2, 3), X(2, 3)},
     {Y(2, 3)},
     " MUL RESHAPE CONCATENATION MAX_POOL_2D ",
     "MUL MUL RESHAPE RESHAPE CONCATENATION MAX_POOL_2D RESHAPE MUL"},
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
    assert_int_equal(fix_verify(l.model, 0, &f, NULL, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "where no bit may differ"));
    f.arithmetic = true;
    assert_int_equal(fix_verify(l.model, 0, &f, NULL, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "where 1e-0"));
    unload(&l);
    fix_free(&f);
    fix_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule),
        cmocka_unit_test(what_differs_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
