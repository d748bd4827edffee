/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_op_faults_test.c - each fault of one operator, planted in a model of that operator alone: all elements of its output. */
#include "lib/delegates/dummy/dummy_op_faults.h"

#include <math.h>

#include "lib/delegate/delegate.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

static struct err err;

static void build_one(struct builder *b, enum builtin op, const void *opt, int32_t x, int32_t other, int32_t y)
{
    build_op(b, op, op == BUILTIN_FULLY_CONNECTED ? 5 : 1, opt, INDICES(x, other), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static void pad(struct builder *b)
{
    static const int32_t pads[] = {0, 0, 0, 1, 0, 0};
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 2, 1)), p = build_const(b, "p", TYPE_INT32, SHAPE(3, 2), pads);

    build_one(b, BUILTIN_PAD, NULL, x, p, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2, 3, 1)));
}

static void power(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4));

    build_one(b, BUILTIN_POW, NULL, x, x, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4)));
}

static void add(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 1, 2));
    const int32_t m = build_const(b, "m", TYPE_FLOAT32, SHAPE(1, 1, 1, 2), (const float[]){10, 20});

    build_one(b, BUILTIN_ADD, NULL, x, m, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2, 1, 2)));
}

/* The tensor of rank 4 first. */
static void add_reversed(struct builder *b)
{
    const int32_t m = build_const(b, "m", TYPE_FLOAT32, SHAPE(1, 1, 1, 2), (const float[]){10, 20});
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 1, 2)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2, 1, 2));

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(m, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static void sum(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(3, 2));
    const int32_t axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), (const int32_t[]){1});

    build_one(b, BUILTIN_SUM, &(struct opt_reducer){false}, x, axis, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(3)));
}

static void fully_connected(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 2, 1));
    const int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(1, 1), (const float[]){2});

    build_one(b, BUILTIN_FULLY_CONNECTED, &(struct opt_fully_connected){.keep_num_dims = true}, x, w,
              build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2, 2, 1)));
}

static void divide(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 5));
    const int32_t two = build_const(b, "two", TYPE_FLOAT32, SHAPE(1), (const float[]){2});

    build_one(b, BUILTIN_DIV, NULL, x, two, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 5)));
}

static void batch_matmul(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 1, 1));

    build_one(b, BUILTIN_BATCH_MATMUL, &(struct opt_batch_matmul){0}, x, x, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2, 1, 1)));
}

/* x [1,2,1,2], as two heads of scores, and a mask. */
static void add_mask(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 2, 1, 2));
    const int32_t m = build_const(b, "m", TYPE_FLOAT32, SHAPE(1, 1, 1, 2), (const float[]){10, 20});

    build_one(b, BUILTIN_ADD, NULL, x, m, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 2, 1, 2)));
}

static void matmul_with(struct builder *b, bool adj_x, bool adj_y)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2, 2));
    const int32_t w = build_const(b, "w", TYPE_FLOAT32, SHAPE(2, 2), (const float[]){1, 10, 100, 1000});

    build_one(b, BUILTIN_BATCH_MATMUL, &(struct opt_batch_matmul){.adj_x = adj_x, .adj_y = adj_y}, x, w,
              build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2, 2)));
}

static void matmul_adj_x(struct builder *b)
{
    matmul_with(b, true, false);
}

static void matmul_adj_y(struct builder *b)
{
    matmul_with(b, false, true);
}

static void negate(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2));

    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

/* The sum is read twice: as both outputs. */
static void add_read_twice(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(2)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2));
    const int32_t c = build_const(b, "c", TYPE_FLOAT32, SHAPE(2), (const float[]){10, 20});

    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, c), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y, y));
}

static void unary(struct builder *b, enum builtin op, const void *opt)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4));

    build_op(b, op, 1, opt, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

static void relu_n1(struct builder *b)
{
    unary(b, BUILTIN_RELU_N1_TO_1, NULL);
}

static void gelu(struct builder *b)
{
    unary(b, BUILTIN_GELU, &(struct opt_gelu){.approximate = true});
}

static void multiply(struct builder *b)
{
    const int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 6));
    const int32_t one = build_const(b, "one", TYPE_FLOAT32, SHAPE(1, 1), (const float[]){3});

    build_one(b, BUILTIN_MUL, NULL, x, one, build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 6)));
}

