/* SPDX-License-Identifier: Apache-2.0 */
/* session_precision_test.c - what the reference kernels make of floats in half precision and with sums of double, and who watches.
 */
#include "lib/graph/half_store.h"
#include "lib/session/session.h"
#include "lib/testing/test.h"
#include "lib/testing/test_delegate.h"

#include <math.h>
#include <stdlib.h>

/* A model of input 0, "x", and output 0, "y", with what a test adds, and a session on it. */
struct one {
    struct builder b;
    struct loaded l;
    struct session *s;
    int32_t x, y;
};

static void begin(struct one *o, const int32_t *xd, int32_t x_rank, const int32_t *yd, int32_t y_rank)
{
    builder_init(&o->b, "one");
    o->x = build_tensor(&o->b, "x", TYPE_FLOAT32, xd, x_rank);
    o->y = build_tensor(&o->b, "y", TYPE_FLOAT32, yd, y_rank);
    build_inputs(&o->b, INDICES(o->x));
    build_outputs(&o->b, INDICES(o->y));
}

static const float *run(struct one *o, const struct session_options *opt, const float *x)
{
    struct err err;

    o->s = load_and_prepare(&o->b, opt, &o->l);
    memcpy(session_input(o->s, 0)->data, x, session_input(o->s, 0)->bytes);
    TEST_OK(session_run(o->s, &err), err);
    return session_output(o->s, 0)->data;
}

static void end(struct one *o)
{
    session_free(o->s);
    unload(&o->l);
}

/* ---- sums of double ---- */

/* Of these the sum is 1, and 0 where it is rounded to float32 after each step. */
static const float cancels[] = {1e8f, 1, -1e8f};
static const float ones[] = {1, 1, 1};

static int32_t weights(struct one *o, const int32_t *dim, int32_t rank)
{
    return build_const(&o->b, "w", TYPE_FLOAT32, dim, rank, ones);
}

static void fully_connected(struct one *o)
{
    begin(o, SHAPE(1, 3), SHAPE(1, 1));
    build_op(&o->b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(o->x, weights(o, SHAPE(1, 3)), -1), INDICES(o->y));
}

static void fully_connected_with_bias(struct one *o)
{
    begin(o, SHAPE(1, 3), SHAPE(1, 1));
    build_op(&o->b, BUILTIN_FULLY_CONNECTED, 1, NULL,
             INDICES(o->x, weights(o, SHAPE(1, 3)), build_const(&o->b, "bias", TYPE_FLOAT32, SHAPE(1), &(float){0})),
             INDICES(o->y));
}

static void conv(struct one *o)
{
    const struct opt_conv_2d opt = {PAD_VALID, 1, 1, .dilation_width_factor = 1, .dilation_height_factor = 1};

    begin(o, SHAPE(1, 1, 3, 1), SHAPE(1, 1, 1, 1));
    build_op(&o->b, BUILTIN_CONV_2D, 1, &opt, INDICES(o->x, weights(o, SHAPE(1, 1, 3, 1)), -1), INDICES(o->y));
}

static void depthwise(struct one *o)
{
    const struct opt_depthwise_conv_2d opt = {PAD_VALID, 1, 1, 1, .dilation_width_factor = 1, .dilation_height_factor = 1};

    begin(o, SHAPE(1, 1, 3, 1), SHAPE(1, 1, 1, 1));
    build_op(&o->b, BUILTIN_DEPTHWISE_CONV_2D, 1, &opt, INDICES(o->x, weights(o, SHAPE(1, 1, 3, 1)), -1), INDICES(o->y));
}

static void transposed(struct one *o)
{
    const struct opt_transpose_conv opt = {PAD_VALID, 1, 1};

    begin(o, SHAPE(1, 1, 1, 3), SHAPE(1, 1, 1, 1));
    build_op(
        &o->b, BUILTIN_TRANSPOSE_CONV, 1, &opt,
        INDICES(build_const(&o->b, "shape", TYPE_INT32, SHAPE(4), (int32_t[]){1, 1, 1, 1}), weights(o, SHAPE(1, 1, 1, 3)), o->x),
        INDICES(o->y));
}

static void matrices(struct one *o)
{
    begin(o, SHAPE(1, 3), SHAPE(1, 1));
    build_op(&o->b, BUILTIN_BATCH_MATMUL, 1, NULL, INDICES(o->x, weights(o, SHAPE(3, 1))), INDICES(o->y));
}