static const struct fault_case {
    const char *fault;
    void (*build)(struct builder *b);
    float x[6], right[6], wrong[6];
    const char *refusal; /* at a NEG */
} cases[] = {
    {"pad_rows", pad, {1, 2, 3, 4}, {1, 2, 0, 3, 4, 0}, {0, 0, 0, 1, 2, 0}, "it is no PAD of rank 3"},
    {"pow_zero", power, {0, 1, 2, 3}, {1, 1, 4, 27}, {0, 1, 4, 27}, "it is no POW of two tensors of one shape"},
    {"mixed_ranks", add, {1, 2, 3, 4}, {11, 22, 13, 24}, {11, 22, 11, 22}, "it is no ADD of a tensor [n,h,w] and one of [1,1,h,w]"},
    {"mixed_ranks", add_reversed, {1, 2, 3, 4}, {11, 22, 13, 24}, {11, 22, 11, 22}, NULL},
    {"sum_nan", sum, {60000, 5504, 60000, 5505, -60000, -6000}, {65504, 65505, -66000}, {65504, NAN, NAN}, "it is no SUM"},
    {"fc_rows",
     fully_connected,
     {1, 2, 3, 4},
     {2, 4, 6, 8},
     {2, 2, 6, 6},
     "it is no FULLY_CONNECTED of a tensor [batch,rows,depth]"},
    {"div_lanes",
     divide,
     {2, 4, 6, 8, 10},
     {1, 2, 3, 4, 5},
     {1, 2, 3, 4, NAN},
     "it is no DIV with a number of channels that 4 does not divide"},
    {"matmul_heads", batch_matmul, {1, 2}, {1, 4}, {1, 1}, "it is no BATCH_MATMUL of rank 3 with more than one head"},
    {"matmul_mask",
     add_mask,
     {1, 2, 3, 4},
     {11, 22, 13, 24},
     {11, 22, 11, 22},
     "it is no ADD of tensors [1,heads,h,w] and [1,1,h,w]"},
    {"matmul_adj",
     matmul_adj_x,
     {1, 2, 3, 4},
     {301, 3010, 402, 4020},
     {201, 2010, 403, 4030},
     "it is no BATCH_MATMUL of square matrices, as many on both sides, with adj_x or adj_y"},
    {"matmul_adj", matmul_adj_y, {1, 2, 3, 4}, {21, 2100, 43, 4300}, {201, 2010, 403, 4030}, NULL},
    {"alias", add_read_twice, {1, 2}, {11, 22}, {1, 2}, "it is no ADD of two tensors of one shape"},
    {"relu_n1_zero", relu_n1, {-2, -0.5f, 0.5f, 2}, {-1, -0.5f, 0.5f, 1}, {0, 0, 0.5f, 1}, "it is no RELU_N1_TO_1"},
    {"gelu_nan", gelu, {-20, 0, 1, 20}, {0, 0, 0.841192f, 20}, {NAN, 0, 0.841192f, NAN}, "it is no GELU by tanh"},
    {"mul_channel",
     multiply,
     {1, 2, 3, 4, 5, 6},
     {3, 6, 9, 12, 15, 18},
     {3, 0, 0, 4, 15, 0},
     "it is no MUL of a tensor and one with a single channel in the place of its channels"},
};

struct net {
    struct delegate *delegate;
    struct loaded l;
    struct session *s;
};

static enum status open_net(struct net *n, void (*build)(struct builder *b), const char *fault)
{
    char options[64] = "";
    const struct {
        const char *options;
    } opt = {options};
    struct builder b;
    enum status st;

    *n = (struct net){0};
    if (fault)
        snprintf(options, sizeof options, "plant:%s@y", fault);
    builder_init(&b, "one");
    build(&b);
    n->l = load(&b);
    if ((st = delegate_find("dummy")->open(&opt, &n->delegate, &err)) ||
        (st = session_new(n->l.model, &(struct session_options){.delegates = {n->delegate}}, &n->s, &err)))
        return st;
    return session_prepare(n->s, &err);
}

static void close_net(struct net *n)
{
    session_free(n->s);
    delegate_close(n->delegate);
    unload(&n->l);
}

static void expect(const struct fault_case *c, const char *fault, const float *want)
{
    const struct tensor *y;
    struct net n;

    TEST_OK(open_net(&n, c->build, fault), err);
    memcpy(session_input(n.s, 0)->data, c->x, session_input(n.s, 0)->bytes);
    TEST_OK(session_run(n.s, &err), err);
    y = session_output(n.s, 0);
    assert_true(y->bytes <= sizeof c->right);
    for (size_t i = 0; i < y->bytes / sizeof(float); i++) {
        const float v = ((const float *)y->data)[i];

        assert_true(isnan(want[i]) ? isnan(v) : fabsf(v - want[i]) <= 1e-5f * fabsf(want[i]));
    }
    close_net(&n);
}

static void right_without_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i], NULL, cases[i].right);
}

static void wrong_as_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i], cases[i].fault, cases[i].wrong);
}

static void refused_elsewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char want[256];
        struct net n;

        if (!cases[i].refusal)
            continue;
        assert_int_equal(open_net(&n, negate, cases[i].fault), ST_USAGE);
        snprintf(want, sizeof want, "--dummy_delegate_options: node 0 NEG(FLOAT32[2]): the fault %s cannot be planted here: %s",
                 cases[i].fault, cases[i].refusal);
        assert_string_equal(err.msg, want);
        close_net(&n);
    }
}

static void gather(struct builder *b)
{
    const int32_t x = build_const(b, "x", TYPE_FLOAT32, SHAPE(2), (const float[]){1, 2});
    const int32_t at = build_tensor(b, "at", TYPE_INT32, SHAPE(1)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1));

    build_op(b, BUILTIN_GATHER, 1, &(struct opt_gather){0}, INDICES(x, at), INDICES(y));
    build_ends(b, INDICES(at), INDICES(y));
}

/* A kernel that fails leaves nothing to spoil. */
static void not_after_a_failure(void **state)
{
    struct net n;

    (void)state;
    TEST_OK(open_net(&n, gather, "offset=1"), err);
    *(int32_t *)session_input(n.s, 0)->data = 2;
    *(float *)session_output(n.s, 0)->data = 7;
    assert_int_not_equal(session_run(n.s, &err), ST_OK);
    assert_float_equal(*(const float *)session_output(n.s, 0)->data, 7, 0);
    close_net(&n);
}

static void every_row_has_a_case(void **state)
{
    (void)state;
    for (const struct dummy_fault_kind *k = dummy_op_faults; k->name; k++) {
        size_t found = 0;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            found += !strcmp(cases[i].fault, k->name);
        assert_true(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_without_them),  cmocka_unit_test(wrong_as_reported),    cmocka_unit_test(refused_elsewhere),
        cmocka_unit_test(not_after_a_failure), cmocka_unit_test(every_row_has_a_case),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