static void recurrent(struct one *o)
{
    const struct opt_rnn opt = {0};
    int32_t state;

    begin(o, SHAPE(1, 3), SHAPE(1, 1));
    state = build_tensor(&o->b, "state", TYPE_FLOAT32, SHAPE(1, 1));
    build_at(&o->b, state)->is_variable = true;
    build_op(&o->b, BUILTIN_RNN, 1, &opt,
             INDICES(o->x, weights(o, SHAPE(1, 3)), build_const(&o->b, "r", TYPE_FLOAT32, SHAPE(1, 1), ones),
                     build_const(&o->b, "bias", TYPE_FLOAT32, SHAPE(1), &(float){0}), state),
             INDICES(o->y));
}

static void reduction(struct one *o, enum builtin op)
{
    begin(o, SHAPE(1, 3), SHAPE(1));
    build_op(&o->b, op, 1, NULL, INDICES(o->x, build_const(&o->b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){1})), INDICES(o->y));
}

static void sum(struct one *o)
{
    reduction(o, BUILTIN_SUM);
}

static void mean(struct one *o)
{
    reduction(o, BUILTIN_MEAN);
}

static void average_pool(struct one *o)
{
    const struct opt_pool_2d opt = {PAD_VALID, 1, 1, 3, 1};

    begin(o, SHAPE(1, 1, 3, 1), SHAPE(1, 1, 1, 1));
    build_op(&o->b, BUILTIN_AVERAGE_POOL_2D, 1, &opt, INDICES(o->x), INDICES(o->y));
}

static void sums_of_double_lose_nothing(void **state)
{
    static const struct {
        const char *name;
        void (*build)(struct one *o);
        float want;
    } cases[] = {
        {"FULLY_CONNECTED", fully_connected, 1},
        {"with a bias", fully_connected_with_bias, 1},
        {"CONV_2D", conv, 1},
        {"DEPTHWISE_CONV_2D", depthwise, 1},
        {"TRANSPOSE_CONV", transposed, 1},
        {"BATCH_MATMUL", matrices, 1},
        {"RNN", recurrent, 1},
        {"SUM", sum, 1},
        {"MEAN", mean, 1.0f / 3},
        {"AVERAGE_POOL_2D", average_pool, 1.0f / 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (enum session_precision p = SESSION_FP32; p <= SESSION_FP64; p += SESSION_FP64) {
            const struct session_options opt = {.mode = CPU_REFERENCE, .precision = p};
            const float want = p == SESSION_FP64 ? cases[i].want : 0;
            struct one o;
            float y;

            cases[i].build(&o);
            y = *run(&o, &opt, cancels);
            if (y != want)
                fail_msg("%s gives %g instead of %g", cases[i].name, (double)y, (double)want);
            end(&o);
        }
}

enum { DEPTH = 300 };

static void row(struct one *o, enum builtin op)
{
    const struct opt_softmax opt = {1};

    begin(o, SHAPE(1, DEPTH), SHAPE(1, DEPTH));
    build_op(&o->b, op, 1, op == BUILTIN_SOFTMAX ? &opt : NULL, INDICES(o->x), INDICES(o->y));
}

/* How many elements of a row are not what the formula gives in double, rounded once. */
static int inexact(enum builtin op, enum session_precision p)
{
    const struct session_options opt = {.mode = CPU_REFERENCE, .precision = p};
    double sum = 0, squares = 0;
    uint64_t seed = 7;
    float x[DEPTH];
    const float *y;
    struct one o;
    int n = 0;

    for (int i = 0; i < DEPTH; i++) {
        x[i] = i ? (float)(test_random(&seed) % 8000) / 1000 : 8;
        sum += exp((double)x[i] - 8);
        squares += (double)x[i] * (double)x[i];
    }
    row(&o, op);
    y = run(&o, &opt, x);
    for (int i = 0; i < DEPTH; i++)
        n += y[i] != (op == BUILTIN_SOFTMAX       ? (float)(exp((double)x[i] - 8) / sum)
                      : op == BUILTIN_LOG_SOFTMAX ? (float)((double)x[i] - 8 - log(sum))
                                                  : (float)((double)x[i] / sqrt(squares)));
    end(&o);
    return n;
}

static void rows_are_rounded_once(void **state)
{
    const enum builtin ops[] = {BUILTIN_SOFTMAX, BUILTIN_LOG_SOFTMAX, BUILTIN_L2_NORMALIZATION};

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        assert_true(inexact(ops[i], SESSION_FP32) > 0);
        assert_int_equal(inexact(ops[i], SESSION_FP64), 0);
    }
}

/* ---- half precision ---- */

/* x * w -> p, -p -> y */
static void build_product(struct one *o, const float *w)
{
    int32_t p;

    begin(o, SHAPE(4), SHAPE(4));
    p = build_tensor(&o->b, "p", TYPE_FLOAT32, SHAPE(4));
    build_op(&o->b, BUILTIN_MUL, 1, NULL, INDICES(o->x, build_const(&o->b, "w", TYPE_FLOAT32, SHAPE(4), w)), INDICES(p));
    build_op(&o->b, BUILTIN_NEG, 1, NULL, INDICES(p), INDICES(o->y));
}

static void values_and_constants_are_stored_as_halves(void **state)
{
    const struct session_options half = {.mode = CPU_REFERENCE, .precision = SESSION_FP16};
    const float x[] = {1 + 0x1p-12f, 300, 0x1p-24f, 1.5f}, w[] = {1, 300, 0.5f, 1 + 3 * 0x1p-12f};
    struct one o;
    const float *y;

    (void)state;
    build_product(&o, w);
    y = run(&o, &half, x);
    assert_float_equal(((const float *)session_input(o.s, 0)->data)[0], 1, 0); /* the input, in place */
    assert_float_equal(y[0], -1, 0);
    assert_true(isinf(y[1]) && y[1] < 0);           /* 90000 */
    assert_float_equal(y[2], 0, 0);                 /* half of the least subnormal, and the even one of its neighbours */
    assert_float_equal(y[3], -(1.5f + 0x1p-9f), 0); /* 1.5 (1 + 2^-10); of the whole constant it were 1.5 + 2^-10 */
    end(&o);
}

/* The GPU keeps a constant in float32 where halves cannot hold it. */
static void constants_that_do_not_fit_stay_whole(void **state)
{
    const struct session_options half = {.mode = CPU_REFERENCE, .precision = SESSION_FP16};
    const float w[] = {1e6f, 1 + 0x1p-12f, 1, 1}, x[] = {0.015625f, 1024, 1, 1};
    struct one o;
    const float *y;

    (void)state;
    build_product(&o, w);
    y = run(&o, &half, x);
    assert_float_equal(y[0], -15624, 0); /* 15625 in steps of 8 */
    assert_float_equal(y[1], -1024, 0);
    end(&o);
}

static void the_file_stays_as_it_is(void **state)
{
    const struct session_options half = {.mode = CPU_REFERENCE, .precision = SESSION_FP16}, whole = {.mode = CPU_REFERENCE};
    const float w[] = {0.1f, 0.2f, 0.3f, 0.4f}, x[] = {1, 1, 1, 1};
    struct session *s;
    struct one o;
    struct err err;

    (void)state;
    build_product(&o, w);
    run(&o, &half, x);
    TEST_OK(session_prepare(o.s, &err), err); /* again: constants begin with the file's content */
    TEST_OK(session_set_input(o.s, 0, x, sizeof x, &err), err);
    TEST_OK(session_run(o.s, &err), err);
    assert_float_equal(*(const float *)session_output(o.s, 0)->data, -half_to_float(half_from_float(0.1f)), 0);
    TEST_OK(session_new(o.l.model, &whole, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    TEST_OK(session_set_input(s, 0, x, sizeof x, &err), err);
    TEST_OK(session_run(s, &err), err);
    assert_memory_equal(session_output(s, 0)->data, ((const float[]){-0.1f, -0.2f, -0.3f, -0.4f}), sizeof x);
    session_free(s);
    end(&o);
}

/* ---- observers ---- */

struct seen {
    char names[64];
    float first; /* of the last node's output */
};

static void see(void *arg, const struct session *s, const struct node *n)
{
    struct seen *seen = arg;

    assert_true(session_graph(s)->n_nodes > 0);
    strcat(strcat(seen->names, n->name), " ");
    seen->first = *(const float *)n->out[0]->data;
}

static void every_node_is_seen_once_it_ran(void **state)
{
    struct seen seen = {""};
    const struct session_options opt = {.mode = CPU_REFERENCE, .after_node = see, .after_node_arg = &seen};
    const float w[] = {2, 1, 1, 1}, x[] = {3, 1, 1, 1};
    struct one o;

    (void)state;
    build_product(&o, w);
    run(&o, &opt, x);
    assert_string_equal(seen.names, "MUL NEG ");
    assert_float_equal(seen.first, -6, 0);
    end(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_double_lose_nothing),
        cmocka_unit_test(rows_are_rounded_once),
        cmocka_unit_test(values_and_constants_are_stored_as_halves),
        cmocka_unit_test(constants_that_do_not_fit_stay_whole),
        cmocka_unit_test(the_file_stays_as_it_is),
        cmocka_unit_test(every_node_is_seen_once_it_ran),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
